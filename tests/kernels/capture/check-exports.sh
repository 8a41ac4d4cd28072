#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check-exports.sh LIBRARY
# The capture library shows five names and needs the C library alone: it is loaded into any process.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../packaging/common.sh"

expected='InitializeInjection stagecraft_capture_counters stagecraft_capture_iteration stagecraft_range_pop stagecraft_range_push'
shown=$(nm --dynamic --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort | paste --serial --delimiters=' ')
[ "$shown" = "$expected" ] || fail "it shows $shown"
while read -r library; do
    [[ $library =~ ^(lib(c|m|dl|pthread|rt)|ld-linux.*)\.so ]] || fail "it needs $library"
done < <(readelf --dynamic --wide "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
finish
