// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencereader.h"
#include "statistics.h"
#include "viewcatalogue.h"

#include <QTest>

// Small namespaces as values, and ways into figures and tables.
namespace fixtures {

using namespace stagecraft;

inline void useSourceResources()
{
    qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
}

inline evidence::Namespace note(const char *name)
{
    return evidence::readNamespace(evidence::bundledPath(QString::fromUtf8(name)));
}

inline evidence::Measurement measured(const QList<double> &samples, const QString &source = QStringLiteral("event"))
{
    evidence::Measurement measurement;
    measurement.samplesUs = samples;
    measurement.source = source;
    measurement.arithmetic = QStringLiteral("fp32");
    return measurement;
}

inline evidence::Measurement stateOnly(evidence::State state, const QString &reason,
                                       const QString &source = QStringLiteral("event"))
{
    evidence::Measurement measurement;
    measurement.state = state;
    measurement.reason = reason;
    measurement.source = source;
    return measurement;
}

inline evidence::Capture captured(const QString &implementation, int round, const QList<double> &durations,
                                  int iterations)
{
    evidence::Capture capture;
    capture.operation = QStringLiteral("matmul");
    capture.dims = {128, 96, 64};
    capture.cache = QStringLiteral("warm");
    capture.language = implementation;
    capture.backend = QStringLiteral("cupti");
    capture.round = round;
    capture.requestedIterations = iterations;
    capture.launches = static_cast<int>(durations.size());
    capture.kernelNames = {implementation + QStringLiteral("_kernel")};
    for (const double us : durations)
        capture.records.append(
            {capture.kernelNames.first(), us, QStringLiteral("4,1,1"), QStringLiteral("256,1,1"), 32, 0});
    return capture;
}

inline evidence::Capture notCaptured(const QString &implementation, int round, const QString &reason)
{
    evidence::Capture capture = captured(implementation, round, {}, 0);
    capture.kernelNames.clear();
    capture.backend.clear();
    capture.state = evidence::State::Unavailable;
    capture.reason = reason;
    return capture;
}

inline const QString cpuReason = QStringLiteral("the CPU launches no GPU kernels");

// matmul 128×96×64 in two rounds. `cuda`: spans 20…24 and 21…25, kernel 10 and 12; `cublas`: span 8, two kernels of 3.
inline evidence::Namespace gpuRun()
{
    evidence::Namespace evidence;
    evidence.name = QStringLiteral("h200-fixture");
    evidence.gpu = QStringLiteral("NVIDIA H200");
    evidence.utc = QStringLiteral("2026-09-10T12:00:00Z");
    evidence.precision = QStringLiteral("FP32");
    evidence.captureBackend = QStringLiteral("cupti");
    evidence.timestampMode = QStringLiteral("nanoseconds");
    evidence.roundsDeclared = 2;
    evidence::OperationResult result{QStringLiteral("matmul"), {128, 96, 64}, QStringLiteral("warm"), {}, {}, {}};
    for (int round = 0; round < 2; ++round) {
        evidence::Measurement cuda = measured({20.0 + round, 21.0 + round, 22.0 + round, 23.0 + round, 24.0 + round});
        cuda.stage = QStringLiteral("matmul/tiled");
        result.rounds.append(
            {round, {}, {}, {{QStringLiteral("cuda"), cuda}, {QStringLiteral("cublas"), measured({8, 8, 8, 8, 8})}}});
        evidence.captures.append(captured(QStringLiteral("cuda"), round, {10.0 + 2 * round, 10.0 + 2 * round}, 2));
        evidence.captures.append(captured(QStringLiteral("cublas"), round, {3, 3, 3, 3}, 2));
    }
    evidence.results = {result};
    return evidence;
}

// Adds the host worker's measurement to both rounds: spans of 900 µs by the CPU's clock, no kernel time.
inline void addHost(evidence::Namespace &evidence)
{
    for (evidence::Round &round : evidence.results[0].rounds) {
        round.implementations[QStringLiteral("host")] = measured({900, 900, 900, 900, 900}, QStringLiteral("host"));
        evidence.captures.append(notCaptured(QStringLiteral("host"), round.index, cpuReason));
    }
}

inline evidence::Namespace cpuRun()
{
    evidence::Namespace evidence = gpuRun();
    evidence.name = QStringLiteral("cpu-fixture");
    evidence.gpu.clear();
    evidence.captureBackend.clear();
    evidence.timestampMode.clear();
    evidence.captures.clear();
    for (evidence::Round &round : evidence.results[0].rounds)
        round.implementations.clear();
    addHost(evidence);
    return evidence;
}

inline const widgets::FigureBar &barOf(const widgets::FigurePanel &panel, const QString &label)
{
    for (const widgets::FigureBar &bar : panel.bars)
        if (bar.label == label)
            return bar;
    qFatal("no bar %s in %s", qPrintable(label), qPrintable(panel.title));
}

inline QStringList barLabels(const widgets::FigurePanel &panel)
{
    QStringList labels;
    for (const widgets::FigureBar &bar : panel.bars)
        labels.append(bar.label);
    return labels;
}

inline QStringList columnIds(const widgets::ValueTable &table)
{
    QStringList ids;
    for (const widgets::ValueColumn &column : table.columns)
        ids.append(column.id);
    return ids;
}

// The cell of the column with this id; a test fails where the table has no such column.
inline widgets::ValueCell cell(const widgets::ValueTable &table, qsizetype row, const char *id)
{
    const qsizetype column = columnIds(table).indexOf(QString::fromUtf8(id));
    if (column < 0 || row >= table.rows.size())
        qFatal("no cell %s in row %d of %s", id, int(row), qPrintable(table.title));
    return table.rows[row][column];
}

// As people see it.
inline QString shown(const widgets::ValueTable &table, qsizetype row, const char *id)
{
    const widgets::ValueCell found = cell(table, row, id);
    const widgets::ValueColumn &column = table.columns[columnIds(table).indexOf(QString::fromUtf8(id))];
    return found.number ? widgets::displayNumber(*found.number, column) : found.text;
}

} // namespace fixtures
