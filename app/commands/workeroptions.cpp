// SPDX-License-Identifier: GPL-3.0-or-later
#include "workeroptions.h"

#include <QFileInfo>
#include <QProcess>

namespace stagecraft::commands {

namespace {

const QString prefixOption = QStringLiteral("worker"), pythonOption = QStringLiteral("python"),
              externalOption = QStringLiteral("external");

QString readExternals(const CommandParser &parser, run::WorkerSetup &workers)
{
    for (const QString &text : parser.values(externalOption)) {
        if (!text.contains(QLatin1Char('=')))
            return QStringLiteral("--external: “%1” is no NAME=PROGRAM, such as rust=./rustbench").arg(text);
        if (const QString command = text.section(QLatin1Char('='), 1);
            !QFileInfo(run::expandedHome(command)).isFile() && run::hasOpenQuote(command))
            return QStringLiteral("--external: a double quote in “%1” is not closed").arg(text);
        workers.externals.append(run::parseExternal(text));
    }
    const QString problem = run::setupProblem(workers);
    return problem.isEmpty() ? QString() : QStringLiteral("--external: ") + problem;
}

} // namespace

void addWorkerOptions(CommandSyntax &syntax)
{
    syntax.lists.append(externalOption);
    syntax.options += QList<QCommandLineOption>{
        {prefixOption,
         QStringLiteral("A command that starts the workers elsewhere, such as “ssh gpu01” or “srun --gres=gpu:1”. "
                        "stagecraft-worker-cuda and the others must be on the PATH there."),
         QStringLiteral("PREFIX")},
        {pythonOption,
         QStringLiteral("The Python that runs PyTorch and Triton: an interpreter's path, or its name on the PATH. By "
                        "default what STAGECRAFT_PYTHON names, else python3."),
         QStringLiteral("PATH")},
        {externalOption,
         QStringLiteral("A program of your own that takes part as the implementation NAME, with arguments of its own "
                        "where it has some: rust=./rustbench, jax=\"python3 jaxbench.py\". The help page "
                        "“External programs” says what it is given and must write. The option may come again."),
         QStringLiteral("NAME=PROGRAM…")}};
}

QString readWorkers(const CommandParser &parser, run::WorkerSetup &workers)
{
    if (run::hasOpenQuote(parser.value(prefixOption)))
        return QStringLiteral("--worker: a double quote in “%1” is not closed").arg(parser.value(prefixOption));
    workers.prefix = QProcess::splitCommand(parser.value(prefixOption));
    workers.python = run::expandedHome(parser.value(pythonOption));
    if (parser.isSet(pythonOption) && workers.python.isEmpty())
        return QStringLiteral("--python names no interpreter");
    return readExternals(parser, workers);
}

} // namespace stagecraft::commands
