// SPDX-License-Identifier: GPL-3.0-or-later
#include "targetoptions.h"

#include "commandtable.h"
#include "console.h"
#include "implementationcatalogue.h"
#include "operationoptions.h"
#include "stagecatalogue.h"
#include "workersetup.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace stagecraft::commands {

namespace {

const QString cuda = QStringLiteral("cuda");

// It becomes part of file names, and of a harness's, which may be in capitals.
QString nameProblem(const QString &name)
{
    static const QRegularExpression allowed(QStringLiteral("\\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\\z"));
    return allowed.match(name).hasMatch()
               ? QString()
               : QStringLiteral("--name: “%1” cannot stand in the names of files; up to 64 letters, digits, -, _ and . "
                                "are expected")
                     .arg(name);
}

QString implementationProblem(const QString &id)
{
    if (!run::stageId(id).isEmpty())
        return QStringLiteral("--implementation: “%1” is a stage; name it with --stage OPERATION/%2")
            .arg(id, run::stageId(id));
    const QStringList known = run::implementationIds();
    return run::findImplementation(id) ? QString()
                                       : QStringLiteral("--implementation: “%1” is not known; there are %2%3")
                                             .arg(id, commas(known), didYouMean(id, known));
}

QString readStage(const CommandParser &parser, TargetRequest &request)
{
    if (!parser.isSet(QStringLiteral("stage")))
        return {};
    const QString name = parser.value(QStringLiteral("stage"));
    if (request.implementation != cuda)
        return QStringLiteral("--stage: stages are of cuda, not of %1").arg(request.implementation);
    QStringList known;
    for (const run::CatalogueStage &entry : run::stageCatalogue().stages) {
        known.append(QString::fromStdString(entry.stage.name()));
        if (known.last() == name)
            request.stage = entry.stage;
    }
    if (request.stage)
        return {};
    const QString near = didYouMean(name, known);
    return QStringLiteral("--stage: there is no stage “%1”%2")
        .arg(name, near.isEmpty() ? QStringLiteral("; `stagecraft stages` lists those that there are") : near);
}

QString readPython(const CommandParser &parser, TargetRequest &request)
{
    if (!parser.isSet(QStringLiteral("python")))
        return {};
    request.python = run::expandedHome(parser.value(QStringLiteral("python")));
    if (run::findImplementation(request.implementation)->worker != QLatin1String("python"))
        return QStringLiteral("--python: %1 does not run in Python").arg(request.implementation);
    return request.python.isEmpty() ? QStringLiteral("--python names no interpreter") : QString();
}

QString readArguments(const CommandParser &parser, TargetRequest &request)
{
    const QStringList positional = parser.positional();
    if (positional.size() != 1)
        return positional.isEmpty()
                   ? QStringLiteral("an input directory is expected")
                   : QStringLiteral("one input directory is expected, not also “%1”").arg(positional.value(1));
    request.directory = positional.first();
    request.name = parser.value(QStringLiteral("name"));
    request.implementation = parser.value(QStringLiteral("implementation"));
    request.bracket = parser.isSet(QStringLiteral("capture"));
    QString problem = nameProblem(request.name);
    if (problem.isEmpty())
        problem = implementationProblem(request.implementation);
    if (problem.isEmpty())
        problem = readPython(parser, request);
    return problem.isEmpty() ? readStage(parser, request) : problem;
}

QString missingCount(const char *key, const char *fix)
{
    return QStringLiteral("input.json: /%1: is missing: %2").arg(QString::fromLatin1(key), QString::fromUtf8(fix));
}

// What the directory says, with the count that the command line gives. Returns what is wrong with the directory.
QString readDirectory(TargetRequest &request, std::optional<int> iterations)
{
    const QFileInfo folder(request.directory);
    if (!folder.isDir())
        return folder.exists() ? QStringLiteral("it is no directory; name the one that holds input.json")
                               : QStringLiteral("it does not exist; name the directory that holds input.json");
    if (!folder.isWritable())
        return QStringLiteral("it cannot be written to, but the results go there");
    try {
        request.manifest = operations::readInputManifest(request.directory.toStdString());
    } catch (const operations::InputError &error) {
        return QString::fromUtf8(error.what());
    }
    if (iterations)
        request.manifest.iterations = iterations;
    if (!request.manifest.iterations)
        return missingCount("iterations", "give --iterations N");
    if (!request.manifest.warmup)
        return missingCount("warmup", "write there how many calls stand before the first sample");
    const QString operation = QString::fromStdString(request.manifest.operation);
    if (request.stage && request.stage->operation != request.manifest.operation)
        return QStringLiteral("it is of %1, but the stage %2 is not")
            .arg(operation, QString::fromStdString(request.stage->name()));
    if (!run::findImplementation(request.implementation)->offers(operation))
        return QStringLiteral("it is of %1, which %2 does not compute").arg(operation, request.implementation);
    return {};
}

} // namespace

CommandSyntax targetSyntax()
{
    return {
        QStringLiteral("target"),
        {QStringLiteral("INPUT_DIR [OPTION…]")},
        QStringLiteral("Runs this project's own kernels for a harness that measures several programs through a "
                       "directory: reads its input.json and buffers, checks the result, measures, and writes "
                       "NAME-output.bin (little-endian float32) and NAME-timing.json there. A result that is wrong "
                       "has no timing."),
        {QCommandLineOption(QStringLiteral("iterations"), QStringLiteral("Samples; by default input.json's."),
                            QStringLiteral("N")),
         QCommandLineOption(QStringLiteral("capture"),
                            QStringLiteral("Call cuProfilerStart before the samples and cuProfilerStop after them, for "
                                           "the harness's instrument, which then has the kernel times.")),
         QCommandLineOption(QStringLiteral("name"), QStringLiteral("What the files that it writes begin with."),
                            QStringLiteral("NAME"), QStringLiteral("stagecraft")),
         QCommandLineOption(QStringLiteral("stage"),
                            QStringLiteral("The stage of cuda to run, such as matmul/k64; by default the last "
                                           "retained one that fits."),
                            QStringLiteral("OP/ID")),
         QCommandLineOption(
             QStringLiteral("implementation"),
             QStringLiteral("Who computes it: %1. host needs no GPU; its times are the CPU's, by the host's clock.")
                 .arg(commas(run::implementationIds())),
             QStringLiteral("ID"), cuda),
         QCommandLineOption(QStringLiteral("python"),
                            QStringLiteral("The Python that runs PyTorch and Triton: an interpreter's path, or its "
                                           "name on the PATH. By default what STAGECRAFT_PYTHON names, else python3."),
                            QStringLiteral("PATH"))},
        {{QStringLiteral("Exit status"),
          QStringLiteral("0: both files are written. 1: the directory cannot be used, the implementation is not "
                         "available, or its result is wrong. 2: wrong usage.")}},
        {QStringLiteral("stagecraft target inputs/matmul"),
         QStringLiteral("stagecraft target inputs/matmul --implementation host --name rust --iterations 20")}};
}

TargetRequest parseTarget(const QStringList &arguments)
{
    CommandParser parser(targetSyntax());
    TargetRequest request;
    request.exitStatus = parser.parse(arguments);
    if (request.exitStatus)
        return request;
    if (const QString problem = readArguments(parser, request); !problem.isEmpty()) {
        request.exitStatus = parser.usageError(problem);
        return request;
    }
    std::optional<int> iterations;
    if (parser.isSet(QStringLiteral("iterations"))) {
        iterations = parser.integer(QStringLiteral("iterations"), 1, 1'000'000);
        if (!iterations) {
            request.exitStatus = ExitUsage;
            return request;
        }
    }
    if (const QString problem = readDirectory(request, iterations); !problem.isEmpty()) {
        complainLine(QStringLiteral("%1: %2").arg(request.directory, problem));
        request.exitStatus = ExitFailed;
    }
    return request;
}

} // namespace stagecraft::commands
