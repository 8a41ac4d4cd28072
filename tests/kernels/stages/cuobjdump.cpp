// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuobjdump.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

namespace stagecraft::tests {

namespace {

QStringList wheelFolders()
{
    QStringList folders;
    const QDir environments(STAGECRAFT_SOURCE_DIR "/build/cuda-wheels/disasm/lib");
    for (const QString &python : environments.entryList({"python3*"}, QDir::Dirs)) {
        const QDir nvidia(environments.filePath(python + "/site-packages/nvidia"));
        for (const QString &package : nvidia.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            folders << nvidia.filePath(package + "/bin");
    }
    return folders;
}

QStringList pathFolders()
{
    return qEnvironmentVariable("PATH").split(':', Qt::SkipEmptyParts);
}

} // namespace

QString findCuobjdump()
{
    const QStringList named = qEnvironmentVariable("STAGECRAFT_CUDA_TOOLS").split(':', Qt::SkipEmptyParts);
    const QStringList folders = named + pathFolders() + QStringList{STAGECRAFT_TOOLKIT_BIN} + wheelFolders();
    for (const QString &folder : folders) {
        if (folder.isEmpty() || QStandardPaths::findExecutable("nvdisasm", {folder}).isEmpty())
            continue;
        if (const QString program = QStandardPaths::findExecutable("cuobjdump", {folder}); !program.isEmpty())
            return program;
    }
    return {};
}

std::string runCuobjdump(const QString &program, const QString &option, const QString &cubin)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", QFileInfo(program).path() + ':' + environment.value("PATH"));
    process.setProcessEnvironment(environment);
    process.start(program, {option, cubin});
    const bool ended = process.waitForFinished() && process.exitStatus() == QProcess::NormalExit;
    const QByteArray complaint = process.readAllStandardError();
    if (!QTest::qVerify(ended && process.exitCode() == 0, "cuobjdump ended well", complaint.constData(), __FILE__,
                        __LINE__))
        return {};
    return process.readAllStandardOutput().toStdString();
}

} // namespace stagecraft::tests
