// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencedelegate.h"

#include "evidencelistmodel.h"
#include "themedicon.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QWidget>

namespace stagecraft::window {

namespace {

constexpr int margin = 8;
constexpr int indicatorSize = 16;
constexpr int markSize = 16;

QRect indicatorRect(const QRect &row)
{
    return QRect(row.left() + margin, row.top() + margin, indicatorSize, indicatorSize);
}

void drawIndicator(QPainter *painter, const QStyleOptionViewItem &option, bool checked)
{
    QStyleOptionViewItem box = option;
    box.rect = indicatorRect(option.rect);
    box.state = option.state & ~QStyle::State_HasFocus;
    box.state |= checked ? QStyle::State_On : QStyle::State_Off;
    option.widget->style()->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, painter, option.widget);
}

} // namespace

void EvidenceDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem row = option;
    initStyleOption(&row, index);
    option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &row, painter, option.widget);
    drawIndicator(painter, row, index.data(Qt::CheckStateRole).toInt() == Qt::Checked);

    const bool selected = row.state & QStyle::State_Selected;
    const bool damaged = index.data(EvidenceListModel::ProblemCountRole).toInt() > 0;
    QRect text = row.rect.adjusted(2 * margin + indicatorSize, margin - 2, -margin, -margin + 2);
    if (damaged) {
        const QRect mark(text.right() - markSize, text.top(), markSize, markSize);
        themedIcon(QStringLiteral("warning"), QPalette::BrightText).paint(painter, mark);
        text.setRight(mark.left() - margin);
    }
    const int half = text.height() / 2;
    const QFontMetrics metrics(row.font);
    painter->setFont(row.font);
    painter->setPen(row.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(QRect(text.left(), text.top(), text.width(), half), Qt::AlignVCenter | Qt::AlignLeft,
                      metrics.elidedText(row.text, Qt::ElideRight, text.width()));
    painter->setPen(row.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
    const QString subtitle = index.data(EvidenceListModel::SubtitleRole).toString();
    painter->drawText(QRect(text.left(), text.top() + half, text.width(), half), Qt::AlignVCenter | Qt::AlignLeft,
                      metrics.elidedText(subtitle, Qt::ElideRight, text.width()));
}

QSize EvidenceDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return QSize(160, 2 * QFontMetrics(option.font).height() + 2 * margin - 2);
}

bool EvidenceDelegate::editorEvent(QEvent *event, QAbstractItemModel *model, const QStyleOptionViewItem &option,
                                   const QModelIndex &index)
{
    bool toggle = false;
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        const QRect target = indicatorRect(option.rect).adjusted(-margin, -margin, margin, margin);
        toggle = mouse->button() == Qt::LeftButton && target.contains(mouse->position().toPoint());
    } else if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        toggle = key == Qt::Key_Space || key == Qt::Key_Select;
    }
    if (!toggle)
        return false;
    const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

} // namespace stagecraft::window
