// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"

// Kernel names as people read them. They come from compilers and libraries by way of evidence: of any length, with
// template arguments that fill pages. Internal to the views.
namespace stagecraft::views {

// "vectorized_elementwise_kernel" of "void at::native::vectorized_elementwise_kernel<4, …>(int, …)": neither scopes nor
// template arguments nor parameters, and no more than 64 characters.
QString shortKernelName(const QString &name);

// "2 × elementwise_kernel", "sgemm_32x32": each short name with its launches per iteration where they are not one.
QStringList kernelWords(const QList<evidence::KernelCount> &kernels);

// The same with the full names, in lines for a tool tip: long ones are cut, and of many the first.
QString kernelToolTip(const QList<evidence::KernelCount> &kernels);

} // namespace stagecraft::views
