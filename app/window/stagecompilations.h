// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "stagecompiler.h"

#include <QHash>

#include <memory>

namespace stagecraft::window {

// What the compiler said of each text of each stage, for an architecture and dims (which a stage has as macros), asked
// for once. Where no dims are given, those of setDims() are meant. Asynchronous; GUI thread.
class StageCompilations : public QObject
{
    Q_OBJECT
public:
    explicit StageCompilations(QObject *parent = nullptr);

    // Those of the plan. Whether they are others than before.
    bool setDims(const QString &operation, const QList<qint64> &dims);

    // Compiles where this leads to, from now on: what is under way begins there anew.
    void setWorkerPrefix(const QStringList &prefix);

    // Compiles what is neither known nor under way. What a stage cannot be compiled for (misfit()) is left out.
    void request(const stagefile::Stage &stage, const QStringList &architectures, const QList<qint64> &dims = {});

    const run::StageCompilation *find(const stagefile::Stage &stage, const QString &architecture,
                                      const QList<qint64> &dims = {}) const; // or nullptr
    bool isUnderWay(const stagefile::Stage &stage, const QString &architecture, const QList<qint64> &dims = {}) const;
    bool isBusy() const { return !m_underWay.isEmpty(); }

    // Why the stage cannot compute the dims, or be used on any GPU of that architecture; empty if it can.
    QString misfit(const stagefile::Stage &stage, const QString &architecture, const QList<qint64> &dims = {}) const;

    // Lets what was unavailable be asked for again: a worker or NVRTC may be there by now.
    void forgetUnavailable();

signals:
    void compiled(const stagecraft::run::StageCompilation &compilation, const QList<qint64> &dims);

private:
    struct Order
    {
        QString key;
        run::CompileOrder order;
    };
    void createCompiler();
    QList<qint64> dimsOf(const stagefile::Stage &stage, const QList<qint64> &given) const;
    QString keyOf(const stagefile::Stage &stage, const QString &architecture, const QList<qint64> &dims) const;
    void receive(const run::StageCompilation &compilation);

    QHash<QString, QList<qint64>> m_dims;          // by operation
    QHash<QString, run::StageCompilation> m_known; // by stage, architecture, dims and hash of the text
    QList<Order> m_underWay;                       // in the order in which the compiler answers
    QStringList m_prefix;
    std::unique_ptr<run::StageCompiler> m_compiler;
};

} // namespace stagecraft::window
