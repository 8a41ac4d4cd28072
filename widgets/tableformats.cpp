// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureexport.h"
#include "figuretext.h"
#include "theme.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace stagecraft::widgets {

namespace {

bool hasNumber(const ValueColumn &column, const ValueCell &cell)
{
    return column.numeric && cell.number.has_value();
}

QString displayText(const ValueColumn &column, const ValueCell &cell)
{
    return hasNumber(column, cell) ? displayNumber(*cell.number, column) : cell.text;
}

QString header(const ValueColumn &column)
{
    return column.unit.isEmpty() ? column.title : QStringLiteral("%1 (%2)").arg(column.title, column.unit);
}

// Calls visit(column, cell) for every column; a row that is shorter than the header gives empty cells.
template <typename Visit>
void forEachCell(const ValueTable &table, const QList<ValueCell> &row, Visit visit)
{
    for (qsizetype i = 0; i < table.columns.size(); ++i)
        visit(table.columns[i], row.value(i));
}

QString csvField(const QString &text)
{
    static const auto special = QStringLiteral("\",\r\n");
    const bool quote = std::any_of(text.begin(), text.end(), [](QChar c) { return special.contains(c); });
    if (!quote)
        return text;
    return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString markdownText(const QString &text)
{
    QString escaped;
    for (const QChar c : printableText(text)) {
        if (QStringLiteral("\\|`*_[]<>").contains(c))
            escaped += u'\\';
        escaped += c == u'\n' ? u' ' : c;
    }
    return escaped;
}

QString markdownRow(const QStringList &cells)
{
    return QStringLiteral("| %1 |\n").arg(cells.join(QStringLiteral(" | ")));
}

QString markdownTable(const ValueTable &table)
{
    QStringList titles, rules;
    for (const ValueColumn &column : table.columns) {
        titles << markdownText(header(column));
        rules << (column.numeric ? QStringLiteral("---:") : QStringLiteral("---"));
    }
    QString text = markdownRow(titles) + markdownRow(rules);
    for (const QList<ValueCell> &row : table.rows) {
        QStringList cells;
        forEachCell(table, row, [&](const ValueColumn &column, const ValueCell &cell) {
            cells << markdownText(displayText(column, cell));
        });
        text += markdownRow(cells);
    }
    return text;
}

QString htmlText(const QString &text)
{
    return printableText(text).toHtmlEscaped();
}

QString htmlStyle()
{
    const auto rules = [](Theme theme) {
        const ThemeColors &colors = themeColors(theme);
        return QStringLiteral("body{background:%1;color:%2}caption,th,.state,footer{color:%3}td,th{border-color:%4}")
            .arg(colors.ground.name(), colors.ink.name(), colors.muted.name(), colors.rule.name());
    };
    return QStringLiteral(
               "body{font:13px/20px Inter,'DejaVu Sans',system-ui,sans-serif;margin:24px}"
               "h1{font-size:20px;margin:0 0 16px}table{border-collapse:collapse}"
               "td,th{padding:4px 12px 4px 0;border-bottom:1px solid;text-align:left;font-weight:400}"
               ".number{text-align:right;font-variant-numeric:tabular-nums}footer{margin-top:16px;font-size:12px}"
               "footer p{margin:0}") +
           rules(Theme::Light) + QStringLiteral("@media(prefers-color-scheme:dark){%1}").arg(rules(Theme::Dark));
}

QString htmlCell(const ValueColumn &column, const ValueCell &cell)
{
    QStringList classes;
    if (column.numeric)
        classes << QStringLiteral("number");
    if (column.numeric && !cell.number)
        classes << QStringLiteral("state");
    const QString attribute = classes.isEmpty() ? QString() : QStringLiteral(" class=\"%1\"").arg(classes.join(u' '));
    return QStringLiteral("<td%1>%2</td>").arg(attribute, htmlText(displayText(column, cell)));
}

QString htmlTable(const ValueTable &table)
{
    QString text = QStringLiteral("<table>\n<thead><tr>");
    for (const ValueColumn &column : table.columns)
        text += QStringLiteral("<th scope=\"col\"%1%2>%3</th>")
                    .arg(column.numeric ? QStringLiteral(" class=\"number\"") : QString(),
                         column.toolTip.isEmpty() ? QString()
                                                  : QStringLiteral(" title=\"%1\"").arg(htmlText(column.toolTip)),
                         htmlText(header(column)));
    text += QStringLiteral("</tr></thead>\n<tbody>\n");
    for (const QList<ValueCell> &row : table.rows) {
        text += QStringLiteral("<tr>");
        forEachCell(table, row,
                    [&](const ValueColumn &column, const ValueCell &cell) { text += htmlCell(column, cell); });
        text += QStringLiteral("</tr>\n");
    }
    return text + QStringLiteral("</tbody>\n</table>\n");
}

QJsonObject jsonRow(const ValueTable &table, const QList<ValueCell> &row)
{
    QJsonObject object;
    forEachCell(table, row, [&](const ValueColumn &column, const ValueCell &cell) {
        if (!column.numeric) {
            object.insert(column.id, cell.text);
            return;
        }
        object.insert(column.id, cell.number ? QJsonValue(*cell.number) : QJsonValue());
        if (!cell.number && !cell.text.isEmpty())
            object.insert(column.id + QStringLiteral("_state"), cell.text);
    });
    return object;
}

} // namespace

QByteArray toCsv(const ValueTable &table)
{
    static const auto lineEnd = QStringLiteral("\r\n");
    if (!table.unavailable.isEmpty())
        return (QStringLiteral("unavailable") + lineEnd + csvField(table.unavailable) + lineEnd).toUtf8();
    QStringList fields;
    for (const ValueColumn &column : table.columns)
        fields << csvField(column.id);
    QString text = fields.join(u',') + lineEnd;
    for (const QList<ValueCell> &row : table.rows) {
        fields.clear();
        forEachCell(table, row, [&](const ValueColumn &column, const ValueCell &cell) {
            fields << csvField(hasNumber(column, cell) ? storedNumber(*cell.number) : cell.text);
        });
        text += fields.join(u',') + lineEnd;
    }
    return text.toUtf8();
}

QByteArray toTsv(const ValueTable &table)
{
    const auto field = [](QString text) { return text.replace(u'\t', u' ').replace(u'\n', u' '); };
    QStringList fields;
    for (const ValueColumn &column : table.columns)
        fields << field(header(column));
    QString text = fields.join(u'\t') + u'\n';
    for (const QList<ValueCell> &row : table.rows) {
        fields.clear();
        forEachCell(table, row, [&](const ValueColumn &column, const ValueCell &cell) {
            fields << (hasNumber(column, cell) ? storedNumber(*cell.number) : field(cell.text));
        });
        text += fields.join(u'\t') + u'\n';
    }
    return text.toUtf8();
}

QByteArray toMarkdown(const ValueTable &table)
{
    QString text = QStringLiteral("## %1\n\n").arg(markdownText(table.title));
    text += table.unavailable.isEmpty() ? markdownTable(table)
                                        : QStringLiteral("Unavailable: %1\n").arg(markdownText(table.unavailable));
    for (const QString &line : table.footer)
        text += QStringLiteral("\n%1\n").arg(markdownText(line));
    return text.toUtf8();
}

QByteArray toHtml(const ValueTable &table)
{
    QString text = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                  "<title>%1</title>\n<style>%2</style>\n</head>\n<body>\n<h1>%1</h1>\n")
                       .arg(htmlText(table.title), htmlStyle());
    text += table.unavailable.isEmpty()
                ? htmlTable(table)
                : QStringLiteral("<p class=\"state\">Unavailable: %1</p>\n").arg(htmlText(table.unavailable));
    if (!table.footer.isEmpty()) {
        text += QStringLiteral("<footer>\n");
        for (const QString &line : table.footer)
            text += QStringLiteral("<p>%1</p>\n").arg(htmlText(line));
        text += QStringLiteral("</footer>\n");
    }
    return (text + QStringLiteral("</body>\n</html>\n")).toUtf8();
}

QByteArray toHtmlTable(const ValueTable &table)
{
    return htmlTable(table).toUtf8();
}

QByteArray toJson(const ValueTable &table)
{
    QJsonObject object{{QStringLiteral("id"), table.id}, {QStringLiteral("title"), table.title}};
    if (!table.unavailable.isEmpty())
        object.insert(QStringLiteral("unavailable"), table.unavailable);
    QJsonArray columns, rows;
    for (const ValueColumn &column : table.columns)
        columns.append(QJsonObject{{QStringLiteral("id"), column.id},
                                   {QStringLiteral("title"), column.title},
                                   {QStringLiteral("unit"), column.unit},
                                   {QStringLiteral("numeric"), column.numeric},
                                   {QStringLiteral("meaning"), column.toolTip}});
    for (const QList<ValueCell> &row : table.rows)
        rows.append(jsonRow(table, row));
    object.insert(QStringLiteral("columns"), columns);
    object.insert(QStringLiteral("rows"), rows);
    object.insert(QStringLiteral("footer"), QJsonArray::fromStringList(table.footer));
    QJsonObject provenance;
    for (const auto &[key, value] : table.metadata)
        provenance.insert(
            key, provenance.contains(key) ? provenance.value(key).toString() + QStringLiteral("; ") + value : value);
    object.insert(QStringLiteral("provenance"), provenance);
    return QJsonDocument(object).toJson(QJsonDocument::Indented);
}

} // namespace stagecraft::widgets
