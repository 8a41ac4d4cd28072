# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034 # the variables that choose_cuda sets are read by those who source this
# Which CUDA the GPU worker is built and run with: a Toolkit, NVIDIA's Python wheels, or none.

# Prefix of the folders that are looked at by their usual absolute names; the tests put a made-up machine there.
SYSTEM_ROOT=${STAGECRAFT_SYSTEM_ROOT:-}

# The folder of the first Toolkit that is found: $CUDA_HOME, $CUDA_PATH, nvcc on PATH, then the usual prefix.
toolkit_folder()
{
    local folder nvcc
    for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}"; do
        [ -n "$folder" ] && [ -x "$folder/bin/nvcc" ] && printf '%s\n' "$folder" && return 0
    done
    if nvcc=$(command -v nvcc); then
        dirname "$(dirname "$(readlink --canonicalize "$nvcc")")"
        return 0
    fi
    for folder in "$SYSTEM_ROOT/usr/local/cuda" "$SYSTEM_ROOT"/usr/local/cuda-1[23]*; do
        [ -x "$folder/bin/nvcc" ] && printf '%s\n' "$folder" && return 0
    done
    return 1
}

# toolkit_major FOLDER: 12, 13, … as its compiler says.
toolkit_major() { "$1/bin/nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p'; }

# The driver's version as 580.65.06; "unknown" where there is a driver that does not say; fails where there is none.
driver_version()
{
    local version=
    have nvidia-smi && version=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head --lines=1)
    if [[ ! $version =~ ^[0-9]+\. ]] && [ -r "$SYSTEM_ROOT/proc/driver/nvidia/version" ] &&
        [[ $(<"$SYSTEM_ROOT/proc/driver/nvidia/version") =~ [[:space:]]([0-9]{3,}\.[0-9.]+)[[:space:]] ]]; then
        version=${BASH_REMATCH[1]}
    fi
    if [[ $version =~ ^[0-9]+\. ]]; then
        printf '%s\n' "$version"
    elif [ -e "$SYSTEM_ROOT/usr/lib/wsl/lib/libcuda.so.1" ] || [ -e "$SYSTEM_ROOT/usr/lib/x86_64-linux-gnu/libcuda.so.1" ]; then
        printf 'unknown\n'
    else
        return 1
    fi
}

# The CUDA major whose wheels fit the driver: CUDA 13 needs driver 580. Without a driver to ask: 13.
wheels_major()
{
    local version
    version=$(driver_version) || version=
    if [[ $version =~ ^([0-9]+)\. ]] && [ "${BASH_REMATCH[1]}" -lt 580 ]; then
        printf '12\n'
    else
        printf '13\n'
    fi
}

# choose_cuda WISH: WISH is auto, wheels or none. Sets CUDA_WAY (toolkit, wheels, none), CUDA_FOLDER (toolkit),
# CUDA_MAJOR (wheels) and CUDA_WHY, a sentence.
choose_cuda()
{
    local folder major version
    CUDA_FOLDER='' CUDA_MAJOR=''
    if [ "$1" = none ]; then
        CUDA_WAY=none CUDA_WHY='the GPU worker is left out as asked (--no-cuda)'
        return
    fi
    if [ "$1" = wheels ]; then
        CUDA_WAY=wheels CUDA_MAJOR=$(wheels_major)
        CUDA_WHY="NVIDIA's wheels for CUDA $CUDA_MAJOR, as asked (--cuda-wheels)"
        return
    fi
    if folder=$(toolkit_folder); then
        major=$(toolkit_major "$folder")
        if [ "$major" = 12 ] || [ "$major" = 13 ]; then
            CUDA_WAY=toolkit CUDA_FOLDER=$folder CUDA_MAJOR=$major CUDA_WHY="CUDA Toolkit $major"
            return
        fi
        warn "the CUDA Toolkit at $folder is release ${major:-unknown}; 12 or 13 is needed, so it is not used"
    fi
    if version=$(driver_version); then
        CUDA_WAY=wheels CUDA_MAJOR=$(wheels_major)
        CUDA_WHY="NVIDIA driver $version and no Toolkit: NVIDIA's wheels for CUDA $CUDA_MAJOR"
        return
    fi
    CUDA_WAY=none
    CUDA_WHY='no CUDA Toolkit 12 or 13 and no NVIDIA driver: the GPU worker is left out. To have it, install the NVIDIA
    driver (then NVIDIA'"'"'s wheels are brought here) or a CUDA Toolkit, or pass --cuda-wheels to build it all the same'
}
