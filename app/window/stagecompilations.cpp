// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagecompilations.h"

#include "architectures.h"

namespace stagecraft::window {

namespace {

QString keyOf(const QString &operation, const QString &id, const QString &architecture, const QString &sha256)
{
    return QStringList{operation, id, architecture, sha256}.join(QLatin1Char('/'));
}

QString keyOf(const stagefile::Stage &stage, const QString &architecture)
{
    return keyOf(QString::fromStdString(stage.operation), QString::fromStdString(stage.id), architecture,
                 QString::fromStdString(stage.sha256));
}

} // namespace

StageCompilations::StageCompilations(QObject *parent) : QObject(parent)
{
    connect(&m_compiler, &run::StageCompiler::compiled, this, &StageCompilations::receive);
}

void StageCompilations::request(const stagefile::Stage &stage, const QStringList &architectures)
{
    QList<run::CompileOrder> orders;
    for (const QString &architecture : architectures) {
        const QString key = keyOf(stage, architecture);
        if (m_known.contains(key) || m_underWay.contains(key) || !architectureMisfit(stage, architecture).isEmpty())
            continue;
        m_underWay.insert(key);
        run::CompileOrder order;
        order.stage = stage;
        order.architecture = architecture;
        orders.append(order);
    }
    if (!orders.isEmpty())
        m_compiler.compile(orders);
}

void StageCompilations::receive(const run::StageCompilation &compilation)
{
    const QString key =
        keyOf(compilation.operation, compilation.id, compilation.architecture, compilation.sourceSha256);
    m_underWay.remove(key);
    m_known.insert(key, compilation);
    emit compiled(compilation);
}

const run::StageCompilation *StageCompilations::find(const stagefile::Stage &stage, const QString &architecture) const
{
    const auto found = m_known.constFind(keyOf(stage, architecture));
    return found == m_known.constEnd() ? nullptr : &*found;
}

bool StageCompilations::isUnderWay(const stagefile::Stage &stage, const QString &architecture) const
{
    return m_underWay.contains(keyOf(stage, architecture));
}

void StageCompilations::forgetUnavailable()
{
    m_known.removeIf([](const auto &entry) { return entry.value().state == run::StageCompilation::Unavailable; });
}

QString architectureMisfit(const stagefile::Stage &stage, const QString &architecture)
{
    const auto facts = gpuFactsOf(architecture);
    const auto misfit = facts ? stagefile::gpuMisfit(stage, *facts) : std::nullopt;
    return misfit ? QString::fromStdString(*misfit) : QString();
}

} // namespace stagecraft::window
