// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagecompilations.h"
#include "stagesave.h"
#include "stagetreemodel.h"

// How a stage stands, in a few words: for the tree and for the line above its results.
namespace stagecraft::window {

// `save` is the newest of this session, nullptr where there is none.
StageMark stageMark(const stagefile::Stage &stage, const StageSave *save, const QString &architecture,
                    const StageCompilations &compilations);

struct StageSummary
{
    QString text;   // short
    QString detail; // the whole reason of a state that is not good; empty where there is none
    bool bad = false;
};
StageSummary stageSummary(const stagefile::Stage &stage, const stagefile::Stage *after, const StageSave *save,
                          const QString &architecture, const StageCompilations &compilations);

} // namespace stagecraft::window
