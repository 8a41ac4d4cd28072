// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>

namespace stagecraft::window {

// The icon resources/icons/NAME.svg drawn in the application palette's colour for `role`, so that one drawing serves
// the dark and the light theme and follows a change of theme at the next paint. Disabled icons use the disabled group.
QIcon themedIcon(const QString &name, QPalette::ColorRole role = QPalette::ButtonText);

// The same drawing in a fixed colour, for severities.
QIcon tintedIcon(const QString &name, const QColor &color);

// The program's own icon, in its own colours.
QIcon applicationIcon();

} // namespace stagecraft::window
