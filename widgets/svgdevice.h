// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <QByteArray>
#include <QColor>
#include <QHash>
#include <QPaintDevice>
#include <QSize>

namespace stagecraft::widgets {

// The outlines that drawings of one document share: each glyph of each size is defined once and placed by <use>.
class SvgGlyphs
{
public:
    // The id of this outline, which is a new one the first time.
    QByteArray idOf(const QByteArray &pathData);
    QByteArray uniqueId(char prefix); // of anything else in the document
    QByteArray definitions() const { return m_definitions; }

private:
    QHash<QByteArray, QByteArray> m_ids;
    QByteArray m_definitions;
    int m_count = 0;
};

// Writes what a painter draws as SVG elements, in the painter's units and order. Text becomes outlines and needs no
// font. Knows what figures draw: paths, lines, solid colours, clips; no pixmaps, no gradients, and no scaled painter.
class SvgDevice : public QPaintDevice
{
public:
    // How a colour is written into `fill` and `stroke`; by default as #rrggbb.
    using Ink = std::function<QByteArray(const QColor &)>;

    // `glyphs` must outlive the device.
    SvgDevice(const QSize &size, SvgGlyphs &glyphs, Ink ink = {});
    ~SvgDevice() override;

    QByteArray content() const; // whole once the painter has ended
    QPaintEngine *paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    QSize m_size;
    std::unique_ptr<Engine> m_engine;
};

} // namespace stagecraft::widgets
