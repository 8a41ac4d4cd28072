// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QList>
#include <QString>

// A table of values as data: shown by ValueTableView, copied, and exported as CSV, Markdown, HTML and JSON.
namespace stagecraft::widgets {

struct ValueColumn
{
    QString id;    // CSV header and JSON key: "kernel_us"
    QString title; // on the screen: "kernel"
    QString unit;  // "µs"; empty for text
    bool numeric = false;
    int decimals = 1; // on the screen, in Markdown and HTML; CSV and JSON carry the stored precision
    QString toolTip;  // what the column means
};

struct ValueCell
{
    QString text;                 // for text columns, and the state where a numeric value is absent
    std::optional<double> number; // for numeric columns
    QString toolTip;
};

struct ValueTable
{
    QString id, title;
    QList<ValueColumn> columns;
    QList<QList<ValueCell>> rows;
    QStringList footer;                           // provenance and what the columns mean
    QString unavailable;                          // set: no rows, and why
    QList<QPair<QString, QString>> metadata = {}; // provenance by name, as programs take it
};

// The number as shown, C locale digits: fixed decimals; two significant digits where those would read 0 and the value
// is not (0.0032); three and an exponent from a thousand million on (1.2e+300), so that figures and tables keep their
// width.
QString displayNumber(double value, int decimals);

// The same for percentages and changes, of which what rounds to 0 is 0.
QString fixedNumber(double value, int decimals);

// As the column shows it: fixed where its unit is %.
QString displayNumber(double value, const ValueColumn &column);

// The shortest text that reads back as the same double, as CSV and JSON carry it.
QString storedNumber(double value);

} // namespace stagecraft::widgets
