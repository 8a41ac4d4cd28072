# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Python wheels (NVIDIA's, and Triton) in private virtual environments under build/: nothing of the user's Python is
# touched.

# wheels_folder NAME: where the wheels of packaging/wheels/NAME.txt are unpacked (site-packages).
wheels_folder() { printf '%s\n' "$BUILD_ROOT/cuda-wheels/$1"/lib/python3*/site-packages; }

# bring_wheels NAME [PYTHON]: the wheels of packaging/wheels/NAME.txt, for this interpreter (python3); does nothing where
# they are there already. Fails where Python or the package index cannot be had; what pip said is then in
# build/cuda-wheels/NAME.log.
bring_wheels()
{
    local name=$1 requirements="$PACKAGING/wheels/$1.txt" folder="$BUILD_ROOT/cuda-wheels/$1"
    cmp --quiet "$requirements" "$folder/installed.txt" && return 0
    say "Fetching wheels ($name) into build/cuda-wheels/$name"
    mkdir -p "$BUILD_ROOT/cuda-wheels"
    {
        rm -rf "$folder"
        "${2:-python3}" -m venv "$folder" &&
            "$folder/bin/python3" -m pip install --disable-pip-version-check --no-deps --only-binary=:all: \
                --requirement "$requirements"
    } >"$folder.log" 2>&1 || return 1
    cp "$requirements" "$folder/installed.txt"
}

# wheels_libraries SITE_PACKAGES: its library folders, colon-separated, as the worker reads STAGECRAFT_CUDA_LIBRARIES.
wheels_libraries() { (shopt -s nullglob && IFS=: && folders=("$1"/nvidia/*/lib) && printf '%s\n' "${folders[*]}"); }

# header_folder SITE_PACKAGES HEADER: the include folder that holds this header.
header_folder()
{
    local file
    for file in "$1"/nvidia/*/include/"$2"; do printf '%s\n' "${file%"/$2"}"; done
}
