// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsondocument.h"

#include "jsonnode.h"

#include <vector>

namespace stagecraft::evidence {

namespace {

using nlohmann::json;

constexpr int numberOutOfRange = 406;                // nlohmann's id for a number that no double holds
constexpr std::size_t valuesBetweenQuestions = 4096; // whether reading is still wanted: well below a millisecond

// Builds the document as values arrive and always knows the pointer of the value that is being read.
class DocumentBuilder : public nlohmann::json_sax<json>
{
public:
    DocumentBuilder(const QByteArray &text, ProblemLog &log, const Cancelled &cancelled)
        : m_text(text), m_log(log), m_cancelled(cancelled)
    {
    }

    json take() { return std::move(m_root); }

    bool null() override { return scalar(nullptr); }
    bool boolean(bool value) override { return scalar(value); }
    bool number_integer(number_integer_t value) override { return number(value); }
    bool number_unsigned(number_unsigned_t value) override { return number(value); }
    bool number_float(number_float_t value, const string_t & /*text*/) override { return number(value); }
    bool string(string_t &value) override { return scalar(std::move(value)); }
    bool binary(binary_t & /*value*/) override { return false; } // text JSON has none
    bool start_object(std::size_t /*elements*/) override { return open(json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*elements*/) override { return open(json::array()); }
    bool end_array() override { return close(); }

    bool key(string_t &name) override
    {
        Frame &frame = m_frames.back();
        m_lastIsNumber = false;
        frame.key.assign(name); // not moved: both buffers keep their room for the next key
        frame.inValue = true;
        auto &members = frame.node->get_ref<json::object_t &>();
        frame.place = members.lower_bound(frame.key);
        frame.isKnown = frame.place != members.end() && frame.place->first == frame.key;
        if (frame.isKnown)
            m_log.contradiction(pointer(),
                                QStringLiteral("The key occurs twice in one object; the last value is used."));
        return true;
    }

    bool parse_error(std::size_t position, const std::string &token, const nlohmann::detail::exception &error) override
    {
        if (error.id == numberOutOfRange) {
            m_log.stop(pointer(), QStringLiteral("Reading stopped here: the number %1 is out of range; values must be "
                                                 "finite.")
                                      .arg(excerpt(QString::fromStdString(token))));
            return false;
        }
        // A number that runs into the end of the text may have lost digits: it is not sound.
        if (m_lastIsNumber && position > static_cast<std::size_t>(m_text.size()) && endsInsideNumber())
            dropLast();
        m_log.stop(pointer(), stopCause(position, QString::fromUtf8(error.what())));
        return false;
    }

private:
    struct Frame
    {
        json *node;                          // stays valid: a parent does not grow while its child is open
        std::string key;                     // objects: of the value being read or last read
        bool inValue = false;                // objects: a key was read and its value is not complete
        bool isKnown = false;                // objects: the key occurred before
        json::object_t::iterator place = {}; // objects: where the key is or belongs
    };

    std::string pointer() const
    {
        std::string path;
        for (const Frame &frame : m_frames) {
            if (frame.node->is_array())
                path += '/' + std::to_string(frame.inValue ? frame.node->size() - 1 : frame.node->size());
            else if (frame.inValue)
                path += '/' + escapedToken(frame.key);
        }
        return path;
    }

    template <typename Value>
    bool number(Value value)
    {
        const bool go = scalar(value);
        m_lastIsNumber = true;
        return go;
    }

    bool scalar(json value)
    {
        m_lastIsNumber = false;
        if (!place(std::move(value)))
            return false;
        if (!m_frames.empty())
            m_frames.back().inValue = false;
        return true;
    }

    json *place(json value)
    {
        if (++m_values % valuesBetweenQuestions == 0 && m_cancelled && m_cancelled())
            return nullptr;
        if (m_values > maximumValues) {
            m_log.stop(pointer(),
                       QStringLiteral("Reading stopped: the file has more than %1 values.").arg(maximumValues));
            return nullptr;
        }
        if (m_frames.empty())
            return &(m_root = std::move(value));
        Frame &frame = m_frames.back();
        if (frame.node->is_object()) {
            if (frame.isKnown)
                frame.place->second = std::move(value);
            else
                frame.place =
                    frame.node->get_ref<json::object_t &>().emplace_hint(frame.place, frame.key, std::move(value));
            return &frame.place->second;
        }
        frame.node->push_back(std::move(value));
        return &frame.node->back();
    }

    bool open(json empty)
    {
        m_lastIsNumber = false;
        if (m_frames.size() >= maximumDepth) {
            m_log.stop(pointer(), QStringLiteral("Reading stopped: nested deeper than %1 levels.").arg(maximumDepth));
            return false;
        }
        json *node = place(std::move(empty));
        if (!node)
            return false;
        if (!m_frames.empty())
            m_frames.back().inValue = true;
        m_frames.push_back({.node = node, .key = {}});
        return true;
    }

    bool close()
    {
        m_lastIsNumber = false;
        m_frames.pop_back();
        if (!m_frames.empty())
            m_frames.back().inValue = false;
        return true;
    }

    bool endsInsideNumber() const { return !m_text.isEmpty() && QByteArrayView("0123456789").contains(m_text.back()); }

    void dropLast()
    {
        if (m_frames.empty()) {
            m_root = json(json::value_t::discarded);
            return;
        }
        Frame &frame = m_frames.back();
        if (frame.node->is_object()) {
            frame.node->erase(frame.key);
            frame.inValue = true;
        } else {
            frame.node->erase(frame.node->size() - 1);
        }
    }

    QString stopCause(std::size_t position, const QString &what) const
    {
        const qsizetype at = std::min(static_cast<qsizetype>(position), m_text.size());
        const QByteArrayView rest = QByteArrayView(m_text).sliced(std::max<qsizetype>(at - 2, 0));
        for (const char *literal : {"NaN", "Infinity", "nan", "inf"}) {
            const qsizetype start = rest.indexOf(literal);
            if (start >= 0 && start <= 2)
                return QStringLiteral("Reading stopped here: %1 is not a JSON number; values must be finite.")
                    .arg(QLatin1String(literal));
        }
        if (m_text.trimmed().isEmpty())
            return QStringLiteral("The file is empty; JSON is expected.");
        // "[json.exception.parse_error.101] parse error at line 2, column 1: …" without the library's prefix.
        const QString detail = what.section(QStringLiteral("] "), 1).remove(QStringLiteral("parse error at "));
        return QStringLiteral("Reading stopped here, the text is not JSON: %1.")
            .arg(detail.size() > 200 ? detail.left(200) + QStringLiteral("…") : detail);
    }

    const QByteArray &m_text;
    ProblemLog &m_log;
    const Cancelled &m_cancelled;
    json m_root = json(json::value_t::discarded);
    std::vector<Frame> m_frames;
    std::size_t m_values = 0;
    bool m_lastIsNumber = false;
};

} // namespace

nlohmann::json parseDocument(const QByteArray &text, ProblemLog &log, const Cancelled &cancelled)
{
    DocumentBuilder builder(text, log, cancelled);
    json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

} // namespace stagecraft::evidence
