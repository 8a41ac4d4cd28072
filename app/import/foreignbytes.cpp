// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreignbytes.h"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace stagecraft::import {

namespace {

constexpr int gzipWindow = 15 + 16; // zlib: the largest window, with gzip's header
constexpr qint64 pieceBytes = 1 << 20;

} // namespace

struct ForeignBytes::Inflater
{
    Inflater() { isReady = inflateInit2(&stream, gzipWindow) == Z_OK; }
    ~Inflater()
    {
        if (isReady)
            inflateEnd(&stream);
    }
    Inflater(const Inflater &) = delete;
    Inflater &operator=(const Inflater &) = delete;

    z_stream stream{};
    std::array<char, 1 << 16> input{};
    bool isReady = false, isAtMemberEnd = false;
};

ForeignBytes::ForeignBytes(const QString &path) : m_file(path)
{
    if (!m_file.open(QIODevice::ReadOnly)) {
        m_problem = QStringLiteral("The file cannot be opened: %1.").arg(m_file.errorString());
        return;
    }
    if (!m_file.peek(2).startsWith("\x1f\x8b"))
        return;
    m_inflater = std::make_unique<Inflater>();
    if (!m_inflater->isReady)
        m_problem = QStringLiteral("The file's compression cannot be read: there is not enough memory.");
}

ForeignBytes::~ForeignBytes() = default;

qint64 ForeignBytes::read(char *data, qint64 size)
{
    if (!m_problem.isEmpty())
        return 0;
    if (m_inflater)
        return readCompressed(data, size);
    const qint64 bytes = m_file.read(data, size);
    if (bytes < 0)
        m_problem = QStringLiteral("The file cannot be read: %1.").arg(m_file.errorString());
    return bytes;
}

qint64 ForeignBytes::readCompressed(char *data, qint64 size)
{
    z_stream &stream = m_inflater->stream;
    const auto room = static_cast<uInt>(std::min<qint64>(size, pieceBytes));
    stream.next_out = reinterpret_cast<Bytef *>(data);
    stream.avail_out = room;
    while (stream.avail_out == room) {
        if (stream.avail_in == 0) {
            const qint64 bytes = m_file.read(m_inflater->input.data(), qint64(m_inflater->input.size()));
            if (bytes <= 0) {
                if (!m_inflater->isAtMemberEnd)
                    m_problem = QStringLiteral("The compressed file is cut short.");
                break;
            }
            stream.next_in = reinterpret_cast<Bytef *>(m_inflater->input.data());
            stream.avail_in = static_cast<uInt>(bytes);
        }
        if (m_inflater->isAtMemberEnd && inflateReset(&stream) == Z_OK) // gzip files may follow each other
            m_inflater->isAtMemberEnd = false;
        const int status = inflate(&stream, Z_NO_FLUSH);
        m_inflater->isAtMemberEnd = status == Z_STREAM_END;
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            m_problem = QStringLiteral("The file's compression is damaged.");
            break;
        }
    }
    return qint64(room) - stream.avail_out;
}

QByteArray firstBytes(const QString &path, qsizetype size)
{
    ForeignBytes source(path);
    QByteArray bytes(size, '\0');
    qsizetype filled = 0;
    while (filled < size) {
        const qint64 more = source.read(bytes.data() + filled, size - filled);
        if (more <= 0)
            break;
        filled += more;
    }
    bytes.truncate(filled);
    return bytes;
}

QByteArray readForeignText(const QString &path, evidence::ProblemLog &log, ForeignFile &file,
                           const Cancelled &cancelled)
{
    ForeignBytes source(path);
    QByteArray text, piece(pieceBytes, Qt::Uninitialized);
    while (const qint64 bytes = std::max<qint64>(source.read(piece.data(), piece.size()), 0)) {
        if (cancelled && cancelled())
            return {};
        if (text.size() + bytes > maximumTextBytes) {
            file.error = QStringLiteral("The file's text is larger than %1 MiB, which is the most that is read.")
                             .arg(maximumTextBytes >> 20);
            return {};
        }
        text.append(piece.constData(), bytes);
    }
    if (text.isEmpty())
        file.error = source.problem().isEmpty() ? QStringLiteral("The file is empty.") : source.problem();
    else if (!source.problem().isEmpty())
        log.contradiction({}, source.problem());
    return text;
}

} // namespace stagecraft::import
