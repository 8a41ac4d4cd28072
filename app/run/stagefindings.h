// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "stage.h"
#include "statistics.h"

// From what a run measured of the stages of one operation to the entries of its progression.
namespace stagecraft::run {

// One stage as a run knows it.
struct StageFinding
{
    QString id;
    const stagefile::Stage *stage = nullptr; // nullptr: chosen by the worker, its file is not part of the plan
    evidence::ValueRow row;
    protocol::PrepareResult prepared;

    bool isAttempt() const { return stage && stage->status == stagefile::Status::Attempt; }
};

struct RunFacts
{
    QString operation, name; // of the namespace
    int rounds = 0, runs = 0;
    bool capture = true;
};

// Retained ones in the order of the progression, then attempts: each after the one it came from, else as they were.
void sortFindings(QList<StageFinding> &findings);

// Times that failed, are invalid or were throttled are no results: the entry has the state and reason instead.
evidence::OperationProgression progressionOf(const RunFacts &run, const QList<StageFinding> &findings);

} // namespace stagecraft::run
