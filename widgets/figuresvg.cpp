// SPDX-License-Identifier: GPL-3.0-or-later
#include "figuresvg.h"

#include "figurepainter.h"
#include "figuretext.h"

#include <QIODevice>
#include <QPainter>
#include <QXmlStreamWriter>

#include <cmath>

namespace stagecraft::widgets {

namespace {

const auto kSvg = QStringLiteral("http://www.w3.org/2000/svg");
const auto kXlink = QStringLiteral("http://www.w3.org/1999/xlink");
const auto kRdf = QStringLiteral("http://www.w3.org/1999/02/22-rdf-syntax-ns#");
const auto kDublinCore = QStringLiteral("http://purl.org/dc/elements/1.1/");
const auto kOwn = QStringLiteral("urn:stagecraft:figure");

struct Drawing
{
    QSize size;
    QByteArray content;
};

Drawing draw(const Figure &figure, Layout layout, Theme theme, SvgGlyphs &glyphs, SvgDevice::Ink ink = {})
{
    const QSizeF exact = layoutFigure(figure, layout).size;
    const QSize size(static_cast<int>(std::ceil(exact.width())), static_cast<int>(std::ceil(exact.height())));
    SvgDevice device(size, glyphs, std::move(ink));
    QPainter painter(&device);
    paintFigure(painter, figure, layout, theme);
    painter.end();
    return {size, device.content()};
}

// What the metadata's own keys are in Dublin Core.
QString dublinCoreTerm(const QString &key)
{
    static const QHash<QString, QString> terms{{QStringLiteral("Software"), QStringLiteral("creator")},
                                               {QStringLiteral("Namespace"), QStringLiteral("source")},
                                               {QStringLiteral("Measured"), QStringLiteral("date")}};
    return terms.value(key);
}

void writeDublinCore(QXmlStreamWriter &xml, const Figure &figure)
{
    xml.writeStartElement(kRdf, QStringLiteral("RDF"));
    xml.writeStartElement(kRdf, QStringLiteral("Description"));
    xml.writeAttribute(kRdf, QStringLiteral("about"), QString());
    xml.writeTextElement(kDublinCore, QStringLiteral("title"), figure.title);
    xml.writeTextElement(kDublinCore, QStringLiteral("description"), figureDescription(figure));
    xml.writeTextElement(kDublinCore, QStringLiteral("format"), QStringLiteral("image/svg+xml"));
    xml.writeTextElement(kDublinCore, QStringLiteral("type"), QStringLiteral("StillImage"));
    for (const auto &[key, value] : figure.metadata)
        if (const QString term = dublinCoreTerm(key); !term.isEmpty())
            xml.writeTextElement(kDublinCore, term, value);
    xml.writeEndElement();
    xml.writeEndElement();
}

void writeMetadata(QXmlStreamWriter &xml, const Figure &figure)
{
    xml.writeStartElement(kSvg, QStringLiteral("metadata"));
    xml.writeNamespace(kRdf, QStringLiteral("rdf"));
    xml.writeNamespace(kDublinCore, QStringLiteral("dc"));
    xml.writeNamespace(kOwn, QStringLiteral("stagecraft"));
    writeDublinCore(xml, figure);
    for (const auto &[key, value] : figure.metadata) {
        xml.writeStartElement(kOwn, QStringLiteral("entry"));
        xml.writeAttribute(QStringLiteral("name"), key);
        xml.writeCharacters(value);
        xml.writeEndElement();
    }
    xml.writeEndElement();
}

void writeSize(QXmlStreamWriter &xml, const QSize &size)
{
    xml.writeAttribute(QStringLiteral("width"), QString::number(size.width()));
    xml.writeAttribute(QStringLiteral("height"), QString::number(size.height()));
    xml.writeAttribute(QStringLiteral("viewBox"), QStringLiteral("0 0 %1 %2").arg(size.width()).arg(size.height()));
    xml.writeAttribute(QStringLiteral("role"), QStringLiteral("img"));
}

// The drawing's elements are XML already; the writer ends the start tag before them.
void writeRaw(QXmlStreamWriter &xml, const QByteArray &raw)
{
    xml.writeCharacters(QStringLiteral("\n"));
    xml.device()->write(raw);
}

} // namespace

QByteArray figureSvg(const Figure &given, Layout layout, Theme theme)
{
    const Figure figure = printableFigure(given);
    SvgGlyphs glyphs;
    const Drawing drawing = draw(figure, layout, theme, glyphs);
    QByteArray text;
    QXmlStreamWriter xml(&text);
    xml.writeStartDocument();
    xml.writeDefaultNamespace(kSvg);
    xml.writeNamespace(kXlink, QStringLiteral("xlink"));
    xml.writeStartElement(kSvg, QStringLiteral("svg"));
    writeSize(xml, drawing.size);
    xml.writeAttribute(QStringLiteral("aria-labelledby"), QStringLiteral("title desc"));
    const std::pair<QString, QString> words[] = {{QStringLiteral("title"), figure.title},
                                                 {QStringLiteral("desc"), figureDescription(figure)}};
    for (const auto &[name, content] : words) {
        xml.writeStartElement(kSvg, name);
        xml.writeAttribute(QStringLiteral("id"), name);
        xml.writeCharacters(content);
        xml.writeEndElement();
    }
    if (!figure.metadata.isEmpty())
        writeMetadata(xml, figure);
    writeRaw(xml, "<defs>\n" + glyphs.definitions() + "</defs>\n" + drawing.content);
    xml.writeEndDocument();
    return text;
}

QByteArray inlineFigureSvg(const Figure &given, Layout layout, Theme theme, SvgGlyphs &glyphs, SvgDevice::Ink ink)
{
    const Figure figure = printableFigure(given);
    const Drawing drawing = draw(figure, layout, theme, glyphs, std::move(ink));
    QByteArray text;
    QXmlStreamWriter xml(&text);
    xml.writeStartElement(QStringLiteral("svg"));
    writeSize(xml, drawing.size);
    xml.writeAttribute(QStringLiteral("aria-label"), figureDescription(figure));
    writeRaw(xml, drawing.content);
    xml.writeEndElement();
    return text;
}

QString figureDescription(const Figure &figure)
{
    return figure.altText.isEmpty() ? figure.subtitle : figure.altText;
}

} // namespace stagecraft::widgets
