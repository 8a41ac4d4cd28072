// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewfixtures.h"

#include <QDir>
#include <QTemporaryDir>

// A bundled namespace of an H200 with hardware counters beside it. The counters are plausible, made up from the
// arithmetic of the kernels: nothing in them was measured. One declared count is off by 2.4 % (matmul/b-quads), and
// one stage was refused its counters (neighbor/half-warp-per-node).
namespace fixtures {

inline const QString countedName = QStringLiteral("h200-plausible");

// Of all stages, or of those with these ids alone.
inline evidence::Namespace countedRun(const QStringList &ids = {})
{
    const QTemporaryDir parent;
    const QString folder = parent.filePath(countedName),
                  bundled = evidence::bundledPath(QStringLiteral("h200-kernels"));
    QDir().mkpath(folder);
    for (const QString &file : QDir(bundled).entryList(QDir::Files))
        QFile::copy(bundled + QLatin1Char('/') + file, folder + QLatin1Char('/') + file);
    QFile::copy(QStringLiteral(STAGECRAFT_SOURCE_DIR "/tests/app/views/counters/plausible-counters.json"),
                folder + QStringLiteral("/comparison-counters.json"));
    evidence::Namespace run = evidence::readNamespace(folder);
    if (!ids.isEmpty())
        run.counters.removeIf([&](const evidence::CounterCapture &capture) {
            return !ids.contains(capture.stage.section(QLatin1Char('/'), 1));
        });
    return run;
}

} // namespace fixtures
