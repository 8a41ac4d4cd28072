#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: test-no-gpu-worker.sh BUILD PROGRAM
# The third way, without CUDA: CMake leaves the GPU worker out, and the program says so and what to do.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build=$1
program=$2
cmake --preset dev -B "$build" -DBUILD_TESTING=OFF -DSTAGECRAFT_CUDA=OFF >"$build.log" 2>&1 || fail "CMake: $(cat "$build.log")"
targets=$(ninja -C "$build" -t targets all)
grep --quiet '^stagecraft-worker-host: ' <<<"$targets" || fail 'the host worker is left out too'
if grep --quiet '^stagecraft-worker-cuda: ' <<<"$targets"; then fail 'the GPU worker is not left out'; fi

workers=$(mktemp --directory)
trap 'rm -rf "$workers"' EXIT
cp "${program%/*}/stagecraft-worker-host" "$workers/"
said=$(STAGECRAFT_WORKER_DIRECTORY=$workers "$program" doctor) || fail "doctor: exit status $?"
[[ $said == *'stagecraft-worker-cuda is not part of this build'* ]] || fail "doctor does not say that it is left out: $said"
[[ $said == *'--cuda-wheels'* ]] || fail "doctor does not say what to do: $said"
finish
