// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewrows.h"

// The value tables of the views made of bars, and the one of all measurements. Internal to the views.
namespace stagecraft::views {

// Columns of the given metrics, a row per operation and implementation.
widgets::ValueTable measurementTable(const QString &id, const QString &title, const QList<Metric> &metrics,
                                     const evidence::Namespace &evidence, const ViewOptions &options);

} // namespace stagecraft::views
