# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What a bundle carries beside the project's own files: Qt's plugins, all libraries, a font.

# The C and C++ libraries stay the machine's: its graphics drivers are linked with its own, and an older libstdc++ that
# came first would keep them from loading. So does the graphics stack below the vendor-neutral libGL and libEGL.
STAYS='^(ld-linux.*|lib(c|m|mvec|dl|rt|pthread|resolv|util|anl|nsl|crypt)|libstdc\+\+|libgcc_s|libdrm.*|libgbm|libLLVM.*|libgallium.*|libcuda|libnvidia.*)\.so'

PLUGINS=(
    platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so platforms/libqwayland-egl.so
    wayland-shell-integration/libxdg-shell.so wayland-decoration-client/libbradient.so
    wayland-graphics-integration-client/libqt-plugin-wayland-egl.so
    xcbglintegrations/libqxcb-glx-integration.so xcbglintegrations/libqxcb-egl-integration.so
    platforminputcontexts/libcomposeplatforminputcontextplugin.so
    platforminputcontexts/libibusplatforminputcontextplugin.so
    imageformats/libqsvg.so iconengines/libqsvgicon.so
    sqldrivers/libqsqlite.so
)

qt_plugins_folder() { qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || qmake6 -query QT_INSTALL_PLUGINS; }

# add_plugins STAGING
add_plugins()
{
    local plugin source
    source=$(qt_plugins_folder)
    for plugin in "${PLUGINS[@]}"; do
        install -D -m 644 "$source/$plugin" "$1/plugins/$plugin"
    done
}

# binaries FOLDER: its ELF files.
binaries()
{
    local file
    find "$1" -type f | while read -r file; do
        if [ "$(head --bytes=4 "$file" | tr -d '\0')" = $'\x7fELF' ]; then printf '%s\n' "$file"; fi
    done
}

# needed_libraries FILE…: the paths of all libraries that these load, each other's included, less those that stay.
needed_libraries()
{
    ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort --unique | while read -r library; do
        if ! [[ ${library##*/} =~ $STAYS ]]; then printf '%s\n' "$library"; fi
    done
}

# add_libraries STAGING: copies what its binaries need into lib/ and lets every binary find that, wherever it stands.
add_libraries()
{
    local staging=$1 file library missing
    local -a files
    mapfile -t files < <(binaries "$staging")
    missing=$(ldd "${files[@]}" | grep 'not found' || true)
    [ -z "$missing" ] || die "libraries are missing on this machine: $missing"
    mkdir -p "$staging/lib"
    while read -r library; do
        install -m 644 "$library" "$staging/lib/"
        printf '%s\n' "$library" >>"$staging/.origins"
    done < <(needed_libraries "${files[@]}")
    while read -r file; do
        # shellcheck disable=SC2016 # $ORIGIN is the loader's, not the shell's
        patchelf --set-rpath '$ORIGIN/'"$(realpath --relative-to "$(dirname "$file")" "$staging/lib")" "$file"
    done < <(binaries "$staging")
}

# add_font STAGING: the fonts of the screens and figures (Inter; DejaVu for logs and for what Inter lacks), so that both
# look the same on a machine that has none, and the fontconfig file that says so.
add_font()
{
    local fonts="$1/share/stagecraft/fonts" file
    mkdir -p "$fonts"
    while read -r file; do
        cp "$file" "$fonts/"
        printf '%s\n' "$file" >>"$1/.origins"
    done < <(dpkg --listfiles fonts-inter fonts-dejavu-core |
        grep --extended-regexp '/(Inter-(Regular|SemiBold)\.otf|DejaVuSans(-Bold|Mono|Mono-Bold)?\.ttf)$')
    for file in Inter-Regular.otf Inter-SemiBold.otf DejaVuSans.ttf; do
        [ -f "$fonts/$file" ] || die "the packages fonts-inter and fonts-dejavu-core have no $file"
    done
    install -m 644 "$PACKAGING/bundle/fonts.conf" "$fonts/"
}
