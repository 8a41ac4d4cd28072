// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"

#include "benchmarktext.h"
#include "foreignbytes.h"
#include "googlebenchmarkname.h"
#include "privacy.h"

#include <algorithm>
#include <array>

#include <QDateTime>
#include <QHash>
#include <QSet>

namespace stagecraft::import {

namespace {

using evidence::JsonNode;
using evidence::State;

const Tool googleTool{
    QStringLiteral("Google Benchmark"),
    QStringLiteral(
        "Google Benchmark: real-time is the host's clock around the iterations, divided by their number, one "
        "value for each repetition; manual-time is what the benchmark itself gave as its time, which can be "
        "of GPU events or of any other clock. Google Benchmark checks no results.")};

// What every run has; anything else is a counter, which the benchmark's author named.
const QSet<QString> &knownKeys()
{
    static const QSet<QString> keys{
        QStringLiteral("name"),
        QStringLiteral("family_index"),
        QStringLiteral("per_family_instance_index"),
        QStringLiteral("run_name"),
        QStringLiteral("run_type"),
        QStringLiteral("repetitions"),
        QStringLiteral("repetition_index"),
        QStringLiteral("threads"),
        QStringLiteral("iterations"),
        QStringLiteral("real_time"),
        QStringLiteral("cpu_time"),
        QStringLiteral("time_unit"),
        QStringLiteral("aggregate_name"),
        QStringLiteral("aggregate_unit"),
        QStringLiteral("error_occurred"),
        QStringLiteral("error_message"),
        QStringLiteral("skipped"),
        QStringLiteral("skip_message"),
        QStringLiteral("big_o"),
        QStringLiteral("rms"),
        QStringLiteral("cpu_coefficient"),
        QStringLiteral("real_coefficient"),
    };
    return keys;
}

struct Unit
{
    const char *name;
    double us;
};
constexpr std::array<Unit, 4> units{{{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}}};

// The aggregate that a run is; empty for a repetition. Files from before `run_type` say it in the name alone.
QString aggregateOf(const JsonNode &run)
{
    const QString type = foreignText(run.member("run_type"));
    if (type == QLatin1String("aggregate"))
        return foreignText(run.member("aggregate_name"));
    if (run.member("big_o").exists())
        return QStringLiteral("BigO");
    if (run.member("rms").exists())
        return QStringLiteral("RMS");
    const QString name = foreignText(run.member("name"));
    for (const char *aggregate : {"mean", "median", "stddev", "cv"}) {
        if (type.isEmpty() && name.endsWith(u'_' + QLatin1String(aggregate)))
            return QLatin1String(aggregate);
    }
    return {};
}

QString runNameOf(const JsonNode &run, const QString &aggregate)
{
    if (const QString name = foreignText(run.member("run_name")); !name.isEmpty())
        return name;
    QString name = run.requiredText("name");
    if (!aggregate.isEmpty() && name.endsWith(u'_' + aggregate))
        name.chop(aggregate.size() + 1);
    return name;
}

bool isTrue(const JsonNode &flag)
{
    return flag.exists() && flag.value()->is_boolean() && flag.value()->get<bool>();
}

// Everything that the file has of one benchmark with its arguments.
struct Benchmark
{
    QString runName;
    QList<JsonNode> repetitions;
    QHash<QString, JsonNode> aggregates; // by name
};

class GoogleReader
{
public:
    GoogleReader(const JsonNode &root, ForeignFile &file) : m_root(root), m_file(file) {}

    void read()
    {
        if (!m_root.isObject() || !m_root.member("benchmarks").isArray()) {
            m_file.error = QStringLiteral("The file has no list of benchmarks.");
            return;
        }
        readContext();
        collect();
        separateWithoutArguments();
        for (const Benchmark &benchmark : std::as_const(m_benchmarks))
            addBenchmark(benchmark);
        sayWhatIsLeftOut();
        if (m_file.series.isEmpty())
            m_file.error = QStringLiteral("The file has no run of any benchmark.");
    }

private:
    void readContext()
    {
        const JsonNode context = m_root.member("context");
        m_file.toolVersion = foreignText(context.member("library_version"));
        m_file.privateWords =
            hostWords(foreignText(context.member("host_name"))) + usersIn(foreignText(context.member("executable")));
        // Local time without its offset, as old files have it, is no point in time.
        const QString date = foreignText(context.member("date"));
        const QDateTime at = QDateTime::fromString(date, Qt::ISODate);
        if (at.isValid() && at.timeSpec() != Qt::LocalTime)
            m_file.utc = at.toUTC().toString(Qt::ISODate);
        if (foreignText(context.member("library_build_type")) == QLatin1String("debug"))
            m_notes.append(QStringLiteral("Google Benchmark itself was built for debugging, which can lengthen times"));
        if (isTrue(context.member("cpu_scaling_enabled")))
            m_notes.append(QStringLiteral("the CPU's clock was free to change"));
    }

    void collect()
    {
        QHash<QString, qsizetype> places;
        m_root.eachElement("benchmarks", [&](const JsonNode &run) {
            if (!run.requireObject())
                return;
            const QString aggregate = aggregateOf(run);
            const QString name = runNameOf(run, aggregate);
            if (name.isEmpty())
                return;
            if (!places.contains(name)) {
                places.insert(name, m_benchmarks.size());
                m_benchmarks.append({name, {}, {}});
            }
            Benchmark &benchmark = m_benchmarks[places[name]];
            if (aggregate.isEmpty())
                benchmark.repetitions.append(run);
            else if (!benchmark.aggregates.contains(aggregate))
                benchmark.aggregates.insert(aggregate, run);
            noteCounters(run);
        });
    }

    void noteCounters(const JsonNode &run)
    {
        for (const auto &[key, value] : run.value()->items()) {
            if (const QString name = QString::fromStdString(key); !knownKeys().contains(name))
                m_counters.insert(name);
        }
    }

    // Without dims, evidence takes a value for one of whichever dims its operation has.
    void separateWithoutArguments()
    {
        for (const Benchmark &benchmark : std::as_const(m_benchmarks)) {
            const GoogleBenchmarkName name = googleBenchmarkName(benchmark.runName);
            if (!name.dims.isEmpty())
                m_withArguments.insert(name.operation);
        }
    }

    void addBenchmark(const Benchmark &benchmark)
    {
        const GoogleBenchmarkName name = googleBenchmarkName(benchmark.runName);
        ForeignSeries series;
        series.operation = benchmarkOperation(name.operation, name.dims);
        if (name.dims.isEmpty() && m_withArguments.contains(name.operation))
            series.operation += QStringLiteral(" without arguments");
        series.dims = name.dims;
        series.implementation = name.isManual ? QStringLiteral("manual-time") : QStringLiteral("real-time");
        series.noKernels = QStringLiteral("Google Benchmark records no kernels");
        m_title = name.hasPath ? QString() : benchmark.runName;
        m_source = name.isManual ? QStringLiteral("manual") : QStringLiteral("host");
        if (benchmark.repetitions.isEmpty()) {
            addAggregate(benchmark, series);
            return;
        }
        m_hasAggregates = m_hasAggregates || !benchmark.aggregates.isEmpty();
        for (qsizetype i = 0; i < benchmark.repetitions.size(); ++i) {
            series.round = static_cast<int>(i);
            series.span = repetition(benchmark.repetitions[i]);
            m_file.series.append(series);
        }
    }

    evidence::Measurement repetition(const JsonNode &run)
    {
        if (run.log().stoppedInside(run.pointer()))
            return notMeasured(State::Invalid, QStringLiteral("the file stops inside this run"), m_source);
        if (isTrue(run.member("error_occurred")))
            return notMeasured(State::Failed, saidOr(run.member("error_message"), "failed, without a message"),
                               m_source);
        if (isTrue(run.member("skipped")))
            return notMeasured(State::NotRun, saidOr(run.member("skip_message"), "skipped, without a message"),
                               m_source);
        const std::optional<double> us = timeOf(run);
        if (!us)
            return notMeasured(State::Invalid, QStringLiteral("what is recorded is no time above 0 of a known unit"),
                               m_source);
        const QString iterations = foreignText(run.member("iterations"));
        const QString each =
            iterations.isEmpty()
                ? QString()
                : QStringLiteral("each sample is the mean of the iterations of one repetition (%1)").arg(iterations);
        return measured({*us}, m_source, QStringList{m_title, each} + m_notes);
    }

    static QString saidOr(const JsonNode &message, const char *otherwise)
    {
        const QString said = foreignText(message).trimmed();
        return said.isEmpty() ? QString::fromLatin1(otherwise) : said.left(300);
    }

    std::optional<double> timeOf(const JsonNode &run)
    {
        const JsonNode time = run.member("real_time");
        if (!time.exists()) {
            run.contradiction("real_time", QStringLiteral("The run has no time."));
            return std::nullopt;
        }
        const JsonNode unit = run.member("time_unit");
        const QString name = foreignText(unit);
        const auto known =
            std::ranges::find_if(units, [&name](const Unit &u) { return name == QLatin1String(u.name); });
        if (known != units.end())
            return foreignTimeUs(time, known->us);
        run.contradiction("time_unit",
                          QStringLiteral("ns, us, ms or s is expected, \"%1\" found.").arg(evidence::excerpt(name)));
        return std::nullopt;
    }

    void addAggregate(const Benchmark &benchmark, ForeignSeries &series)
    {
        for (const char *aggregate : {"mean", "median"}) {
            const auto found = benchmark.aggregates.find(QLatin1String(aggregate));
            if (found == benchmark.aggregates.end())
                continue;
            series.round = 0;
            if (const std::optional<double> us = timeOf(*found)) {
                const QString of = QStringLiteral("one value, the %1 of %2 repetitions; the repetitions themselves are "
                                                  "not in the file")
                                       .arg(QLatin1String(aggregate), repetitionsOf(*found));
                series.span = measured({*us}, m_source, QStringList{m_title, of} + m_notes);
            } else {
                series.span =
                    notMeasured(State::Invalid, QStringLiteral("what is recorded is no time above 0"), m_source);
            }
            m_file.series.append(series);
            return;
        }
        m_derivedOnly.append(benchmark.runName);
    }

    static QString repetitionsOf(const JsonNode &run)
    {
        for (const char *key : {"repetitions", "iterations"}) {
            const std::optional<double> count = foreignNumber(run.member(key));
            if (count && *count >= 1 && *count < 1e9)
                return QString::number(static_cast<qint64>(*count));
        }
        return QStringLiteral("several");
    }

    void sayWhatIsLeftOut()
    {
        m_file.leftOut.append(
            QStringLiteral("CPU times (cpu_time) are left out: they are the CPU's work, another metric "
                           "than the time around the call."));
        if (m_hasAggregates)
            m_file.leftOut.append(
                QStringLiteral("Aggregates of repetitions (mean, median, standard deviation) are left "
                               "out: the repetitions themselves are there."));
        if (!m_derivedOnly.isEmpty())
            m_file.leftOut.append(QStringLiteral("%1 entries hold no time, but a fitted complexity (big O, RMS) or "
                                                 "deviations alone, and are left out.")
                                      .arg(m_derivedOnly.size()));
        if (!m_counters.isEmpty())
            m_file.leftOut.append(
                QStringLiteral("Counters and labels are left out (%1 kinds).").arg(m_counters.size()));
    }

    const JsonNode m_root;
    ForeignFile &m_file;
    QList<Benchmark> m_benchmarks;
    QSet<QString> m_withArguments; // operations
    QSet<QString> m_counters;
    QStringList m_notes, m_derivedOnly;
    QString m_title, m_source; // of the benchmark that is being added
    bool m_hasAggregates = false;
};

ForeignFile readFile(const QString &path, const Cancelled &cancelled)
{
    ForeignFile file;
    evidence::ProblemLog log({}, &file.problems);
    const nlohmann::json document = readBenchmarkJson(path, log, file, cancelled);
    if (!document.is_discarded())
        GoogleReader(JsonNode(&document, {}, &log), file).read();
    return file;
}

bool recognises(const QString &path)
{
    const QByteArray head = firstBytes(path, 64 * 1024);
    return startsAsObject(head) && head.contains("\"context\"") &&
           (head.contains("\"num_cpus\"") || head.contains("\"library_build_type\"") || head.contains("\"run_type\""));
}

Imported readAll(const QStringList &paths, const Cancelled &cancelled)
{
    return importWith(googleTool, paths, cancelled, readFile);
}

} // namespace

const Format &googleBenchmarkFormat()
{
    static const Format format{QStringLiteral("googlebenchmark"),
                               QStringLiteral("Google Benchmark"),
                               {QStringLiteral("json")},
                               recognises,
                               readAll};
    return format;
}

} // namespace stagecraft::import
