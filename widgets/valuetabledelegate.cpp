// SPDX-License-Identifier: GPL-3.0-or-later
#include "valuetabledelegate.h"

#include "plaintooltip.h"
#include "tabulartext.h"
#include "theme.h"
#include "valuetablemodel.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace stagecraft::widgets {

namespace {

constexpr int kPadding = 2 * kSpacing;
constexpr int kRowHeight = 7 * kSpacing;

} // namespace

void ValueTableDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString text = std::exchange(item.text, QString());
    const bool current = item.state & QStyle::State_HasFocus;
    item.state &= ~QStyle::State_HasFocus; // the style's frame looks like a button
    const QStyle *style = item.widget ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget); // background and selection

    const QRectF room = QRectF(item.rect).adjusted(kPadding, 0, -kPadding, 0);
    const QFontMetricsF metrics(item.font);
    const QString shown = tabularElided(text, item.font, room.width());
    const double left =
        item.displayAlignment & Qt::AlignRight ? room.right() - tabularWidth(shown, item.font) : room.left();
    const double baseline = room.top() + (room.height() + metrics.ascent() - metrics.descent()) / 2;
    painter->save();
    painter->setRenderHint(QPainter::TextAntialiasing);
    const bool selected = item.state & QStyle::State_Selected;
    painter->setPen(item.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    drawTabular(*painter, {left, std::round(baseline)}, shown, item.font);
    if (m_grouped && index.data(ValueTableModel::GroupStartRole).toBool())
        painter->fillRect(QRect(item.rect.left(), item.rect.top(), item.rect.width(), 1), m_rule);
    if (current) {
        painter->setPen(item.palette.color(QPalette::Highlight));
        painter->drawRect(item.rect.adjusted(0, 1, -1, -2));
    }
    painter->restore();
}

QSize ValueTableDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const double width = tabularWidth(index.data(Qt::DisplayRole).toString(), option.font);
    return {static_cast<int>(std::ceil(width)) + 2 * kPadding + 1, kRowHeight};
}

// A cell whose text is shortened shows it in full, above what its own tool tip says.
bool ValueTableDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                                   const QModelIndex &index)
{
    const bool shortened =
        event->type() == QEvent::ToolTip && index.isValid() && sizeHint(option, index).width() > option.rect.width();
    if (!shortened)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QString text = plainToolTip(index.data(Qt::DisplayRole).toString()) + index.data(Qt::ToolTipRole).toString();
    QToolTip::showText(event->globalPos(), text, view);
    return true;
}

} // namespace stagecraft::widgets
