#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stagecraft-worker-python [INTERPRETER]: Stagecraft's Python worker beside this script, for use behind a prefix, as in
# `ssh gpu01 stagecraft-worker-python`. The interpreter is the Python that has PyTorch and Triton; default python3.
here=$(dirname "$(readlink -f "$0")")
exec "${1:-python3}" "$here/../share/stagecraft/python/worker.py"
