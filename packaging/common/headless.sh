# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Without a display: measure what this machine has, write evidence, figures and tables, and say where they are.

# headless_job PROGRAM FOLDER: a short run of every implementation that is available here, exported. The value table goes
# to standard output. Paths are printed relative to the project.
headless_job()
{
    local program=$1 folder=$2 name status=0
    name="run-$(date --utc +%Y%m%d-%H%M%S)"
    say 'No window: measuring what this machine has, 3 rounds of 25 spans'
    cd "$ROOT" && mkdir -p "$folder"
    "$program" run --output "$folder/$name" --rounds 3 --warmup 3 --iterations 25 --capture-iterations 25 || status=$?
    if [ -d "$folder/$name" ]; then
        "$program" export "$folder/$name" --output "$folder/$name-figures" --view all --format png,svg,csv,md >/dev/null ||
            status=$?
        printf 'Figures and tables: %s\n' "$folder/$name-figures"
    fi
    return "$status"
}
