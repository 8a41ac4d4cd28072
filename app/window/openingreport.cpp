// SPDX-License-Identifier: GPL-3.0-or-later
#include "openingreport.h"

#include "counted.h"
#include "provenance.h"

#include <QDir>
#include <QFileInfo>

namespace stagecraft::window {

namespace {

constexpr qsizetype mostLines = 4;

QString countedNamespaces(int count)
{
    return counted(count, QObject::tr("namespace"), QObject::tr("namespaces"));
}

QString firstFatal(const evidence::Namespace &evidence)
{
    const auto found = std::ranges::find_if(evidence.problems, &evidence::Problem::fatal);
    return found == evidence.problems.end() ? QString() : problemText(*found);
}

} // namespace

bool isEmptyEvidence(const evidence::Namespace &evidence)
{
    return evidence.results.isEmpty() && evidence.captures.isEmpty() && !evidence.summary && !evidence.progression;
}

void OpeningReport::addPaths(const SortedPaths &sorted)
{
    for (const QString &path : sorted.missing) {
        m_missing.append(path);
        m_errors.append({QObject::tr("%1 is not there").arg(QFileInfo(path).fileName()),
                         QObject::tr("There is nothing at %1: it was moved, renamed or deleted.")
                             .arg(QDir::toNativeSeparators(path))});
    }
    for (const QString &path : sorted.unknown) {
        m_errors.append({QObject::tr("%1 is of no kind that can be read").arg(QFileInfo(path).fileName()),
                         QObject::tr("What can be read: %1.").arg(readableKinds())});
    }
}

void OpeningReport::addFailed(const LoadedEvidence &loaded)
{
    if (!loaded.error.isEmpty()) {
        const bool isForeign = loaded.source.origin == EvidenceListModel::Origin::Imported;
        m_errors.append({(isForeign ? QObject::tr("%1 could not be imported") : QObject::tr("%1 could not be read"))
                             .arg(sourceTitle(loaded.source.key())),
                         loaded.error});
        return;
    }
    const QList<evidence::Problem> &problems = loaded.evidence->problems;
    m_errors.append({QObject::tr("%1 holds no evidence").arg(loaded.evidence->name),
                     problems.isEmpty() ? QString() : problemText(problems.first())});
}

void OpeningReport::addListed(const LoadedEvidence &loaded)
{
    ++m_listed;
    m_hidden += loaded.source.shown ? 0 : 1;
    const auto count = std::ranges::count_if(loaded.evidence->problems, &evidence::Problem::fatal);
    if (count == 0)
        return;
    m_warnings.append(
        {QObject::tr("%1 contradicts itself or is damaged: %2. What is sound is shown.")
             .arg(loaded.evidence->name, counted(count, QObject::tr("problem"), QObject::tr("problems"))),
         firstFatal(*loaded.evidence) + (count > 1 ? QObject::tr("\nAll are listed under Provenance.") : QString())});
}

void OpeningReport::addDropped(int count)
{
    m_dropped += count;
}

std::optional<OpeningReport::Message> OpeningReport::message() const
{
    const QList<Line> lines = m_errors + m_warnings;
    const auto severity = !m_errors.isEmpty()     ? MessageBar::Severity::Error
                          : !m_warnings.isEmpty() ? MessageBar::Severity::Warning
                                                  : MessageBar::Severity::Info;
    QStringList text;
    if (m_dropped > 0)
        text.append(QObject::tr("Cancelled: %1 not read.").arg(countedNamespaces(m_dropped)));
    if (m_hidden > 0)
        text.append(QObject::tr("%1 of them shown; check others in the evidence list.").arg(m_listed - m_hidden));
    if (lines.isEmpty()) {
        if (text.isEmpty())
            return std::nullopt;
        return Message{severity, QObject::tr("%1 opened").arg(countedNamespaces(m_listed)),
                       text.join(QLatin1Char('\n'))};
    }
    if (lines.size() == 1) {
        text.prepend(lines.first().text);
        text.removeAll(QString());
        return Message{severity, lines.first().title, text.join(QLatin1Char('\n'))};
    }
    for (const Line &line : lines.first(qMin(mostLines, lines.size())))
        text.append(line.text.isEmpty()
                        ? line.title
                        : QStringLiteral("%1: %2").arg(line.title, line.text.section(QLatin1Char('\n'), 0, 0)));
    if (lines.size() > mostLines)
        text.append(QObject::tr("… and %1 more.").arg(lines.size() - mostLines));
    const QString title = m_errors.isEmpty() ? QObject::tr("%1 are damaged; what is sound is shown")
                                                   .arg(countedNamespaces(static_cast<int>(lines.size())))
                                             : QObject::tr("Not all of it could be read");
    return Message{severity, title, text.join(QLatin1Char('\n'))};
}

} // namespace stagecraft::window
