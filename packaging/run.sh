#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

usage()
{
    cat <<'TEXT'
usage: packaging/run.sh [OPTION…] [-- STAGECRAFT-ARGUMENT…]

Installs the packages that are missing, configures, builds and opens the window. Without a display it measures what
this machine has and writes evidence, figures and tables under stagecraft-out/.

  --headless      measure and write, with a display too
  --build-only    stop after building
  --cuda-wheels   build and run the GPU worker with NVIDIA's Python wheels, in a virtual environment under build/
  --no-cuda       leave the GPU worker out
  --no-install    install no Debian packages
  --help          this text

Arguments after -- go to the program, as in: packaging/run.sh -- doctor
TEXT
}

. "$(dirname "${BASH_SOURCE[0]}")/common/build.sh"
. "$(dirname "${BASH_SOURCE[0]}")/common/headless.sh"

CUDA_WISH=auto
headless=no
build_only=no
install=yes
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
        --headless) headless=yes ;;
        --build-only) build_only=yes ;;
        --cuda-wheels) CUDA_WISH=wheels ;;
        --no-cuda) CUDA_WISH=none ;;
        --no-install) install=no ;;
        --help | -h) usage && exit 0 ;;
        --) shift && arguments=("$@") && break ;;
        *) usage >&2 && printf '\nerror: unknown option %s\n' "$1" >&2 && exit 2 ;;
    esac
    shift
done

choose_cuda "$CUDA_WISH"
if [ "$install" = yes ]; then
    groups=(build run)
    [ "$CUDA_WAY" = toolkit ] || groups+=(wheels)
    install_packages "${groups[@]}"
fi
cuda_arguments
say "CUDA: $CUDA_WHY"
configure release "$BUILD_ROOT/release" -DBUILD_TESTING=OFF "${CUDA_CMAKE[@]}"
build "$BUILD_ROOT/release"
[ "$build_only" = yes ] && exit 0

program="$BUILD_ROOT/release/bin/stagecraft"
if [ ${#arguments[@]} -gt 0 ]; then
    exec "$program" "${arguments[@]}"
elif [ "$headless" = no ] && [ -n "${WAYLAND_DISPLAY:-}${DISPLAY:-}" ]; then
    exec "$program"
fi
headless_job "$program" stagecraft-out
