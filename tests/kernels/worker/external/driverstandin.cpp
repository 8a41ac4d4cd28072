// SPDX-License-Identifier: GPL-3.0-or-later
// In the place of NVIDIA's driver, so that a machine without a GPU passes for one that may have one. Nothing calls it.
extern "C" int cuInit(unsigned);

int cuInit(unsigned)
{
    return 100; // CUDA_ERROR_NO_DEVICE
}
