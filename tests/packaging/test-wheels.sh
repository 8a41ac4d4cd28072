#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: test-wheels.sh BUILD
# The second way to CUDA, for real: NVIDIA's wheels are fetched, the GPU worker is configured and built with nothing
# else, finds their libraries when it runs, and compiles a stage with their NVRTC. No GPU is needed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. packaging/common/build.sh

build=$1
choose_cuda wheels
bring_wheels "cu$CUDA_MAJOR" || skip "the wheels cannot be fetched here: $(tail --lines=1 "$BUILD_ROOT/cuda-wheels/cu$CUDA_MAJOR.log")"
cuda_arguments
expect 'library folders are told to the worker' 0 "$(tr : '\n' <<<"$STAGECRAFT_CUDA_LIBRARIES" | grep --count --invert-match --fixed-strings "$BUILD_ROOT/cuda-wheels/" || true)"

configure dev "$build" -DBUILD_TESTING=OFF "${CUDA_CMAKE[@]}" >"$build.log" 2>&1 || fail "CMake: $(cat "$build.log")"
cmake --build "$build" --target stagecraft-worker-cuda >"$build.log" 2>&1 || fail "the worker does not build: $(tail --lines=30 "$build.log")"
[ "$failures" -eq 0 ] || finish

# Headers of CUDA from anywhere else would hide that a wheel is missing.
headers=$(ninja -C "$build" -t deps | grep --extended-regexp '/include/(.*/)?(cuda|nvrtc|cupti[a-z_]*|cublas[A-Za-z_0-9]*|cusparse[a-z_0-9]*|nvToolsExt)\.h$' |
    sed 's/^ *//' | (cd "$build" && xargs --no-run-if-empty realpath --no-symlinks) | sort --unique)
grep --quiet 'cuda-wheels.*/cuda\.h$' <<<"$headers" || fail 'cuda.h is not the wheels'"'"
if grep --invert-match --fixed-strings "$BUILD_ROOT/cuda-wheels/" <<<"$headers"; then fail 'the headers above are not the wheels'"'"; fi

# ask METHOD PARAMS: the worker's answer to one request.
ask()
{
    local line
    printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\n' "$1" "$2" >&"${worker[1]}"
    while read -r -t 60 line <&"${worker[0]}"; do
        if [[ $line == *'"id":1'* ]]; then
            printf '%s\n' "$line"
            return 0
        fi
    done
    fail "$1: the worker did not answer"
}
coproc worker { "$build/bin/stagecraft-worker-cuda" 2>"$build.log"; }
description=$(ask describe '{"device":0}')
for library in libnvrtc libcupti libcublas libcublasLt libcusparse; do
    grep --quiet "cuda-wheels[^\"]*/$library\.so" <<<"$description" || fail "$library is not the wheels' in: $description"
done
compiled=$(ask compile '{"operation":"matmul","stage":"matmul/tiled","architecture":"sm_90","dims":[64,64,64]}')
grep --quiet --extended-regexp '"registers":[1-9]' <<<"$compiled" || fail "compiling with the wheels' NVRTC: $compiled"
finish
