#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All C++ sources are as .clang-format says. Releases differ in what they print: the project's is 14. Stages (*.cu) are
# left out: their front matter is JSON inside a comment, which clang-format would break into lines.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

format=$(command -v clang-format-14 || command -v clang-format) || skip 'clang-format is not installed'
[[ $("$format" --version) == *'version 14.'* ]] || skip "clang-format 14 is needed, this is $("$format" --version)"
mapfile -t files < <(tracked '*.cpp' '*.h' '*.cuh' | grep --extended-regexp '\.(cpp|h|cuh)$')
[ ${#files[@]} -gt 50 ] || fail "only ${#files[@]} sources found"
"$format" --dry-run -Werror "${files[@]}" || fail 'run clang-format -i on the files above'
finish
