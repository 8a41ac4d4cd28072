// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace stagecraft::import {

// What a benchmark's name in Google Benchmark says: "Copy<float>/size:1024/8/manual_time/threads:4".
struct GoogleBenchmarkName
{
    QString operation; // its family, with the arguments that are no whole numbers, and threads: "Copy<float> threads:4"
    QList<qint64> dims;    // its whole, not negative arguments: 1024, 8
    bool isManual = false; // the benchmark sets its time itself
    bool hasPath = false;  // an argument is a path from the root, of which operation has the last part only
};

GoogleBenchmarkName googleBenchmarkName(const QString &runName);

} // namespace stagecraft::import
