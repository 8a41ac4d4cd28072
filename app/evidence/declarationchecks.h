// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonnode.h"

// What a file of this project's format says about itself must hold throughout the namespace. Each function takes the
// root of a file whose content is in `evidence` already and logs a contradiction under its pointer. Files without
// `format` are mage's: they lack keys that these checks rest on, so only sums and names are checked there. What is lost
// behind a place where the text stops is no contradiction of its own.
namespace stagecraft::evidence {

void checkResultDeclarations(const JsonNode &root, Namespace &evidence);
void checkProfileDeclarations(const JsonNode &root, Namespace &evidence);

// Operation, dims and cache state of each floor, and that it is a time; one whose dims nothing tells is noted.
void checkFloorDeclarations(const JsonNode &root, Namespace &evidence);

// Each entry of comparison-counters.json once, of what was measured here, with kernels where its state is ok; kernels
// that no kernel record has are noted.
void checkCounterDeclarations(const JsonNode &root, Namespace &evidence);

// The text at a node; empty for anything else, without a word in the log.
QString stringAt(const JsonNode &node);

// The parts, each an idea of its own. Internal to the functions above.

// Rounds have an index each; every implementation of an operation has samples or a state in every round and a place in
// its order.
void checkRounds(const JsonNode &root, const Namespace &evidence);

// A case (operation, dims, cache) occurs once; the rounds of an implementation are of one stage, arithmetic and timing
// source, else those that differ from the first become Invalid; no span is 0.
void checkSeries(const JsonNode &root, Namespace &evidence);

// Captures occur once, belong to a result and to one of its rounds.
void checkCaptureOwners(const JsonNode &root, const Namespace &evidence);

// The same of counters: they belong to a result.
void checkCounterOwners(const JsonNode &root, const Namespace &evidence);

// Values that come from a fixed set or have a fixed form: states, sources, backends, launch dimensions.
void checkMeasurementWords(const JsonNode &root, const Namespace &evidence);
void checkCaptureWords(const JsonNode &root, const Namespace &evidence);

// `key` of a result or capture names the operation, its `dims` are as many as that operation has. An unknown operation
// may have any number of dims and a name of letters, digits, '.', '_' and '-'.
void checkOperationName(const JsonNode &node, const char *key);
void checkDimsCount(const JsonNode &node, const QString &operation);

// One of the two words; other types than text are reported where the value is read.
void checkWord(const JsonNode &node, const char *first, const char *second);

// A state that is there is no empty text.
void checkStateText(const JsonNode &state);

// A grid or a block, "x,y,z", of each record of a list in turn: `last` is the text that was found sound before, since
// neighbours mostly have the same; nullptr for the first.
void checkExtent(const JsonNode &record, const char *key, const std::string *&last);

// Times are finite, but their sum may not be: such entries become Invalid, so that no value is derived from them.
void checkSampleTotals(const JsonNode &root, Namespace &evidence);
void checkKernelTotals(const JsonNode &root, Namespace &evidence);

} // namespace stagecraft::evidence
