// SPDX-License-Identifier: GPL-3.0-or-later
#include "filetext.h"

#include "frontmatter.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QStringDecoder>

namespace stagecraft::window {

FileText fileTextOf(const QByteArray &bytes)
{
    return {QString::fromUtf8(bytes), QCryptographicHash::hash(bytes, QCryptographicHash::Sha256), {}};
}

FileText readFileText(const QString &path)
{
    constexpr auto limit = static_cast<qint64>(stagefile::maximumStageBytes);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {{}, {}, QObject::tr("it cannot be read: %1").arg(file.errorString())};
    const QByteArray bytes = file.read(limit + 1);
    if (file.error() != QFileDevice::NoError)
        return {{}, {}, QObject::tr("it cannot be read: %1").arg(file.errorString())};
    FileText result = fileTextOf(bytes.left(limit));
    if (bytes.size() > limit) {
        result.unwritable = QObject::tr("it has more than %1 bytes, and only its beginning is shown").arg(limit);
        // Its end is not read, so that a huge file costs nothing: size and time stand for it.
        result.state =
            QStringLiteral("%1 %2").arg(file.size()).arg(QFileInfo(path).lastModified().toMSecsSinceEpoch()).toLatin1();
        return result;
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder.decode(bytes);
    if (decoder.hasError())
        result.unwritable = QObject::tr("it is not UTF-8; save it in that encoding with another editor");
    else if (decoded.contains(QChar::Null))
        result.unwritable = QObject::tr("it holds a NUL byte; remove that with another editor");
    // An editor's text ends at a NUL; the symbol for it lets the rest be seen.
    result.text.replace(QChar(QChar::Null), QChar(0x2400));
    return result;
}

} // namespace stagecraft::window
