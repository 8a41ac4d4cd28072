// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonbar.h"

#include "counted.h"
#include "figuretext.h"
#include "messagebar.h"
#include "plaintooltip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace stagecraft::window {

namespace {

constexpr qsizetype mostDiffering = 5; // that are named in the message's title; the rest of it has all

QStringList operationLabels(const QStringList &operations)
{
    QStringList labels;
    for (const QString &operation : operations)
        labels.append(widgets::printableText(evidence::operationLabel(operation)));
    return labels;
}

} // namespace

ComparisonBar::ComparisonBar(QWidget *parent) : QWidget(parent), m_differences(new MessageBar(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_differences);
    layout->addWidget(createControls());
    layout->addWidget(createWords());
    hide();
}

QWidget *ComparisonBar::createControls()
{
    auto *area = new QWidget(this);
    area->setObjectName(QStringLiteral("paneBar"));
    area->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(area);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(8);
    auto *label = new QLabel(tr("a&gainst"), area);
    m_base = new QComboBox(area);
    m_base->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_base->setAccessibleName(tr("Namespace that the others are compared with"));
    m_base->setToolTip(tr("The namespace that the others are compared with; at first the earliest"));
    label->setBuddy(m_base);
    connect(m_base, &QComboBox::activated, this, [this] { emit baseChosen(m_base->currentData().toString()); });
    m_others = new QLabel(area);
    m_others->setProperty("heading", true);
    m_others->setTextFormat(Qt::PlainText);
    m_pair = new QToolButton(area);
    m_pair->setText(tr("&Pair implementations…"));
    m_pair->setToolTip(tr("Say who is compared with whom where two namespaces call them differently"));
    connect(m_pair, &QToolButton::clicked, this, &ComparisonBar::pairsRequested);
    m_unchanged = new QToolButton(area);
    m_unchanged->setObjectName(QStringLiteral("menuButton"));
    m_unchanged->setText(tr("&Unchanged"));
    m_unchanged->setToolTip(tr("Correct which operations nothing was changed in: what they moved by is drift"));
    m_unchanged->setPopupMode(QToolButton::InstantPopup);
    m_unchangedMenu = new QMenu(m_unchanged);
    m_unchangedMenu->setAccessibleName(tr("Operations that count as unchanged"));
    m_unchanged->setMenu(m_unchangedMenu);
    for (QWidget *part : std::initializer_list<QWidget *>{m_others, label, m_base})
        layout->addWidget(part);
    layout->addStretch(1);
    layout->addWidget(m_pair);
    layout->addWidget(m_unchanged);
    return area;
}

QWidget *ComparisonBar::createWords()
{
    m_words = new QLabel(this);
    m_words->setObjectName(QStringLiteral("comparisonWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setContentsMargins(12, 6, 12, 6);
    m_words->setProperty("muted", true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return m_words;
}

void ComparisonBar::setFacts(const QSharedPointer<const ComparisonFacts> &facts)
{
    m_facts = facts;
    if (!facts)
        return;
    showBases();
    showDifferences();
    showWords();
    fillUnchangedMenu();
}

void ComparisonBar::showBases()
{
    const ComparisonPlan &plan = m_facts->plan;
    m_base->clear();
    for (const EvidenceListModel::Entry &entry : QList{plan.base} + plan.others)
        m_base->addItem(entry.title(), entry.path);
    QStringList names;
    for (const EvidenceListModel::Entry &other : plan.others)
        names.append(other.title());
    m_others->setText(names.size() > 2 ? tr("%1 namespaces").arg(names.size()) : names.join(QStringLiteral(", ")));
    m_others->setToolTip(widgets::plainToolTip(tr("Compared with it: %1").arg(names.join(QStringLiteral(", ")))));
}

void ComparisonBar::showDifferences()
{
    const QStringList &lines = m_facts->differences;
    if (lines == m_shownDifferences)
        return;
    m_shownDifferences = lines;
    if (lines.isEmpty()) {
        m_differences->hide();
        return;
    }
    const QStringList &what = m_facts->differing;
    QString title = tr("What is compared differs in %1")
                        .arg(what.first(qMin(mostDiffering, what.size())).join(QStringLiteral(", ")));
    if (what.size() > mostDiffering)
        title += tr(" and %1 more").arg(what.size() - mostDiffering);
    m_differences->showFolded(MessageBar::Severity::Warning, title, lines.join(QLatin1Char('\n')));
}

QString ComparisonBar::words() const
{
    return m_words->text();
}

void ComparisonBar::showWords()
{
    const ComparisonPlan &plan = m_facts->plan;
    QStringList sentences;
    QStringList pairs;
    for (const evidence::ImplementationPair &pair : plan.pairs)
        pairs.append(pairText(pair));
    if (!pairs.isEmpty())
        sentences.append(tr("Paired by hand: %1.").arg(pairs.join(QStringLiteral(", "))));
    const QString operations =
        m_facts->unchanged.isEmpty() ? tr("none") : operationLabels(m_facts->unchanged).join(QStringLiteral(", "));
    sentences.append(plan.unchanged ? tr("Unchanged, as you said: %1.").arg(operations)
                                    : tr("Unchanged, as the evidence says: %1.").arg(operations));
    m_words->setText(sentences.join(QLatin1Char(' ')));
}

void ComparisonBar::fillUnchangedMenu()
{
    m_unchangedMenu->clear();
    QAction *evidence = m_unchangedMenu->addAction(tr("As the evidence says"));
    evidence->setCheckable(true);
    evidence->setChecked(!m_facts->plan.unchanged);
    connect(evidence, &QAction::triggered, this, &ComparisonBar::evidenceAsked);
    m_unchangedMenu->addSeparator();
    for (const QString &operation : m_facts->operations) {
        QAction *action = m_unchangedMenu->addAction(
            widgets::printableText(evidence::operationLabel(operation)).replace(u'&', QLatin1String("&&")));
        action->setCheckable(true);
        action->setChecked(m_facts->unchanged.contains(operation));
        action->setData(operation);
        connect(action, &QAction::triggered, this, [this, operation] { toggle(operation); });
    }
}

void ComparisonBar::toggle(const QString &operation)
{
    QStringList operations;
    for (const QString &candidate : m_facts->operations) {
        if (m_facts->unchanged.contains(candidate) != (candidate == operation))
            operations.append(candidate);
    }
    emit unchangedChosen(operations);
}

} // namespace stagecraft::window
