#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-includes.sh COMPILER FLAGS-FILE {{--all|--one|--none} {FOLDER|<header>}}…
# Compiles one line, #include "header", for the headers of a folder: --all expects that every one compiles, --one that
# the first does, --none that none is found.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

compiler=$1
flags=$2
shift 2

# compile INCLUDE: what the compiler says of this one line, the files that it opens first; fails where it does not
# compile.
compile()
{
    printf '#include %s\n' "$1" |
        LC_ALL=C "$compiler" -std=c++20 -fPIC -fsyntax-only -H -x c++ "@$flags" - 2>&1
}

# may_include INCLUDE
may_include()
{
    local said
    said=$(compile "$1") || fail "#include $1 is allowed but does not compile: $(grep --max-count=1 error: <<<"$said")"
}

# may_not_include INCLUDE FOLDER: the system may have a header of the same name, so what counts is whose it is.
may_not_include()
{
    local said
    if said=$(compile "$1"); then
        if [[ $1 == '<'* || $said == *". $2/${1:1:-1}"* ]]; then fail "#include $1 is forbidden here but compiles"; fi
    elif [[ $said != *"${1:1:-1}: No such file or directory"* ]]; then
        fail "#include $1 is found, though it does not compile: $(grep --max-count=1 error: <<<"$said")"
    fi
}

checked=0
while [ $# -ge 2 ]; do
    headers=("$2")
    if [[ $2 != '<'* ]]; then
        headers=("$2"/*.h)
        [ "$1" != --one ] || headers=("${headers[0]}")
        headers=("${headers[@]##*/}")
        headers=("${headers[@]/#/\"}")
        headers=("${headers[@]/%/\"}")
    fi
    for header in "${headers[@]}"; do
        if [ "$1" = --none ]; then may_not_include "$header" "$2"; else may_include "$header"; fi
        checked=$((checked + 1))
    done
    shift 2
done
printf '%d includes tried\n' "$checked"
finish
