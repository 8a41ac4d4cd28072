// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencemodel.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <numeric>

// Small sound namespaces that a test changes in one place.
namespace fixtures {

using nlohmann::json;

inline void useSourceResources()
{
    qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
}

inline QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline json parsed(const QString &path)
{
    return json::parse(contents(path).toStdString());
}

inline void write(const QString &path, const QByteArray &text)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

inline void write(const QString &path, const json &document)
{
    write(path, QByteArray::fromStdString(document.dump(1)));
}

// For QCOMPARE, which cannot print a document.
inline QString text(const json &document)
{
    return QString::fromStdString(document.dump(1));
}

// `samples` spans of about `us`, the mean of which is `us` for an odd count.
inline json measurement(int samples, double us)
{
    json list = json::array();
    for (int i = 0; i < samples; ++i)
        list.push_back(us + 0.125 * (i - samples / 2));
    return {{"samples_us", list},
            {"warmup", 25},
            {"iterations", samples},
            {"source", "event"},
            {"arithmetic", "fp32"},
            {"correctness",
             {{"passed", true}, {"max_abs_error", 1e-6}, {"rtol", 1e-4}, {"atol", 1e-4}, {"checked_elements", 64}}}};
}

// One operation (matmul 8×8×8), `cuda` and `cublas`, as many rounds and samples as asked for.
inline json results(int rounds = 3, int samples = 101)
{
    json list = json::array();
    for (int r = 0; r < rounds; ++r) {
        json cuda = measurement(samples, 20.0 + r);
        cuda["stage"] = "matmul/tiled";
        list.push_back({{"index", r},
                        {"order", {"cuda", "cublas"}},
                        {"gpu_state", "NVIDIA H200, 45, 1980 MHz, 0x0000000000000000"},
                        {"implementations", {{"cuda", cuda}, {"cublas", measurement(samples, 10.0)}}}});
    }
    return {{"format", 1},
            {"experiment_id", "fixture"},
            {"gpu", "NVIDIA H200"},
            {"rounds", rounds},
            {"iterations_per_round", samples},
            {"warmup_per_round", 25},
            {"results", {{{"op", "matmul"}, {"dims", {8, 8, 8}}, {"cache", "warm"}, {"rounds", list}}}}};
}

inline json capture(const char *language, int round, int iterations, double us, int perIteration = 1)
{
    json records = json::array();
    for (int i = 0; i < iterations * perIteration; ++i)
        records.push_back({{"kernel_name", "kernel" + std::to_string(i % perIteration)},
                           {"duration_us", us},
                           {"grid_size", "4,1,1"},
                           {"block_size", "256,1,1"},
                           {"registers_per_thread", 32},
                           {"shared_mem_bytes", 0}});
    json names = json::array();
    for (int k = 0; k < perIteration; ++k)
        names.push_back("kernel" + std::to_string(k));
    return {{"operation", "matmul"},
            {"language", language},
            {"backend", "cupti"},
            {"dims", {8, 8, 8}},
            {"cache", "warm"},
            {"round", round},
            {"launches", iterations * perIteration},
            {"requested_iterations", iterations},
            {"kernel_names", names},
            {"kernel_metrics", records}};
}

inline json profiles(int rounds = 3, int iterations = 10)
{
    json captures = json::array();
    for (int r = 0; r < rounds; ++r) {
        captures.push_back(capture("cuda", r, iterations, 12.0 + r));
        captures.push_back(capture("cublas", r, iterations, 3.0, 2));
    }
    return {{"format", 1}, {"experiment_id", "fixture"}, {"backend", "cupti"}, {"captures", captures}};
}

inline json summary()
{
    return {{"format", 1},
            {"gpu", "NVIDIA H200"},
            {"rounds", 3},
            {"samples", 300},
            {"rows",
             {{{"op", "matmul"},
               {"label", "Matrix multiplication"},
               {"dims", {8, 8, 8}},
               {"measurements",
                {{"cuda",
                  {{"event", 20.0}, {"event_min", 19.0}, {"event_max", 21.0}, {"kernel", 12.0}, {"launches", 1}}}}}}}}};
}

inline QList<stagecraft::evidence::Problem> contradictions(const stagecraft::evidence::Namespace &evidence)
{
    QList<stagecraft::evidence::Problem> list;
    std::copy_if(evidence.problems.begin(), evidence.problems.end(), std::back_inserter(list),
                 [](const auto &problem) { return problem.fatal; });
    return list;
}

inline QString described(const QList<stagecraft::evidence::Problem> &problems)
{
    QStringList lines;
    for (const auto &problem : problems)
        lines.append(problem.file + QLatin1Char(' ') + problem.pointer + QLatin1String(": ") + problem.cause);
    return lines.join(QLatin1Char('\n'));
}

} // namespace fixtures
