// SPDX-License-Identifier: GPL-3.0-or-later
#include "svgdevice.h"

#include "svgpath.h"

#include <QGlyphRun>
#include <QPaintEngine>
#include <QPainter>
#include <QPen>
#include <QRawFont>
#include <QTextLayout>

namespace stagecraft::widgets {

namespace {

constexpr int kCssDpi = 96;
constexpr double kEndlessLine = 1e6;

QByteArray attribute(const char *name, const QByteArray &value)
{
    return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray hexColor(const QColor &color)
{
    return color.name(QColor::HexRgb).toLatin1();
}

QByteArray opacity(const char *name, const QColor &color)
{
    return color.alpha() == 255 ? QByteArray() : attribute(name, svgNumber(color.alphaF()));
}

QByteArray capAndJoin(const QPen &pen)
{
    QByteArray text;
    if (pen.capStyle() != Qt::FlatCap)
        text += attribute("stroke-linecap", pen.capStyle() == Qt::RoundCap ? "round" : "square");
    if (pen.joinStyle() == Qt::RoundJoin)
        text += attribute("stroke-linejoin", "round");
    else if (pen.joinStyle() == Qt::BevelJoin)
        text += attribute("stroke-linejoin", "bevel");
    return text;
}

QByteArray dashes(const QPen &pen, double width)
{
    if (pen.style() == Qt::SolidLine)
        return {};
    QByteArrayList lengths;
    for (const double length : pen.dashPattern())
        lengths.append(svgNumber(length * width));
    return attribute("stroke-dasharray", lengths.join(' '));
}

} // namespace

QByteArray SvgGlyphs::idOf(const QByteArray &pathData)
{
    QByteArray &id = m_ids[pathData];
    if (id.isEmpty()) {
        id = uniqueId('g');
        m_definitions += "<path" + attribute("id", id) + attribute("d", pathData) + "/>\n";
    }
    return id;
}

QByteArray SvgGlyphs::uniqueId(char prefix)
{
    return prefix + QByteArray::number(m_count++, 36);
}

class SvgDevice::Engine : public QPaintEngine
{
public:
    Engine(SvgGlyphs &glyphs, Ink ink)
        : QPaintEngine(PrimitiveTransform | PainterPaths | AlphaBlend | Antialiasing | ConstantOpacity),
          m_glyphs(glyphs),
          m_ink(ink ? std::move(ink) : Ink(hexColor))
    {
    }

    bool begin(QPaintDevice *) override { return true; }

    bool end() override
    {
        changeGroup({});
        return true;
    }

    Type type() const override { return User; }
    QByteArray content() const { return m_content; }

    void updateState(const QPaintEngineState &now) override
    {
        const DirtyFlags changed = now.state();
        if (changed & DirtyPen)
            m_pen = now.pen();
        if (changed & DirtyBrush)
            m_brush = now.brush();
        if (changed & DirtyTransform)
            m_transform = now.transform();
        if (changed & (DirtyClipRegion | DirtyClipPath | DirtyClipEnabled))
            changeClip(now);
    }

    void drawPath(const QPainterPath &path) override
    {
        addPath(svgPathData(m_transform.map(path)), path.fillRule() == Qt::OddEvenFill);
    }

    void drawPolygon(const QPointF *points, int count, PolygonDrawMode mode) override
    {
        const QPolygonF polygon = m_transform.map(QPolygonF(QList<QPointF>(points, points + count)));
        const bool closed = mode != PolylineMode;
        changeGroup((closed ? fill() : QByteArray(" fill=\"none\"")) + stroke());
        m_content += "<path" + attribute("d", svgPathData(polygon, closed)) +
                     (mode == OddEvenMode && count > 4 ? attribute("fill-rule", "evenodd") : QByteArray()) + "/>\n";
    }

    void drawPixmap(const QRectF &, const QPixmap &, const QRectF &) override
    {
        Q_ASSERT_X(false, "SvgDevice", "figures hold no pixmaps");
    }

    void drawTextItem(const QPointF &baseline, const QTextItem &item) override
    {
        QTextLayout layout(item.text(), item.font());
        QTextOption option(Qt::AlignLeft | Qt::AlignAbsolute);
        option.setTextDirection(Qt::LeftToRight);
        option.setWrapMode(QTextOption::NoWrap);
        layout.setTextOption(option);
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(kEndlessLine);
        line.setPosition({0, -line.ascent()});
        layout.endLayout();
        changeGroup(attribute("fill", m_ink(m_pen.color())) + opacity("fill-opacity", m_pen.color()));
        for (const QGlyphRun &run : layout.glyphRuns())
            addGlyphs(run, baseline);
    }

private:
    void addGlyphs(const QGlyphRun &run, const QPointF &baseline)
    {
        const QRawFont font = run.rawFont();
        const QList<quint32> indexes = run.glyphIndexes();
        const QList<QPointF> positions = run.positions();
        for (qsizetype i = 0; i < indexes.size(); ++i) {
            const QByteArray data = svgPathData(font.pathForGlyph(indexes[i]));
            if (data.isEmpty())
                continue;
            const QPointF place = m_transform.map(baseline + positions[i]);
            m_content += "<use" + attribute("xlink:href", '#' + m_glyphs.idOf(data)) +
                         attribute("x", svgNumber(place.x())) + attribute("y", svgNumber(place.y())) + "/>\n";
        }
    }

    void addPath(const QByteArray &data, bool oddEven)
    {
        if (data.isEmpty())
            return;
        changeGroup(fill() + stroke());
        const bool severalParts = data.count('M') > 1;
        m_content += "<path" + attribute("d", data) +
                     (oddEven && severalParts ? attribute("fill-rule", "evenodd") : QByteArray()) + "/>\n";
    }

    QByteArray fill() const
    {
        return m_brush.style() == Qt::NoBrush
                   ? attribute("fill", "none")
                   : attribute("fill", m_ink(m_brush.color())) + opacity("fill-opacity", m_brush.color());
    }

    QByteArray stroke() const
    {
        if (m_pen.style() == Qt::NoPen)
            return {};
        const double width = m_pen.widthF() > 0 ? m_pen.widthF() : 1;
        return attribute("stroke", m_ink(m_pen.color())) + opacity("stroke-opacity", m_pen.color()) +
               (width == 1 ? QByteArray() : attribute("stroke-width", svgNumber(width))) + capAndJoin(m_pen) +
               dashes(m_pen, width);
    }

    void changeClip(const QPaintEngineState &now)
    {
        changeGroup({});
        m_clip.clear();
        if (!now.painter()->hasClipping())
            return;
        m_clip = m_glyphs.uniqueId('c');
        m_content += "<clipPath" + attribute("id", m_clip) + "><path" +
                     attribute("d", svgPathData(now.transform().map(now.painter()->clipPath()))) + "/></clipPath>\n";
    }

    // Neighbours of the same look share a group that says it once.
    void changeGroup(QByteArray attributes)
    {
        if (!attributes.isEmpty() && !m_clip.isEmpty())
            attributes += attribute("clip-path", "url(#" + m_clip + ')');
        if (attributes == m_group)
            return;
        if (!m_group.isEmpty())
            m_content += "</g>\n";
        if (!attributes.isEmpty())
            m_content += "<g" + attributes + ">\n";
        m_group = attributes;
    }

    SvgGlyphs &m_glyphs;
    Ink m_ink;
    QPen m_pen;
    QBrush m_brush;
    QTransform m_transform;
    QByteArray m_clip, m_group, m_content;
};

SvgDevice::SvgDevice(const QSize &size, SvgGlyphs &glyphs, Ink ink)
    : m_size(size), m_engine(std::make_unique<Engine>(glyphs, std::move(ink)))
{
}

SvgDevice::~SvgDevice() = default;

QByteArray SvgDevice::content() const
{
    return m_engine->content();
}

QPaintEngine *SvgDevice::paintEngine() const
{
    return m_engine.get();
}

int SvgDevice::metric(PaintDeviceMetric metric) const
{
    constexpr double millimetresPerPixel = 25.4 / kCssDpi;
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return qRound(m_size.width() * millimetresPerPixel);
    case PdmHeightMM:
        return qRound(m_size.height() * millimetresPerPixel);
    case PdmNumColors:
        return 0;
    case PdmDepth:
        return 24;
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return kCssDpi;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return qRound(devicePixelRatioFScale());
    }
    return 0;
}

} // namespace stagecraft::widgets
