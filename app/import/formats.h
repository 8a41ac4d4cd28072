// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importer.h"

// Each format in a file of its own; formats() lists them in the order in which a file is tried.
namespace stagecraft::import {

const Format &nsysFormat();
const Format &pytorchFormat();
const Format &nvbenchFormat();
const Format &googleBenchmarkFormat();
const Format &kernelTunerFormat();

} // namespace stagecraft::import
