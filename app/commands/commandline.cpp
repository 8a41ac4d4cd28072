// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include "console.h"
#include "namespacearguments.h"

#include <QCoreApplication>

#include <cstdio>

namespace stagecraft::commands {
namespace {

QStringList commandNames()
{
    QStringList names;
    for (const Command &command : commandTable())
        names.append(command.name);
    return names;
}

Invocation answered(const QString &text)
{
    printLine(text);
    return {};
}

Invocation wrongUsage(const QString &message)
{
    complainLine(QStringLiteral("stagecraft: ") + message);
    complainLine(QStringLiteral("See: stagecraft --help"));
    return {Invocation::Answered, nullptr, {}, ExitUsage};
}

Invocation help(const QStringList &topics)
{
    if (topics.isEmpty())
        return answered(programHelp());
    if (topics.first() == QLatin1String("window"))
        return {Invocation::Window, nullptr, {QStringLiteral("--help")}, ExitDone};
    if (const Command *command = findCommand(topics.first()))
        return {Invocation::Run, command, {QStringLiteral("--help")}, ExitDone};
    return wrongUsage(
        QStringLiteral("there is no command '%1'%2").arg(topics.first(), didYouMean(topics.first(), commandNames())));
}

// Everything before the first option names evidence to open; options and their values are the window's to read.
Invocation window(QStringList arguments)
{
    for (QString &argument : arguments) {
        if (argument.startsWith(QLatin1Char('-')))
            break;
        const std::optional<QString> path = findNamespace(argument);
        if (!path)
            return wrongUsage(missingNamespace(argument) + QStringLiteral("; commands: %1%2")
                                                               .arg(commandNames().join(QStringLiteral(", ")),
                                                                    didYouMean(argument, commandNames())));
        argument = *path;
    }
    return {Invocation::Window, nullptr, arguments, ExitDone};
}

} // namespace

QString programHelp()
{
    QStringList lines{QStringLiteral("Usage: stagecraft [NAMESPACE…]        open the window, with this evidence"),
                      QStringLiteral("       stagecraft COMMAND [OPTION…]   do one job, without a display"),
                      QString(),
                      QStringLiteral("Runs GPU kernels in several implementations, shows kernel time beside the span\n"
                                     "around the call, and keeps what it measured as evidence. A NAMESPACE is a\n"
                                     "directory of evidence, a summary file, or the name of bundled evidence."),
                      QString(),
                      QStringLiteral("Commands:")};
    for (const Command &command : commandTable())
        lines.append(QStringLiteral("  %1%2").arg(command.name.leftJustified(10), command.summary));
    lines += {QString(),
              QStringLiteral("Options:"),
              QStringLiteral("  -h, --help     Show this help. A command's: stagecraft COMMAND --help;"),
              QStringLiteral("                 the window's: stagecraft help window."),
              QStringLiteral("  -v, --version  Show the version."),
              QString(),
              QStringLiteral("Exit status: 0 done; 1 the work, a check or a gate failed; 2 wrong usage.\n"
                             "Results go to standard output, progress and complaints to standard error.")};
    return lines.join(QLatin1Char('\n'));
}

QString headlessHint()
{
    return QStringLiteral("Without a display these commands do the work: %1.\nSee: stagecraft --help")
        .arg(commandNames().join(QStringLiteral(", ")));
}

Invocation interpretCommandLine(const QStringList &arguments)
{
    const QString first = arguments.value(0);
    if (first == QLatin1String("-h") || first == QLatin1String("--help") || first == QLatin1String("help"))
        return help(arguments.mid(1));
    if (first == QLatin1String("-v") || first == QLatin1String("--version"))
        return answered(QStringLiteral("stagecraft ") + QCoreApplication::applicationVersion());
    if (const Command *command = findCommand(first))
        return {Invocation::Run, command, arguments.mid(1), ExitDone};
    return window(arguments);
}

int confirmOutput(int status)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return status;
    complainLine(QStringLiteral("stagecraft: standard output did not take everything (a full disk, or it is closed): "
                                "what was printed is not complete."));
    return status == ExitDone ? ExitFailed : status;
}

} // namespace stagecraft::commands
