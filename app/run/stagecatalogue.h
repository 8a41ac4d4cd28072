// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stage.h"

#include <QList>
#include <QString>
#include <QStringList>

// The stages that the program knows: those that it brings, and the user's own in a folder that the user chose.
namespace stagecraft::run {

struct CatalogueStage
{
    stagefile::Stage stage;
    bool own = false; // from the user's folder
    QString path;     // of the file, for opening and watching it; never written into evidence
    QString id() const { return QString::fromStdString(stage.id); }
    QString operation() const { return QString::fromStdString(stage.operation); }
    QString implementation() const { return QStringLiteral("cuda/") + id(); }
};

// A file that is no valid stage: shown with what is wrong, not compiled or run.
struct StageProblem
{
    QString operation, id, path;
    QString text; // what, where, why, what to do
};

struct StageCatalogue
{
    QList<CatalogueStage> stages; // operations in catalogue order; within one, a stage stands after its `after`
    QList<StageProblem> problems;

    const CatalogueStage *find(const QString &operation, const QString &id) const; // nullptr where there is none
    QList<CatalogueStage> of(const QString &operation) const;
};

// Where the program's own stages are, as for bundled evidence (bundledDirectory()); empty where they are missing.
QString bundledStagesFolder();

// Why no stages can be read from there at all, such as that it is a file; empty where it is a folder.
QString stagesFolderProblem(const QString &folder);

// Reads both folders. `ownFolder` may be empty (none chosen). A stage of the user's whose OP/ID is that of a bundled
// one is a problem: two stages of one name could not be told apart in evidence. Its `after` may name a bundled stage.
StageCatalogue stageCatalogue(const QString &ownFolder = {});

} // namespace stagecraft::run
