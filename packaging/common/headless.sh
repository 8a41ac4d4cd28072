# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Without a display: measure what this machine has, write evidence, figures and tables, and say where they are.

# headless_job PROGRAM FOLDER: a short run of every implementation that is available here, exported.
headless_job()
{
    local program=$1 folder=$2 name
    name="run-$(date --utc +%Y%m%d-%H%M%S)"
    mkdir -p "$folder"
    say "No display: measuring what this machine has (3 rounds of 25 spans; --help tells how to do otherwise)"
    local status=0
    "$program" run --output "$folder/$name" --rounds 3 --warmup 3 --iterations 25 --capture-iterations 25 >&2 || status=$?
    "$program" export "$folder/$name" --output "$folder/$name-figures" --view all --format png,svg,csv,md >&2 || status=$?
    [ -f "$folder/$name-figures/kernel-span.md" ] && cat "$folder/$name-figures/kernel-span.md"
    printf '\nEvidence: %s\nFigures and tables: %s\n' "${folder##*/}/$name" "${folder##*/}/$name-figures"
    return "$status"
}
