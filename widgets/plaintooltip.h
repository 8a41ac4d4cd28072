// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace stagecraft::widgets {

// Text of evidence files may look like HTML, which Qt's tool tips would interpret. This shows it as it is, with its
// line breaks; long lines wrap.
inline QString plainToolTip(const QString &text)
{
    if (text.isEmpty())
        return {};
    return QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

} // namespace stagecraft::widgets
