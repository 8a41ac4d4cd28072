#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v shellcheck >/dev/null || skip 'shellcheck is not installed'
mapfile -t files < <(tracked '*.sh' .ci/run | grep --extended-regexp '\.sh$|^\.ci/run$')
[ ${#files[@]} -gt 5 ] || fail "only ${#files[@]} scripts found"
shellcheck "${files[@]}" || fail 'shellcheck found the above'
finish
