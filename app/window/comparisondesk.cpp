// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisondesk.h"

#include "comparisonbar.h"
#include "figurepane.h"
#include "pairdialog.h"

#include <QUndoStack>

namespace stagecraft::window {

ComparisonDesk::ComparisonDesk(FigurePane &figures, QUndoStack &undo, QWidget *window, QObject *parent)
    : QObject(parent), m_figures(figures), m_undo(undo), m_window(window)
{
    const ComparisonBar *bar = figures.comparisonBar();
    connect(bar, &ComparisonBar::baseChosen, this, &ComparisonDesk::compareAgainst);
    connect(bar, &ComparisonBar::pairsRequested, this, &ComparisonDesk::askForPairs);
    connect(bar, &ComparisonBar::unchangedChosen, this,
            [this](const QStringList &operations) { setUnchanged(operations); });
    connect(bar, &ComparisonBar::evidenceAsked, this, [this] { setUnchanged(std::nullopt); });
    connect(&m_choices, &ComparisonChoices::changed, this, [this] { m_figures.setComparison(state()); });
}

const ComparisonPlan *ComparisonDesk::plan() const
{
    const auto &facts = m_figures.comparisonBar()->facts();
    return facts ? &facts->plan : nullptr;
}

void ComparisonDesk::push(const ComparisonState &wanted, const QString &text)
{
    if (wanted != state())
        m_undo.push(new ChangeComparison(m_choices, wanted, text));
}

void ComparisonDesk::compareAgainst(const QString &path)
{
    if (!plan())
        return;
    const QList<EvidenceListModel::Entry> shown = plan()->others + QList{plan()->base};
    const auto chosen = std::ranges::find(shown, path, &EvidenceListModel::Entry::path);
    if (chosen == shown.end() || path == plan()->base.path)
        return;
    ComparisonState wanted = state();
    wanted.base = path;
    push(wanted, tr("compare against %1").arg(chosen->title()));
}

void ComparisonDesk::setPairs(const QList<evidence::ImplementationPair> &pairs)
{
    if (!plan())
        return;
    QStringList texts;
    for (const evidence::ImplementationPair &pair : pairs)
        texts.append(pairText(pair));
    push(withPairs(state(), *plan(), pairs),
         texts.isEmpty() ? tr("unpair implementations") : tr("pair %1").arg(texts.join(QStringLiteral(", "))));
}

void ComparisonDesk::setUnchanged(const std::optional<QStringList> &operations)
{
    if (plan())
        push(withUnchanged(state(), *plan(), operations),
             operations ? tr("correct what is unchanged") : tr("unchanged as the evidence says"));
}

void ComparisonDesk::askForPairs()
{
    if (!plan())
        return;
    auto *dialog = new PairDialog(*m_figures.comparisonBar()->facts(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { setPairs(dialog->pairs()); });
    dialog->open();
}

} // namespace stagecraft::window
