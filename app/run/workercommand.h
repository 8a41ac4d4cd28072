// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workersetup.h"

#include <QString>
#include <QStringList>

namespace stagecraft::run {

// How one worker is started. With a problem it cannot be, and program is empty.
struct WorkerCommand
{
    QString worker; // "host", "cuda", "python", "external/NAME"
    QString program;
    QStringList arguments;
    QString shown;        // as a person would type it; no absolute path of this machine
    bool remote = false;  // started through a prefix: it shares no files with this program
    QString problem, fix; // for the user, who sees the paths as typed; evidence gets them through withoutPlaces()
};

// The one place that knows where workers are. Without a prefix: stagecraft-worker-NAME in workerDirectory(), for
// "python" the chosen interpreter with worker.py of the resources. With one (ssh gpu01, srun --gres=gpu:1, docker exec
// gpu): the prefix followed by stagecraft-worker-NAME, which must be on the PATH at the other end; for "python" the
// interpreter there follows it. An external program's worker is stagecraft-worker-external NAME PROGRAM ARGUMENT….
WorkerCommand workerCommand(const QString &worker, const WorkerSetup &setup);

// The text with the chosen interpreter and external programs named by their base names alone: evidence tells nothing of
// where they are on this machine.
QString withoutPlaces(QString text, const WorkerSetup &setup);

// Beside the executable, or where the environment variable STAGECRAFT_WORKER_DIRECTORY says.
QString workerDirectory();

} // namespace stagecraft::run
