# SPDX-License-Identifier: MIT
"""The machine in words, as the other workers say it (kernels/worker/machine.h)."""

import platform
import re


def _first_value(path, key, separator):
    """The value of the first line "KEY separator VALUE" of a file; empty where there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            for line in stream:
                name, found, value = line.partition(separator)
                if found and name.strip() == key:
                    return value.strip().strip("\"'")
    except OSError:
        pass
    return ""


def platform_text():
    system = _first_value("/etc/os-release", "PRETTY_NAME", "=") or f"{platform.system()} {platform.release()}"
    cpu = _first_value("/proc/cpuinfo", "model name", ":") or f"{platform.machine()} CPU"
    return f"{system}, {cpu}"


def _search(path, pattern):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            match = re.search(pattern, stream.read())
    except OSError:
        return ""
    return match.group(1) if match else ""


def driver_release():
    """The NVIDIA driver's release, as nvidia-smi writes it: part of the name of the library that this process has
    loaded, else what the kernel module says. Empty where neither tells."""
    loaded = _search("/proc/self/maps", r"/libcuda\.so\.(\d{3,}(?:\.\d+)+)")
    return loaded or _search("/proc/driver/nvidia/version", r"\s(\d{3,}(?:\.\d+)+)\s")
