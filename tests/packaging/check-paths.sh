#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing under version control knows the machine it was made on, nor a host that packages come from: those are the
# system's own settings.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Written so that the patterns do not find themselves.
folders='(^|[^A-Za-z0-9_.}$-])/(wor[k]|roo[t]|hom[e])/[A-Za-z0-9._-]+'
made_up='^tests/[^:]*:[0-9]+:.*/home/' # tests of what keeps such paths out of files make some up
hosts='(pyp[i]\.org|pythonhoste[d]\.org|deb\.debia[n]\.org|archive\.ubunt[u]\.com|npmj[s]\.(org|com)|crate[s]\.io)'
mapfile -t files < <(tracked . | grep --invert-match --extended-regexp '^LICENSES/|\.(png|bin)$')
if grep --line-number --extended-regexp "$folders" "${files[@]}" | grep --invert-match --extended-regexp "$made_up"; then fail 'the lines above hold an absolute path'; fi
if grep --line-number --extended-regexp "$hosts" "${files[@]}"; then fail 'the lines above name a package host'; fi
finish
