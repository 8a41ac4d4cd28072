// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureexport.h"

#include "figurepainter.h"
#include "figuresvg.h"
#include "figuretext.h"
#include "theme.h"

#include <QBuffer>
#include <QImageWriter>
#include <QMimeData>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>

namespace stagecraft::widgets {

namespace {

constexpr double kInchesPerMetre = 1000 / 25.4;
constexpr int kCssDpi = 96;
constexpr int kLongestBand = 16384;   // QPainter draws 32767 pixels of a side at most
constexpr int kWidestImage = 32767;   // which is of one band
constexpr double kMostPixels = 400e6; // 1.6 GB

bool canBeDrawn(const QSizeF &size)
{
    return size.width() > 0 && size.width() <= kWidestImage && size.width() * size.height() <= kMostPixels;
}

// Band after band, each a view of the image's own rows.
void paintInBands(QImage &image, const Figure &figure, Layout layout, Theme theme, double scale)
{
    for (int top = 0; top < image.height(); top += kLongestBand) {
        const int height = std::min(kLongestBand, image.height() - top);
        QImage band(image.scanLine(top), image.width(), height, image.bytesPerLine(), image.format());
        QPainter painter(&band);
        painter.setClipRect(band.rect()); // what is of other bands need not be drawn
        painter.translate(0, -top);
        painter.scale(scale, scale);
        paintFigure(painter, figure, layout, theme);
    }
}

} // namespace

// Flushed apart: QSaveFile keeps short contents until commit(), which overlooks that a full disk did not take them.
QString writeFile(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush() && file.commit())
        return {};
    return QStringLiteral("%1: cannot be written: %2").arg(path, file.errorString());
}

QImage figureImage(const Figure &figure, Layout layout, Theme theme, double scale)
{
    const QSizeF size = layoutFigure(figure, layout).size * scale;
    if (!canBeDrawn(size))
        return {};
    QImage image(qRound(size.width()), qRound(size.height()),
                 theme == Theme::Page ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (image.isNull())
        return {};
    image.fill(theme == Theme::Page ? QColor(Qt::transparent) : themeColors(theme).ground);
    const int dotsPerMeter = qRound(kCssDpi * scale * kInchesPerMetre);
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    const Figure printable = printableFigure(figure);
    image.setText(QStringLiteral("Title"), printable.title);
    image.setText(QStringLiteral("Description"), figureDescription(printable));
    for (const auto &[key, value] : printable.metadata)
        image.setText(key, image.text(key).isEmpty() ? value : image.text(key) + QStringLiteral("; ") + value);
    paintInBands(image, figure, layout, theme, scale);
    return image;
}

std::unique_ptr<QMimeData> figureMimeData(const Figure &figure, Layout layout, Theme theme, double scale)
{
    auto content = std::make_unique<QMimeData>();
    content->setImageData(figureImage(figure, layout, theme, scale));
    content->setData(QStringLiteral("image/svg+xml"), figureSvg(figure, layout, theme));
    return content;
}

QString exportPng(const Figure &figure, Layout layout, Theme theme, double scale, const QString &path)
{
    const QImage image = figureImage(figure, layout, theme, scale);
    if (image.isNull()) {
        const QSizeF size = layoutFigure(figure, layout).size * scale;
        return QStringLiteral("%1: an image of %2 × %3 pixels cannot be drawn (at most %4 wide and %5 million in all): "
                              "choose another scale")
            .arg(path)
            .arg(size.width(), 0, 'f', 0)
            .arg(size.height(), 0, 'f', 0)
            .arg(kWidestImage)
            .arg(kMostPixels / 1e6);
    }
    QBuffer buffer;
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        return QStringLiteral("%1: %2").arg(path, writer.errorString());
    return writeFile(path, buffer.data());
}

QString exportSvg(const Figure &figure, Layout layout, Theme theme, const QString &path)
{
    return writeFile(path, figureSvg(figure, layout, theme));
}

QString exportCsv(const ValueTable &table, const QString &path)
{
    return writeFile(path, toCsv(table));
}
QString exportMarkdown(const ValueTable &table, const QString &path)
{
    return writeFile(path, toMarkdown(table));
}
QString exportHtml(const ValueTable &table, const QString &path)
{
    return writeFile(path, toHtml(table));
}
QString exportJson(const ValueTable &table, const QString &path)
{
    return writeFile(path, toJson(table));
}

} // namespace stagecraft::widgets
