#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-help.sh PROGRAM
# The man page and the help page of the command line name every command and option that the program has, and no other.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

program=$1
options_in() { grep --only-matching --extended-regexp -- '--[a-z][a-z-]+' | sort --unique; }

commands=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(wc --words <<<"$commands")" -ge 4 ] || fail "--help lists the commands '$commands'"
known=$({ "$program" --help && for command in $commands; do "$program" "$command" --help; done; "$program" help window; } | options_in)

for page in packaging/stagecraft.1 resources/help/command-line.md; do
    text=$(sed 's/\\-/-/g' "$page")
    for command in $commands; do
        grep --quiet --word-regexp "stagecraft $command" <<<"$text" || fail "$page does not tell of: stagecraft $command"
    done
    while read -r difference; do fail "$page lacks or invents: $difference"; done < <(
        diff <(printf '%s\n' "$known") <(options_in <<<"$text") | grep '^[<>]' || true
    )
done
finish
