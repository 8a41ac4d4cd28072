# SPDX-License-Identifier: MIT
"""What an exception of PyTorch or Triton means for the user."""

_ADVICE = (
    ("no kernel image is available", "install a PyTorch that is built for this GPU"),
    ("illegal memory access", "report this with the library's version"),
    ("busy or unavailable", "another process has the GPU to itself (compute mode exclusive): wait for it"),
    ("find C compiler", "install a C compiler (apt-get install gcc), which Triton builds its launchers with"),
    ("Python.h", "install Python's headers (apt-get install python3-dev), which Triton builds its launchers with"),
    ("out of resource", "choose a GPU with more shared memory, or other dims"),
    ("driver version is insufficient", "update the NVIDIA driver, or install a PyTorch for an older CUDA"),
    ("driver on your system is too old", "update the NVIDIA driver, or install a PyTorch for an older CUDA"),
    ("no NVIDIA driver", "install the NVIDIA driver; nvidia-smi shows whether it works"),
    ("No CUDA GPUs are available", "check nvidia-smi and CUDA_VISIBLE_DEVICES"),
    ("no CUDA-capable device", "check nvidia-smi and CUDA_VISIBLE_DEVICES"),
)


def advice(error):
    """What to do about it; empty where nothing is known."""
    text = str(error)
    return next((fix for words, fix in _ADVICE if words in text), "")


def memory_problem(error):
    """Reason and fix where the GPU's or the machine's memory did not do; else None."""
    text = str(error)
    if isinstance(error, MemoryError) or "DefaultCPUAllocator" in text or "size calculation overflowed" in text:
        return "there is not enough memory for these dims", "choose smaller dims"
    if "out of memory" in text:
        fix = "choose smaller dims, or end other programs that hold GPU memory (nvidia-smi lists them)"
        return "the GPU's memory does not hold these dims", fix
    return None
