// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"
#include "messages.h"

// What workers say, as evidence.
namespace stagecraft::run {

evidence::KernelRecord kernelRecord(const protocol::KernelRecord &record);
evidence::Correctness correctness(const protocol::CheckResult &check);
evidence::CountedKernel countedKernel(const protocol::CountedKernel &kernel);

} // namespace stagecraft::run
