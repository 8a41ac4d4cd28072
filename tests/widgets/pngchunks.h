// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QtEndian>

// PNG files taken apart by the specification: what readers other than Qt's find in them.
struct PngChunk
{
    QByteArray type, data;
};

inline quint32 bigEndian(const QByteArray &data, qsizetype at)
{
    return qFromBigEndian<quint32>(data.constData() + at);
}

// Empty where the file is no PNG or a chunk is cut off.
inline QList<PngChunk> pngChunks(const QByteArray &file)
{
    QList<PngChunk> chunks;
    if (!file.startsWith("\x89PNG\r\n\x1a\n"))
        return chunks;
    for (qsizetype at = 8; at < file.size();) {
        const qsizetype length = at + 12 <= file.size() ? bigEndian(file, at) : file.size();
        if (at + 12 + length > file.size())
            return {};
        chunks.append({file.mid(at + 4, 4), file.mid(at + 8, length)});
        at += 12 + length;
    }
    return chunks;
}

inline QByteArray chunkOf(const QList<PngChunk> &chunks, const char *type)
{
    for (const PngChunk &chunk : chunks)
        if (chunk.type == type)
            return chunk.data;
    return {};
}

struct PngText
{
    QByteArray chunk;
    QString text;
};

inline QByteArray inflated(const QByteArray &stream)
{
    return qUncompress(QByteArray("\0\1\0\0", 4) + stream); // Qt wants a first guess at the length before it
}

// Keyword and text of tEXt, zTXt and iTXt.
inline QMap<QString, PngText> pngTexts(const QList<PngChunk> &chunks)
{
    QMap<QString, PngText> texts;
    for (const PngChunk &chunk : chunks) {
        const qsizetype end = chunk.data.indexOf('\0');
        const QString key = QString::fromLatin1(chunk.data.left(end));
        if (chunk.type == "tEXt") {
            texts[key] = {chunk.type, QString::fromLatin1(chunk.data.mid(end + 1))};
        } else if (chunk.type == "zTXt") {
            texts[key] = {chunk.type, QString::fromLatin1(inflated(chunk.data.mid(end + 2)))};
        } else if (chunk.type == "iTXt") {
            const qsizetype language = chunk.data.indexOf('\0', end + 3);
            const QByteArray text = chunk.data.mid(chunk.data.indexOf('\0', language + 1) + 1);
            texts[key] = {chunk.type, QString::fromUtf8(chunk.data[end + 1] == 1 ? inflated(text) : text)};
        }
    }
    return texts;
}
