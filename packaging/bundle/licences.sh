# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The licence texts of everything that is inside a bundle.

# Header-only libraries that are compiled into the programs: no file of theirs shows that they are inside.
COMPILED_IN=(nlohmann-json3-dev libeigen3-dev)

# package_of FILE: the Debian package that a file of this machine comes from. Where /lib is a link to /usr/lib, dpkg may
# know the file by either name.
package_of()
{
    local path real
    real=$(readlink --canonicalize "$1")
    for path in "$1" "$real" "/usr$1" "${1#/usr}" "${real#/usr}"; do
        dpkg --search "$path" 2>/dev/null && return 0
    done | head --lines=1 | sed 's/[:,].*//'
}

# add_licences STAGING: one folder per package with its copyright file, and the licences that those refer to. The
# project's own stand beside them.
add_licences()
{
    local folder="$1/share/doc/stagecraft/licences" origin package
    local -A packages=()
    while read -r origin; do
        package=$(package_of "$origin")
        [ -n "$package" ] || die "$origin belongs to no Debian package: its licence is not known"
        packages[$package]=1
    done < <(sort --unique "$1/.origins" && printf '%s/%s\n' "$(qt_plugins_folder)" platforms/libqxcb.so &&
        printf '%s/%s\n' "$(qt_plugins_folder)" platforms/libqwayland-generic.so &&
        printf '%s/%s\n' "$(qt_plugins_folder)" sqldrivers/libqsqlite.so)
    rm "$1/.origins"
    for package in "${!packages[@]}" "${COMPILED_IN[@]}"; do
        install -D -m 644 "/usr/share/doc/$package/copyright" "$folder/$package/copyright"
    done
    install -D -m 644 "$PACKAGING/bundle/nvtx-copyright" "$folder/nvtx/copyright"
    mkdir -p "$folder/common-licenses"
    cp --dereference /usr/share/common-licenses/* "$folder/common-licenses/"
}
