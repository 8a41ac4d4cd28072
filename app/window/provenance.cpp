// SPDX-License-Identifier: GPL-3.0-or-later
#include "provenance.h"

#include "counted.h"
#include "figuretext.h"
#include "implementationnotes.h"
#include "recordedtext.h"
#include "statistics.h"

#include <algorithm>
#include <QDateTime>
#include <QObject>

namespace stagecraft::window {

namespace {

ProvenanceFact fact(const QString &label, const QString &value)
{
    return value.isEmpty() ? ProvenanceFact{label, QObject::tr("not recorded"), false}
                           : ProvenanceFact{label, widgets::printableText(value), true};
}

QString dateText(const QString &utc)
{
    const QDateTime time = QDateTime::fromString(utc, Qt::ISODate);
    return time.isValid() ? time.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm 'UTC'")) : utc;
}

QString protocolText(const evidence::Namespace &evidence)
{
    QStringList parts;
    if (evidence.roundsDeclared)
        parts.append(counted(*evidence.roundsDeclared, QObject::tr("round"), QObject::tr("rounds")));
    if (evidence.iterationsPerRound)
        parts.append(QObject::tr("%1 spans each").arg(*evidence.iterationsPerRound));
    if (evidence.warmupPerRound)
        parts.append(QObject::tr("%1 warm-up").arg(*evidence.warmupPerRound));
    if (std::ranges::any_of(evidence.results, [](const auto &result) { return result.cache == QLatin1String("cold"); }))
        parts.append(QObject::tr("cold cache"));
    if (parts.isEmpty() && evidence.summary)
        parts.append(QObject::tr("%1 rounds, %2 samples").arg(evidence.summary->rounds).arg(evidence.summary->samples));
    return parts.join(QStringLiteral(", "));
}

QString kernelInstrument(const evidence::Namespace &evidence)
{
    if (evidence.captureBackend.isEmpty())
        return {};
    return evidence.timestampMode.isEmpty()
               ? evidence.captureBackend
               : QObject::tr("%1, %2 timestamps").arg(evidence.captureBackend, evidence.timestampMode);
}

// Whether everything in it was, or will be, computed on the CPU.
bool isHostOnly(const evidence::Namespace &evidence)
{
    bool any = false;
    for (const evidence::OperationResult &result : evidence.results) {
        for (const evidence::Round &round : result.rounds) {
            for (auto entry = round.implementations.begin(); entry != round.implementations.end(); ++entry) {
                if (entry.key() != QLatin1String("host") && entry->source != QLatin1String("host"))
                    return false;
                any = true;
            }
        }
    }
    return any;
}

// How each implementation computes, as its worker says it: a line or two of each, the rest in its tool tip.
QList<ProvenanceFact> noteFacts(const evidence::Namespace &evidence)
{
    constexpr qsizetype longest = 120;
    const QMap<QString, QStringList> notes = views::implementationNotes(evidence);
    QList<ProvenanceFact> facts;
    for (const QString &id : evidence::implementationOrder(notes.keys())) {
        const QString whole = widgets::printableText(notes.value(id).join(QStringLiteral("; ")));
        const bool fits = whole.size() <= longest;
        facts.append({widgets::printableText(evidence::implementationLabel(id)),
                      fits ? whole : whole.left(longest).trimmed() + u'…', true, fits ? QString() : whole});
    }
    return facts;
}

QString kindText(const evidence::Namespace &evidence)
{
    if (!evidence.results.isEmpty())
        return QObject::tr("all samples and kernel records");
    return evidence.summary ? QObject::tr("summary, without samples") : QObject::tr("stages, without samples");
}

} // namespace

QString gpuText(const evidence::Namespace &evidence)
{
    if (!evidence.gpu.isEmpty())
        return evidence.gpu;
    if (evidence.summary && !evidence.summary->gpu.isEmpty())
        return evidence.summary->gpu;
    return isHostOnly(evidence) ? QObject::tr("CPU only") : QObject::tr("GPU not recorded");
}

QList<ProvenanceFact> provenanceFacts(const evidence::Namespace &evidence)
{
    const QString gpu = evidence.gpu.isEmpty() && evidence.summary ? evidence.summary->gpu : evidence.gpu;
    QList<ProvenanceFact> facts{fact(QObject::tr("GPU"), gpu),
                                fact(QObject::tr("Driver"), evidence::recordedDriver(evidence)),
                                fact(QObject::tr("CUDA"), evidence.cuda),
                                fact(QObject::tr("Measured"), dateText(evidence.utc)),
                                fact(QObject::tr("Kernel time"), kernelInstrument(evidence)),
                                fact(QObject::tr("Span"), evidence.timing),
                                fact(QObject::tr("Precision"), evidence.precision),
                                fact(QObject::tr("Protocol"), protocolText(evidence)),
                                fact(QObject::tr("Platform"), evidence.platform),
                                fact(QObject::tr("Contents"), kindText(evidence))};
    if (!evidence.excluded.isEmpty())
        facts.append(fact(QObject::tr("Excluded"), evidence.excluded.join(QStringLiteral("; "))));
    if (!evidence.missing.isEmpty())
        facts.append(fact(QObject::tr("Not there"), evidence.missing.join(QStringLiteral(", "))));
    return facts + noteFacts(evidence);
}

QString problemText(const evidence::Problem &problem)
{
    const QString place = problem.pointer.isEmpty() ? problem.file : problem.file + QLatin1Char(' ') + problem.pointer;
    return widgets::printableText(place.isEmpty() ? problem.cause : place + QStringLiteral(": ") + problem.cause);
}

} // namespace stagecraft::window
