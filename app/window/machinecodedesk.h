// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codelisting.h"
#include "disassembler.h"
#include "stagecompiler.h"
#include "stagesampling.h"

#include <functional>
#include <QCache>
#include <QTemporaryDir>

#include <memory>

namespace stagecraft::window {

class MachineCodePanel;
class StageEditors;

// Gets the chosen stage's PTX and machine code while the panel is shown: compiled by a worker of its own, disassembled
// by nvdisasm where that is found, and made to text on the thread pool. What was made is kept for the stages looked at
// last. On demand it is sampled, and what was sampled is shown until another stage, text or dims are looked at.
class MachineCodeDesk : public QObject
{
    Q_OBJECT
public:
    struct Wish
    {
        std::optional<stagefile::Stage> stage;
        QString architecture;
        QList<qint64> dims;
        QString refusal; // why this stage is not compiled; empty: it is
    };

    MachineCodeDesk(MachineCodePanel &panel, StageEditors &editors, RunDesk &runs, QObject *parent = nullptr);
    ~MachineCodeDesk() override;

    void setWorkerPrefix(const QStringList &prefix);
    void setPython(const QString &python); // whose wheels may hold nvdisasm
    void setShown(bool shown);             // nothing is compiled for a panel that nobody sees
    void show(const Wish &wish);
    bool isBusy() const { return m_busy; }
    const StageSampling &sampling() const { return m_sampling; }

signals:
    void settled(); // what is wished for is shown, or why it is not

private:
    struct Made
    {
        CodeListing ptx, sass;
        run::Disassembly code;
    };
    void makeCompiler();
    void look();
    void begin();
    void takeCompilation(const run::StageCompilation &compilation);
    void readPtx(const QString &path);
    void takeDisassembly(const run::DisassemblyResult &result);
    void finishPart();
    void showSampling();
    void showSamples(const SampledListing &listing);
    void showSamplingFailure(const QString &reason, const QString &fix);
    void finish(const QString &problem = {}, const QString &fix = {});
    void showCaption();
    void showSourceLine(int line);
    void goToSource(int line);
    QString keyOf(const Wish &wish) const;
    QString fileOf(const Wish &wish) const;
    QString cubin() const; // the files of the compilation
    QString ptx() const;
    template <typename Result>
    void onPool(std::function<Result()> work, std::function<void(const Result &)> then);

    MachineCodePanel &m_panel;
    StageEditors &m_editors;
    QStringList m_prefix;
    std::unique_ptr<run::StageCompiler> m_compiler;
    run::Disassembler m_disassembler;
    StageSampling m_sampling;
    QTemporaryDir m_folder;
    QCache<QString, Made> m_known;
    Wish m_wish;
    QString m_key; // of what is shown or under way
    Made m_making;
    QString m_sassProblem; // why there is no machine code while there is PTX
    QString m_sampledOn;   // the GPU whose machine code is shown, sampled; empty: the compiled one is
    int m_number = 0;      // of the compilation: what comes of an earlier one is dropped
    int m_waiting = 0;     // for so many parts of it
    bool m_isWhole = false, m_shown = false, m_busy = false;
};

} // namespace stagecraft::window
