#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts Stagecraft from an unpacked bundle: the font inside is known beside the machine's own, so that text is legible
# on a machine that has none. All else is found through relative paths in the binaries and qt.conf.
here=$(dirname "$(readlink -f "$0")")
if [ -z "$FONTCONFIG_FILE" ]; then
    FONTCONFIG_FILE=$here/../share/stagecraft/fonts/fonts.conf
    export FONTCONFIG_FILE
fi
# Plugins of another Qt do not fit the one inside.
unset QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH
exec "$here/stagecraft.bin" "$@"
