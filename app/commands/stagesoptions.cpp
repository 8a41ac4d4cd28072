// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagesoptions.h"

#include "catalogue.h"
#include "commandtable.h"
#include "operationoptions.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>

namespace stagecraft::commands {

namespace {

QCommandLineOption option(const char *name, const QString &help, const char *value, const QString &standard = {})
{
    return QCommandLineOption(QString::fromLatin1(name), help, QString::fromUtf8(value), standard);
}

QString readArchitectures(const CommandParser &parser, QStringList &architectures)
{
    static const QRegularExpression form(QStringLiteral("\\Asm_[0-9]{2,3}[af]?\\z"));
    architectures = parser.list(QStringLiteral("compile"));
    if (parser.isSet(QStringLiteral("compile")) && architectures.isEmpty())
        return QStringLiteral("--compile names no architecture, such as sm_90a");
    for (const QString &architecture : std::as_const(architectures)) {
        if (!form.match(architecture).hasMatch())
            return QStringLiteral("--compile: “%1” is no architecture; name ones such as sm_75, sm_80, sm_86, sm_89, "
                                  "sm_90a or sm_120")
                .arg(architecture);
        if (architectures.count(architecture) > 1)
            return QStringLiteral("--compile names “%1” twice").arg(architecture);
    }
    return {};
}

QString dimsProblem(const QMap<QString, QList<qint64>> &dims)
{
    for (auto entry = dims.begin(); entry != dims.end(); ++entry) {
        const operations::Operation *operation = operations::findOperation(entry.key().toStdString());
        const operations::Dims values(entry->begin(), entry->end());
        if (const auto problem = operations::dimsProblem(*operation, values))
            return QStringLiteral("--dims %1: %2").arg(entry.key(), QString::fromStdString(*problem));
    }
    return {};
}

// A folder that the worker writes to.
QString readFolder(const CommandParser &parser, const char *name, const QStringList &prefix, QString &folder)
{
    const QString option = QLatin1String(name);
    folder = parser.value(option);
    if (!parser.isSet(option))
        return {};
    if (folder.isEmpty())
        return QStringLiteral("--%1 names no folder").arg(option);
    if (!prefix.isEmpty())
        return QStringLiteral("--%1 with --worker: the files would be written at the other end; use one of them")
            .arg(option);
    if (!QDir().mkpath(folder))
        return QStringLiteral("--%1: the folder “%2” cannot be made").arg(option, folder);
    return {};
}

QString readRest(const CommandParser &parser, StagesRequest &request)
{
    request.ownFolder = parser.value(QStringLiteral("stages-dir"));
    if (parser.isSet(QStringLiteral("stages-dir")) && request.ownFolder.isEmpty())
        return QStringLiteral("--stages-dir names no folder");
    request.workerPrefix = QProcess::splitCommand(parser.value(QStringLiteral("worker")));
    for (const char *needsCompile : {"cubins", "machine-code", "dims", "worker"}) {
        if (parser.isSet(QString::fromLatin1(needsCompile)) && request.architectures.isEmpty())
            return QStringLiteral("--%1 is for compiling: add --compile ARCH").arg(QLatin1String(needsCompile));
    }
    QString problem = readFolder(parser, "cubins", request.workerPrefix, request.cubinFolder);
    if (problem.isEmpty())
        problem = readFolder(parser, "machine-code", request.workerPrefix, request.machineCodeFolder);
    if (!problem.isEmpty())
        return problem;
    const QString format = parser.value(QStringLiteral("format"));
    if (format != QLatin1String("text") && format != QLatin1String("json"))
        return QStringLiteral("--format: text or json is expected, not “%1”").arg(format);
    request.json = format == QLatin1String("json");
    return {};
}

QString readRequest(const CommandParser &parser, StagesRequest &request)
{
    if (!parser.positional().isEmpty())
        return QStringLiteral("“%1” is no option; operations are named with --operation")
            .arg(parser.positional().first());
    QString problem = readOperationIds(parser, QStringLiteral("operation"), request.operations);
    if (problem.isEmpty())
        problem = readArchitectures(parser, request.architectures);
    if (problem.isEmpty())
        problem = readDims(parser, request.operations, request.dims);
    if (problem.isEmpty())
        problem = dimsProblem(request.dims);
    return problem.isEmpty() ? readRest(parser, request) : problem;
}

} // namespace

CommandSyntax stagesSyntax()
{
    return {
        QStringLiteral("stages"),
        {QStringLiteral("[OPTION…]")},
        QStringLiteral("Lists the stages of this project's kernels, in the order of their progression, each attempt "
                       "below the stage that it was compared with; with --compile also what a compiler says of each: "
                       "registers, shared, local and spill bytes of a launch, and the threads that a multiprocessor "
                       "holds at once. No GPU is needed."),
        {option("operation", QStringLiteral("Only of these. All by default."), "OP,…"),
         option("stages-dir",
                QStringLiteral("A folder of your own stages, OPERATION/ID.cu, listed among the ones that come with "
                               "Stagecraft."),
                "DIR"),
         option("compile", QStringLiteral("Compile each with NVRTC, for these architectures."), "ARCH,…"),
         option("dims", QStringLiteral("Sizes to compile for: ") + dimsHelp(), "OP=AxBxC,…"),
         option("cubins", QStringLiteral("Write the machine code there, as OPERATION-ID-ARCH.cubin."), "DIR"),
         option("machine-code",
                QStringLiteral("Write PTX and machine code there as text, as OPERATION-ID-ARCH.ptx and .sass, and tell "
                               "the instruction mix. The machine code needs nvdisasm."),
                "DIR"),
         option("worker", QStringLiteral("A command that starts the compiler's worker elsewhere, such as “ssh gpu01”."),
                "PREFIX"),
         option("format", QStringLiteral("text or json."), "FORMAT", QStringLiteral("text"))},
        {{QStringLiteral("Exit status"),
          QStringLiteral("0: all is listed, and compiles where it can: a stage that is made for other dims or for "
                         "another GPU is listed as such. 1: a file is no valid stage, a stage does not compile, "
                         "there is no compiler, or machine code that was asked for cannot be shown. 2: wrong usage.")}},
        {QStringLiteral("stagecraft stages --operation matmul --compile sm_89"),
         QStringLiteral("stagecraft stages --stages-dir ~/stages --compile sm_80,sm_90a --format json")},
        {QStringLiteral("operation"), QStringLiteral("compile"), QStringLiteral("dims")}};
}

StagesRequest parseStages(const QStringList &arguments)
{
    CommandParser parser(stagesSyntax());
    StagesRequest request;
    request.exitStatus = parser.parse(arguments);
    if (request.exitStatus)
        return request;
    if (const QString problem = readRequest(parser, request); !problem.isEmpty())
        request.exitStatus = parser.usageError(problem);
    return request;
}

} // namespace stagecraft::commands
