// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"

#include <algorithm>
#include <QRegularExpression>

namespace stagecraft::run {

const QList<ImplementationEntry> &implementationCatalogue()
{
    static const QString none;
    static const QString host = QStringLiteral("host"), cuda = QStringLiteral("cuda");
    static const QStringList matmul = {QStringLiteral("matmul")}, neighbor = {QStringLiteral("neighbor")};
    static const QList<ImplementationEntry> entries = {
        {QStringLiteral("host"), host, QStringLiteral("Host (CPU)"), {}},
        {QStringLiteral("cuda"), cuda, QStringLiteral("CUDA"), {}},
        {QStringLiteral("cublas"), cuda, QStringLiteral("cuBLAS"), matmul},
        {QStringLiteral("cublaslt"), none, QStringLiteral("cuBLASLt"), matmul},
        {QStringLiteral("cusparse"), none, QStringLiteral("cuSPARSE"), neighbor},
        {QStringLiteral("pytorch"), none, QStringLiteral("PyTorch"), {}},
        {QStringLiteral("pytorch-compile"), none, QStringLiteral("PyTorch, compiled"), {}},
        {QStringLiteral("pytorch-cpu"), none, QStringLiteral("PyTorch (CPU)"), {}},
        {QStringLiteral("triton"), none, QStringLiteral("Triton"), {}},
        {QStringLiteral("triton-tuned"), none, QStringLiteral("Triton, tuned"), {}},
    };
    return entries;
}

const ImplementationEntry *findImplementation(const QString &id)
{
    const auto &entries = implementationCatalogue();
    const auto found = std::ranges::find(entries, implementationBase(id), &ImplementationEntry::id);
    return found == entries.end() ? nullptr : &*found;
}

QString implementationBase(const QString &id)
{
    return stageId(id).isEmpty() ? id : id.section(QLatin1Char('/'), 0, 0);
}

QString stageId(const QString &id)
{
    static const QRegularExpression ofStage(QStringLiteral("\\Acuda/([a-z0-9-]{1,64})\\z"));
    return ofStage.match(id).captured(1);
}

QStringList implementationIds()
{
    QStringList ids;
    for (const ImplementationEntry &entry : implementationCatalogue())
        ids.append(entry.id);
    return ids;
}

QStringList knownWorkers()
{
    QStringList workers;
    for (const ImplementationEntry &entry : implementationCatalogue()) {
        if (!entry.worker.isEmpty() && !workers.contains(entry.worker))
            workers.append(entry.worker);
    }
    return workers;
}

int workerDevice(const QString &worker, int gpu)
{
    return worker == QLatin1String("host") ? 0 : gpu;
}

QString notInThisVersionReason(const ImplementationEntry &entry)
{
    return QStringLiteral("no worker of this version runs %1").arg(entry.title);
}

QString notInThisVersionFix()
{
    QStringList available;
    for (const ImplementationEntry &entry : implementationCatalogue()) {
        if (!entry.worker.isEmpty())
            available.append(entry.id);
    }
    return QStringLiteral("choose among %1").arg(available.join(QStringLiteral(", ")));
}

} // namespace stagecraft::run
