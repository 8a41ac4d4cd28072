// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"

namespace stagecraft::import {

const QList<Format> &formats()
{
    static const QList<Format> list{
        nsysFormat(), pytorchFormat(), nvbenchFormat(), googleBenchmarkFormat(), kernelTunerFormat(),
    };
    return list;
}

} // namespace stagecraft::import
