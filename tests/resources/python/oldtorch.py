# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets Triton's interpreter take the tensors of PyTorch 1.13, whose untyped storages go by another name."""

import torch


def adapt():
    if not hasattr(torch.Tensor, "untyped_storage"):
        torch.Tensor.untyped_storage = torch.Tensor._storage
