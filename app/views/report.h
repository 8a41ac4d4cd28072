// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewcatalogue.h"

#include <QByteArray>

namespace stagecraft::views {

// One self-contained HTML page of a namespace: what was measured where and when, each view's figure with caption, words
// and values, method and limits. It refers to nothing outside itself and runs no script; everything that comes from the
// evidence is escaped. Figures are drawn in both layouts and take the page's colours, which follow the reader's
// preference for dark or light. Views that the evidence cannot fill say why; `compare` takes part where there are
// baselines. Needs a QGuiApplication. Safe on any thread.
QByteArray reportPage(const evidence::Namespace &evidence, const QList<ViewId> &views, const ViewOptions &options);

} // namespace stagecraft::views
