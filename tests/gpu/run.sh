#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

usage()
{
    cat <<'TEXT'
usage: run.sh [OPTION…]

Checks every stage and library on this machine's GPU, then once more at small dims under compute-sanitizer's memcheck
and, without the libraries, racecheck, and writes what came of it to last-run.json. Runs from the source tree or from the
unpacked bundle.

  --python PATH    check PyTorch and Triton in this Python too
  --build FOLDER   in the source tree: the build whose programs are run (build/dev)
  --output FILE    the record to write (in the source tree tests/gpu/last-run.json, else last-run.json)
  --help           this text

Exit status: 0 all passed, 1 something failed, 2 wrong usage, 77 no GPU here.
TEXT
}

die()
{
    printf 'error: %s\n' "$*" >&2
    exit "${status:-1}"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=
output=
peers=()
while [ $# -gt 0 ]; do
    case $1 in
        --build | --output | --python)
            [ $# -gt 1 ] || { usage >&2 && status=2 die "$1 needs a value"; }
            [ "$1" = --build ] && build=$2
            [ "$1" = --output ] && output=$2
            [ "$1" = --python ] && peers=(--python "$2")
            shift
            ;;
        --help | -h) usage && exit 0 ;;
        *) usage >&2 && status=2 die "unknown option $1" ;;
    esac
    shift
done
command -v python3 >/dev/null || die 'python3 is not there: install it, the record is written with it'

scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT

if [ -f "$here/sources.json" ]; then # the bundle
    folder=$(cd "$here/../../../bin" && pwd)
    check=$folder/stagecraft-gpu-check worker=$folder/stagecraft-worker-cuda
    cp "$here/sources.json" "$scratch/sources.json"
    output=${output:-last-run.json}
else
    root=$(cd "$here/../.." && pwd)
    build=${build:-$root/build/dev}
    check=$build/bin-tests/stagecraft-gpu-check worker=$build/bin/stagecraft-worker-cuda
    python3 "$here/lastrun.py" sources "$root" >"$scratch/sources.json"
    export STAGECRAFT_RESOURCES=${STAGECRAFT_RESOURCES:-$root/kernels}
    output=${output:-$here/last-run.json}
fi
for program in "$check" "$worker"; do
    [ -x "$program" ] || die "$program is not there: build it first, or name the build folder with --build"
done

status=0
"$check" --report "$scratch/report.json" "${peers[@]}" "$worker" || status=$?
[ -f "$scratch/report.json" ] || exit "$status" # no GPU, or none that could be asked

# find_sanitizer: on PATH, or where Toolkits have it.
find_sanitizer()
{
    command -v compute-sanitizer && return 0
    local file
    for file in /usr/local/cuda*/bin/compute-sanitizer /usr/local/cuda*/compute-sanitizer/compute-sanitizer; do
        [ -x "$file" ] && printf '%s\n' "$file" && return 0
    done
    return 1
}

outcomes=()
for tool in memcheck racecheck; do
    if ! sanitizer=$(find_sanitizer); then
        outcomes+=(--sanitizer "$tool=skipped:compute-sanitizer is not on this machine")
        continue
    fi
    printf '== %s\n' "$tool"
    prefix=()
    for word in "$sanitizer" --tool "$tool" --log-file "$scratch/$tool.log"; do
        prefix+=(--worker-prefix "$word")
    done
    # Hazards in a library's kernels would be its authors' to judge, errors in what it is given are ours.
    libraries=()
    [ "$tool" = memcheck ] && libraries=(--libraries)
    result=0
    "$check" --sanitize-pass "${libraries[@]}" "${prefix[@]}" "$worker" || result=$?
    if [ -f "$scratch/$tool.log" ]; then head -200 "$scratch/$tool.log"; fi
    outcomes+=(--sanitizer "$tool=$result:$scratch/$tool.log")
done

python3 "$here/lastrun.py" write --report "$scratch/report.json" --sources "$scratch/sources.json" \
    --output "$output" "${outcomes[@]}" || status=1
printf 'written: %s\n' "$output"
exit "$status"
