# SPDX-License-Identifier: MIT
"""The machine in words, as the other workers say it (kernels/worker/machine.h)."""

import glob
import os
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


_GLIBC_LEVEL3_CACHE_SIZE = 194  # _SC_LEVEL3_CACHE_SIZE of glibc's <unistd.h>, which Python has no name for
_CACHES = "/sys/devices/system/cpu/cpu*/cache/index*"
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _cache_by_library():
    if platform.libc_ver()[0] != "glibc":
        return 0
    try:
        return max(os.sysconf(_GLIBC_LEVEL3_CACHE_SIZE), 0)
    except (OSError, ValueError):
        return 0


def _cache_by_kernel():
    """Those of the highest level together, since cores can share one in groups: a program on all cores fills them all."""
    found = {}
    for folder in glob.glob(_CACHES):
        level = _search(os.path.join(folder, "level"), r"^(\d+)$")
        size = re.match(r"(\d+)([KMG]?)$", _search(os.path.join(folder, "size"), r"^(\w+)$"))
        if level and size and _search(os.path.join(folder, "type"), r"^(\w+)$") != "Instruction":
            shared_by = _search(os.path.join(folder, "shared_cpu_list"), r"^(\S+)$")
            found.setdefault(int(level), {})[shared_by] = int(size.group(1)) * _UNITS[size.group(2)]
    return sum(found[max(found)].values()) if found else 0


def last_level_cache_bytes():
    """Of the CPU: the larger of what the C library and the kernel say, since virtual machines can show a part. 0 where
    neither tells."""
    return max(_cache_by_library(), _cache_by_kernel())


def available_bytes():
    """Of memory, without what the system would have to take from others. 0 where the system does not tell."""
    words = _first_value("/proc/meminfo", "MemAvailable", ":").split()
    return int(words[0]) << 10 if len(words) == 2 and words[0].isdigit() else 0
