// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonnode.h"

// One reader per file of a namespace: document → model, with every fault logged under its pointer. Internal to this
// library; callers use readNamespace().
namespace stagecraft::evidence {

inline constexpr auto resultsFile = "comparison-results.json";
inline constexpr auto profilesFile = "comparison-profiles.json";
inline constexpr auto summaryFile = "summary.json";
inline constexpr auto progressionFile = "progression.json";
inline constexpr auto floorsFile = "floors.json";
inline constexpr auto countersFile = "comparison-counters.json";
inline constexpr int formatNumber = 1;

void readResults(const JsonNode &root, Namespace &evidence);
void readProfiles(const JsonNode &root, Namespace &evidence);
void readSummary(const JsonNode &root, Namespace &evidence);
void readProgression(const JsonNode &root, Namespace &evidence);
void readFloors(const JsonNode &root, Namespace &evidence);
void readCounters(const JsonNode &root, Namespace &evidence);

// The recorded state of a measurement or capture: absent = ok; an unknown one is a contradiction and reads as Invalid;
// any but ok and not run must say why. A sound one is noted in the log. Where the file stops inside the node, its state
// may be among what is lost: that reads as Invalid.
struct RecordedState
{
    State state = State::Ok;
    QString reason;
};
RecordedState readState(const JsonNode &node, const char *stateKey = "state", const char *reasonKey = "reason");

// Whole numbers ≥ 0 (edges may be 0).
QList<qint64> readDims(const JsonNode &node);

// Sets `target` where the member is there, so that a second file does not erase what the first one said.
void readText(const JsonNode &node, const char *key, QString &target);

// Sample counts against iterations and rounds, recorded means and medians against the samples, correctness against the
// state.
void checkResults(const JsonNode &root, Namespace &evidence);

} // namespace stagecraft::evidence
