#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-no-cuda.sh PROGRAM
# The program with the window is linked with no library of CUDA, directly or through another.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

libraries=$(ldd "$1")
grep --quiet libQt6Core <<<"$libraries" || fail "$1: ldd shows no Qt, so this check sees nothing"
if grep --ignore-case --extended-regexp 'lib(cuda|cudart|nvrtc|cupti|cublas|cusparse|nvJitLink)' <<<"$libraries"; then
    fail "$1 is linked with the above"
fi
finish
