// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyleFactory>

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft::widgets {

namespace {

const ThemeColors kDark{.ground = QColor(0x101217),
                        .raised = QColor(0x191d25),
                        .ink = QColor(0xedf0f5),
                        .muted = QColor(0xa0a9b9),
                        .rule = QColor(0x303641),
                        .axis = QColor(0x596273),
                        .attention = QColor(0xefb443),
                        .danger = QColor(0xff9f92),
                        .accent = QColor(0xc9b2ff)};

const ThemeColors kLight{.ground = QColor(0xfafbfd),
                         .raised = QColor(0xeff1f5),
                         .ink = QColor(0x171a20),
                         .muted = QColor(0x4a5260),
                         .rule = QColor(0xd3d8e0),
                         .axis = QColor(0x98a1b0),
                         .attention = QColor(0x8f5f00),
                         .danger = QColor(0xb3261e),
                         .accent = QColor(0x7a4fd6)};

// The light theme on a paper that is neither lost on a white page nor glaring on a dark one.
const ThemeColors kPage = [] {
    ThemeColors colors = kLight;
    colors.ground = QColor(0xf7f8fa);
    colors.raised = QColor(0xeceef2);
    colors.rule = QColor(0xced4dd);
    return colors;
}();

// Further implementations, ordered so that the first few stay apart for colour-blind readers.
// Lightness (OKLab) is 0.80 to 0.86 in the dark theme, 0.51 to 0.60 in the others.
const std::array kOtherDark{QColor(0xefb443), QColor(0x6fdfe6), QColor(0xff9f92), QColor(0xc6de78), QColor(0xf2a6d6),
                            QColor(0xd9c29b), QColor(0xb9bfc9), QColor(0xff8ab4), QColor(0x5fe0a0), QColor(0xffc2a8)};
const std::array kOtherLight{QColor(0x8f5f00), QColor(0x00767a), QColor(0xc2372b), QColor(0x6a8500), QColor(0xb03a86),
                             QColor(0x75623a), QColor(0x5f6672), QColor(0xc21f5b), QColor(0x2f7d1f), QColor(0xa8553a)};
static_assert(kOtherDark.size() == kOtherLight.size());

double relativeLuminance(const QColor &color)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

int pixelSize(TextStyle style)
{
    switch (style) {
    case TextStyle::Title:
        return 20;
    case TextStyle::Heading:
        return 16;
    case TextStyle::Panel:
        return 14;
    case TextStyle::Body:
        return 13;
    case TextStyle::Small:
        return 12;
    }
    return 13;
}

} // namespace

const ThemeColors &themeColors(Theme theme)
{
    switch (theme) {
    case Theme::Dark:
        return kDark;
    case Theme::Light:
        return kLight;
    case Theme::Page:
        break;
    }
    return kPage;
}

QColor roleColor(const ColorRole &role, Theme theme)
{
    const bool dark = theme == Theme::Dark;
    switch (role.kind) {
    case ColorRole::PyTorch:
        return dark ? QColor(0x93caff) : QColor(0x1a6fb8);
    case ColorRole::Triton:
        return dark ? QColor(0x91dbba) : QColor(0x1c7f5c);
    case ColorRole::Own:
        return dark ? QColor(0xc9b2ff) : QColor(0x7a4fd6);
    case ColorRole::Other:
        break;
    }
    const size_t index = static_cast<size_t>(std::abs(role.index)) % kOtherDark.size();
    return dark ? kOtherDark[index] : kOtherLight[index];
}

int otherRoleCount()
{
    return static_cast<int>(kOtherDark.size());
}

double contrastRatio(const QColor &first, const QColor &second)
{
    const auto [low, high] = std::minmax({relativeLuminance(first), relativeLuminance(second)});
    return (high + 0.05) / (low + 0.05);
}

QString textFamily()
{
    // Asked once: the families of a running program do not change, and a figure asks for every text.
    static const bool hasInter = QFontDatabase::hasFamily(QStringLiteral("Inter"));
    return hasInter ? QStringLiteral("Inter") : QGuiApplication::font().family();
}

QFont textFont(TextStyle style)
{
    QFont font(textFamily());
    font.setPixelSize(pixelSize(style));
    font.setWeight(style <= TextStyle::Panel ? QFont::DemiBold : QFont::Normal);
    font.setHintingPreference(QFont::PreferNoHinting); // widths that scale: the layout holds at every zoom
    return font;
}

QPalette themePalette(Theme theme)
{
    const ThemeColors &colors = themeColors(theme);
    QPalette palette(colors.raised, colors.ground);
    const std::pair<QPalette::ColorRole, QColor> roles[] = {{QPalette::Window, colors.ground},
                                                            {QPalette::WindowText, colors.ink},
                                                            {QPalette::Base, colors.ground},
                                                            {QPalette::AlternateBase, colors.raised},
                                                            {QPalette::Text, colors.ink},
                                                            {QPalette::PlaceholderText, colors.muted},
                                                            {QPalette::Button, colors.raised},
                                                            {QPalette::ButtonText, colors.ink},
                                                            {QPalette::BrightText, colors.danger},
                                                            {QPalette::ToolTipBase, colors.raised},
                                                            {QPalette::ToolTipText, colors.ink},
                                                            {QPalette::Highlight, colors.accent},
                                                            {QPalette::HighlightedText, colors.ground},
                                                            {QPalette::Link, colors.accent},
                                                            {QPalette::LinkVisited, colors.accent},
                                                            {QPalette::Mid, colors.rule},
                                                            {QPalette::Midlight, colors.rule},
                                                            {QPalette::Dark, colors.rule},
                                                            {QPalette::Light, colors.axis},
                                                            {QPalette::Shadow, colors.ground}};
    for (const auto &[role, color] : roles)
        palette.setColor(role, color);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colors.axis);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colors.rule);
    return palette;
}

void applyTheme(QApplication &application, Theme theme)
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(themePalette(theme));
    QApplication::setFont(textFont(TextStyle::Body));
    application.setStyleSheet(
        QStringLiteral("QToolTip { color: %1; background: %2; border: 1px solid %3; padding: 4px; }")
            .arg(themeColors(theme).ink.name(), themeColors(theme).raised.name(), themeColors(theme).rule.name()));
}

} // namespace stagecraft::widgets
