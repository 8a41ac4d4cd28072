#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

usage()
{
    cat <<'TEXT'
usage: packaging/test.sh [OPTION…] [-- CTEST-ARGUMENT…]

Installs the packages that are missing, builds with warnings as errors and runs every test offscreen: the program's own
tests, the checks of style, licences, scripts, metadata and include arrows, and the three ways to CUDA. The last line
says how many passed and failed.

  --sanitize address   build and test with AddressSanitizer and UndefinedBehaviorSanitizer (preset asan)
  --sanitize thread    build and test with ThreadSanitizer (preset tsan)
  --no-install         install no Debian packages
  --help               this text

Arguments after -- go to ctest, as in: packaging/test.sh -- --label-regex unit
TEXT
}

. "$(dirname "${BASH_SOURCE[0]}")/common/build.sh"
. "$(dirname "${BASH_SOURCE[0]}")/common/results.sh"

preset=dev
install=yes
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
        --sanitize)
            case ${2:-} in
                address) preset=asan ;;
                thread) preset=tsan ;;
                *) usage >&2 && printf '\nerror: --sanitize takes address or thread\n' >&2 && exit 2 ;;
            esac
            shift
            ;;
        --no-install) install=no ;;
        --help | -h) usage && exit 0 ;;
        --) shift && arguments=("$@") && break ;;
        *) usage >&2 && printf '\nerror: unknown option %s\n' "$1" >&2 && exit 2 ;;
    esac
    shift
done

if [ "$install" = yes ]; then
    install_packages build run test
    export STAGECRAFT_ALL_TOOLS=1 # a test that lacks its tool fails rather than skips
fi
choose_cuda auto
cuda_arguments
say "CUDA: $CUDA_WHY"
folder="$BUILD_ROOT/$preset"
configure "$preset" "$folder" "${CUDA_CMAKE[@]}"
build "$folder"

# The machine code of the stages is looked at by NVIDIA's disassembler; not every Toolkit's installation has it, and its
# wheels bring it. Without it those tests skip, and what the stages say of themselves stands unproven: that is a failure
# wherever the stages can be compiled, told at the end where it is seen.
unseen=()
if [ "$CUDA_WAY" != none ] && ! { have cuobjdump && have nvdisasm; } &&
    ! { [ -x "$CUDA_FOLDER/bin/cuobjdump" ] && [ -x "$CUDA_FOLDER/bin/nvdisasm" ]; } && ! bring_wheels disasm; then
    unseen+=("NVIDIA's disassembler could not be fetched (see build/cuda-wheels/disasm.log): the machine code of the stages
    was not looked at. Install cuobjdump and nvdisasm (both are of the CUDA Toolkit), or try again with a network")
fi

# Triton's kernels are tried in Triton's own interpreter and compiled by its compiler, beside Debian's PyTorch, whose
# interpreter need not be the first on the path. The same holds: untried is a failure, told at the end.
if [ "$preset" = dev ] && ! bring_wheels triton "$(python3 -B "$ROOT/tests/resources/python/support.py")"; then
    unseen+=("Triton could not be fetched (see build/cuda-wheels/triton.log): the Python worker's Triton kernels were not
    tried. Install Triton for the Python that has PyTorch, or try again with a network")
fi

# Tests that need a GPU run where there is one. Sanitized, the checks of files and scripts and the Python worker's tests
# would say nothing new.
excluded=()
driver_version >/dev/null || excluded+=(gpu)
[ "$preset" = dev ] || excluded+=(packaging python)
if [ ${#excluded[@]} -gt 0 ]; then
    arguments=(--label-exclude "^($(IFS='|' && printf '%s' "${excluded[*]}"))$" "${arguments[@]}")
fi

export QT_QPA_PLATFORM=offscreen
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$PACKAGING/sanitizers/leaks.txt:print_suppressions=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-suppressions=$PACKAGING/sanitizers/threads.txt:history_size=4}
status=0
ctest --test-dir "$folder" --output-on-failure --no-tests=error --parallel "$(nproc)" \
    --output-junit "$folder/tests.xml" "${arguments[@]}" || status=$?
python3 "$ROOT/tests/gpu/lastrun.py" print "$ROOT/tests/gpu/last-run.json" "$ROOT" || true
if [ ${#unseen[@]} -gt 0 ]; then
    printf 'error: %s\n' "${unseen[@]}" >&2
    [ "$status" -ne 0 ] || status=1
fi
print_results "$folder/tests.xml"
exit "$status"
