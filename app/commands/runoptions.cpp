// SPDX-License-Identifier: GPL-3.0-or-later
#include "runoptions.h"

#include "catalogue.h"
#include "commandtable.h"
#include "console.h"
#include "implementationcatalogue.h"
#include "operationoptions.h"
#include "outputdirectory.h"
#include "stageselection.h"
#include "workeroptions.h"

namespace stagecraft::commands {

namespace {

QCommandLineOption option(const char *name, const QString &help, const char *value, const QString &standard = {})
{
    return QCommandLineOption(QString::fromLatin1(name), help, QString::fromUtf8(value), standard);
}

// Fills the plan's operations from --operations and --dims; returns what is wrong, empty if nothing.
QString readOperations(const CommandParser &parser, run::RunPlan &plan)
{
    QStringList chosen;
    QMap<QString, QList<qint64>> dims;
    QString problem = readOperationIds(parser, QStringLiteral("operations"), chosen);
    if (problem.isEmpty())
        problem = readDims(parser, chosen, dims);
    if (!problem.isEmpty())
        return problem;
    for (const QString &id : chosen) {
        const operations::Dims &standard = operations::findOperation(id.toStdString())->defaultDims;
        plan.operations.append({id, dims.value(id, QList<qint64>(standard.begin(), standard.end())), {}});
    }
    return {};
}

QString readImplementations(const CommandParser &parser, const run::WorkerSetup &workers, QStringList &implementations)
{
    const QStringList known = run::knownImplementations(workers);
    implementations = parser.list(QStringLiteral("implementations"));
    if (parser.isSet(QStringLiteral("implementations")) && implementations.isEmpty())
        return QStringLiteral("--implementations names none; there are %1").arg(commas(known));
    for (const QString &id : implementations) {
        if (!run::stageId(id).isEmpty())
            return QStringLiteral("--implementations: “%1” is a stage; name it with --stages OPERATION/%2")
                .arg(id, run::stageId(id));
        if (!known.contains(id))
            return QStringLiteral("--implementations: “%1” is not known; there are %2, and what --external names%3")
                .arg(id, commas(known), didYouMean(id, known));
    }
    return {};
}

// One of a few words; returns what is wrong, empty if nothing.
QString readWord(const CommandParser &parser, const char *name, const QStringList &allowed, QString &word)
{
    word = parser.value(QLatin1String(name));
    if (allowed.contains(word))
        return {};
    return QStringLiteral("--%1: “%2” is not known; there are %3%4")
        .arg(QLatin1String(name), word, allowed.join(QStringLiteral(" and ")), didYouMean(word, allowed));
}

// --stages and --stages-dir. Files that are no valid stages are told of where all were asked for.
QString readStages(const CommandParser &parser, RunRequest &request)
{
    const bool named = parser.isSet(QStringLiteral("stages"));
    const QString ownFolder = parser.value(QStringLiteral("stages-dir"));
    if (!named)
        return parser.isSet(QStringLiteral("stages-dir"))
                   ? QStringLiteral("--stages-dir is for --stages: add --stages all, or --stages OPERATION/ID")
                   : QString();
    if (parser.isSet(QStringLiteral("stages-dir"))) {
        const QString problem =
            ownFolder.isEmpty() ? QStringLiteral("it names no folder") : run::stagesFolderProblem(ownFolder);
        if (!problem.isEmpty())
            return QStringLiteral("--stages-dir: ") + problem;
    }
    QStringList operations;
    for (const run::PlannedOperation &planned : request.plan.operations)
        operations.append(planned.operation);
    const QStringList words = parser.list(QStringLiteral("stages"));
    request.catalogue = run::stageCatalogue(ownFolder);
    if (const QString problem = stagesProblem(words, operations, request.catalogue); !problem.isEmpty())
        return problem;
    request.stages = selectedStages(words, operations, request.catalogue);
    if (const QString problem = keepToArithmetic(words, request.plan.arithmetic, request.stages, request.leftOut);
        !problem.isEmpty())
        return problem;
    request.catalogue.problems.removeIf([&](const run::StageProblem &problem) {
        return !words.contains(QStringLiteral("all")) ||
               (!problem.operation.isEmpty() && !operations.contains(problem.operation));
    });
    return {};
}

bool readNumbers(const CommandParser &parser, run::RunPlan &plan)
{
    const auto rounds = parser.integer(QStringLiteral("rounds"), 1, 1000);
    const auto iterations = rounds ? parser.integer(QStringLiteral("iterations"), 1, 1'000'000) : std::nullopt;
    const auto warmup = iterations ? parser.integer(QStringLiteral("warmup"), 0, 1'000'000) : std::nullopt;
    const auto captured = warmup ? parser.integer(QStringLiteral("capture-iterations"), 1, 100'000) : std::nullopt;
    const auto device = captured ? parser.integer(QStringLiteral("device"), 0, 1023) : std::nullopt;
    const auto runs = device ? parser.integer(QStringLiteral("runs"), 1, 100) : std::nullopt;
    if (!runs)
        return false;
    plan.runs = *runs;
    plan.rounds = *rounds;
    plan.iterations = *iterations;
    plan.warmup = *warmup;
    plan.captureIterations = *captured;
    plan.device = *device;
    return true;
}

// Everything but the numbers, whose complaints the parser makes itself.
QString readPlan(const CommandParser &parser, RunRequest &request)
{
    run::RunPlan &plan = request.plan;
    plan.outputDirectory = parser.value(QStringLiteral("output"));
    if (const QString problem = run::outputProblem(plan.outputDirectory); !problem.isEmpty())
        return problem;
    QString problem = readOperations(parser, plan);
    if (problem.isEmpty())
        problem = readWord(parser, "cache", run::cacheStates(), plan.cache);
    if (problem.isEmpty())
        problem = readWord(parser, "arithmetic", run::arithmeticChoices(), plan.arithmetic);
    if (problem.isEmpty())
        problem = readWorkers(parser, plan.workers);
    if (problem.isEmpty())
        problem = readImplementations(parser, plan.workers, request.implementations);
    if (problem.isEmpty())
        problem = readStages(parser, request);
    if (!problem.isEmpty())
        return problem;
    bool seedIsNumber = true;
    plan.seed = parser.value(QStringLiteral("seed")).toULongLong(&seedIsNumber);
    if (!seedIsNumber)
        return QStringLiteral("--seed: a whole number from 0 to 18446744073709551615 is expected");
    request.reference = parser.value(QStringLiteral("reference"));
    if (parser.isSet(QStringLiteral("reference")) && request.reference.isEmpty())
        return QStringLiteral("--reference names no implementation");
    plan.capture = !parser.isSet(QStringLiteral("no-capture"));
    plan.floors = !parser.isSet(QStringLiteral("no-floors"));
    plan.counters = parser.isSet(QStringLiteral("counters"));
    if (plan.counters && !plan.capture)
        return QStringLiteral("--counters needs the device's profiler, which --no-capture leaves to another program: "
                              "leave out one of them");
    if (plan.counters && run::isCold(plan))
        return QStringLiteral(
            "--counters runs each kernel several times on the same arrays, which are in the cache then: "
            "take them of a warm run, without --cache cold");
    return {};
}

// What is measured, and where it goes.
QList<QCommandLineOption> subjectOptions()
{
    return {
        option("output", QStringLiteral("The namespace to write: a new or empty directory."), "DIR"),
        option("operations", QStringLiteral("What to compute: %1. All by default.").arg(commas(operationIds())), "a,b"),
        option("implementations",
               QStringLiteral("Who computes it: %1, and what --external names. All that are available here by "
                              "default; one that is named and not available is recorded as such, and the exit status "
                              "is 1.")
                   .arg(commas(run::implementationIds())),
               "a,b"),
        option("stages",
               QStringLiteral("Stages of cuda that take part by name, as cuda/ID: retained (those that come with "
                              "Stagecraft), all (attempts and your own too), or single ones, such as matmul/k64."),
               "NAME,…"),
        option("stages-dir", QStringLiteral("A folder of your own stages, OPERATION/ID.cu, for --stages."), "DIR"),
        option("dims", dimsHelp(), "OP=AxBxC,…"),
        option("reference",
               QStringLiteral("The implementation that the verdicts compare the others with. By default cuda where it "
                              "was measured, else the first that was measured in the order of --implementations."),
               "ID")};
}

// How it is measured.
QList<QCommandLineOption> protocolOptions()
{
    const run::RunPlan standard;
    const auto number = [](auto value) { return QString::number(value); };
    return {
        option("rounds", QStringLiteral("Passes over the implementations, each in another order."), "N",
               number(standard.rounds)),
        option("runs", QStringLiteral("How often all of it is repeated, each time in fresh workers."), "N",
               number(standard.runs)),
        option("iterations", QStringLiteral("Spans per round."), "N", number(standard.iterations)),
        option("warmup", QStringLiteral("Calls before the spans of a round."), "N", number(standard.warmup)),
        option("capture-iterations", QStringLiteral("Iterations whose kernels are recorded in each round."), "N",
               number(standard.captureIterations)),
        QCommandLineOption(QStringLiteral("no-capture"),
                           QStringLiteral("Record no kernels, and leave the device's profiler to another program.")),
        QCommandLineOption(QStringLiteral("no-floors"),
                           QStringLiteral("Do not measure what no implementation can beat on this GPU: streams, "
                                          "gathers and arithmetic peaks, a few seconds after the rounds.")),
        QCommandLineOption(QStringLiteral("counters"),
                           QStringLiteral("Take hardware counters of one call of each implementation, after everything "
                                          "that is timed: each kernel runs some 14 times for them.")),
        option("cache",
               QStringLiteral("State of the GPU's L2 before each call: warm, or cold: the calls rotate through copies "
                              "of the buffers that exceed it twice. What cannot be measured so is unavailable."),
               "STATE", standard.cache),
        option("arithmetic",
               QStringLiteral("What stages may compute in: any, or fp32: exact FP32 only, no split TF32."), "WORD",
               standard.arithmetic),
        option("device", QStringLiteral("The GPU, by its CUDA number."), "N", number(standard.device)),
        option("seed", QStringLiteral("Of the inputs."), "N", number(standard.seed))};
}

} // namespace

CommandSyntax runSyntax()
{
    CommandSyntax syntax = {
        QStringLiteral("run"),
        {QStringLiteral("--output DIR [OPTION…]")},
        QStringLiteral("Measures operations in several implementations and writes what was measured as a namespace, a "
                       "directory of evidence. Progress goes to standard error, the value table to standard "
                       "output.\n\nCtrl+C ends the run within one sample and keeps what was measured."),
        subjectOptions() + protocolOptions(),
        {{QStringLiteral("Exit status"),
          QStringLiteral("0: everything was measured; kernel time may be unavailable, with its reason. 1: something "
                         "failed, was not available or was cancelled; the rest is measured and written. 2: wrong "
                         "usage.")}},
        {QStringLiteral("stagecraft run --output out/today"),
         QStringLiteral("stagecraft run --python ~/venv/bin/python --output out/peers"),
         QStringLiteral("stagecraft run --external rust=./rustbench --implementations cuda,rust --output out/rust"),
         QStringLiteral("stagecraft run --implementations cuda --stages all --output out/stages"),
         QStringLiteral("stagecraft run --implementations host --dims matmul=128x96x64 --rounds 3 --iterations 20 "
                        "--output out/h")},
        {QStringLiteral("operations"), QStringLiteral("implementations"), QStringLiteral("stages"),
         QStringLiteral("dims")}};
    addWorkerOptions(syntax);
    return syntax;
}

RunRequest parseRun(const QStringList &arguments)
{
    CommandParser parser(runSyntax());
    RunRequest request;
    request.exitStatus = parser.parse(arguments);
    if (request.exitStatus)
        return request;
    if (!parser.positional().isEmpty()) {
        request.exitStatus = parser.usageError(
            QStringLiteral("“%1” is no option; the namespace is named with --output").arg(parser.positional().first()));
    } else if (const QString problem = readPlan(parser, request); !problem.isEmpty()) {
        request.exitStatus = parser.usageError(problem);
    } else if (!readNumbers(parser, request.plan)) {
        request.exitStatus = ExitUsage;
    }
    return request;
}

QStringList assignImplementations(run::RunPlan &plan, const QStringList &implementations)
{
    QStringList idle;
    for (const QString &id : implementations) {
        bool fits = false;
        for (run::PlannedOperation &planned : plan.operations) {
            if (!run::offersOperation(plan.workers, id, planned.operation))
                continue;
            planned.implementations.append(id);
            fits = true;
        }
        if (!fits)
            idle.append(id);
    }
    return idle;
}

} // namespace stagecraft::commands
