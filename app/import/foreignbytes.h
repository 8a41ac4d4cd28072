// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foreignfile.h"
#include "problemlog.h"

#include <memory>
#include <QFile>

namespace stagecraft::import {

// The largest text that is read as a whole; a larger one is refused rather than tried.
inline constexpr qint64 maximumTextBytes = qint64{256} << 20;

// The bytes of a file, plain or gzip-compressed (told by its first bytes), piece by piece.
class ForeignBytes
{
public:
    explicit ForeignBytes(const QString &path);
    ~ForeignBytes();
    ForeignBytes(const ForeignBytes &) = delete;
    ForeignBytes &operator=(const ForeignBytes &) = delete;

    // The next bytes, at most `size`; fewer than 1 at the end, or where problem() says why there are no more.
    qint64 read(char *data, qint64 size);

    QString problem() const { return m_problem; } // a sentence: cannot be opened, no gzip, cut short; empty: none

private:
    struct Inflater;

    qint64 readCompressed(char *data, qint64 size);

    QFile m_file;
    std::unique_ptr<Inflater> m_inflater;
    QString m_problem;
};

// The first bytes of the (decompressed) file, at most `size`; empty where it cannot be read.
QByteArray firstBytes(const QString &path, qsizetype size);

// The whole text, decompressed. Empty with file.error set where it is too large or cannot be read; where its
// compression is cut short, `log` says so and the text is what came before.
QByteArray readForeignText(const QString &path, evidence::ProblemLog &log, ForeignFile &file,
                           const Cancelled &cancelled);

} // namespace stagecraft::import
