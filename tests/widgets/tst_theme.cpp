// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme.h"

#include <QFontInfo>
#include <QTest>

#include <set>

using namespace stagecraft::widgets;

Q_DECLARE_METATYPE(stagecraft::widgets::Theme)

namespace {

QList<QColor> roleColors(Theme theme)
{
    QList<QColor> colors;
    for (const ColorRole::Kind kind : {ColorRole::PyTorch, ColorRole::Triton, ColorRole::Own})
        colors << roleColor({kind, 0}, theme);
    for (int i = 0; i < otherRoleCount(); ++i)
        colors << roleColor({ColorRole::Other, i}, theme);
    return colors;
}

} // namespace

class ThemeTest : public QObject
{
    Q_OBJECT

private slots:
    void contrastFormula();
    void noteColors();
    void contrast_data();
    void contrast();
    void themesHaveEqualTextContrast();
    void identityKeepsItsHue();
    void thePagesSheetStandsOutOnDarkAndIsBoundedOnWhite();
    void otherRolesRepeat();
    void paletteFollowsTheTheme();
    void typeScaleIsOneFamily();
};

void ThemeTest::contrastFormula()
{
    QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
    QCOMPARE(contrastRatio(Qt::white, Qt::black), 21.0);
    QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
    QVERIFY(std::abs(contrastRatio(QColor(0x777777), Qt::white) - 4.48) < 0.01); // the well-known near miss of 4.5
}

void ThemeTest::noteColors()
{
    const ThemeColors &dark = themeColors(Theme::Dark);
    QCOMPARE(dark.ground.name(), QStringLiteral("#101217"));
    QCOMPARE(dark.ink.name(), QStringLiteral("#edf0f5"));
    QCOMPARE(dark.muted.name(), QStringLiteral("#a0a9b9"));
    QCOMPARE(dark.rule.name(), QStringLiteral("#303641"));
    QCOMPARE(roleColor({ColorRole::PyTorch, 0}, Theme::Dark).name(), QStringLiteral("#93caff"));
    QCOMPARE(roleColor({ColorRole::Triton, 0}, Theme::Dark).name(), QStringLiteral("#91dbba"));
    QCOMPARE(roleColor({ColorRole::Own, 0}, Theme::Dark).name(), QStringLiteral("#c9b2ff"));
}

void ThemeTest::contrast_data()
{
    QTest::addColumn<Theme>("theme");
    QTest::newRow("dark") << Theme::Dark;
    QTest::newRow("light") << Theme::Light;
    QTest::newRow("page") << Theme::Page;
}

void ThemeTest::contrast()
{
    QFETCH(Theme, theme);
    const ThemeColors &colors = themeColors(theme);
    for (const QColor &text : {colors.ink, colors.muted, colors.attention, colors.danger})
        for (const QColor &ground : {colors.ground, colors.raised})
            QVERIFY2(contrastRatio(text, ground) >= 4.5, qPrintable(text.name() + ground.name()));
    const QList<QColor> bars = roleColors(theme);
    std::set<QRgb> distinct;
    for (const QColor &bar : bars) {
        QVERIFY2(contrastRatio(bar, colors.ground) >= 3, qPrintable(bar.name()));
        distinct.insert(bar.rgb());
    }
    QCOMPARE(distinct.size(), static_cast<size_t>(bars.size()));
}

void ThemeTest::themesHaveEqualTextContrast()
{
    const ThemeColors &dark = themeColors(Theme::Dark), &light = themeColors(Theme::Light);
    const double ink = contrastRatio(dark.ink, dark.ground) / contrastRatio(light.ink, light.ground);
    const double muted = contrastRatio(dark.muted, dark.ground) / contrastRatio(light.muted, light.ground);
    QVERIFY2(std::abs(ink - 1) < 0.1, qPrintable(QString::number(ink)));
    QVERIFY2(std::abs(muted - 1) < 0.1, qPrintable(QString::number(muted)));
}

// PyTorch stays blue, Triton green and this project violet, whatever the ground.
void ThemeTest::identityKeepsItsHue()
{
    for (const ColorRole::Kind kind : {ColorRole::PyTorch, ColorRole::Triton, ColorRole::Own}) {
        const int hue = roleColor({kind, 0}, Theme::Dark).hslHue();
        for (const Theme theme : {Theme::Light, Theme::Page}) {
            const QColor color = roleColor({kind, 0}, theme);
            QVERIFY2(std::abs(color.hslHue() - hue) <= 12, qPrintable(color.name()));
        }
    }
}

void ThemeTest::thePagesSheetStandsOutOnDarkAndIsBoundedOnWhite()
{
    const ThemeColors &page = themeColors(Theme::Page);
    QVERIFY(contrastRatio(page.ground, QColor(0x0d1117)) > 15);
    QVERIFY(contrastRatio(page.ground, Qt::white) > 1.03);
    QVERIFY(contrastRatio(page.rule, Qt::white) > 1.4);
}

void ThemeTest::otherRolesRepeat()
{
    QCOMPARE(roleColor({ColorRole::Other, otherRoleCount()}, Theme::Dark),
             roleColor({ColorRole::Other, 0}, Theme::Dark));
}

void ThemeTest::paletteFollowsTheTheme()
{
    for (const Theme theme : {Theme::Dark, Theme::Light}) {
        const QPalette palette = themePalette(theme);
        QCOMPARE(palette.color(QPalette::Window), themeColors(theme).ground);
        QCOMPARE(palette.color(QPalette::Text), themeColors(theme).ink);
        QVERIFY(contrastRatio(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
    }
}

void ThemeTest::typeScaleIsOneFamily()
{
    int previous = 1000;
    for (const TextStyle style :
         {TextStyle::Title, TextStyle::Heading, TextStyle::Panel, TextStyle::Body, TextStyle::Small}) {
        const QFont font = textFont(style);
        QCOMPARE(font.family(), textFamily());
        QVERIFY(font.pixelSize() < previous);
        previous = font.pixelSize();
    }
}

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
