// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"

#include "foreignbytes.h"
#include "nvbenchsamples.h"
#include "privacy.h"

#include <array>
#include <cmath>

#include <QHash>
#include <QMap>
#include <QRegularExpression>

namespace stagecraft::import {

namespace {

using evidence::JsonNode;
using evidence::State;

const Tool nvbenchTool{
    QStringLiteral("NVBench"),
    QStringLiteral("NVBench: gpu-time is a CUDA-event interval around one launch after the L2 cache was flushed (cache "
                   "cold); batch-gpu-time is the mean of launches back to back, without a flush (cache warm); cpu-time "
                   "is the host's clock around the launch and its synchronisation. NVBench checks no results.")};

// One of the times that NVBench takes of a state.
struct Clock
{
    const char *mean, *count, *noise, *implementation, *source, *cache, *how;
    bool isStage; // may stand for its file in a progression
};
constexpr std::array<Clock, 4> clocks{{
    {"nv/cold/time/gpu/mean", "nv/cold/sample_size", "nv/cold/time/gpu/stdev/relative", "gpu-time", "event", "cold",
     "launches, each after a flush of the L2 cache", true},
    {"nv/batch/time/gpu/mean", "nv/batch/sample_size", "", "batch-gpu-time", "event", "warm", "launches back to back",
     true},
    {"nv/cold/time/cpu/mean", "nv/cold/sample_size", "nv/cold/time/cpu/stdev/relative", "cpu-time", "host", "cold",
     "launches with their synchronisation, each after a flush of the L2 cache", false},
    {"nv/cpu_only/time/cpu/mean", "nv/cpu_only/sample_size", "nv/cpu_only/time/cpu/stdev/relative", "cpu-time", "host",
     "", "calls", true},
}};
constexpr std::array<const char *, 2> sampleTags{"nv/json/bin:nv/cold/sample_times", "nv/json/bin:sample_times"};

using Summaries = QHash<QString, JsonNode>; // by tag

// What tells a state from the others of its benchmark.
struct Axes
{
    QList<qint64> dims;   // of the int64 axes that are not negative
    QStringList words;    // of all others: "T=I32"
    QStringList values;   // of the same, without the axes' names
    QStringList complete; // of all, as the file names them
};

Axes readAxes(const JsonNode &state)
{
    // "Elements{io}": what stands in braces is for NVBench's own tools.
    static const QRegularExpression tag(QStringLiteral("\\{[a-z]+\\}\\z"));
    Axes axes;
    const auto add = [&axes](const JsonNode &axis) {
        if (!axis.requireObject())
            return;
        const QString name = axis.requiredText("name");
        const QString value = foreignText(axis.member(axis.member("value").exists() ? "value" : "input_string"));
        bool isWhole = false;
        const qint64 size = value.toLongLong(&isWhole);
        axes.complete.append(name + u'=' + value);
        if (axis.text("type") == QLatin1String("int64") && isWhole && size >= 0) {
            axes.dims.append(size);
        } else {
            axes.words.append(QString(name).remove(tag) + u'=' + value);
            axes.values.append(value);
        }
    };
    state.eachElement("axis_values", add);
    return axes;
}

// Names of operations end at 64 characters; the axes' values are what tells states apart.
QString operationText(const QString &benchmark, const Axes &axes)
{
    const QString whole = QStringList(QStringList{benchmark} + axes.words).join(u' ');
    return whole.size() <= 64 ? whole : QStringList(QStringList{benchmark} + axes.values).join(u' ');
}

class NvbenchReader
{
public:
    NvbenchReader(const QString &path, const JsonNode &root, const Cancelled &cancelled, ForeignFile &file)
        : m_root(root), m_cancelled(cancelled), m_file(file), m_samples(path)
    {
    }

    void read()
    {
        if (!m_root.isObject() || !m_root.member("benchmarks").isArray()) {
            m_file.error = QStringLiteral("The file has no list of benchmarks.");
            return;
        }
        readVersion();
        m_root.member("meta").eachElement(
            "argv", [this](const JsonNode &argument) { m_file.privateWords += usersIn(foreignText(argument)); });
        readDevices();
        m_root.eachElement("benchmarks", [this](const JsonNode &benchmark) { readBenchmark(benchmark); });
        m_file.leftOut += m_samples.leftOut();
        if (!m_otherTags.isEmpty())
            m_file.leftOut.append(QStringLiteral("Bandwidths, rates, clocks and other figures that are no times are "
                                                 "left out (%1 kinds).")
                                      .arg(m_otherTags.size()));
        if (m_file.series.isEmpty())
            m_file.error = nothingText();
    }

private:
    void readVersion()
    {
        const JsonNode version = m_root.member("meta").member("version");
        m_file.toolVersion = foreignText(version.member("nvbench").member("string"));
        const JsonNode major = version.member("json").member("major");
        if (const auto number = foreignNumber(major); number && *number > 1)
            major.log().note(major.pointer(), QStringLiteral("NVBench's JSON of version %1; version 1 is known here: "
                                                             "what is familiar is read.")
                                                  .arg(foreignText(major)));
    }

    void readDevices()
    {
        m_root.eachElement("devices", [this](const JsonNode &device) {
            if (device.requireObject())
                m_names.insert(foreignText(device.member("id")), foreignText(device.member("name")));
        });
        QStringList used;
        const JsonNode benchmarks = m_root.member("benchmarks");
        for (std::size_t b = 0; b < benchmarks.size(); ++b) {
            const JsonNode states = benchmarks.element(b).member("states");
            for (std::size_t s = 0; states.isArray() && s < states.size(); ++s) {
                const QString id = foreignText(states.element(s).member("device"));
                if (!id.isEmpty() && !used.contains(id))
                    used.append(id);
            }
        }
        m_isSeveral = used.size() > 1;
        QStringList gpus;
        for (const QString &id : std::as_const(used)) {
            const QString name = m_names.value(id, QStringLiteral("unknown GPU"));
            gpus.append(m_isSeveral ? QStringLiteral("%1 (device %2)").arg(name, id) : name);
        }
        m_file.gpu = gpus.join(QStringLiteral("; "));
    }

    void readBenchmark(const JsonNode &benchmark)
    {
        if (!benchmark.requireObject())
            return;
        const QString name = benchmark.requiredText("name");
        if (!benchmark.member("states").exists())
            ++m_withoutStates;
        benchmark.eachElement("states", [&](const JsonNode &state) {
            if (state.requireObject() && !(m_cancelled && m_cancelled()))
                readState(state, name.isEmpty() ? QStringLiteral("unnamed") : name);
        });
    }

    void readState(const JsonNode &state, const QString &benchmark)
    {
        const Axes axes = readAxes(state);
        ForeignSeries series;
        series.dims = axes.dims;
        series.operation = benchmarkOperation(operationText(benchmark, axes), axes.dims);
        if (m_isSeveral)
            series.operation += QStringLiteral(" device %1").arg(foreignText(state.member("device")));
        series.noKernels = QStringLiteral("NVBench records no kernels");
        const JsonNode skipped = state.member("is_skipped");
        if (skipped.exists() && skipped.value()->is_boolean() && skipped.value()->get<bool>()) {
            const QString reason = foreignText(state.member("skip_reason"));
            addNone(series, State::NotRun, reason.isEmpty() ? QStringLiteral("skipped, without a reason") : reason);
            return;
        }
        if (state.log().stoppedInside(state.pointer())) {
            addNone(series, State::Invalid, QStringLiteral("the file stops inside this state"));
            return;
        }
        readTimes(state, series, axes);
    }

    void addNone(ForeignSeries &series, State state, const QString &reason)
    {
        series.implementation = QLatin1String(clocks[0].implementation);
        series.cache = QLatin1String(clocks[0].cache);
        series.span = notMeasured(state, reason, QLatin1String(clocks[0].source));
        m_file.series.append(series);
    }

    Summaries summariesOf(const JsonNode &state)
    {
        Summaries summaries;
        const JsonNode list = state.member("summaries");
        if (list.isObject()) { // before version 1 of the format
            ++m_untagged;
            return summaries;
        }
        state.eachElement("summaries", [&summaries](const JsonNode &summary) {
            if (!summary.requireObject())
                return;
            const QString tag = summary.requiredText("tag");
            if (!tag.isEmpty() && !summaries.contains(tag))
                summaries.insert(tag, summary);
        });
        return summaries;
    }

    void readTimes(const JsonNode &state, ForeignSeries &series, const Axes &axes)
    {
        const Summaries summaries = summariesOf(state);
        bool any = false;
        for (const Clock &clock : clocks) {
            const auto mean = summaries.find(QLatin1String(clock.mean));
            if (mean == summaries.end())
                continue;
            any = true;
            addTime(*mean, clock, summaries, series, axes);
        }
        if (!any && !state.member("summaries").isObject())
            addNone(series, State::Unavailable, QStringLiteral("the file has no time of this state"));
        for (auto it = summaries.begin(); it != summaries.end(); ++it) {
            if (!it.key().contains(QLatin1String("/time/")) && !it.key().contains(QLatin1String("sample_")) &&
                !it.key().contains(QLatin1String("walltime")))
                m_otherTags.insert(it.key());
        }
    }

    void addTime(const JsonNode &summary, const Clock &clock, const Summaries &summaries, ForeignSeries series,
                 const Axes &axes)
    {
        series.implementation = QLatin1String(clock.implementation);
        series.cache = QLatin1String(clock.cache);
        series.isProgressionStage = clock.isStage;
        const JsonNode value = summaryData(summary, "value");
        const std::optional<double> us = foreignTimeUs(value, 1e6);
        if (!us) {
            if (!value.exists())
                summary.contradiction("data", QStringLiteral("The summary has no value."));
            series.span = notMeasured(State::Invalid, QStringLiteral("what is recorded is no time above 0"),
                                      QLatin1String(clock.source));
        } else if (foreignText(summary.member("description")).contains(QLatin1String("CUPTI"))) {
            setKernels(series, *us, axes);
        } else {
            series.span = measurementOf(*us, clock, summaries, axes);
        }
        m_file.series.append(series);
    }

    // NVBench can time by CUPTI in place of events: from the first kernel's start to the last one's end.
    static void setKernels(ForeignSeries &series, double us, const Axes &axes)
    {
        evidence::KernelRecord record;
        record.kernelName = QStringLiteral("first start to last end of %1 (%2)")
                                .arg(series.operation, axes.complete.join(QStringLiteral(", ")));
        record.durationUs = us;
        series.records = {record};
        series.backend = QStringLiteral("cupti");
        series.noSpan = QStringLiteral("NVBench timed by CUPTI, not by events");
    }

    evidence::Measurement measurementOf(double us, const Clock &clock, const Summaries &summaries, const Axes &axes)
    {
        QList<double> samples;
        if (&clock == &clocks[0])
            samples = samplesOf(summaries, us);
        const std::optional<double> count = numberOf(summaries, clock.count);
        QString what = QLatin1String(clock.how);
        if (count && *count >= 1 && *count < 1e15)
            what.prepend(QString::number(static_cast<qint64>(*count)) + u' ');
        if (samples.isEmpty())
            what =
                QStringLiteral("one value, the mean of ") + what + QStringLiteral("; the single times are not there");
        QStringList notes{axes.complete.join(QStringLiteral(", ")), what};
        if (const auto noise = numberOf(summaries, clock.noise); noise && std::isfinite(*noise) && *noise >= 0)
            notes.append(QStringLiteral("relative standard deviation %1").arg(percentText(*noise)));
        if (samples.isEmpty())
            samples = {us};
        return measured(samples, QLatin1String(clock.source), notes);
    }

    QList<double> samplesOf(const Summaries &summaries, double us)
    {
        for (const char *tag : sampleTags) {
            const auto found = summaries.find(QLatin1String(tag));
            if (found != summaries.end())
                return m_samples.read(*found, us);
        }
        return {};
    }

    static std::optional<double> numberOf(const Summaries &summaries, const char *tag)
    {
        const auto found = summaries.find(QLatin1String(tag));
        return found == summaries.end() ? std::nullopt : foreignNumber(summaryData(*found, "value"));
    }

    QString nothingText() const
    {
        if (m_untagged > 0)
            return QStringLiteral("The file was written by an NVBench from before version 1 of its JSON, whose values "
                                  "have no tags: write it anew with a newer NVBench.");
        if (m_withoutStates > 0)
            return QStringLiteral(
                "The file lists benchmarks and has no results: write it with --json, without --list.");
        return QStringLiteral("The file has no state of any benchmark.");
    }

    const JsonNode m_root;
    const Cancelled &m_cancelled;
    ForeignFile &m_file;
    NvbenchSamples m_samples;
    QHash<QString, QString> m_names; // of devices, by id
    QSet<QString> m_otherTags;
    bool m_isSeveral = false; // several devices took part
    int m_untagged = 0, m_withoutStates = 0;
};

ForeignFile readFile(const QString &path, const Cancelled &cancelled)
{
    ForeignFile file;
    evidence::ProblemLog log({}, &file.problems);
    const nlohmann::json document = readBenchmarkJson(path, log, file, cancelled);
    if (!document.is_discarded())
        NvbenchReader(path, JsonNode(&document, {}, &log), cancelled, file).read();
    return file;
}

bool recognises(const QString &path)
{
    const QByteArray head = firstBytes(path, 256 * 1024);
    return startsAsObject(head) && head.contains("\"benchmarks\"") &&
           (head.contains("\"nvbench\"") || head.contains("\"ptx_version\"") ||
            head.contains("\"type_config_index\"") || head.contains("\"nv/cold/"));
}

Imported readAll(const QStringList &paths, const Cancelled &cancelled)
{
    return importWith(nvbenchTool, paths, cancelled, readFile);
}

} // namespace

const Format &nvbenchFormat()
{
    static const Format format{
        QStringLiteral("nvbench"), QStringLiteral("NVBench"), {QStringLiteral("json")}, recognises, readAll};
    return format;
}

} // namespace stagecraft::import
