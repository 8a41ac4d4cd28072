// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakeworkers.h"

// The arguments of a `stagecraft run` that a fake worker has done at once, and what a test adds to them.
inline QStringList small(const FakeWorkers &workers, const QStringList &more)
{
    return QStringList{"run", "--rounds", "2", "--iterations", "10", "--warmup", "1", "--output", workers.output()} +
           more;
}
