// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

// Where a namespace's numbers come from, in words.
namespace stagecraft::window {

struct ProvenanceFact
{
    QString label, value;
    bool recorded = true; // false: value says that the file does not tell
    QString whole = {};   // where value is only its beginning
};

QList<ProvenanceFact> provenanceFacts(const evidence::Namespace &evidence);

QString gpuText(const evidence::Namespace &evidence); // "NVIDIA H200", "CPU only", "GPU not recorded"

// "comparison-results.json /results/0: cause"
QString problemText(const evidence::Problem &problem);

} // namespace stagecraft::window
