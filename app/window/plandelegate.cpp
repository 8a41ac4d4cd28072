// SPDX-License-Identifier: GPL-3.0-or-later
#include "plandelegate.h"

#include "planmodel.h"

#include <QLineEdit>
#include <QTreeView>

namespace stagecraft::window {

QWidget *PlanDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QWidget *editor = QStyledItemDelegate::createEditor(parent, option, index);
    const auto *model = qobject_cast<const PlanModel *>(index.model());
    const operations::Operation *operation = model ? model->operation(index) : nullptr;
    auto *line = qobject_cast<QLineEdit *>(editor);
    if (line && operation) {
        line->setFrame(false);
        line->setAccessibleName(index.data(Qt::AccessibleTextRole).toString());
        connect(line, &QLineEdit::textEdited, this,
                [this, operation](const QString &text) { emit dimsTyped(PlanModel::dimsProblem(*operation, text)); });
    }
    return editor;
}

void PlanDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    QStyledItemDelegate::setModelData(editor, model, index);
    // Either the dims are taken or the old ones stay; only the first clears what was said while typing.
    if (const auto *line = qobject_cast<QLineEdit *>(editor)) {
        const auto *plan = qobject_cast<PlanModel *>(model);
        if (plan && plan->operation(index) && PlanModel::dimsProblem(*plan->operation(index), line->text()).isEmpty())
            emit dimsTyped(QString());
    }
}

QSize PlanDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(qMax(size.height(), 24));
    return size;
}

void PlanDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    // Inter draws a digit, x and a digit as a multiplication sign; an id is shown as it is written.
    if (index.parent().isValid())
        option->font.setStyleStrategy(QFont::PreferNoShaping);
    if (index.data(PlanModel::MutedRole).toBool())
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
    // What a collapsed operation hides is said in its own row.
    const auto *tree = qobject_cast<const QTreeView *>(option->widget);
    if (tree && !index.parent().isValid() && index.column() == PlanModel::NameColumn && !tree->isExpanded(index))
        option->text += QStringLiteral(" · %1").arg(index.data(PlanModel::CheckedRole).toInt());
    if (index.data(PlanModel::RunningRole).toBool() && index.column() == PlanModel::DetailColumn &&
        index.parent().isValid())
        option->palette.setColor(QPalette::Text, option->palette.color(QPalette::Link));
}

} // namespace stagecraft::window
