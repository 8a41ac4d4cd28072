# SPDX-License-Identifier: MIT
"""The Python worker's parts, one idea a file. Nothing here imports torch or triton before it is asked to."""

NAME = "python"
VERSION = "0.1.0"
PROTOCOL = 1
