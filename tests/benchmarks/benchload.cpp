// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventpulse.h"
#include "evidenceloader.h"
#include "evidencereader.h"
#include "evidencewriter.h"

#include <QDir>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QTemporaryDir>
#include <QTextStream>
#include <QThreadPool>

#include <ctime>

// stagecraft-bench-load: opens 100 namespaces of about 900 KB each (raw samples and kernel records of an H200) as the
// window does, on the thread pool. Prints how long that takes. Exits 1 where it takes longer than 2 s, the event loop
// kept an event waiting for longer than three frames, threads went on reading for more than 100 ms after cancelling, or
// anything was lost or found wrong. The files were written a
// moment ago, so the disk's own speed is not in it.

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

constexpr int namespaceCount = 100;
constexpr double totalLimitMs = 2000;
constexpr double turnLimitMs = 50;
constexpr double cancelLimitMs = 100;
constexpr qint64 leastBytes = 880'000, mostBytes = 1'000'000;

// The bundled namespace with one round more, so that it has the size of the ones that this is about.
evidence::Namespace original()
{
    evidence::Namespace evidence = evidence::readNamespace(evidence::bundledPath(QStringLiteral("h200-001")));
    const int rounds = evidence.roundsDeclared.value_or(0);
    for (evidence::OperationResult &result : evidence.results) {
        evidence::Round round = result.rounds.constFirst();
        round.index = rounds;
        result.rounds.append(round);
    }
    const QList<evidence::Capture> captures = evidence.captures;
    for (evidence::Capture capture : captures) {
        if (capture.round != 0)
            continue;
        capture.round = rounds;
        evidence.captures.append(capture);
    }
    evidence.roundsDeclared = rounds + 1;
    return evidence;
}

struct Written
{
    QStringList paths;
    qint64 bytesEach = 0, samplesEach = 0, recordsEach = 0;
};

qint64 sampleCount(const evidence::Namespace &evidence)
{
    qint64 count = 0;
    for (const evidence::OperationResult &result : evidence.results)
        for (const evidence::Round &round : result.rounds)
            for (const evidence::Measurement &measurement : round.implementations)
                count += measurement.samplesUs.size();
    return count;
}

qint64 recordCount(const evidence::Namespace &evidence)
{
    qint64 count = 0;
    for (const evidence::Capture &capture : evidence.captures)
        count += capture.records.size();
    return count;
}

Written writeNamespaces(const QDir &directory)
{
    evidence::Namespace evidence = original();
    Written written{.paths = {}, .samplesEach = sampleCount(evidence), .recordsEach = recordCount(evidence)};
    for (int i = 0; i < namespaceCount; ++i) {
        evidence.experimentId = QStringLiteral("bench-%1").arg(i);
        const QString path = directory.filePath(evidence.experimentId);
        if (const QString error = evidence::writeNamespace(evidence, path); !error.isEmpty())
            qFatal("%s", qPrintable(error));
        written.paths.append(path);
    }
    const QFileInfoList files = QDir(written.paths.constFirst()).entryInfoList(QDir::Files);
    for (const QFileInfo &file : files)
        written.bytesEach += file.size();
    return written;
}

double processCpuMs()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

double elapsedMs(const QElapsedTimer &timer)
{
    return double(timer.nsecsElapsed()) / 1e6;
}

QList<EvidenceSource> sourcesOf(const QStringList &paths)
{
    QList<EvidenceSource> sources;
    for (const QString &path : paths)
        sources.append({.paths = {path}, .shown = false});
    return sources;
}

// From cancelling, once some were read, until no thread reads any more.
double cancelMs(EvidenceLoader &loader, const QStringList &paths)
{
    QElapsedTimer timer;
    const auto counter = QObject::connect(&loader, &EvidenceLoader::loaded, &loader, [&] {
        if (loader.done() != namespaceCount / 10)
            return;
        timer.start();
        loader.cancel();
    });
    loader.load(sourcesOf(paths));
    QGuiApplication::exec();
    QThreadPool::globalInstance()->waitForDone();
    QObject::disconnect(counter);
    return elapsedMs(timer);
}

} // namespace

int main(int argc, char **argv)
{
    QGuiApplication application(argc, argv);
    if (qEnvironmentVariableIsEmpty("STAGECRAFT_RESOURCES"))
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
    const QTemporaryDir scratch;
    const Written written = writeNamespaces(QDir(scratch.path()));
    EvidenceLoader loader;
    QList<NamespacePointer> opened;
    QObject::connect(&loader, &EvidenceLoader::loaded, &application,
                     [&](const LoadedEvidence &one) { opened.append(one.evidence); });
    QObject::connect(&loader, &EvidenceLoader::finished, &application, [] { QGuiApplication::quit(); });
    EventPulse pulse;
    QElapsedTimer timer;
    const double cpuBefore = processCpuMs();
    timer.start();
    loader.load(sourcesOf(written.paths));
    QGuiApplication::exec();
    const double total = elapsedMs(timer), cpu = processCpuMs() - cpuBefore;
    const double turn = pulse.longestMs(), turnCpu = pulse.longestCpuMs();
    const bool whole = std::ranges::all_of(opened, [&](const NamespacePointer &one) {
        return !one->hasContradiction() && sampleCount(*one) == written.samplesEach &&
               recordCount(*one) == written.recordsEach;
    });
    const double cancelled = cancelMs(loader, written.paths);
    QTextStream out(stdout);
    out.setRealNumberNotation(QTextStream::FixedNotation);
    out.setRealNumberPrecision(1);
    out << "opening " << namespaceCount << " namespaces of " << written.bytesEach / 1000 << " KB ("
        << written.samplesEach << " samples, " << written.recordsEach << " kernel records each): " << total
        << " ms (limit " << totalLimitMs << " ms)\n"
        << "  computed on all threads: " << cpu << " ms\n"
        << "longest event-loop turn: " << turn << " ms (limit " << turnLimitMs << " ms), of it computed " << turnCpu
        << " ms\n"
        << "all threads idle after cancelling: " << cancelled << " ms (limit " << cancelLimitMs << " ms)\n"
        << "read whole and without contradiction: " << (whole ? "yes" : "no") << "\n";
    const bool size = written.bytesEach >= leastBytes && written.bytesEach <= mostBytes;
    return total <= totalLimitMs && turn <= turnLimitMs && cancelled <= cancelLimitMs && whole && size ? 0 : 1;
}
