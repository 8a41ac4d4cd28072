#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: check.sh BUNDLE.tar.xz [ROOT]
# Runs a bundle where nothing else is: in an empty root that holds the C and C++ libraries, a shell and a handful of
# tools, or in the given ROOT folder, a system of its own. Needs root, or a kernel that lets users make namespaces.
set -euo pipefail

# shellcheck source=../common/say.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/say.sh"

bundle=$(readlink --canonicalize-existing "$1")
root=${2:-}
made=
if [ -z "$root" ]; then
    made=$(mktemp --directory)
    root=$made
    trap 'rm -rf "$made"' EXIT
fi

# copy FILE: at the same path in the empty root.
copy()
{
    local real
    real=$(readlink --canonicalize "$1")
    install -D --mode=755 "$real" "$root/$1"
}

# empty_root: no Qt, no X11, no fonts.
empty_root()
{
    local tool library
    mkdir -p "$root"/{proc,dev,tmp,usr/bin,usr/lib}
    ln -s usr/bin "$root/bin"
    for tool in sh env readlink dirname cat ls rm mkdir timeout; do copy "/usr/bin/$tool"; done
    while read -r library; do copy "$library"; done < <(
        for tool in "$root"/usr/bin/*; do ldd "$tool"; done | awk '/\// { print $(NF - 1) }' | sort --unique
        ldconfig -p | awk '/x86-64/ && $1 ~ /^lib(m|dl|rt|pthread|resolv|mvec|stdc\+\+|gcc_s)\.so\.[0-9]+$/ { print $NF }'
    )
}

# inside COMMAND…: in the root, with a process table and devices of its own and next to no environment.
inside()
{
    local map=()
    [ "$(id -u)" -eq 0 ] || map=(--map-root-user)
    # shellcheck disable=SC2016 # the inner shell's own arguments
    unshare "${map[@]}" --mount --pid --fork sh -c '
        root=$1 && shift
        mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
            exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8 "$@"' sh "$root" "$@"
}

# trial WHAT COMMAND…
failed=0
trial()
{
    local what=$1
    shift
    if inside "$@" >"$log" 2>&1; then
        say "ok: $what"
    else
        failed=1
        printf 'FAIL: %s\n' "$what" >&2
        tail --lines=20 "$log" >&2
    fi
}

log=$(mktemp)
[ -z "$made" ] || empty_root
folder=/tmp/elsewhere
mkdir -p "$root$folder"
tar --extract --file "$bundle" --directory "$root$folder" --strip-components=1
evidence="$folder/share/stagecraft/evidence"
[ -z "$(find "$root$evidence" -mindepth 1 -maxdepth 1 ! -name 'mage-*')" ] || { failed=1 && warn "more than the note's evidence is inside"; }

trial 'version' "$folder/bin/stagecraft" --version
# As the driver does: into a program that was built without any of this, by its path alone.
trial 'loading the capture library into any program' sh -c \
    "case \$(LD_PRELOAD=$folder/lib/stagecraft/libstagecraft-capture-injection.so cat /proc/self/maps) in
     *libstagecraft-capture-injection.so*) ;; *) exit 1 ;; esac"
trial 'doctor' "$folder/bin/stagecraft" doctor
trial 'export of the evidence inside' "$folder/bin/stagecraft" export "$evidence/mage-003" --output /tmp/figures \
    --view all --format png,svg,csv,report
trial 'measuring on the CPU' "$folder/bin/stagecraft" run --implementations host --operations gelu --dims gelu=64x32 \
    --rounds 1 --iterations 5 --warmup 1 --output /tmp/measured
trial 'checking what was measured' "$folder/bin/stagecraft" check /tmp/measured
trial 'the window, without a display' sh -c \
    "QT_QPA_PLATFORM=offscreen timeout 5 $folder/bin/stagecraft; test \$? -eq 124"
# Where no font is found, text is drawn as boxes: the figures must differ from such ones.
trial 'export without the font inside' env FONTCONFIG_FILE=/nowhere "$folder/bin/stagecraft" export "$evidence/mage-003" \
    --output /tmp/boxes --view kernel --format png
if [ -n "$made" ] && cmp --quiet "$root/tmp/figures/kernel-desktop.png" "$root/tmp/boxes/kernel-desktop.png"; then
    failed=1 && warn 'text is drawn as boxes: the font inside was not found'
fi
if [ -n "${BUNDLE_CHECK_KEEP:-}" ]; then cp -r "$root/tmp/figures" "$BUNDLE_CHECK_KEEP"; fi
rm -f "$log"
[ "$failed" -eq 0 ] || die 'the bundle does not stand alone'
say 'The bundle stands alone'
