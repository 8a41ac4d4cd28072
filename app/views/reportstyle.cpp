// SPDX-License-Identifier: GPL-3.0-or-later
#include "reportstyle.h"

#include "theme.h"

#include <QList>

namespace stagecraft::views {

namespace {

using widgets::ColorRole;
using widgets::Theme;

QList<QColor> themeColorList(Theme theme)
{
    const widgets::ThemeColors &colors = widgets::themeColors(theme);
    QList<QColor> list{colors.ground, colors.raised,    colors.ink,    colors.muted, colors.rule,
                       colors.axis,   colors.attention, colors.danger, colors.accent};
    for (const ColorRole::Kind kind : {ColorRole::PyTorch, ColorRole::Triton, ColorRole::Own})
        list.append(widgets::roleColor({kind, 0}, theme));
    for (int i = 0; i < widgets::otherRoleCount(); ++i)
        list.append(widgets::roleColor({ColorRole::Other, i}, theme));
    return list;
}

QString variableName(const QColor &light)
{
    return QStringLiteral("--c") + light.name(QColor::HexRgb).mid(1);
}

QString variables(Theme theme)
{
    const QList<QColor> light = themeColorList(Theme::Light), values = themeColorList(theme);
    QString text;
    for (qsizetype i = 0; i < light.size(); ++i)
        text += QStringLiteral("%1:%2;").arg(variableName(light[i]), values[i].name());
    return text;
}

QString use(const QColor &light)
{
    return QStringLiteral("var(%1)").arg(variableName(light));
}

// Sizes and distances are those of the figures: one type scale, steps of four pixels. @ground and the like stand for
// the colours.
QString rules()
{
    return QStringLiteral(R"(
*{box-sizing:border-box}
html{background:@ground;color:@ink;color-scheme:light dark;-webkit-text-size-adjust:100%}
body{max-width:1608px;margin:0 auto;padding:40px 24px 64px;font:14px/22px Inter,'DejaVu Sans',system-ui,sans-serif}
h1{font-size:28px;line-height:36px;margin:0;overflow-wrap:anywhere}
h2{font-size:20px;line-height:28px;margin:0;position:relative;overflow-wrap:anywhere}
h3{font-size:16px;line-height:24px;margin:24px 0 4px}
p,ul,dl{max-width:88ch;margin:8px 0;overflow-wrap:anywhere}
ul{padding-left:20px}
a{color:@accent;text-underline-offset:3px}
.lead,.state,figcaption,dt,footer{color:@muted}
nav{margin:20px 0 0;display:flex;flex-wrap:wrap;gap:4px 20px}
section{margin-top:40px;padding-top:32px;border-top:1px solid @rule}
dl{display:grid;grid-template-columns:minmax(7em,max-content) 1fr;gap:4px 24px;margin:16px 0}
dd{margin:0;overflow-wrap:anywhere}
figure{margin:0}
figure svg{display:block;max-width:calc(100% + 48px);height:auto;margin:-16px -24px 0}
figure svg.mobile{display:none}
figcaption{font-size:12px;line-height:18px}
figcaption p{margin:2px 0}
details{margin-top:12px}
summary{cursor:pointer;color:@accent;width:fit-content}
summary:focus-visible,a:focus-visible{outline:2px solid @accent;outline-offset:3px}
.table{overflow-x:auto;margin-top:8px}
table{border-collapse:collapse;font-size:13px;line-height:20px}
td,th{padding:4px 16px 4px 0;border-bottom:1px solid @rule;text-align:left;font-weight:400;vertical-align:top}
th{color:@muted}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
footer{margin-top:40px;padding-top:16px;border-top:1px solid @rule;font-size:12px}
code{font:12px/18px 'DejaVu Sans Mono',ui-monospace,monospace;overflow-wrap:anywhere}
@media(max-width:760px){body{padding:24px 16px 48px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}
figure svg.mobile{display:block;max-width:calc(100% + 32px);margin:-8px -16px 0}figure svg.desktop{display:none}}
@media(max-width:1100px){figure.wide svg.mobile{display:block;max-width:calc(100% + 32px);margin:-8px -16px 0}
figure.wide svg.desktop{display:none}}
@media print{body{padding:0;max-width:none;font-size:11px;line-height:16px}nav,summary{display:none}
section{margin-top:16px;padding-top:16px}figure,tr,h2{break-inside:avoid}h2{break-after:avoid}
details::details-content{content-visibility:visible;block-size:auto}
figure svg.desktop,figure.wide svg.desktop{display:block!important;max-width:100%!important;margin:0}
figure svg.mobile,figure.wide svg.mobile{display:none!important}.table{overflow:visible}}
)");
}

} // namespace

QString reportStyle()
{
    const widgets::ThemeColors &colors = widgets::themeColors(Theme::Light);
    QString style = rules();
    const std::pair<const char *, QColor> names[] = {{"@ground", colors.ground},
                                                     {"@ink", colors.ink},
                                                     {"@muted", colors.muted},
                                                     {"@rule", colors.rule},
                                                     {"@accent", colors.accent}};
    for (const auto &[name, color] : names)
        style.replace(QLatin1String(name), use(color));
    return QStringLiteral(":root{%1}\n@media screen and (prefers-color-scheme:dark){:root{%2}}")
               .arg(variables(Theme::Light), variables(Theme::Dark)) +
           style;
}

QByteArray reportInk(const QColor &light)
{
    return use(light).toLatin1();
}

} // namespace stagecraft::views
