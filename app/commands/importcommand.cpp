// SPDX-License-Identifier: GPL-3.0-or-later
#include "importcommand.h"

#include "commandtable.h"
#include "console.h"
#include "importer.h"
#include "importresults.h"
#include "importwriter.h"
#include "outputdirectory.h"

#include <algorithm>

namespace stagecraft::commands {

namespace {

QString formatTitles()
{
    QStringList titles;
    for (const import::Format &format : import::formats())
        titles.append(QStringLiteral("%1 (.%2)").arg(format.title, format.suffixes.join(QStringLiteral(", ."))));
    return titles.join(QStringLiteral(", "));
}

void complain(const QString &text)
{
    complainLine(QStringLiteral("stagecraft import: ") + text);
}

void reportProblems(const evidence::Namespace &evidence)
{
    for (const evidence::Problem &problem : evidence.problems) {
        const QString place = problem.pointer.isEmpty() ? problem.file : problem.file + u' ' + problem.pointer;
        complain(QStringLiteral("%1: %2").arg(place, problem.cause));
    }
}

} // namespace

CommandSyntax importSyntax()
{
    return {
        QStringLiteral("import"),
        {QStringLiteral("FILE… --output DIR")},
        QStringLiteral("Makes a namespace of what other tools measured, of any of these kinds, told by their content: "
                       "%1.\n\nSeveral files of one kind become one namespace: each is an implementation, and a stage "
                       "of the progression of every operation that all of them have, in the order given. Host names, "
                       "user names and paths in the files do not reach the namespace.")
            .arg(formatTitles()),
        {QCommandLineOption(QStringLiteral("output"),
                            QStringLiteral("Where the namespace goes: a new or empty directory, whose name is the "
                                           "namespace's."),
                            QStringLiteral("DIR"))},
        {{QStringLiteral("What is printed"),
          QStringLiteral("A line for each operation and implementation, with its kernel time or span, its launches "
                         "and the timing source. What a file lacks, and what was left out, goes to standard error; "
                         "the namespace keeps it, too.")},
         {QStringLiteral("Exit status"),
          QStringLiteral("0: all files were read. 1: a file is damaged or cannot be read (what is sound of the "
                         "others is written), or nothing could be written. 2: wrong usage.")}},
        {QStringLiteral("nsys export -t sqlite before.nsys-rep"),
         QStringLiteral("stagecraft import before.sqlite after.sqlite --output out/series"),
         QStringLiteral("stagecraft import trace.json.gz --output out/trace")}};
}

int runImportCommand(const QStringList &arguments)
{
    CommandParser parser(importSyntax());
    if (const std::optional<int> status = parser.parse(arguments))
        return *status;
    const QStringList files = parser.positional();
    const QString directory = parser.value(QStringLiteral("output"));
    if (files.isEmpty())
        return parser.usageError(QStringLiteral("name at least one FILE"));
    if (const QString problem = run::outputProblem(directory); !problem.isEmpty())
        return parser.usageError(problem);
    const import::Imported imported = import::importFiles(files);
    if (!imported.error.isEmpty()) {
        for (const QString &line : imported.error.split(u'\n'))
            complain(line);
        return ExitFailed;
    }
    reportProblems(imported.evidence);
    if (const QString error = writeWhole(imported.evidence, directory); !error.isEmpty()) {
        complain(error);
        return ExitFailed;
    }
    printImported(imported.evidence, directory);
    return imported.evidence.hasContradiction() ? ExitFailed : ExitDone;
}

} // namespace stagecraft::commands
