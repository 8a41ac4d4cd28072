# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034 # CUDA_WHY is read by those who source this
# Configure and build, doing only what changed. Sets ROOT, PACKAGING and BUILD_ROOT; sourced by every script.

PACKAGING=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ROOT=$(dirname "$PACKAGING")
BUILD_ROOT="$ROOT/build"

. "$(dirname "${BASH_SOURCE[0]}")/say.sh"
. "$(dirname "${BASH_SOURCE[0]}")/packages.sh"
. "$(dirname "${BASH_SOURCE[0]}")/cuda.sh"
. "$(dirname "${BASH_SOURCE[0]}")/wheels.sh"

# cuda_arguments: brings what CUDA_WAY needs and sets CUDA_CMAKE, the arguments for CMake. A missing wheel index is no
# error where the wheels are only a convenience: the result is then `none`, said so.
cuda_arguments()
{
    local site
    if [ "$CUDA_WAY" = wheels ] && ! bring_wheels "cu$CUDA_MAJOR"; then
        tail --lines=5 "$BUILD_ROOT/cuda-wheels/cu$CUDA_MAJOR.log" >&2
        [ "${CUDA_WISH:-auto}" = wheels ] && die "NVIDIA's wheels could not be fetched; the lines above say why"
        CUDA_WAY=none
        CUDA_WHY="NVIDIA's wheels could not be fetched (see above): the GPU worker is left out. Install a CUDA Toolkit
    12 or 13, or try again with a network"
    fi
    case $CUDA_WAY in
        toolkit)
            CUDA_CMAKE=(-DSTAGECRAFT_CUDA=ON -USTAGECRAFT_CUDA_WHEELS -USTAGECRAFT_NVTX_INCLUDE -USTAGECRAFT_TOOLKIT_INCLUDE
                "-DCUDAToolkit_ROOT=$CUDA_FOLDER")
            ;;
        wheels)
            site=$(wheels_folder "cu$CUDA_MAJOR")
            CUDA_CMAKE=(-DSTAGECRAFT_CUDA=ON -UCUDAToolkit_ROOT "-DSTAGECRAFT_CUDA_WHEELS=$site"
                "-DSTAGECRAFT_NVTX_INCLUDE=$(header_folder "$site" nvtx3/nvToolsExt.h)")
            STAGECRAFT_CUDA_LIBRARIES=$(wheels_libraries "$site")
            export STAGECRAFT_CUDA_LIBRARIES
            ;;
        none)
            CUDA_CMAKE=(-DSTAGECRAFT_CUDA=OFF -UCUDAToolkit_ROOT -USTAGECRAFT_CUDA_WHEELS)
            # Without CUDA, the NVTX headers come from their own small wheel.
            if bring_wheels nvtx; then
                CUDA_CMAKE+=("-DSTAGECRAFT_NVTX_INCLUDE=$(header_folder "$(wheels_folder nvtx)" nvtx3/nvToolsExt.h)")
            else
                warn 'the NVTX headers could not be fetched: the host worker is built without ranges for profilers'
            fi
            ;;
    esac
}

# configure PRESET FOLDER ARGUMENT…: runs CMake unless the folder was configured with the same arguments. A changed
# CMakeLists.txt is the build's own business: ninja runs CMake again by itself.
configure()
{
    local preset=$1 folder=$2 stamp launcher
    shift 2
    if have ccache; then # which takes precompiled headers when told to, and need not read them each time
        launcher="cmake;-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;CCACHE_INODECACHE=true;ccache"
        set -- -DCMAKE_C_COMPILER_LAUNCHER=ccache "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" "$@"
    fi
    stamp=$(printf '%s\n' "$preset" "$@")
    if [ -f "$folder/build.ninja" ] && [ -f "$folder/configured.txt" ] && [ "$stamp" = "$(cat "$folder/configured.txt")" ]; then
        return 0
    fi
    say "Configuring $preset"
    (cd "$ROOT" && cmake --preset "$preset" -B "$folder" "$@") >&2 || die "CMake failed; its messages above say why"
    printf '%s\n' "$stamp" >"$folder/configured.txt"
}

# build FOLDER TARGET…: ninja with all processors; without targets, everything.
build()
{
    local folder=$1
    shift
    cmake --build "$folder" --parallel "$(nproc)" ${1:+--target "$@"} >&2 || die "the build failed; the first error above says why"
}

project_version() { sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' "$ROOT/CMakeLists.txt"; }
