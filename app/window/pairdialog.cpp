// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairdialog.h"

#include "themedicon.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QToolButton>

namespace stagecraft::window {

namespace {

QStringList idsOf(const QList<EvidenceListModel::Entry> &entries)
{
    QStringList ids;
    for (const EvidenceListModel::Entry &entry : entries)
        ids += implementationIds(*entry.evidence);
    return evidence::implementationOrder(ids);
}

QString namesOf(const QList<EvidenceListModel::Entry> &entries)
{
    return entries.size() == 1 ? entries.first().title() : QObject::tr("the %1 others").arg(entries.size());
}

} // namespace

PairDialog::PairDialog(const ComparisonFacts &facts, QWidget *parent)
    : QDialog(parent), m_baseIds(implementationIds(*facts.plan.base.evidence)), m_otherIds(idsOf(facts.plan.others))
{
    setWindowTitle(tr("Pair implementations"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(createHeading(facts.plan));
    m_rowLayout = new QVBoxLayout;
    m_rowLayout->setSpacing(8);
    layout->addLayout(m_rowLayout);
    for (const evidence::ImplementationPair &pair : facts.plan.pairs)
        addPair(pair);
    // What is likely is proposed; where it clashes with another pair, it is offered instead.
    QList<evidence::ImplementationPair> offers;
    for (const evidence::ImplementationPair &pair : facts.likely) {
        if (isTaken(pair))
            offers.append(pair);
        else
            addPair(pair, true);
    }
    layout->addWidget(createOffers(offers));
    m_problem = new QLabel(this);
    m_problem->setProperty("muted", true);
    layout->addWidget(m_problem);
    layout->addStretch(1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = new QPushButton(tr("Compare"), buttons);
    m_accept->setObjectName(QStringLiteral("primaryButton"));
    m_accept->setDefault(true);
    buttons->addButton(m_accept, QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    validate();
}

QWidget *PairDialog::createHeading(const ComparisonPlan &plan)
{
    auto *heading =
        new QLabel(tr("Implementations of one name are compared by themselves. Pair those that %1 and %2 call "
                      "differently.")
                       .arg(plan.base.title(), namesOf(plan.others)),
                   this);
    heading->setTextFormat(Qt::PlainText);
    heading->setWordWrap(true);
    heading->setMinimumWidth(420);
    return heading;
}

bool PairDialog::isTaken(const evidence::ImplementationPair &pair) const
{
    return std::ranges::any_of(pairs(), [&](const evidence::ImplementationPair &other) {
        return other.base == pair.base || other.now == pair.now;
    });
}

// Further likely pairs as buttons, and one for any other pair.
QWidget *PairDialog::createOffers(const QList<evidence::ImplementationPair> &likely)
{
    auto *area = new QWidget(this);
    auto *layout = new QHBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (const evidence::ImplementationPair &pair : likely) {
        auto *offer = new QPushButton(tr("Add %1").arg(pairText(pair).replace(u'&', QLatin1String("&&"))), area);
        offer->setToolTip(tr("Likely the same under two names"));
        offer->setAutoDefault(false);
        connect(offer, &QPushButton::clicked, this, [this, offer, pair] {
            addPair(pair);
            offer->hide();
        });
        layout->addWidget(offer);
    }
    auto *add = new QPushButton(m_rows.isEmpty() ? tr("Add pair") : tr("Add another pair"), area);
    add->setAutoDefault(false);
    connect(add, &QPushButton::clicked, this, [this] { addPair({}); });
    layout->addWidget(add);
    layout->addStretch(1);
    return area;
}

QComboBox *PairDialog::createChoice(const QStringList &ids, const QString &chosen, const QString &accessibleName)
{
    auto *choice = new QComboBox(this);
    choice->setAccessibleName(accessibleName);
    choice->setPlaceholderText(tr("choose"));
    for (const QString &id : ids)
        choice->addItem(idText(id), id);
    choice->setCurrentIndex(choice->findData(chosen));
    connect(choice, &QComboBox::currentIndexChanged, this, &PairDialog::validate);
    return choice;
}

void PairDialog::addPair(const evidence::ImplementationPair &pair, bool isProposed)
{
    auto *area = new QWidget(this);
    auto *layout = new QHBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    QComboBox *base = createChoice(m_baseIds, pair.base, tr("Implementation of the base"));
    QComboBox *now = createChoice(m_otherIds, pair.now, tr("Implementation that is compared with it"));
    auto *remove = new QToolButton(area);
    remove->setIcon(themedIcon(QStringLiteral("close")));
    remove->setAutoRaise(true);
    remove->setToolTip(tr("Remove this pair"));
    remove->setAccessibleName(tr("Remove this pair"));
    connect(remove, &QToolButton::clicked, this, [this, area] { removeRow(area); });
    layout->addWidget(base, 1);
    layout->addWidget(new QLabel(QStringLiteral("↔"), area));
    layout->addWidget(now, 1);
    if (isProposed) {
        auto *proposed = new QLabel(tr("proposed"), area);
        proposed->setProperty("muted", true);
        proposed->setToolTip(tr("Likely the same under two names; used once you say so"));
        layout->addWidget(proposed);
    }
    layout->addWidget(remove);
    m_rowLayout->addWidget(area);
    m_rows.append({area, base, now});
    base->setFocus();
    validate();
}

void PairDialog::removeRow(const QWidget *area)
{
    const auto row = std::ranges::find(m_rows, area, &Row::area);
    row->area->hide();
    row->area->deleteLater(); // this is called by its own click
    m_rows.erase(row);
    validate();
}

QList<evidence::ImplementationPair> PairDialog::pairs() const
{
    QList<evidence::ImplementationPair> pairs;
    for (const Row &row : m_rows) {
        if (row.base->currentIndex() >= 0 && row.now->currentIndex() >= 0)
            pairs.append({row.base->currentData().toString(), row.now->currentData().toString()});
    }
    return pairs;
}

void PairDialog::validate()
{
    if (!m_accept)
        return;
    const QList<evidence::ImplementationPair> complete = pairs();
    QSet<QString> bases, nows;
    QString problem;
    for (const evidence::ImplementationPair &pair : complete) {
        if (bases.contains(pair.base) || nows.contains(pair.now))
            problem = tr("Each implementation can be in one pair only.");
        bases.insert(pair.base);
        nows.insert(pair.now);
    }
    if (problem.isEmpty() && complete.size() < m_rows.size())
        problem = tr("Choose both sides of each pair, or remove it.");
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_accept->setEnabled(problem.isEmpty());
    // Rows come and go; the text above wraps, so that the height follows from the width.
    layout()->activate();
    resize(width(), qMax(height(), layout()->totalHeightForWidth(width())));
}

} // namespace stagecraft::window
