// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "benchmarktext.h"

namespace stagecraft::import {

// The single times that NVBench writes beside its JSON (--jsonbin): NAME.json-bin/0.bin, float32 seconds, the lower
// byte first. They are looked for beside the file only, wherever they lay when the benchmark ran.
class NvbenchSamples
{
public:
    explicit NvbenchSamples(const QString &jsonPath);

    // µs, of the file that this summary names; empty where it is not there (counted), or damaged or not of these times
    // (named at `summary`). `meanUs`: what the times' mean must be.
    QList<double> read(const evidence::JsonNode &summary, double meanUs);

    // What could not be had, as sentences.
    QStringList leftOut() const;

private:
    QString filePath(const QString &recordedName) const;

    QString m_folder;
    qint64 m_samplesLeft; // that the evidence still has room for
    int m_absent = 0, m_tooMany = 0;
};

// The value of one of a summary's data: {"name": NAME, "type": …, "value": this}.
evidence::JsonNode summaryData(const evidence::JsonNode &summary, const char *name);

} // namespace stagecraft::import
