// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

// What a user chooses about the processes that run kernels: shared by the command line, the window and the runner.
namespace stagecraft::run {

// A program of the user's own that follows the directory contract (resources/help/external-programs.md): it is run as
// PROGRAM ARGUMENTS… INPUT_DIR [--iterations N] [--capture] and writes NAME-output.bin and NAME-timing.json there.
struct ExternalProgram
{
    QString name; // its implementation id, and NAME in the files that it writes
    QString program;
    QStringList arguments; // before the input directory

    bool operator==(const ExternalProgram &) const = default;
};

struct WorkerSetup
{
    QStringList prefix; // e.g. {"ssh", "gpu01"}; empty: started directly
    QString python;     // the interpreter of the Python worker; empty: python3
    QList<ExternalProgram> externals;

    bool operator==(const WorkerSetup &) const = default;
};

// nullptr where no external program has this name.
const ExternalProgram *findExternal(const WorkerSetup &setup, const QString &name);

// Which worker runs an implementation: "host", "cuda", "python", or "external/NAME" for an external program; empty
// where nothing is known by that id.
QString workerOf(const WorkerSetup &setup, const QString &implementation);

// The ids of all that workerOf() knows but stages: the catalogue's, then those of external programs.
QStringList knownImplementations(const WorkerSetup &setup);

// Every worker that runs something here, each once, those of external programs last.
QStringList workersOf(const WorkerSetup &setup);

// Whether the operation is among those that the implementation can do by its nature. An external program may do any.
bool offersOperation(const WorkerSetup &setup, const QString &implementation, const QString &operation);

// Why an external program cannot be called this or is not complete, as a sentence; empty if it can. A name is 1 to 64
// of a-z, 0-9, '-', '_' and none that the catalogue has.
QString externalProblem(const ExternalProgram &external);

// Of all of them: the first problem, or a name that is there twice.
QString setupProblem(const WorkerSetup &setup);

// "NAME=PROGRAM [ARGUMENT…]": all after '=' is the program where that is a file, else it is split at its spaces, where
// double quotes keep together what has some.
// With a problem, the program is empty.
ExternalProgram parseExternal(const QString &text);

// Whether a double quote in the command is opened and never closed: what stands behind it would be one argument.
bool hasOpenQuote(QString command);

// "~/bin/python" as a shell would have it, where none has seen it, as after '=' or in a field of the window.
QString expandedHome(const QString &path);

} // namespace stagecraft::run
