// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison.h"

#include <algorithm>

// Namespaces as values, a piece at a time, for whoever compares them.
namespace fixtures {

using namespace stagecraft::evidence;

// An implementation of an operation with one sample a round and one captured kernel an iteration.
struct Piece
{
    QString operation, implementation;
    double kernelUs = 10;
    QString stage = {}, hash = {};
    std::optional<int> registers = 32;
    QString backend = QStringLiteral("cupti"), arithmetic = QStringLiteral("fp32"), cache = {};
    QList<qint64> dims = {64, 32};
    State state = State::Ok;
    QString kernelName = QStringLiteral("kernel");
};

inline Measurement measurementOf(const Piece &piece)
{
    Measurement measurement;
    measurement.samplesUs = QList<double>(5, piece.kernelUs + 2);
    measurement.arithmetic = piece.arithmetic;
    measurement.stage = piece.stage;
    measurement.source = QStringLiteral("event");
    measurement.state = piece.state;
    measurement.reason = piece.state == State::Ok ? QString() : QStringLiteral("CUDA error 700");
    if (piece.state != State::Ok)
        measurement.samplesUs.clear();
    return measurement;
}

inline Capture captureOf(const Piece &piece)
{
    Capture capture;
    capture.operation = piece.operation;
    capture.language = piece.implementation;
    capture.backend = piece.backend;
    capture.dims = piece.dims;
    capture.cache = piece.cache;
    capture.round = 0;
    capture.stage = piece.stage;
    capture.state = piece.state;
    capture.reason = piece.state == State::Ok ? QString() : QStringLiteral("CUDA error 700");
    if (piece.state != State::Ok)
        return capture;
    capture.launches = capture.requestedIterations = 5;
    capture.kernelNames = QStringList{piece.kernelName};
    for (int i = 0; i < 5; ++i)
        capture.records.append({piece.kernelName, piece.kernelUs, QStringLiteral("4,1,1"), QStringLiteral("64,1,1"),
                                piece.registers, 0, i});
    return capture;
}

inline Namespace namespaceOf(const char *name, const QList<Piece> &pieces, const char *gpu = "NVIDIA H200")
{
    Namespace evidence;
    evidence.name = QString::fromUtf8(name);
    evidence.gpu = QString::fromUtf8(gpu);
    evidence.captureBackend = pieces.first().backend;
    for (const Piece &piece : pieces) {
        const auto isOf = [&piece](const OperationResult &result) {
            return result.operation == piece.operation && result.dims == piece.dims && result.cache == piece.cache;
        };
        auto found = std::find_if(evidence.results.begin(), evidence.results.end(), isOf);
        if (found == evidence.results.end()) {
            evidence.results.append({piece.operation, piece.dims, piece.cache, {}, {}, {Round()}});
            found = evidence.results.end() - 1;
        }
        found->rounds.first().implementations.insert(piece.implementation, measurementOf(piece));
        evidence.captures.append(captureOf(piece));
        if (!piece.hash.isEmpty())
            evidence.sourceSha256.insert(piece.stage, piece.hash);
    }
    return evidence;
}

} // namespace fixtures
