// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagetreedelegate.h"

#include "stagetreemodel.h"
#include "themedicon.h"

#include <QApplication>
#include <QPainter>

namespace stagecraft::window {

namespace {

constexpr int rowHeight = 26, gap = 8;

QString tagOf(const QModelIndex &index)
{
    if (index.column() != StageTreeModel::NameColumn)
        return {};
    QStringList tags;
    if (index.data(StageTreeModel::OwnRole).toBool())
        tags.append(QObject::tr("own"));
    if (index.data(StageTreeModel::AttemptRole).toBool())
        tags.append(QObject::tr("attempt"));
    return tags.join(QStringLiteral(", "));
}

QIcon iconOf(int kind)
{
    switch (kind) {
    case StageMark::Busy:
        return themedIcon(QStringLiteral("refresh"), QPalette::PlaceholderText);
    case StageMark::Good:
        return themedIcon(QStringLiteral("success"), QPalette::Link);
    case StageMark::Attention:
        return themedIcon(QStringLiteral("warning"), QPalette::PlaceholderText);
    case StageMark::Bad:
        return themedIcon(QStringLiteral("error"), QPalette::BrightText);
    default:
        return {};
    }
}

} // namespace

void StageTreeDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (!index.parent().isValid()) {
        option->font.setWeight(QFont::DemiBold);
        return;
    }
    // Inter draws a digit, x and a digit as a multiplication sign; an id is shown as it is written.
    option->font.setStyleStrategy(QFont::PreferNoShaping);
    const int kind = index.data(StageTreeModel::KindRole).toInt();
    if (index.column() == StageTreeModel::ResultColumn && kind != StageMark::None) {
        option->icon = iconOf(kind);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = QSize(16, 16);
    }
    if (index.data(StageTreeModel::MutedRole).toBool())
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
}

void StageTreeDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QString tag = tagOf(index);
    if (tag.isEmpty())
        return;
    const QFontMetrics metrics(option.font);
    const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QRect text = style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    const int left = text.left() + metrics.horizontalAdvance(item.text) + 2 * gap;
    const QRect room(left, option.rect.top(), option.rect.right() - left, option.rect.height());
    painter->save();
    painter->setFont(option.font);
    painter->setPen(option.palette.color(QPalette::PlaceholderText));
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(tag, Qt::ElideRight, room.width()));
    painter->restore();
}

QSize StageTreeDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(qMax(size.height(), rowHeight));
    const QString tag = tagOf(index);
    if (!tag.isEmpty())
        size.rwidth() += QFontMetrics(option.font).horizontalAdvance(tag) + 2 * gap;
    return size;
}

} // namespace stagecraft::window
