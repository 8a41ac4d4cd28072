#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every text file names its licence near its top: MIT for the kernel side and the Python worker, which people put into
# programs of their own, and GPL-3.0-or-later for the rest. JSON has no comments, and evidence and licence texts are data.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The example of an external program is there to be copied into one, so it is MIT too.
licence_of()
{
    case $1 in
        kernels/* | resources/python/*) printf 'MIT' ;;
        tests/kernels/worker/external/exampleprogram.cpp) printf 'MIT' ;;
        *) printf 'GPL-3.0-or-later' ;;
    esac
}

while read -r file; do
    case $file in
        LICENSES/* | *.json | *.png | *.bin | *.csv | *.gitignore | tests/*/golden/* | tests/*/data/*) continue ;;
    esac
    # A stage file begins with its front matter, so the line may stand below that.
    grep --quiet --fixed-strings "SPDX-License-Identifier: $(licence_of "$file")" <(head --lines=80 "$file") ||
        fail "$file: no line 'SPDX-License-Identifier: $(licence_of "$file")' at its top"
done < <(tracked .)
for licence in MIT GPL-3.0-or-later; do
    [ -s "LICENSES/$licence.txt" ] || fail "LICENSES/$licence.txt is missing"
done
finish
