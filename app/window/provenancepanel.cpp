// SPDX-License-Identifier: GPL-3.0-or-later
#include "provenancepanel.h"

#include "counted.h"
#include "figuretext.h"
#include "provenance.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

namespace stagecraft::window {

namespace {

// More would be a wall of text; a namespace that is damaged everywhere has one cause.
constexpr int problemLimit = 50;

QStringList wording(const evidence::Namespace &evidence)
{
    QStringList words{evidence.name};
    for (const ProvenanceFact &fact : provenanceFacts(evidence))
        words.append({fact.label, fact.value, fact.whole});
    for (const evidence::Problem &problem : evidence.problems)
        words.append(problemText(problem));
    return words;
}

QLabel *wrappingLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

QLabel *mutedLabel(const QString &text, QWidget *parent)
{
    QLabel *label = wrappingLabel(text, parent);
    label->setProperty("muted", true);
    return label;
}

} // namespace

ProvenancePanel::ProvenancePanel(QWidget *parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("provenance"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Provenance"));
    setNamespace(nullptr);
}

void ProvenancePanel::setNamespace(const NamespacePointer &evidence)
{
    const QStringList words = evidence ? wording(*evidence) : QStringList();
    if (widget() && words == m_shown)
        return;
    m_shown = words;
    const int position = evidence ? verticalScrollBar()->value() : 0;
    if (evidence) {
        setWidget(createContent(*evidence));
    } else {
        setWidget(mutedLabel(tr("Select a namespace to see where its numbers come from."), this));
        widget()->setContentsMargins(12, 8, 12, 12);
    }
    verticalScrollBar()->setValue(position);
}

QWidget *ProvenancePanel::createContent(const evidence::Namespace &evidence)
{
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(12, 8, 12, 12);
    layout->setSpacing(8);
    auto *name = wrappingLabel(widgets::printableText(evidence.name), this);
    name->setObjectName(QStringLiteral("provenanceName"));
    name->setProperty("heading", true);
    name->setMinimumWidth(1);
    layout->addWidget(name);
    if (!evidence.problems.isEmpty())
        addProblems(layout, evidence);
    addFacts(layout, evidence);
    layout->addStretch(1);
    return content;
}

void ProvenancePanel::addFacts(QVBoxLayout *layout, const evidence::Namespace &evidence)
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    for (const ProvenanceFact &fact : provenanceFacts(evidence)) {
        const int row = grid->rowCount();
        grid->addWidget(mutedLabel(fact.label, this), row, 0);
        QLabel *value = fact.recorded ? wrappingLabel(fact.value, this) : mutedLabel(fact.value, this);
        value->setMinimumWidth(1);   // one long word would push every line out of view
        if (!fact.whole.isEmpty()) { // as rich text its lines wrap
            value->setToolTip(QStringLiteral("<qt>%1</qt>").arg(fact.whole.toHtmlEscaped()));
            value->setAccessibleName(fact.whole);
        }
        grid->addWidget(value, row, 1);
    }
    layout->addLayout(grid);
}

void ProvenancePanel::addProblems(QVBoxLayout *layout, const evidence::Namespace &evidence)
{
    const auto contradictions = std::ranges::count_if(evidence.problems, &evidence::Problem::fatal);
    auto *heading =
        wrappingLabel(contradictions > 0
                          ? tr("%1; what is sound is shown").arg(counted(contradictions, tr("problem"), tr("problems")))
                          : tr("Recorded states"),
                      this);
    heading->setProperty(contradictions > 0 ? "danger" : "heading", true);
    layout->addWidget(heading);
    for (const evidence::Problem &problem : evidence.problems.first(qMin(problemLimit, evidence.problems.size()))) {
        QLabel *line =
            problem.fatal ? wrappingLabel(problemText(problem), this) : mutedLabel(problemText(problem), this);
        line->setObjectName(QStringLiteral("problem"));
        layout->addWidget(line);
    }
    if (evidence.problems.size() > problemLimit) {
        layout->addWidget(mutedLabel(
            tr("and %1 more; “stagecraft check” lists all").arg(evidence.problems.size() - problemLimit), this));
    }
}

} // namespace stagecraft::window
