// SPDX-License-Identifier: GPL-3.0-or-later
#include "nvbenchsamples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtEndian>

namespace stagecraft::import {

namespace {

using evidence::JsonNode;

// About 20 bytes each in an evidence file, which is read up to 256 MiB.
constexpr qint64 mostSamples = 6'000'000;

// The shortest decimal that is this float32, in µs: more digits would be an accident of its conversion.
double rounded(float seconds)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), seconds).ptr;
    const double shortest = QByteArrayView(text.data(), end).toDouble();
    return QByteArray::number(shortest * 1e6, 'g', 10).toDouble();
}

QList<double> decoded(const QByteArray &bytes)
{
    QList<double> samples;
    samples.reserve(bytes.size() / 4);
    for (qsizetype i = 0; i + 4 <= bytes.size(); i += 4)
        samples.append(rounded(qFromLittleEndian<float>(bytes.constData() + i)));
    return samples;
}

} // namespace

JsonNode summaryData(const JsonNode &summary, const char *name)
{
    const JsonNode data = summary.member("data");
    for (std::size_t i = 0; data.isArray() && i < data.size(); ++i) {
        const JsonNode entry = data.element(i);
        if (entry.isObject() && foreignText(entry.member("name")) == QLatin1String(name))
            return entry.member("value");
    }
    return data.member("value"); // absent
}

NvbenchSamples::NvbenchSamples(const QString &jsonPath)
    : m_folder(QFileInfo(jsonPath).absolutePath()), m_samplesLeft(mostSamples)
{
}

QString NvbenchSamples::filePath(const QString &recordedName) const
{
    const QStringList parts = QString(recordedName).replace(u'\\', u'/').split(u'/', Qt::SkipEmptyParts);
    if (parts.size() < 2 || !parts.last().endsWith(QLatin1String(".bin")) ||
        !parts[parts.size() - 2].endsWith(QLatin1String("-bin")))
        return {};
    const QFileInfo info(QDir(m_folder).filePath(parts[parts.size() - 2] + u'/' + parts.last()));
    // A link could lead out of the folder.
    const QString inside = QFileInfo(m_folder).canonicalFilePath() + u'/';
    return info.isFile() && info.canonicalFilePath().startsWith(inside) ? info.filePath() : QString();
}

QList<double> NvbenchSamples::read(const JsonNode &summary, double meanUs)
{
    if (!summary.exists())
        return {};
    QFile file(filePath(foreignText(summaryData(summary, "filename"))));
    if (file.fileName().isEmpty() || !file.open(QIODevice::ReadOnly)) {
        ++m_absent;
        return {};
    }
    if (file.size() / 4 > m_samplesLeft) {
        ++m_tooMany;
        return {};
    }
    const QByteArray bytes = file.read(4 * m_samplesLeft);
    const double declared = foreignNumber(summaryData(summary, "size")).value_or(-1);
    if (bytes.size() % 4 != 0 || static_cast<double>(bytes.size() / 4) != declared) {
        summary.contradiction(QStringLiteral("The file of single times has %1 bytes where %2 times of 4 bytes are "
                                             "declared: the mean stands for them.")
                                  .arg(bytes.size())
                                  .arg(foreignText(summaryData(summary, "size"))));
        return {};
    }
    const QList<double> samples = decoded(bytes);
    const bool isSound =
        std::all_of(samples.begin(), samples.end(), [](double us) { return std::isfinite(us) && us > 0; });
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
    if (!isSound || !(std::abs(mean / meanUs - 1) < 0.01)) {
        summary.contradiction(isSound ? QStringLiteral("The file of single times has a mean of %1 µs where %2 µs is "
                                                       "recorded: it is of another run, and the mean stands for them.")
                                            .arg(mean)
                                            .arg(meanUs)
                                      : QStringLiteral("The file of single times holds what is no time above 0: the "
                                                       "mean stands for them."));
        return {};
    }
    m_samplesLeft -= samples.size();
    return samples;
}

QStringList NvbenchSamples::leftOut() const
{
    QStringList sentences;
    if (m_absent > 0)
        sentences.append(QStringLiteral("The single times of %1 states are not beside the file (NVBench writes them to "
                                        "a folder NAME.json-bin): their means stand for them.")
                             .arg(m_absent));
    if (m_tooMany > 0)
        sentences.append(QStringLiteral("The single times of %1 states are left out: evidence keeps %2 of all states "
                                        "together. Their means stand for them.")
                             .arg(m_tooMany)
                             .arg(mostSamples));
    return sentences;
}

} // namespace stagecraft::import
