// SPDX-License-Identifier: GPL-3.0-or-later
#include "stageselection.h"

#include "compiledstages.h"
#include "console.h"
#include "operationoptions.h"

#include <algorithm>

namespace stagecraft::commands {

namespace {

const QString &allWord()
{
    static const QString word = QStringLiteral("all");
    return word;
}

const QString &retainedWord()
{
    static const QString word = QStringLiteral("retained");
    return word;
}

QString nameOf(const run::CatalogueStage &entry)
{
    return QString::fromStdString(entry.stage.name());
}

QStringList knownWords(const QStringList &operations, const run::StageCatalogue &catalogue)
{
    QStringList words{retainedWord(), allWord()};
    for (const run::CatalogueStage &entry : catalogue.stages) {
        if (operations.contains(entry.operation()))
            words.append(nameOf(entry));
    }
    return words;
}

QString wordProblem(const QString &word, const QStringList &operations, const run::StageCatalogue &catalogue)
{
    if (word == allWord() || word == retainedWord())
        return {};
    const QString operation = word.section(QLatin1Char('/'), 0, 0), id = word.section(QLatin1Char('/'), 1);
    if (catalogue.find(operation, id))
        return operations.contains(operation)
                   ? QString()
                   : QStringLiteral("--stages: “%1” is of %2, which is not among the operations of this run (%3)")
                         .arg(word, operation, commas(operations));
    for (const run::StageProblem &problem : catalogue.problems) {
        if (problem.operation == operation && problem.id == id && !id.isEmpty())
            return QStringLiteral("--stages: “%1” is no valid stage: %2").arg(word, problem.text);
    }
    const QString near = didYouMean(word, knownWords(operations, catalogue));
    return QStringLiteral("--stages: there is no stage “%1”%2")
        .arg(word, near.isEmpty() ? QStringLiteral("; `stagecraft stages` lists those that there are") : near);
}

} // namespace

QString stagesProblem(const QStringList &words, const QStringList &operations, const run::StageCatalogue &catalogue)
{
    if (words.isEmpty())
        return QStringLiteral("--stages names none; retained, all or stages such as matmul/k64 are expected");
    for (const QString &word : words) {
        if (QString problem = wordProblem(word, operations, catalogue); !problem.isEmpty())
            return problem;
    }
    return selectedStages(words, operations, catalogue).isEmpty()
               ? QStringLiteral("--stages: there are none: %1")
                     .arg(catalogue.problems.isEmpty() ? commas(words) : catalogue.problems.first().text)
               : QString();
}

QList<run::CatalogueStage> selectedStages(const QStringList &words, const QStringList &operations,
                                          const run::StageCatalogue &catalogue)
{
    QList<run::CatalogueStage> stages = inReadingOrder(catalogue.stages);
    stages.removeIf([&](const run::CatalogueStage &entry) {
        const bool isRetained = entry.stage.status == stagefile::Status::Retained && !entry.own;
        const bool isMeant = words.contains(allWord()) || words.contains(nameOf(entry)) ||
                             (isRetained && words.contains(retainedWord()));
        return !isMeant || !operations.contains(entry.operation());
    });
    return stages;
}

QString keepToArithmetic(const QStringList &words, const QString &arithmetic, QList<run::CatalogueStage> &stages,
                         QStringList &leftOut)
{
    QList<run::CatalogueStage> kept;
    for (const run::CatalogueStage &entry : std::as_const(stages)) {
        const QString misfit = run::arithmeticMisfit(entry.stage, arithmetic);
        if (!misfit.isEmpty() && words.contains(nameOf(entry)))
            return QStringLiteral("--stages: %1; leave it out, or choose --arithmetic any").arg(misfit);
        if (misfit.isEmpty())
            kept.append(entry);
        else
            leftOut.append(misfit);
    }
    if (kept.isEmpty() && !stages.isEmpty())
        return QStringLiteral("--stages: none remains with --arithmetic %1: %2").arg(arithmetic, leftOut.first());
    stages = kept;
    return {};
}

void assignStages(run::RunPlan &plan, const QList<run::CatalogueStage> &selected, const run::StageCatalogue &catalogue)
{
    for (run::PlannedOperation &planned : plan.operations) {
        const auto isOfIt = [&](const run::CatalogueStage &entry) { return entry.operation() == planned.operation; };
        if (std::ranges::none_of(selected, isOfIt))
            continue;
        QStringList named;
        for (const run::CatalogueStage &entry : selected) {
            if (isOfIt(entry))
                named.append(entry.implementation());
        }
        planned.implementations += named;
        for (const run::CatalogueStage &entry : catalogue.of(planned.operation)) {
            if (!entry.own || named.contains(entry.implementation()))
                plan.stages.append(entry.stage);
        }
    }
}

} // namespace stagecraft::commands
