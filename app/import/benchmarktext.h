// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"
#include "jsonnode.h"

#include <QByteArray>

// What the result files of benchmark tools have in common.
namespace stagecraft::import {

// Whether a file that begins so is a JSON object, behind a byte order mark or none.
bool startsAsObject(const QByteArray &head);

// Whether the word is a number that JSON has not, as tools spell it: NaN, -Infinity, inf.
bool isSpecialNumber(QByteArrayView word);

// JSON as those tools write it: a bare NaN or Infinity, which JSON has not, becomes the text "NaN" or "Infinity", so
// that the rest can be read and whoever reads the value can say what stands there.
QByteArray withQuotedSpecials(const QByteArray &text);

// The whole of such a text as JSON. Where the text stops being JSON, or its compression is cut short, `log` gets the
// place, and the document holds everything that came before. Discarded with file.error set where there is nothing to go
// on with.
nlohmann::json readBenchmarkJson(const QString &path, evidence::ProblemLog &log, ForeignFile &file,
                                 const Cancelled &cancelled);

// A number, or text that is one (NVBench writes int64 and float64 so). May be NaN or infinite. Nothing for all else.
std::optional<double> foreignNumber(const evidence::JsonNode &node);

// µs of a time in units of `unitUs` µs. What is there and is no time above 0, or longer than a year, gives nothing and
// a contradiction; what is not there gives nothing.
std::optional<double> foreignTimeUs(const evidence::JsonNode &node, double unitUs);

// Text of a member, of any kind: a number as it stands there. Empty where there is none.
QString foreignText(const evidence::JsonNode &node);

// `name`, or another where evidence gives that name to one of this project's operations, which has other dims.
QString benchmarkOperation(const QString &name, const QList<qint64> &dims);

// "1.2 %" of 0.012.
QString percentText(double share);

// A measurement of these samples (µs). `source` as the evidence has it.
evidence::Measurement measured(const QList<double> &samplesUs, const QString &source, const QStringList &notes);

// One that is none: its state and why, and the clock that it would have been of.
evidence::Measurement notMeasured(evidence::State state, const QString &reason, const QString &source);

} // namespace stagecraft::import
