// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctorcommand.h"

#include "commandparser.h"
#include "commandtable.h"
#include "console.h"
#include "doctorreport.h"
#include "runner.h"
#include "workeroptions.h"

#include <algorithm>
#include <QEventLoop>

namespace stagecraft::commands {

namespace {

CommandSyntax doctorSyntax()
{
    CommandSyntax syntax{
        QStringLiteral("doctor"),
        {QString()},
        QStringLiteral("Starts every worker and lists what it finds: devices, libraries and Python packages with their "
                       "versions, which implementations can run, whether kernels can be recorded and hardware "
                       "counters taken, a self test, and where nvdisasm is, which machine code is shown by; for "
                       "everything that is unavailable why, and what to do."),
        {},
        {{QStringLiteral("Exit status"), QStringLiteral("0: the host worker is sound; a GPU or a Python package that "
                                                        "is not there is no failure. 1: the host worker "
                                                        "failed. 2: wrong usage.")}},
        {QStringLiteral("stagecraft doctor"), QStringLiteral("stagecraft doctor --python ~/venv/bin/python"),
         QStringLiteral("stagecraft doctor --worker \"ssh gpu01\" --format json")}};
    addWorkerOptions(syntax);
    syntax.options.append(
        {QStringLiteral("format"), QStringLiteral("text or json."), QStringLiteral("FORMAT"), QStringLiteral("text")});
    return syntax;
}

QList<run::WorkerReport> survey(const run::WorkerSetup &setup)
{
    run::Surveyor surveyor;
    QEventLoop loop;
    QList<run::WorkerReport> reports;
    QObject::connect(&surveyor, &run::Surveyor::reported, &loop,
                     [&](const run::WorkerReport &report) { reports.append(report); });
    QObject::connect(&surveyor, &run::Surveyor::countersReported, &loop,
                     [&](const QString &worker, const protocol::CaptureSupport &counters) {
                         const auto report = std::ranges::find(reports, worker, &run::WorkerReport::worker);
                         if (report != reports.end())
                             report->description.counters = counters;
                     });
    QObject::connect(&surveyor, &run::Surveyor::finished, &loop, &QEventLoop::quit);
    surveyor.setAsksForCounters(true);
    surveyor.start(setup, 0);
    loop.exec();
    // In one order, whoever answered first.
    std::ranges::stable_sort(reports, {}, [order = run::workersOf(setup)](const run::WorkerReport &report) {
        return order.indexOf(report.worker);
    });
    return reports;
}

} // namespace

int runDoctorCommand(const QStringList &arguments)
{
    CommandParser parser(doctorSyntax());
    if (const std::optional<int> status = parser.parse(arguments))
        return *status;
    if (!parser.positional().isEmpty())
        return parser.usageError(QStringLiteral("doctor takes no “%1”").arg(parser.positional().first()));
    const QString format = parser.value(QStringLiteral("format"));
    if (format != QLatin1String("text") && format != QLatin1String("json"))
        return parser.usageError(QStringLiteral("--format: text or json is expected, not “%1”").arg(format));
    run::WorkerSetup workers;
    if (const QString problem = readWorkers(parser, workers); !problem.isEmpty())
        return parser.usageError(problem);
    const QList<run::WorkerReport> reports = survey(workers);
    const run::DisassemblerProgram disassembler = run::findDisassembler(workers.python);
    if (format == QLatin1String("json")) {
        printLine(QString::fromStdString(
            doctorJson(reports, disassembler).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)));
    } else {
        for (const QString &line : doctorText(reports, disassembler))
            printLine(line);
    }
    return hostIsSound(reports) ? ExitDone : ExitFailed;
}

} // namespace stagecraft::commands
