// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace stagecraft::widgets {

// Draws cells with tabular digits, so that decimal points stand below each other, and a rule above each group of rows.
class ValueTableDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setRule(const QColor &color) { m_rule = color; }
    void setGrouped(bool grouped) { m_grouped = grouped; } // rows stand in the table's own order

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const final;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const final;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) final;

private:
    QColor m_rule;
    bool m_grouped = true;
};

} // namespace stagecraft::widgets
