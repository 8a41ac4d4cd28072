#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/test.sh on a made-up machine with a Toolkit, where all tests pass: it fails where nothing could look at the
# machine code of the stages, or try the Triton kernels.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

machine=$(mktemp --directory)
trap 'rm -rf "$machine"' EXIT
mkdir -p "$machine/tree/tests/gpu" "$machine/bin" "$machine/root/usr/local/cuda/bin" "$machine/tools"
cp -r packaging "$machine/tree/"

# program FILE LINE…: an executable of these lines.
program()
{
    local file=$1
    shift
    printf '%s\n' "#!$BASH" "$@" >"$file"
    chmod +x "$file"
}

# What the script itself calls, and nothing else; Python, without which no wheel can be had, is one that fails.
for tool in awk cat cmp dirname head mkdir nproc readlink rm sed; do ln -s "$(command -v "$tool")" "$machine/tools/$tool"; done
# shellcheck disable=SC2016 # for the made program to expand
program "$machine/bin/cmake" 'while [ $# -gt 0 ]; do if [ "$1" = -B ]; then mkdir -p "$2"; fi; shift; done'
# shellcheck disable=SC2016
program "$machine/bin/ctest" \
    'while [ $# -gt 0 ]; do if [ "$1" = --output-junit ]; then printf "<testsuite tests=\"3\" failures=\"0\">\n" >"$2"; fi; shift; done'
program "$machine/bin/python3" 'exit 1'
toolkit="$machine/root/usr/local/cuda/bin"
program "$toolkit/nvcc" 'printf "Cuda compilation tools, release 13.0, V13.0.88\n"'

# test_tree: runs the script there; sets `status` and `said`.
test_tree()
{
    status=0
    said=$(env -u CUDA_HOME -u CUDA_PATH PATH="$machine/bin:$machine/tools" STAGECRAFT_SYSTEM_ROOT="$machine/root" \
        "$BASH" "$machine/tree/packaging/test.sh" --no-install 2>&1) || status=$?
}

# Triton is there already, as an earlier run has brought it.
triton="$machine/tree/build/cuda-wheels/triton"
mkdir -p "$triton"
cp packaging/wheels/triton.txt "$triton/installed.txt"

test_tree
expect 'no disassembler: exit status' 1 "$status"
[[ $said == *"error: NVIDIA's disassembler could not be fetched"*'Install cuobjdump'* ]] || fail "no disassembler: said $said"
expect 'no disassembler: last line' '3 passed, 0 failed' "${said##*$'\n'}"

for tool in cuobjdump nvdisasm; do program "$toolkit/$tool" 'exit 0'; done
test_tree
expect "the Toolkit's disassembler: exit status" 0 "$status"
[[ $said != *error:* ]] || fail "the Toolkit's disassembler: said $said"

rm "$toolkit"/*
test_tree
expect 'no GPU worker: exit status' 0 "$status"

rm -r "$triton"
test_tree
expect 'no Triton: exit status' 1 "$status"
[[ $said == *'error: Triton could not be fetched'*'triton.log'* ]] || fail "no Triton: said $said"
expect 'no Triton: last line' '3 passed, 0 failed' "${said##*$'\n'}"
finish
