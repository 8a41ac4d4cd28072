// SPDX-License-Identifier: GPL-3.0-or-later
#include "architectures.h"

#include <QRegularExpression>

namespace stagecraft::run {

const QStringList &knownArchitectures()
{
    static const QStringList known{QStringLiteral("sm_75"), QStringLiteral("sm_80"),  QStringLiteral("sm_86"),
                                   QStringLiteral("sm_89"), QStringLiteral("sm_90a"), QStringLiteral("sm_120")};
    return known;
}

QString usualArchitecture()
{
    return QStringLiteral("sm_90a");
}

QString architectureOf(const QString &computeCapability)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{1,2})\\.(\\d)$"));
    const QRegularExpressionMatch match = pattern.match(computeCapability);
    if (!match.hasMatch())
        return {};
    const QString number = match.captured(1) + match.captured(2);
    // As the worker compiles it: 9.0 has instructions that only its own target offers.
    return QStringLiteral("sm_") + number + (number == QLatin1String("90") ? QStringLiteral("a") : QString());
}

std::optional<stagefile::GpuFacts> gpuFactsOf(const QString &architecture)
{
    static const QRegularExpression pattern(QStringLiteral("^sm_(\\d{1,2})(\\d)[af]?$"));
    const QRegularExpressionMatch match = pattern.match(architecture);
    if (!match.hasMatch())
        return std::nullopt;
    stagefile::GpuFacts facts;
    facts.computeMajor = match.captured(1).toInt();
    facts.computeMinor = match.captured(2).toInt();
    facts.smCount = 1;
    return facts;
}

} // namespace stagecraft::run
