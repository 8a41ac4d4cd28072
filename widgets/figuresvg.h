// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figure.h"
#include "svgdevice.h"

namespace stagecraft::widgets {

// A whole SVG file: text as outlines, title, description (the alternative text) and provenance as metadata, with
// Dublin Core's terms where they fit. Needs a QGuiApplication, on any thread.
QByteArray figureSvg(const Figure &figure, Layout layout, Theme theme);

// The same drawing as an element of an HTML page, without ground, and without definitions: those of `glyphs` go once
// into the page. `ink` may give colours that the page decides; the alternative text is its label.
QByteArray inlineFigureSvg(const Figure &figure, Layout layout, Theme theme, SvgGlyphs &glyphs, SvgDevice::Ink ink);

// The alternative text; of a figure without one, its subtitle.
QString figureDescription(const Figure &figure);

} // namespace stagecraft::widgets
