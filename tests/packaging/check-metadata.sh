#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The desktop entry, the AppStream description and the man page are valid and tell the same version.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

id=org.stagecraft.Stagecraft
version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
ran=0
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "packaging/$id.desktop" || fail 'the desktop entry is not valid'
    ran=1
fi
if command -v appstreamcli >/dev/null; then
    appstreamcli validate --no-net "packaging/$id.metainfo.xml" || fail 'the AppStream description is not valid'
    ran=1
fi
grep --quiet "<release version=\"$version\"" "packaging/$id.metainfo.xml" || fail "AppStream has no release $version"
grep --quiet "^\.TH STAGECRAFT 1 .*\"Stagecraft $version\"" packaging/stagecraft.1 || fail "the man page is not of $version"
grep --quiet "^## $version" CHANGELOG.md || fail "CHANGELOG.md has no section $version"
if command -v man >/dev/null; then
    [ -z "$(man --warnings --encoding=UTF-8 --local-file packaging/stagecraft.1 2>&1 >/dev/null)" ] ||
        fail 'the man page has formatting errors'
fi
[ "$ran" -eq 1 ] || skip 'neither desktop-file-validate nor appstreamcli is installed'
finish
