// SPDX-License-Identifier: GPL-3.0-or-later
#include "runinputs.h"

#include "inputs.h"
#include "publictext.h"

#include <filesystem>
#include <new>
#include <QDir>
#include <QThread>
#include <unistd.h>

namespace stagecraft::run {

namespace {

const QString namePrefix = QStringLiteral("stagecraft-inputs-"), lockSuffix = QStringLiteral(".lock");

// Never by age, but only where the process that held it is gone.
std::unique_ptr<QLockFile> lockOf(const QString &path)
{
    auto lock = std::make_unique<QLockFile>(path + lockSuffix);
    lock->setStaleLockTime(0);
    return lock;
}

// A link with this name would lead elsewhere.
bool isOwnDirectory(const QFileInfo &file)
{
    return file.isDir() && !file.isSymLink() && file.ownerId() == ::geteuid();
}

} // namespace

InputDirectory::InputDirectory()
    : m_directory(QDir::tempPath() + QLatin1Char('/') + namePrefix + QStringLiteral("XXXXXX"))
{
    if (!m_directory.isValid())
        return;
    m_directory.setAutoRemove(false);
    m_lock = lockOf(path());
    m_lock->lock();
}

InputDirectory::~InputDirectory()
{
    if (!m_directory.isValid())
        return;
    // A worker that is about to end may be removing its own folder in there: then what was seen is gone a moment later.
    constexpr int attempts = 20;
    constexpr unsigned long pauseMs = 10;
    for (int i = 0; i < attempts && !QDir(path()).removeRecursively(); ++i)
        QThread::msleep(pauseMs);
}

QString InputDirectory::problem() const
{
    return m_directory.isValid()
               ? QString()
               : QStringLiteral("no temporary directory for the inputs: %1").arg(m_directory.errorString());
}

void removeAbandonedInputs()
{
    const QDir folder(QDir::tempPath());
    for (const QFileInfo &file :
         folder.entryInfoList({namePrefix + QStringLiteral("??????") + lockSuffix}, QDir::Files)) {
        if (file.isSymLink() || file.ownerId() != ::geteuid())
            continue;
        const QString path = file.absoluteFilePath().chopped(lockSuffix.size());
        // Its owner holds the lock in the system as well, so that one in another container, whose process this one
        // cannot see, counts as alive.
        const std::unique_ptr<QLockFile> lock = lockOf(path);
        if (lock->tryLock() && isOwnDirectory(QFileInfo(path)))
            QDir(path).removeRecursively();
    }
}

RunInputs makeRunInputs(const RunPlan &plan, const PlannedOperation &planned, bool shared)
{
    RunInputs made;
    try {
        const auto *operation = operations::findOperation(planned.operation.toStdString());
        const operations::Dims dims(planned.dims.begin(), planned.dims.end());
        const operations::InputSet inputs = operations::generateInputs(*operation, dims, plan.seed);
        made.sha256 = operations::hashes(inputs);
        if (!shared)
            return made;
        removeAbandonedInputs();
        made.directory = std::make_shared<InputDirectory>();
        made.problem = made.directory->problem();
        if (!made.problem.isEmpty())
            return made;
        operations::writeInputDirectory(std::filesystem::path(made.directory->path().toStdString()), inputs,
                                        plan.warmup, plan.iterations);
    } catch (const std::bad_alloc &) {
        made.problem = QStringLiteral("the inputs and the result they are checked against do not fit this machine's "
                                      "memory; choose smaller --dims for %1")
                           .arg(planned.operation);
    } catch (const std::exception &error) {
        made.problem = QStringLiteral("the inputs could not be made: %1").arg(publicText(std::string(error.what())));
    }
    return made;
}

} // namespace stagecraft::run
