// SPDX-License-Identifier: GPL-3.0-or-later
#include "reporthtml.h"

#include "figuretext.h"

namespace stagecraft::views::html {

QString text(const QString &plain)
{
    return widgets::printableText(plain).toHtmlEscaped();
}

QString paragraph(const QString &plain)
{
    return QStringLiteral("<p>%1</p>\n").arg(text(plain));
}

QString list(const QStringList &items)
{
    if (items.isEmpty())
        return {};
    QString html = QStringLiteral("<ul>\n");
    for (const QString &item : items)
        html += QStringLiteral("<li>%1</li>\n").arg(text(item));
    return html + QStringLiteral("</ul>\n");
}

QString facts(const QList<QPair<QString, QString>> &pairs)
{
    QString html = QStringLiteral("<dl>\n");
    for (const auto &[name, value] : pairs)
        html += QStringLiteral("<dt>%1</dt><dd>%2</dd>\n").arg(text(name), text(value));
    return html + QStringLiteral("</dl>\n");
}

QString details(const QString &summary, const QString &html)
{
    return QStringLiteral("<details>\n<summary>%1</summary>\n%2</details>\n").arg(text(summary), html);
}

} // namespace stagecraft::views::html
