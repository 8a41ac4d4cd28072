#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

usage()
{
    cat <<'TEXT'
usage: packaging/bundle.sh [OPTION…]

Makes dist/stagecraft-VERSION-x86_64.tar.xz: the program, its workers, Qt and all else that they need but for the C and
C++ libraries and CUDA's own, which stay the machine's. It is unpacked anywhere and runs there as bin/stagecraft.

  --check        afterwards unpack it into an empty root and run it there (needs root)
  --no-install   install no Debian packages
  --help         this text
TEXT
}

# shellcheck source=common/build.sh
. "$(dirname "${BASH_SOURCE[0]}")/common/build.sh"
# shellcheck source=bundle/libraries.sh
. "$PACKAGING/bundle/libraries.sh"
# shellcheck source=bundle/licences.sh
. "$PACKAGING/bundle/licences.sh"

LIMIT_MB=36
install=yes
check=no
while [ $# -gt 0 ]; do
    case $1 in
        --check) check=yes ;;
        --no-install) install=no ;;
        --help | -h) usage && exit 0 ;;
        *) usage >&2 && printf '\nerror: unknown option %s\n' "$1" >&2 && exit 2 ;;
    esac
    shift
done
[ "$(uname -m)" = x86_64 ] || die "the bundle is for x86_64; this machine is $(uname -m)"

# cupti_argument MAJOR: both majors' capture libraries are in the bundle; what is not the Toolkit's comes from wheels.
cupti_argument()
{
    [ "$CUDA_WAY-$CUDA_MAJOR" = "toolkit-$1" ] && return 0
    bring_wheels "cupti$1" || die "CUPTI's headers of CUDA $1 could not be fetched: see build/cuda-wheels/cupti$1.log"
    printf -- '-DSTAGECRAFT_CUPTI%s_INCLUDE=%s\n' "$1" "$(header_folder "$(wheels_folder "cupti$1")" cupti.h)"
}

[ "$install" = yes ] && install_packages build run wheels bundle
# A bundle without the GPU worker would be of little use, so without a Toolkit the wheels' headers compile it.
choose_cuda auto
[ "$CUDA_WAY" = none ] && choose_cuda wheels
CUDA_WISH=wheels
cuda_arguments
mapfile -t cupti < <(cupti_argument 12 && cupti_argument 13)
# The release build is shared with run.sh; only what is packed is built.
folder="$BUILD_ROOT/release"
configure release "$folder" -DBUILD_TESTING=ON "${CUDA_CMAKE[@]}" "${cupti[@]}"
build "$folder" stagecraft stagecraft-worker-host stagecraft-worker-cuda stagecraft-worker-external stagecraft-capture-injection \
    stagecraft-gpu-check

name="stagecraft-$(project_version)-x86_64"
staging="$BUILD_ROOT/bundle/$name"
rm -rf "$BUILD_ROOT/bundle"
say 'Collecting'
cmake --install "$folder" --prefix "$staging" --strip >/dev/null
find "$staging/share/stagecraft/evidence" -mindepth 1 -maxdepth 1 ! -name 'mage-*' -exec rm -rf {} +
install --strip -m 755 "$folder/bin-tests/stagecraft-gpu-check" "$staging/bin/"
# The GPU tests can be run and recorded where the bundle is; the hashes say of which sources it was built.
gpu_check="$staging/share/stagecraft/gpu-check"
install -D -m 755 --target-directory "$gpu_check" "$ROOT/tests/gpu/run.sh" "$ROOT/tests/gpu/lastrun.py" \
    "$ROOT/tests/gpu/ncu_agreement.py" "$ROOT"/tests/gpu/{counter_agreement,ncu_output,ncu_passes,ncu_table,ncu_third,pipeworker,timed_stage}.py
python3 "$ROOT/tests/gpu/lastrun.py" sources "$ROOT" >"$gpu_check/sources.json"
add_plugins "$staging"
add_libraries "$staging"
add_font "$staging"
add_licences "$staging"
mv "$staging/bin/stagecraft" "$staging/bin/stagecraft.bin"
install -m 755 "$PACKAGING/bundle/launcher.sh" "$staging/bin/stagecraft"
install -m 644 "$PACKAGING/bundle/qt.conf" "$staging/bin/qt.conf"
install -m 644 "$PACKAGING/bundle/README" "$ROOT/CHANGELOG.md" "$staging/"

say 'Packing'
mkdir -p "$ROOT/dist"
tar --create --directory "$BUILD_ROOT/bundle" --sort=name --owner=0 --group=0 --numeric-owner "$name" |
    xz --threads=0 -9 >"$ROOT/dist/$name.tar.xz"
size=$(stat --format=%s "$ROOT/dist/$name.tar.xz")
say "dist/$name.tar.xz: $((size / 1000000)) MB"
[ "$size" -lt $((LIMIT_MB * 1000000)) ] || die "the bundle is larger than $LIMIT_MB MB"
if [ "$check" = yes ]; then "$PACKAGING/bundle/check.sh" "$ROOT/dist/$name.tar.xz"; fi
