// SPDX-License-Identifier: GPL-3.0-or-later
#include "kerneltunersession.h"

#include "benchmarktext.h"
#include "jsondocument.h"
#include "kerneltunertext.h"
#include "names.h"
#include "privacy.h"

#include <algorithm>
#include <numeric>

#include <QDateTime>

namespace stagecraft::import {

namespace {

using evidence::JsonNode;
using evidence::State;

constexpr qsizetype longestId = 40;
constexpr double msToUs = 1e3;
// Of Kernel Tuner before it had words for it: the time of what failed.
constexpr double failedTimeMs = 1e20;

struct Failure
{
    const char *word;
    State state;
    const char *reason;
};
constexpr Failure failures[] = {
    {"InvalidConfig", State::Invalid, "these parameters cannot be run on this device"},
    {"CompilationFailedConfig", State::Failed, "it did not compile"},
    {"RuntimeFailedConfig", State::Failed, "it failed when it was run"},
    // Of the T4 format.
    {"constraints", State::Invalid, "these parameters cannot be run on this device"},
    {"compile", State::Failed, "it did not compile"},
    {"runtime", State::Failed, "it failed when it was run"},
    {"timeout", State::Failed, "it took too long"},
    {"correctness", State::Failed, "its result was wrong"},
};

void fail(TunedConfiguration &configuration, State state, const QString &reason)
{
    configuration.state = state;
    configuration.reason = reason;
    configuration.timesUs.clear();
}

bool failByWord(TunedConfiguration &configuration, const QString &word)
{
    for (const Failure &failure : failures) {
        if (word == QLatin1String(failure.word)) {
            fail(configuration, failure.state, QString::fromLatin1(failure.reason));
            return true;
        }
    }
    return false;
}

class SessionReader
{
public:
    SessionReader(const QByteArray &text, const JsonNode &root, ForeignFile &file)
        : m_text(text), m_root(root), m_file(file)
    {
    }

    TuningSession read()
    {
        if (m_root.isObject() && m_root.member("cache").isObject())
            readCache();
        else if (m_root.isObject() && m_root.member("results").isArray())
            m_root.eachElement("results", [this](const JsonNode &result) { readResult(result); });
        else
            m_file.error = QStringLiteral("The file has neither a cache nor results of a tuning session.");
        m_session.version = m_root.isObject() ? foreignText(m_root.member("schema_version")) : QString();
        sortByTime();
        return m_session;
    }

private:
    void readCache()
    {
        m_session.kernel = foreignText(m_root.member("kernel_name"));
        m_session.device = foreignText(m_root.member("device_name"));
        m_session.objective = foreignText(m_root.member("objective"));
        readProblemSize(m_root.member("problem_size"));
        const QStringList names = m_root.texts("tune_params_keys");
        const JsonNode cache = m_root.member("cache");
        for (const QString &key : cacheOrder(m_text)) {
            const JsonNode entry = cache.member(key.toUtf8().constData());
            if (entry.exists() && entry.requireObject())
                readEntry(entry, names);
        }
    }

    void readProblemSize(const JsonNode &size)
    {
        if (!size.exists())
            return;
        const JsonNode list = size;
        const std::size_t count = list.isArray() ? list.size() : 1;
        QStringList words;
        for (std::size_t i = 0; i < count; ++i) {
            const JsonNode value = list.isArray() ? list.element(i) : size;
            words.append(foreignText(value));
            bool isWhole = false;
            const qint64 extent = words.last().toLongLong(&isWhole);
            if (isWhole && extent >= 0 && value.isNumber())
                m_session.dims.append(extent);
        }
        if (m_session.dims.size() == words.size())
            return;
        m_session.dims.clear();
        m_session.problemSize = words.join(QLatin1String(", "));
    }

    void readEntry(const JsonNode &entry, const QStringList &names)
    {
        TunedConfiguration configuration;
        QStringList values;
        for (const QString &name : names) {
            values.append(foreignText(entry.member(name.toUtf8().constData())));
            configuration.parameters.append(name + u'=' + values.last());
        }
        configuration.timestamp = foreignText(entry.member("timestamp"));
        readCacheTimes(entry, configuration);
        add(configuration, values);
    }

    void readCacheTimes(const JsonNode &entry, TunedConfiguration &configuration)
    {
        if (stopsInside(entry, configuration))
            return;
        for (const auto &[key, value] : entry.value()->items()) {
            if (value.is_string() && key != "timestamp" && QString::fromStdString(value).endsWith("Config") &&
                failByWord(configuration, QString::fromStdString(value)))
                return;
        }
        const JsonNode time = entry.member("time");
        if (foreignNumber(time).value_or(0) >= failedTimeMs) {
            fail(configuration, State::Failed, QStringLiteral("the tuner recorded it as failed, without a reason"));
            return;
        }
        if (entry.member("times").exists())
            readTimes(entry.member("times"), configuration);
        else
            readTime(entry, time, configuration);
    }

    static bool stopsInside(const JsonNode &entry, TunedConfiguration &configuration)
    {
        if (!entry.log().stoppedInside(entry.pointer()))
            return false;
        fail(configuration, State::Invalid, QStringLiteral("the file stops inside this configuration"));
        return true;
    }

    static void readTimes(const JsonNode &times, TunedConfiguration &configuration)
    {
        bool isSound = times.isArray() && times.size() > 0;
        if (!isSound)
            times.contradiction(QStringLiteral("A list of times is expected."));
        for (std::size_t i = 0; isSound && i < times.size(); ++i) {
            const std::optional<double> us = foreignTimeUs(times.element(i), msToUs);
            isSound = us.has_value();
            configuration.timesUs.append(us.value_or(0));
        }
        if (!isSound)
            fail(configuration, State::Invalid, QStringLiteral("its times are no times above 0"));
    }

    static void readTime(const JsonNode &entry, const JsonNode &time, TunedConfiguration &configuration)
    {
        if (!time.exists())
            entry.contradiction("time", QStringLiteral("The configuration has no time."));
        if (const std::optional<double> us = foreignTimeUs(time, msToUs))
            configuration.timesUs = {*us};
        else
            fail(configuration, State::Invalid, QStringLiteral("what is recorded is no time above 0"));
    }

    // The T4 format: of one configuration, without kernel, device and problem.
    void readResult(const JsonNode &result)
    {
        if (!result.requireObject())
            return;
        TunedConfiguration configuration;
        QStringList values;
        result.eachMember("configuration", [&](const QString &name, const JsonNode &value) {
            values.append(foreignText(value));
            configuration.parameters.append(name + u'=' + values.last());
        });
        configuration.timestamp = foreignText(result.member("timestamp"));
        if (!stopsInside(result, configuration) && !failByWord(configuration, foreignText(result.member("invalidity"))))
            readResultTimes(result, configuration);
        add(configuration, values);
    }

    static void readResultTimes(const JsonNode &result, TunedConfiguration &configuration)
    {
        const JsonNode times = result.member("times").member("runtimes");
        if (times.exists())
            return readTimes(times, configuration);
        const JsonNode list = result.member("measurements");
        for (std::size_t i = 0; list.isArray() && i < list.size(); ++i) {
            const JsonNode measurement = list.element(i);
            if (measurement.isObject() && foreignText(measurement.member("name")) == QLatin1String("time"))
                return readTime(measurement, measurement.member("value"), configuration);
        }
        readTime(result, result.member("time"), configuration);
    }

    void add(TunedConfiguration &configuration, const QStringList &values)
    {
        const qsizetype number = m_session.configurations.size() + 1;
        QString id = withoutPaths(values.join(u'_'));
        if (id.isEmpty() || id.size() > longestId || id.contains(u'/') || id.contains(u','))
            id = QStringLiteral("configuration-%1").arg(number);
        configuration.id = m_ids.of(id, longestId);
        for (QString &parameter : configuration.parameters)
            parameter = withoutPaths(parameter);
        if (!configuration.timesUs.isEmpty())
            configuration.meanUs = std::accumulate(configuration.timesUs.begin(), configuration.timesUs.end(), 0.0) /
                                   static_cast<double>(configuration.timesUs.size());
        m_session.configurations.append(configuration);
    }

    // Caches are appended to, so that their order is that of time; one that was put together of others says it itself.
    // As the tool writes them, times of UTC sort as text.
    void sortByTime()
    {
        QList<TunedConfiguration> &list = m_session.configurations;
        const bool haveTimes = std::ranges::all_of(list, [](const TunedConfiguration &configuration) {
            return configuration.timestamp.endsWith(QLatin1String("+00:00"));
        });
        if (list.isEmpty() || !haveTimes)
            return;
        std::ranges::stable_sort(list, {}, &TunedConfiguration::timestamp);
        const QDateTime begin =
            QDateTime::fromString(list.first().timestamp.left(19).replace(u' ', u'T') + u'Z', Qt::ISODate);
        if (begin.isValid())
            m_session.utc = begin.toUTC().toString(Qt::ISODate);
    }

    const QByteArray &m_text;
    const JsonNode m_root;
    ForeignFile &m_file;
    TuningSession m_session;
    UniqueNames m_ids;
};

} // namespace

TuningSession readTuningSession(QByteArray text, evidence::ProblemLog &log, ForeignFile &file)
{
    text = withQuotedSpecials(text);
    const bool isOpen = closeCache(text);
    const nlohmann::json document = evidence::parseDocument(text, log);
    if (document.is_discarded()) {
        file.error = QStringLiteral("The file's text is no JSON.");
        return {};
    }
    TuningSession session = SessionReader(text, JsonNode(&document, {}, &log), file).read();
    session.isOpen = isOpen;
    return session;
}

} // namespace stagecraft::import
