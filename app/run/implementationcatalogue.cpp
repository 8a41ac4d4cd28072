// SPDX-License-Identifier: GPL-3.0-or-later
#include "implementationcatalogue.h"

#include <algorithm>
#include <QRegularExpression>

namespace stagecraft::run {

const QList<ImplementationEntry> &implementationCatalogue()
{
    static const QString host = QStringLiteral("host"), cuda = QStringLiteral("cuda"),
                         python = QStringLiteral("python");
    static const QStringList matmul = {QStringLiteral("matmul")}, neighbor = {QStringLiteral("neighbor")},
                             products = {QStringLiteral("matmul"), QStringLiteral("triangle")};
    static const QList<ImplementationEntry> entries = {
        {.id = QStringLiteral("host"), .worker = host, .operations = {}, .onCpu = true},
        {QStringLiteral("cuda"), cuda, {}},
        {QStringLiteral("cublas"), cuda, products},
        {QStringLiteral("cublaslt"), cuda, matmul},
        {QStringLiteral("cusparse"), cuda, neighbor},
        {QStringLiteral("pytorch"), python, {}},
        {.id = QStringLiteral("pytorch-compile"), .worker = python, .operations = {}, .slowToPrepare = true},
        {.id = QStringLiteral("pytorch-cpu"), .worker = python, .operations = {}, .onCpu = true},
        {QStringLiteral("triton"), python, {}},
        {.id = QStringLiteral("triton-tuned"), .worker = python, .operations = {}, .slowToPrepare = true},
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
        if (!workers.contains(entry.worker))
            workers.append(entry.worker);
    }
    return workers;
}

int workerDevice(const QString &worker, int gpu)
{
    return worker == QLatin1String("host") ? 0 : gpu;
}

} // namespace stagecraft::run
