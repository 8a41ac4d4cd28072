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

# found_of INCLUDE…: the numbers, from 0, of those that the compiler finds at all. It is asked once for all of them.
found_of()
{
    local number=0 include
    for include in "$@"; do
        printf '#if __has_include(%s)\n%d\n#endif\n' "$include" "$number"
        number=$((number + 1))
    done | "$compiler" -std=c++20 -fPIC -E -P -x c++ "@$flags" -
}

# leading FOLDER: the headers that one of this folder includes before all else. They compile alone where that one does.
leading()
{
    awk '/^#include/ { print $2; nextfile } /^[^\/]/ && !/^#pragma once/ { nextfile }' "$1"/*.h
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
    proven=
    [ "$1" != --all ] || proven=$(leading "$2")
    headers=("$2")
    if [[ $2 != '<'* ]]; then
        headers=("$2"/*.h)
        [ "$1" != --one ] || headers=("${headers[0]}")
        headers=("${headers[@]##*/}")
        headers=("${headers[@]/#/\"}")
        headers=("${headers[@]/%/\"}")
    fi
    if [ "$1" = --none ]; then
        found=$(found_of "${headers[@]}") || fail "the compiler does not say which of $2 it finds"
        for number in $found; do may_not_include "${headers[number]}" "$2"; done
    else
        for header in "${headers[@]}"; do
            [[ $'\n'$proven$'\n' == *$'\n'"$header"$'\n'* ]] || may_include "$header"
        done
    fi
    checked=$((checked + ${#headers[@]}))
    shift 2
done
printf '%d includes tried\n' "$checked"
finish
