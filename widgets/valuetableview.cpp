// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuetableview.h"

#include "figureexport.h"
#include "valuetabledelegate.h"
#include "valuetablemodel.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSet>
#include <QSortFilterProxyModel>

#include <algorithm>

namespace stagecraft::widgets {

namespace {

constexpr int kRowHeight = 7 * kSpacing;
constexpr int kMostColumnWidth = 80 * kSpacing;

// Numbers by value, states after them by their text.
class NumberOrder final : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const final
    {
        const bool leftNumber = left.data(ValueTableModel::NumericRole).toBool();
        const bool rightNumber = right.data(ValueTableModel::NumericRole).toBool();
        if (leftNumber != rightNumber)
            return leftNumber == (sortOrder() == Qt::AscendingOrder); // states stay at the end in either order
        const QVariant a = left.data(ValueTableModel::SortRole), b = right.data(ValueTableModel::SortRole);
        return leftNumber ? a.toDouble() < b.toDouble() : QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    }
};

QString headerStyle(const ThemeColors &colors)
{
    return QStringLiteral("QHeaderView { background: %1; border: none; }"
                          "QHeaderView::section { background: %1; color: %2; border: none; border-bottom: 1px solid %3;"
                          " padding: 4px 8px; }")
        .arg(colors.ground.name(), colors.muted.name(), colors.rule.name());
}

} // namespace

ValueTableView::ValueTableView(QWidget *parent)
    : QTableView(parent),
      m_model(new ValueTableModel(this)),
      m_sorted(new NumberOrder(this)),
      m_delegate(new ValueTableDelegate(this))
{
    m_sorted->setSourceModel(m_model);
    setModel(m_sorted);
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
            [this](int column) { m_delegate->setGrouped(column < 0); });
    setTheme(Theme::Dark);
}

void ValueTableView::setTable(const ValueTable &table)
{
    const bool sameColumns = m_model->table().id == table.id && m_model->rowCount() == table.rows.size();
    m_model->setTable(table);
    setAccessibleName(table.title);
    if (!sameColumns)
        fitColumns();
    viewport()->update();
}

const ValueTable &ValueTableView::table() const
{
    return m_model->table();
}

void ValueTableView::setTheme(Theme theme)
{
    m_model->setTheme(theme);
    m_delegate->setRule(themeColors(theme).rule);
    setPalette(themePalette(theme));
    horizontalHeader()->setStyleSheet(headerStyle(themeColors(theme)));
    viewport()->update();
}

void ValueTableView::fitColumns()
{
    resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column, std::min(columnWidth(column), kMostColumnWidth));
}

ValueTable ValueTableView::selectedTable() const
{
    ValueTable selected = table();
    QSet<int> rows, columns;
    for (const QModelIndex &index : selectionModel()->selectedIndexes()) {
        rows.insert(index.row());
        columns.insert(index.column());
    }
    const auto wanted = [](const QSet<int> &set, int item) { return set.isEmpty() || set.contains(item); };
    selected.columns.clear();
    selected.rows.clear();
    for (int column = 0; column < m_model->columnCount(); ++column)
        if (wanted(columns, column))
            selected.columns.append(table().columns[column]);
    for (int row = 0; row < m_sorted->rowCount(); ++row) {
        if (!wanted(rows, row))
            continue;
        const QList<ValueCell> &cells = table().rows[m_sorted->mapToSource(m_sorted->index(row, 0)).row()];
        QList<ValueCell> kept;
        for (int column = 0; column < m_model->columnCount(); ++column)
            if (wanted(columns, column))
                kept.append(cells.value(column));
        selected.rows.append(kept);
    }
    return selected;
}

void ValueTableView::copy()
{
    const ValueTable selected = selectedTable();
    auto content = std::make_unique<QMimeData>();
    content->setText(QString::fromUtf8(toTsv(selected)));
    content->setHtml(QString::fromUtf8(toHtmlTable(selected)));
    QGuiApplication::clipboard()->setMimeData(content.release()); // the clipboard takes it over
}

void ValueTableView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QTableView::keyPressEvent(event);
}

void ValueTableView::contextMenuEvent(QContextMenuEvent *event)
{
    QMenu menu(this);
    const bool selection = selectionModel()->hasSelection();
    menu.addAction(selection ? tr("Copy Selection") : tr("Copy Table"), QKeySequence::Copy, this,
                   &ValueTableView::copy);
    menu.addAction(tr("Select All"), QKeySequence::SelectAll, this, &ValueTableView::selectAll);
    menu.addAction(tr("Export…"), this, &ValueTableView::exportRequested);
    menu.exec(event->globalPos());
}

void ValueTableView::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (table().unavailable.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRect room = viewport()->rect().adjusted(2 * kSpacing, 2 * kSpacing, -2 * kSpacing, -2 * kSpacing);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     tr("Unavailable: %1").arg(table().unavailable));
}

} // namespace stagecraft::widgets
