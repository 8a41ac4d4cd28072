// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importer.h"

#include <QSet>

// What the readers of foreign formats have in common: each reads one file into plain values, and importWith() makes one
// namespace of all of them.
namespace stagecraft::import {

// No time of a kernel or call is longer (a year, µs), nor shorter than any clock tells (1 ps).
inline constexpr double longestTimeUs = 366.0 * 24 * 3600 * 1e6, shortestTimeUs = 1e-6;

// One implementation of one operation, of one file: spans, kernel records or both.
struct ForeignSeries
{
    // As the file names it: a kernel's base name, a benchmark. Any text: importWith() makes an operation's name of it,
    // the same for the same text in every file, and leaves out whatever of it is a path.
    QString operation;
    QString implementation; // empty: the file itself is the implementation
    QList<qint64> dims;
    QString cache;            // "warm", "cold"; empty: the file does not say
    std::optional<int> round; // from 0; absent: the only one

    // Source "event" or "host". A tool that compared no output with a reference leaves `correctness` absent: the
    // evidence says that it is imported, so this is no contradiction there. Absent: noSpan says why, as a clause.
    std::optional<evidence::Measurement> span;
    QString noSpan;

    // Kernel records in the order of the launches; absent values are "not recorded".
    QList<evidence::KernelRecord> records;
    qint64 invalidRecords = 0;       // launches of zero, negative or missing duration: counted, left out of records
    int iterations = 0;              // that the launches belong to; 0: each launch is one
    QStringList kernelNames;         // also of launches that were left out
    QSet<QString> knownKernels = {}; // those of kernelNames, to look up
    QString backend; // "cupti", "nsys"; empty: the file records no kernels, noKernels says why, as a clause
    QString noKernels;

    // Of the file's own progression: its stage's id. That is taken where there is one file only.
    QString stageId = {};

    bool isProgressionStage = true; // whether it may stand for its file in a progression; the first such one does
};

// Everything of one file that may become evidence. Only what is known to be harmless is put here: no host and user
// names, no paths.
struct ForeignFile
{
    QString gpu, driver, cuda, utc; // utc as "2026-01-31T12:00:00Z"; empty: not recorded
    QString toolVersion;            // of the tool that wrote the file: "2025.1.1", "schema 3.25.0"
    QList<ForeignSeries> series;
    // How the tool that wrote the file got where it is, an auto-tuner's: operations as in series, stages by their
    // series' stageId. Taken where there is one file only, since several files are stages themselves.
    QList<evidence::OperationProgression> progressions = {};
    QStringList leftOut;               // sentences on what the file has and the evidence has not, and why
    QList<evidence::Problem> problems; // damage: what is wrong, where, and what it costs; `file` is filled in
    QStringList privateWords = {};     // host and user names that the file records: hidden wherever they stand
    QString error;                     // set: nothing of it could be read, and why, as a sentence
};

struct Tool
{
    QString title;  // "Nsight Systems"
    QString timing; // how its times come about, a sentence for the evidence's `timing`
};

using ReadForeignFile = ForeignFile (*)(const QString &path, const Cancelled &cancelled);

// The namespace of all files, in their order. A file that cannot be read is a problem of the namespace; that none can
// be read is an error. Several files: each is an implementation, and a stage of the progression of every operation that
// all of them have. Never throws.
Imported importWith(const Tool &tool, const QStringList &paths, const Cancelled &cancelled, ReadForeignFile readFile);

} // namespace stagecraft::import
