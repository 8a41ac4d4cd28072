// SPDX-License-Identifier: GPL-3.0-or-later
#include "disassemblerplaces.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace stagecraft::run {

namespace {

const QString program = QStringLiteral("nvdisasm");

// Newest first, as names of releases sort; a number with more digits is a newer one.
QStringList children(const QString &folder, const QString &pattern)
{
    QStringList names = QDir(folder).entryList({pattern}, QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    std::stable_sort(names.begin(), names.end(), [](const QString &a, const QString &b) {
        return a.size() != b.size() ? a.size() > b.size() : a > b;
    });
    for (QString &name : names)
        name = QDir(folder).filePath(name);
    return names;
}

QStringList toolkits()
{
    QStringList roots;
    for (const char *name : {"CUDA_PATH", "CUDA_HOME"}) {
        if (const QString root = qEnvironmentVariable(name); !root.isEmpty())
            roots.append(root);
    }
    roots.append(QStringLiteral("/usr/local/cuda"));
    roots += children(QStringLiteral("/usr/local"), QStringLiteral("cuda-1*"));
    roots.append(QStringLiteral("/opt/cuda"));
    return roots;
}

// An environment is where lib/python3.…/site-packages is.
QStringList wheelFolders(const QString &environment)
{
    QStringList folders;
    for (const QString &python : children(environment + QStringLiteral("/lib"), QStringLiteral("python3*"))) {
        for (const QString &wheel : children(python + QStringLiteral("/site-packages/nvidia"), QStringLiteral("*")))
            folders.append(wheel + QStringLiteral("/bin"));
    }
    return folders;
}

// The interpreter's own place: in an environment it is a link to one elsewhere, whose packages are others.
QString environmentOf(const QString &python)
{
    const QString path = python.contains(QLatin1Char('/')) ? python : QStandardPaths::findExecutable(python);
    return path.isEmpty() ? QString() : QFileInfo(QFileInfo(path).absolutePath()).absolutePath();
}

} // namespace

QStringList disassemblerFolders(const QString &python)
{
    QStringList folders = qEnvironmentVariable("PATH").split(QLatin1Char(':'), Qt::SkipEmptyParts);
    for (const QString &root : toolkits())
        folders.append(root + QStringLiteral("/bin"));
    QStringList environments{qEnvironmentVariable("VIRTUAL_ENV"), environmentOf(python),
                             environmentOf(QStringLiteral("python3")), QDir::homePath() + QStringLiteral("/.local")};
    environments.removeAll(QString());
    environments.removeDuplicates();
    for (const QString &environment : std::as_const(environments))
        folders += wheelFolders(environment);
    folders.removeDuplicates();
    return folders;
}

DisassemblerProgram findDisassembler(const QString &python)
{
    const QString found = QStandardPaths::findExecutable(program, disassemblerFolders(python));
    if (!found.isEmpty())
        return {found, {}, {}};
    return {{},
            QStringLiteral("nvdisasm was not found: neither on PATH, nor in a CUDA Toolkit, nor among Python's wheels"),
            QStringLiteral("install the CUDA Toolkit, or the wheel: pip install nvidia-cuda-nvdisasm")};
}

} // namespace stagecraft::run
