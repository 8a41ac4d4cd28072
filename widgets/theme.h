// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"

#include <QColor>
#include <QFont>
#include <QPalette>

class QApplication;

// Colours, type scale and spacing, for figures and window alike: the one place where the look is decided.
namespace stagecraft::widgets {

struct ThemeColors
{
    QColor ground;    // behind everything
    QColor raised;    // fields, headers, tool tips: one step above the ground
    QColor ink;       // text that is read
    QColor muted;     // text that explains: subtitles, ticks, states
    QColor rule;      // grid and separators
    QColor axis;      // the zero line
    QColor attention; // flags and warnings
    QColor danger;    // what failed
    QColor accent;    // focus and selection
};

const ThemeColors &themeColors(Theme theme);

// The colour of an implementation's bars. Further implementations repeat after otherRoleCount; labels tell them apart.
QColor roleColor(const ColorRole &role, Theme theme);
int otherRoleCount();

// WCAG 2 contrast ratio of two opaque colours, from 1 to 21.
double contrastRatio(const QColor &first, const QColor &second);

// One family, five sizes. Sizes are figure units (CSS pixels at scale 1).
enum class TextStyle
{
    Title,
    Heading,
    Panel,
    Body,
    Small
};

QString textFamily(); // Inter where it is installed, else the application's own family
QFont textFont(TextStyle style);

// Every distance is a multiple of this.
inline constexpr int kSpacing = 4;

QPalette themePalette(Theme theme);

// Fusion style, palette and font of the whole window.
void applyTheme(QApplication &application, Theme theme);

} // namespace stagecraft::widgets
