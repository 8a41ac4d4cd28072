# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What the checks of this folder share: the tracked files, and one way to fail.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$ROOT" || exit 1

# tracked PATTERN…: the files under version control that match and exist; where there is no git, as in an unpacked
# source archive, those of the source folders.
tracked()
{
    local file
    { git ls-files -- "$@" 2>/dev/null || find app kernels widgets tests resources packaging -type f; } |
        while read -r file; do
            if [ -f "$file" ]; then printf '%s\n' "$file"; fi
        done
}

failures=0
fail()
{
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}

# expect WHAT WANTED GOT
expect()
{
    if [ "$2" != "$3" ]; then fail "$1: expected '$2', got '$3'"; fi
}

skip()
{
    printf 'SKIPPED: %s\n' "$*"
    exit 77
}

finish()
{
    [ "$failures" -eq 0 ]
    exit
}
