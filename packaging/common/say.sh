# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Messages of the scripts: progress and errors go to standard error, so that results alone are on standard output.

say() { printf '==> %s\n' "$*" >&2; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die()
{
    printf 'error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }
