#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

usage()
{
    cat <<'TEXT'
usage: packaging/lint.sh [--all | FILE…]

Runs cppcheck and clang-tidy (.clang-tidy) over the given C++ files; without any, over those that differ from the last
commit, and over the last commit's own where nothing does. It needs a configured build/dev (packaging/test.sh makes it).
TEXT
}

. "$(dirname "${BASH_SOURCE[0]}")/common/build.sh"

database="$BUILD_ROOT/dev"
cd "$ROOT"
case ${1:-} in
    --help | -h) usage && exit 0 ;;
    --all) mapfile -t files < <(git ls-files '*.cpp') ;;
    '')
        mapfile -t files < <(git diff --name-only --diff-filter=d HEAD -- '*.cpp')
        [ ${#files[@]} -gt 0 ] || mapfile -t files < <(git diff --name-only --diff-filter=d HEAD~1 -- '*.cpp')
        ;;
    -*) usage >&2 && exit 2 ;;
    *) files=("$@") ;;
esac
[ ${#files[@]} -gt 0 ] || { say 'No C++ file changed' && exit 0; }
[ -f "$database/compile_commands.json" ] || die 'build/dev is not configured; run packaging/test.sh first'

install_packages lint
# clang-tidy reads no headers that GCC has precompiled.
mkdir -p "$BUILD_ROOT/lint"
sed -E 's/ -(fpch-preprocess|Winvalid-pch|include [^ ]*cmake_pch\.hxx)//g' "$database/compile_commands.json" \
    >"$BUILD_ROOT/lint/compile_commands.json"

status=0
say "cppcheck: ${#files[@]} files"
cppcheck --quiet --enable=warning,performance,portability --inline-suppr --error-exitcode=1 --library=qt \
    --suppress=unknownMacro --suppress=missingIncludeSystem --std=c++20 -j "$(nproc)" "${files[@]}" || status=1
say "clang-tidy: ${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs --null --max-args=1 --max-procs="$(nproc)" \
    clang-tidy -p "$BUILD_ROOT/lint" --quiet || status=1
exit "$status"
