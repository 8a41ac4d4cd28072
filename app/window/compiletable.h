// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourceview.h"
#include "stagecompilations.h"
#include "valuetable.h"

// What a compiler said of a stage, as the workbench shows it.
namespace stagecraft::window {

// A row per architecture and kernel: registers, shared, local and spilled bytes, barriers, resident threads per SM,
// each with the change against `after` where that was compiled too ("56 (+1)"). What was not compiled says why.
widgets::ValueTable compileTable(const stagefile::Stage &stage, const stagefile::Stage *after,
                                 const QStringList &architectures, const StageCompilations &compilations);

// The same of one architecture and dims (empty: the plan's) in a line: "56 registers (+1) · 33792 B shared (+17408) ·
// 1024 threads per SM (−512)".
QString compileSummary(const stagefile::Stage &stage, const stagefile::Stage *after, const QString &architecture,
                       const QList<qint64> &dims, const StageCompilations &compilations);

// The messages at the lines of the stage's file, of the first of these architectures that has any.
QList<widgets::SourceMessage> compileMessagesOf(const stagefile::Stage &stage, const QStringList &architectures,
                                                const StageCompilations &compilations);

// A problem of a file that is no stage, at its line where the text names one.
QList<widgets::SourceMessage> problemMessages(const QString &problem, const QString &text);

} // namespace stagecraft::window
