// SPDX-License-Identifier: GPL-3.0-or-later
#include "themedicon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

// Outside every namespace, as Q_INIT_RESOURCE demands: a static library's resources are dropped unless named.
static void initializeIconResources()
{
    Q_INIT_RESOURCE(icons);
}

namespace stagecraft::window {

namespace {

QByteArray drawing(const QString &name)
{
    initializeIconResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(opened, "themedIcon", qPrintable(name));
    return opened ? file.readAll() : QByteArray();
}

class TintedEngine : public QIconEngine
{
public:
    TintedEngine(QByteArray svg, QPalette::ColorRole role, QColor color)
        : m_svg(std::move(svg)), m_role(role), m_color(std::move(color))
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        QByteArray svg = m_svg;
        svg.replace("#000000", colorFor(mode).name(QColor::HexRgb).toLatin1());
        QSvgRenderer renderer(svg);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(painter, rect);
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine *clone() const override { return new TintedEngine(*this); }

private:
    QColor colorFor(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, m_role);
        return m_color.isValid() ? m_color : palette.color(QPalette::Active, m_role);
    }

    QByteArray m_svg;
    QPalette::ColorRole m_role;
    QColor m_color;
};

} // namespace

QIcon themedIcon(const QString &name, QPalette::ColorRole role)
{
    return QIcon(new TintedEngine(drawing(name), role, QColor()));
}

QIcon tintedIcon(const QString &name, const QColor &color)
{
    return QIcon(new TintedEngine(drawing(name), QPalette::ButtonText, color));
}

QIcon applicationIcon()
{
    initializeIconResources();
    return QIcon(QStringLiteral(":/icons/stagecraft.svg"));
}

} // namespace stagecraft::window
