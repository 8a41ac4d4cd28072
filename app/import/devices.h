// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"

#include <QHash>
#include <QSet>

namespace stagecraft::import {

// Sets the file's GPU from the names of the devices that launches ran on. Times of different GPUs are never one series:
// where the names differ, each device's launches are an implementation of their own, whose name is returned by device.
// Says in `leftOut` where no name is known; `place` is where it would be.
QHash<qint64, QString> describeDevices(const QSet<qint64> &used, const QHash<qint64, QString> &names,
                                       const QString &place, ForeignFile &file);

} // namespace stagecraft::import
