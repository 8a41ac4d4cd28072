#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The three ways to CUDA, decided on made-up machines: a Toolkit, a driver alone, neither.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. packaging/common/build.sh

machine=$(mktemp --directory)
trap 'rm -rf "$machine"' EXIT
unset CUDA_HOME CUDA_PATH
# What the scripts themselves call, and nothing else: the real machine's nvcc and nvidia-smi are out of reach.
mkdir -p "$machine/tools"
for tool in sed head dirname readlink; do ln -s "$(command -v "$tool")" "$machine/tools/$tool"; done
REAL_PATH=$PATH

# fresh_machine: an empty root and PATH.
fresh_machine()
{
    SYSTEM_ROOT="$machine/root"
    PATH=$REAL_PATH
    rm -rf "$SYSTEM_ROOT" "${machine:?}/bin"
    mkdir -p "$SYSTEM_ROOT" "$machine/bin"
    PATH="$machine/bin:$machine/tools"
}

# program FILE TEXT: an executable that prints TEXT.
program()
{
    PATH=$REAL_PATH mkdir -p "${1%/*}"
    printf '#!%s\nprintf "%%s\\n" "%s"\n' "$BASH" "$2" >"$1"
    PATH=$REAL_PATH chmod +x "$1"
}

file()
{
    PATH=$REAL_PATH mkdir -p "${1%/*}"
    printf '%s\n' "$2" >"$1"
}

nvcc_says() { printf 'Cuda compilation tools, release %s, V%s.88' "$1" "$1"; }

fresh_machine
choose_cuda auto
expect 'nothing: way' none "$CUDA_WAY"
[[ $CUDA_WHY == *install* ]] || fail "nothing: '$CUDA_WHY' does not say what to install"
choose_cuda wheels
expect 'nothing, wheels asked: way' wheels-13 "$CUDA_WAY-$CUDA_MAJOR"

for release in 12.4 13.0; do
    fresh_machine
    program "$SYSTEM_ROOT/usr/local/cuda/bin/nvcc" "$(nvcc_says "$release")"
    choose_cuda auto
    expect "Toolkit $release: way" "toolkit-${release%.*}" "$CUDA_WAY-$CUDA_MAJOR"
    expect "Toolkit $release: folder" "$SYSTEM_ROOT/usr/local/cuda" "$CUDA_FOLDER"
    choose_cuda none
    expect "Toolkit $release, none asked" none "$CUDA_WAY"
    choose_cuda wheels
    expect "Toolkit $release, wheels asked" wheels "$CUDA_WAY"
done

fresh_machine
program "$machine/bin/nvcc" "$(nvcc_says 12.8)"
choose_cuda auto
expect 'nvcc on PATH: folder' "$machine" "$CUDA_FOLDER"

fresh_machine
program "$SYSTEM_ROOT/elsewhere/bin/nvcc" "$(nvcc_says 13.0)"
export CUDA_HOME="$SYSTEM_ROOT/elsewhere"
choose_cuda auto
expect 'CUDA_HOME: folder' "$SYSTEM_ROOT/elsewhere" "$CUDA_FOLDER"
unset CUDA_HOME

fresh_machine
program "$SYSTEM_ROOT/usr/local/cuda/bin/nvcc" "$(nvcc_says 11.8)"
choose_cuda auto 2>"$machine/messages"
expect 'Toolkit 11: way' none "$CUDA_WAY"
[[ $(<"$machine/messages") == *'release 11'* ]] || fail 'Toolkit 11: passed over in silence'

for case in 580.65.06=13 575.57.08=12 535.183.01=12; do
    fresh_machine
    program "$machine/bin/nvidia-smi" "${case%=*}"
    choose_cuda auto
    expect "driver ${case%=*} by nvidia-smi" "wheels-${case#*=}" "$CUDA_WAY-$CUDA_MAJOR"
    fresh_machine
    file "$SYSTEM_ROOT/proc/driver/nvidia/version" \
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  ${case%=*}  Release Build"
    choose_cuda auto
    expect "driver ${case%=*} by the kernel" "wheels-${case#*=}" "$CUDA_WAY-$CUDA_MAJOR"
done

fresh_machine
file "$SYSTEM_ROOT/proc/driver/nvidia/version" \
    'NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build'
choose_cuda auto
expect 'open kernel module' wheels-12 "$CUDA_WAY-$CUDA_MAJOR"

fresh_machine
program "$machine/bin/nvidia-smi" "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
choose_cuda auto
expect 'nvidia-smi without a driver' none "$CUDA_WAY"

fresh_machine
file "$SYSTEM_ROOT/usr/lib/wsl/lib/libcuda.so.1" ''
choose_cuda auto
expect 'WSL' wheels-13 "$CUDA_WAY-$CUDA_MAJOR"

PATH=$REAL_PATH
finish
