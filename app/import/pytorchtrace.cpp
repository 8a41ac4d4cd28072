// SPDX-License-Identifier: GPL-3.0-or-later
#include "pytorchtrace.h"

#include "foreignbytes.h"
#include "names.h"
#include "privacy.h"
#include "tracebytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <limits>
#include <streambuf>
#include <vector>

namespace stagecraft::import {

namespace {

using nlohmann::json;

constexpr qsizetype mostLaunches = 4'000'000;
constexpr std::size_t deepestNesting = 64;
constexpr qint64 mostBytes = qint64{8} << 30; // of a decompressed trace
constexpr qint64 eventsBetweenQuestions = 1000;

// ForeignBytes as the parser wants it: without what would end the whole trace for one value.
class ByteStream : public std::streambuf
{
public:
    explicit ByteStream(const QString &path) : m_source(path), m_buffer(1 << 18) {}

    QString problem() const
    {
        if (m_total > mostBytes)
            return QStringLiteral("The trace is larger than %1 GiB, which is the most that is read.")
                .arg(mostBytes >> 30);
        return m_cleaner.problem().isEmpty() ? m_source.problem() : m_cleaner.problem();
    }

protected:
    int_type underflow() override
    {
        qint64 ready = 0;
        while (ready == 0 && !m_isEnd && m_cleaner.problem().isEmpty() && m_total <= mostBytes)
            ready = refill();
        if (ready == 0)
            return traits_type::eof();
        setg(m_buffer.data(), m_buffer.data(), m_buffer.data() + ready);
        return traits_type::to_int_type(*gptr());
    }

private:
    // What was not ready the last time goes before the bytes that come next.
    qint64 refill()
    {
        std::copy(m_buffer.data() + m_ready, m_buffer.data() + m_filled, m_buffer.data());
        const qint64 kept = m_filled - m_ready;
        const qint64 bytes =
            std::max<qint64>(m_source.read(m_buffer.data() + kept, static_cast<qint64>(m_buffer.size()) - kept), 0);
        m_total += bytes;
        m_isEnd = bytes == 0;
        m_filled = kept + bytes;
        m_ready = m_cleaner.clean(m_buffer.data(), m_filled, m_isEnd);
        return m_ready;
    }

    ForeignBytes m_source;
    TraceBytes m_cleaner;
    std::vector<char> m_buffer;
    qint64 m_filled = 0, m_ready = 0, m_total = 0;
    bool m_isEnd = false;
};

// Where in the document the parser is; everything else is passed over.
enum class Place
{
    Root,
    Events,
    Event,
    Arguments,
    Extents,
    Devices,
    Device,
    Other
};

struct EventValues
{
    bool isComplete = false, isKernel = false; // ph "X"; cat "kernel"
    std::string name;
    std::optional<double> start, duration;
    std::optional<double> device, registers, shared;
    std::array<QList<double>, 2> extents; // grid, block
};

std::optional<qint64> wholeWithin(const std::optional<double> &value, qint64 least, qint64 most)
{
    const bool fits = value && std::floor(*value) == *value && *value >= static_cast<double>(least) &&
                      *value <= static_cast<double>(most);
    return fits ? std::optional(static_cast<qint64>(*value)) : std::nullopt;
}

QString extentsText(const QList<double> &values)
{
    QStringList parts;
    for (const double value : values) {
        const auto extent = wholeWithin(value, 1, std::numeric_limits<qint32>::max());
        if (!extent)
            return {};
        parts.append(QString::number(*extent));
    }
    return parts.size() == 3 ? parts.join(u',') : QString();
}

class TraceReader : public nlohmann::json_sax<json>
{
public:
    TraceReader(PytorchTrace &trace, const Cancelled &cancelled) : m_trace(trace), m_cancelled(cancelled) {}

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value), value); }
    bool number_unsigned(number_unsigned_t value) override
    {
        const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<qint64>::max());
        return number(static_cast<double>(value), fits ? std::optional(static_cast<qint64>(value)) : std::nullopt);
    }
    bool number_float(number_float_t value, const string_t & /*text*/) override { return number(value, std::nullopt); }
    bool binary(binary_t & /*value*/) override { return false; } // text JSON has none

    bool string(string_t &value) override
    {
        if (place() == Place::Event) {
            if (m_key == "ph")
                m_event.isComplete = value == "X";
            else if (m_key == "cat")
                m_event.isKernel = value == "kernel" || value == "Kernel";
            else if (m_key == "name")
                m_event.name = std::move(value);
        } else if (place() == Place::Device && m_key == "name") {
            m_deviceName = withoutPaths(QString::fromStdString(value)).left(100);
        } else if (place() == Place::Root) {
            notePrivate(QString::fromStdString(value));
        }
        return true;
    }

    bool key(string_t &name) override
    {
        m_key = std::move(name);
        if (place() == Place::Root && m_key.starts_with("roctracer"))
            m_trace.isRocm = true;
        return true;
    }

    bool start_object(std::size_t /*elements*/) override
    {
        switch (place()) {
        case Place::Events:
            m_event = {};
            return enter(Place::Event);
        case Place::Devices:
            m_deviceName.clear();
            m_deviceId.reset();
            return enter(Place::Device);
        case Place::Event:
            return enter(m_key == "args" ? Place::Arguments : Place::Other);
        default:
            return enter(m_places.empty() ? Place::Root : Place::Other);
        }
    }

    bool start_array(std::size_t /*elements*/) override
    {
        const Place parent = place();
        // A trace may be the list of its events alone.
        if (m_places.empty() || (parent == Place::Root && m_key == "traceEvents"))
            return enter(Place::Events);
        if (parent == Place::Root && m_key == "deviceProperties")
            return enter(Place::Devices);
        const bool isExtents = parent == Place::Arguments && (m_key == "grid" || m_key == "block");
        return enter(isExtents ? Place::Extents : Place::Other);
    }

    bool end_array() override { return leave(); }
    bool end_object() override
    {
        const Place ended = place();
        if (ended == Place::Device && m_deviceId && !m_deviceName.isEmpty())
            m_trace.deviceNames.insert(*m_deviceId, m_deviceName);
        return leave() && (ended != Place::Event || finishEvent());
    }

    bool parse_error(std::size_t position, const std::string & /*token*/,
                     const nlohmann::detail::exception & /*error*/) override
    {
        stop(QStringLiteral("Reading stopped at byte %1: the text is no JSON from there, or ends.").arg(position));
        return false;
    }

private:
    Place place() const { return m_places.empty() ? Place::Other : m_places.back(); }

    bool enter(Place place)
    {
        if (m_places.size() >= deepestNesting) {
            stop(QStringLiteral("Reading stopped: nested deeper than %1 levels.").arg(deepestNesting));
            return false;
        }
        m_places.push_back(place);
        return true;
    }

    bool leave()
    {
        m_places.pop_back();
        return true;
    }

    void stop(const QString &why)
    {
        m_trace.damage = why;
        m_trace.damagePointer = QStringLiteral("/traceEvents/%1").arg(m_trace.events);
    }

    bool number(double value, std::optional<qint64> whole)
    {
        switch (place()) {
        case Place::Event:
            if (m_key == "ts")
                m_event.start = value;
            else if (m_key == "dur")
                m_event.duration = value;
            break;
        case Place::Arguments:
            if (m_key == "device")
                m_event.device = value;
            else if (m_key == "registers per thread")
                m_event.registers = value;
            else if (m_key == "shared memory")
                m_event.shared = value;
            break;
        case Place::Extents:
            if (QList<double> &extents = m_event.extents[m_key == "grid" ? 0 : 1]; extents.size() < 4)
                extents.append(value);
            break;
        case Place::Device:
            if (m_key == "id")
                m_deviceId = whole;
            break;
        case Place::Root:
            setProperty(whole);
            break;
        default:
            break;
        }
        return true;
    }

    void setProperty(std::optional<qint64> value)
    {
        if (m_key == "schemaVersion")
            m_trace.schemaVersion = value;
        else if (m_key == "cuda_runtime_version")
            m_trace.cudaRuntimeVersion = value;
        else if (m_key == "baseTimeNanoseconds")
            m_trace.baseNs = value;
    }

    void notePrivate(const QString &value)
    {
        static const std::array names{"host", "hostname", "host_name", "user", "username", "user_name"};
        if (std::ranges::find(names, m_key) != names.end())
            m_trace.privateWords += hostWords(value);
        m_trace.privateWords += usersIn(value);
    }

    // Whether to go on.
    bool finishEvent()
    {
        ++m_trace.events;
        if (m_event.isKernel && m_event.isComplete) {
            if (m_trace.launches.size() >= mostLaunches) {
                m_trace.isCut = true;
                return false;
            }
            m_trace.launches.append(launch());
        }
        return m_trace.events % eventsBetweenQuestions != 0 || !m_cancelled || !m_cancelled();
    }

    TraceLaunch launch()
    {
        constexpr qint64 most = std::numeric_limits<qint32>::max();
        TraceLaunch launch;
        launch.start = m_event.start.value_or(0);
        launch.device = wholeWithin(m_event.device, 0, most).value_or(0);
        evidence::KernelRecord &record = launch.record;
        record.kernelName = sharedName();
        if (m_event.duration && *m_event.duration > 0)
            record.durationUs = *m_event.duration;
        record.gridSize = m_texts.of(extentsText(m_event.extents[0]));
        record.blockSize = m_texts.of(extentsText(m_event.extents[1]));
        if (const auto registers = wholeWithin(m_event.registers, 1, std::numeric_limits<quint16>::max()))
            record.registersPerThread = static_cast<int>(*registers);
        record.sharedMemBytes = wholeWithin(m_event.shared, 0, most);
        return launch;
    }

    // One text for all launches of a kernel.
    QString sharedName()
    {
        const QString name = QString::fromStdString(m_event.name);
        const auto known = m_names.constFind(name);
        if (known != m_names.constEnd())
            return *known;
        const QString clean = withoutPaths(name);
        return *m_names.insert(name, clean.isEmpty() ? QStringLiteral("unnamed-kernel") : clean);
    }

    PytorchTrace &m_trace;
    const Cancelled &m_cancelled;
    std::vector<Place> m_places;
    std::string m_key;
    EventValues m_event;
    QString m_deviceName;
    std::optional<qint64> m_deviceId;
    QHash<QString, QString> m_names;
    SharedTexts m_texts;
};

} // namespace

PytorchTrace readPytorchTrace(const QString &path, const Cancelled &cancelled)
{
    PytorchTrace trace;
    ByteStream bytes(path);
    std::istream stream(&bytes);
    TraceReader reader(trace, cancelled);
    json::sax_parse(stream, &reader);
    if (!bytes.problem().isEmpty()) { // the cause behind a text that ends
        trace.damage = bytes.problem();
        trace.damagePointer = QStringLiteral("/traceEvents/%1").arg(trace.events);
    }
    return trace;
}

} // namespace stagecraft::import
