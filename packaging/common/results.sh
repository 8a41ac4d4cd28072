# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

# print_results FILE: the closing line of a test run from ctest's JUnit file: "N passed, N failed[, N skipped]".
print_results()
{
    awk '
        /<testcase/ { exit }
        {
            while (match($0, /(tests|failures|skipped|disabled)="[0-9]+"/)) {
                split(substr($0, RSTART, RLENGTH), pair, "=\"")
                count[pair[1]] = pair[2] + 0
                $0 = substr($0, RSTART + RLENGTH)
            }
        }
        END {
            skipped = count["skipped"] + count["disabled"]
            printf "%d passed, %d failed", count["tests"] - count["failures"] - skipped, count["failures"]
            printf (skipped ? ", %d skipped\n" : "\n"), skipped
        }' "$1"
}
