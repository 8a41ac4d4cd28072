// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"

#include "benchmarktext.h"
#include "foreignbytes.h"
#include "kerneltunerprogression.h"
#include "privacy.h"

#include <algorithm>

#include <QRegularExpression>

namespace stagecraft::import {

namespace {

using evidence::State;

const Tool kernelTuner{
    QStringLiteral("Kernel Tuner"),
    QStringLiteral(
        "Kernel Tuner: the times of each configuration as its benchmark took them; on a GPU these are device "
        "events around one launch, repeated without a flush of caches; of a C or Fortran function, what the "
        "function returned. A cache file does not say which, nor whether results were checked.")};

// Kernel Tuner names the processor where it tunes a function of the CPU.
bool isProcessor(const QString &device)
{
    static const QRegularExpression form(
        QStringLiteral("\\A(x86_64|AMD64|i[3-6]86|aarch64|arm64|armv.*|ppc64.*|riscv.*|Intel64 .*|)\\z"),
        QRegularExpression::CaseInsensitiveOption);
    return form.match(device).hasMatch();
}

class SessionImport
{
public:
    SessionImport(const TuningSession &session, const QString &path, ForeignFile &file)
        : m_session(session), m_file(file)
    {
        m_operation = session.kernel.isEmpty() ? publicStem(path) : session.kernel;
        if (!session.problemSize.isEmpty())
            m_operation += u' ' + session.problemSize;
        m_operation = benchmarkOperation(m_operation, session.dims);
    }

    void add()
    {
        describe();
        if (m_session.configurations.isEmpty()) {
            m_file.error = QStringLiteral("The file has no configuration yet.");
            return;
        }
        const QList<qsizetype> stages = tunedStages(m_session), fastest = fastestConfigurations(m_session);
        if (stages.isEmpty()) {
            addFailure();
        } else {
            for (qsizetype i = 0; i < m_session.configurations.size(); ++i) {
                if (stages.contains(i) || fastest.contains(i))
                    addConfiguration(m_session.configurations[i], stages.contains(i), i == stages.last());
            }
            m_file.progressions = {tunedProgression(m_session, m_operation, stages)};
        }
        sayWhatIsLeftOut();
    }

private:
    void describe()
    {
        m_isHost = isProcessor(m_session.device) && !m_session.kernel.isEmpty() && !m_session.device.isEmpty();
        m_file.gpu = m_isHost ? QString() : m_session.device;
        m_file.utc = m_session.utc;
        if (!m_session.version.isEmpty())
            m_file.toolVersion = QStringLiteral("schema ") + m_session.version;
    }

    ForeignSeries series(const QString &implementation) const
    {
        ForeignSeries series;
        series.operation = m_operation;
        series.dims = m_session.dims;
        series.implementation = implementation;
        series.noKernels = QStringLiteral("Kernel Tuner records no kernels");
        return series;
    }

    QString source() const { return m_isHost ? QStringLiteral("host") : QStringLiteral("event"); }

    void addConfiguration(const TunedConfiguration &configuration, bool isStage, bool isBest)
    {
        ForeignSeries own = series(configuration.id);
        QStringList notes{configuration.parameters.join(QLatin1String(", "))};
        if (configuration.timesUs.size() == 1)
            notes.append(QStringLiteral("one value, the tuner's own mean; the single times are not there"));
        own.span = measured(configuration.timesUs, source(), notes);
        own.stageId = isStage ? configuration.id : QString();
        own.isProgressionStage = isBest;
        m_file.series.append(own);
        ++m_kept;
    }

    // Nothing was ever measured: that, too, is a result of the session.
    void addFailure()
    {
        ForeignSeries own = series(QStringLiteral("all configurations"));
        own.span = notMeasured(
            State::Failed,
            QStringLiteral("none gave a time (%1)").arg(failureTexts(m_session).join(QLatin1String("; "))), source());
        m_file.series.append(own);
    }

    void sayWhatIsLeftOut()
    {
        const qsizetype measuredCount =
            std::ranges::count(m_session.configurations, State::Ok, &TunedConfiguration::state);
        if (measuredCount > m_kept)
            m_file.leftOut.append(
                QStringLiteral("%1 of %2 measured configurations are left out: here are the %3 fastest "
                               "and those that were the fastest when they were tried.")
                    .arg(measuredCount - m_kept)
                    .arg(measuredCount)
                    .arg(std::min(mostFastest, measuredCount)));
        const QStringList failures = failureTexts(m_session);
        if (!failures.isEmpty())
            m_file.leftOut.append(QStringLiteral("Of %1 configurations, these gave no time: %2.")
                                      .arg(m_session.configurations.size())
                                      .arg(failures.join(QLatin1String("; "))));
        if (m_session.isOpen)
            m_file.leftOut.append(
                QStringLiteral("The cache is not closed: its tuning session had not ended, and what it "
                               "did afterwards is not here."));
        if (!m_session.objective.isEmpty() && m_session.objective != QLatin1String("time"))
            m_file.leftOut.append(QStringLiteral("The session tuned for %1, which is left out; times alone are here.")
                                      .arg(evidence::excerpt(m_session.objective)));
        if (m_session.kernel.isEmpty())
            m_file.leftOut.append(QStringLiteral("The file names no kernel, problem size or device: the operation has "
                                                 "the file's name."));
    }

    const TuningSession &m_session;
    ForeignFile &m_file;
    QString m_operation;
    bool m_isHost = false;
    qsizetype m_kept = 0;
};

ForeignFile readFile(const QString &path, const Cancelled &cancelled)
{
    ForeignFile file;
    evidence::ProblemLog log({}, &file.problems);
    const QByteArray text = readForeignText(path, log, file, cancelled);
    if (text.isEmpty())
        return file;
    const TuningSession session = readTuningSession(text, log, file);
    if (file.error.isEmpty() && !(cancelled && cancelled()))
        SessionImport(session, path, file).add();
    return file;
}

bool recognises(const QString &path)
{
    const QByteArray head = firstBytes(path, 256 * 1024);
    const bool isCache = head.contains("\"tune_params_keys\"");
    const bool isOutput = head.contains("\"configuration\"") && head.contains("\"invalidity\"");
    return startsAsObject(head) && (isCache || isOutput);
}

Imported readAll(const QStringList &paths, const Cancelled &cancelled)
{
    return importWith(kernelTuner, paths, cancelled, readFile);
}

} // namespace

const Format &kernelTunerFormat()
{
    static const Format format{
        QStringLiteral("kerneltuner"), QStringLiteral("Kernel Tuner"), {QStringLiteral("json")}, recognises, readAll};
    return format;
}

} // namespace stagecraft::import
