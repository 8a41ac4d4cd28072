// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagecompilations.h"

#include "architectures.h"

#include <algorithm>

namespace stagecraft::window {

StageCompilations::StageCompilations(QObject *parent) : QObject(parent)
{
    createCompiler();
}

void StageCompilations::createCompiler()
{
    m_compiler = std::make_unique<run::StageCompiler>();
    m_compiler->setWorkerPrefix(m_prefix);
    connect(m_compiler.get(), &run::StageCompiler::compiled, this, &StageCompilations::receive);
}

void StageCompilations::setWorkerPrefix(const QStringList &prefix)
{
    if (m_prefix == prefix)
        return;
    m_prefix = prefix;
    createCompiler();
    m_known.clear(); // another compiler may say something else
    QList<run::CompileOrder> orders;
    for (const Order &order : std::as_const(m_underWay))
        orders.append(order.order);
    if (!orders.isEmpty())
        m_compiler->compile(orders);
}

bool StageCompilations::setDims(const QString &operation, const QList<qint64> &dims)
{
    return std::exchange(m_dims[operation], dims) != dims;
}

QList<qint64> StageCompilations::dimsOf(const stagefile::Stage &stage, const QList<qint64> &given) const
{
    return given.isEmpty() ? m_dims.value(QString::fromStdString(stage.operation)) : given;
}

QString StageCompilations::keyOf(const stagefile::Stage &stage, const QString &architecture,
                                 const QList<qint64> &dims) const
{
    QStringList parts{QString::fromStdString(stage.operation), QString::fromStdString(stage.id), architecture,
                      QString::fromStdString(stage.sha256)};
    for (const qint64 dim : dimsOf(stage, dims))
        parts.append(QString::number(dim));
    return parts.join(QLatin1Char('/'));
}

void StageCompilations::request(const stagefile::Stage &stage, const QStringList &architectures,
                                const QList<qint64> &dims)
{
    QList<run::CompileOrder> orders;
    for (const QString &architecture : architectures) {
        const QString key = keyOf(stage, architecture, dims);
        if (m_known.contains(key) || isUnderWay(stage, architecture, dims) ||
            !misfit(stage, architecture, dims).isEmpty())
            continue;
        run::CompileOrder order;
        order.stage = stage;
        order.architecture = architecture;
        order.dims = dimsOf(stage, dims);
        m_underWay.append({key, order});
        orders.append(order);
    }
    if (!orders.isEmpty())
        m_compiler->compile(orders);
}

void StageCompilations::receive(const run::StageCompilation &compilation)
{
    const Order order = m_underWay.takeFirst();
    m_known.insert(order.key, compilation);
    emit compiled(compilation, order.order.dims);
}

const run::StageCompilation *StageCompilations::find(const stagefile::Stage &stage, const QString &architecture,
                                                     const QList<qint64> &dims) const
{
    const auto found = m_known.constFind(keyOf(stage, architecture, dims));
    return found == m_known.constEnd() ? nullptr : &*found;
}

bool StageCompilations::isUnderWay(const stagefile::Stage &stage, const QString &architecture,
                                   const QList<qint64> &dims) const
{
    return std::ranges::find(m_underWay, keyOf(stage, architecture, dims), &Order::key) != m_underWay.end();
}

QString StageCompilations::misfit(const stagefile::Stage &stage, const QString &architecture,
                                  const QList<qint64> &dims) const
{
    const auto facts = run::gpuFactsOf(architecture);
    std::optional<std::string> misfit = facts ? stagefile::gpuMisfit(stage, *facts) : std::nullopt;
    const QList<qint64> wanted = dimsOf(stage, dims);
    if (!misfit && !wanted.isEmpty()) // grids that follow the number of SMs are within limits for one, as for many
        misfit = stagefile::dimsMisfit(stage, operations::Dims(wanted.begin(), wanted.end()), 1);
    return misfit ? QString::fromStdString(*misfit) : QString();
}

void StageCompilations::forgetUnavailable()
{
    m_known.removeIf([](const auto &entry) { return entry.value().state == run::StageCompilation::Unavailable; });
}

} // namespace stagecraft::window
