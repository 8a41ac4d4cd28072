// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"
#include "evidencelistmodel.h"

// Which of the shown namespaces is compared with which, and how: the reader's choices, applied to what is shown.
namespace stagecraft::window {

// As chosen so far in this session, for whatever is shown.
struct ComparisonState
{
    QString base;                              // path; not among the shown ones: the earliest of them
    QList<evidence::ImplementationPair> pairs; // by hand; used in whichever direction the ids are there
    QMap<QString, QStringList> unchanged;      // by shownKey(): operations that the reader calls unchanged
    bool operator==(const ComparisonState &) const = default;
};

struct ComparisonPlan
{
    EvidenceListModel::Entry base;
    QList<EvidenceListModel::Entry> others;    // at least one, the earliest first
    QList<evidence::ImplementationPair> pairs; // of the state's, those whose ids are there, from base to the others
    std::optional<QStringList> unchanged;
};

// nullopt: fewer than two are shown.
std::optional<ComparisonPlan> comparisonPlan(const QList<EvidenceListModel::Entry> &shown,
                                             const ComparisonState &state);

// Tells one set of shown namespaces from another: a correction of what is unchanged holds for these only.
QString shownKey(const QList<EvidenceListModel::Entry> &shown);

// Without statistics: cheap.
QStringList implementationIds(const evidence::Namespace &evidence); // in the order in which they are listed everywhere
QStringList operationIds(const evidence::Namespace &evidence);      // in the order of the file

QString pairText(const evidence::ImplementationPair &pair); // "Rust ↔ CUDA"
QString idText(const QString &implementation);              // "PyTorch (python)"

} // namespace stagecraft::window
