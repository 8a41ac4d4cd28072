// SPDX-License-Identifier: GPL-3.0-or-later
#include "machinecodedesk.h"

#include "comparison.h"
#include "linemarks.h"
#include "machinecodepanel.h"
#include "stageeditors.h"

#include <QFile>
#include <QFutureWatcher>
#include <QtConcurrent>

namespace stagecraft::window {

namespace {

constexpr int mostKept = 8;

QString readText(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

MachineCodeDesk::MachineCodeDesk(MachineCodePanel &panel, StageEditors &editors, RunDesk &runs, QObject *parent)
    : QObject(parent), m_panel(panel), m_editors(editors), m_sampling(runs), m_known(mostKept)
{
    makeCompiler();
    connect(&m_disassembler, &run::Disassembler::finished, this, &MachineCodeDesk::takeDisassembly);
    connect(&m_panel, &MachineCodePanel::sourceLineChosen, this, &MachineCodeDesk::goToSource);
    connect(&m_panel, &MachineCodePanel::lookAgainRequested, this, [this] {
        m_key.clear();
        look();
    });
    connect(&m_panel, &MachineCodePanel::sampleClicked, this,
            [this] { m_sampling.isBusy() ? m_sampling.cancel() : m_sampling.start(); });
    connect(&m_sampling, &StageSampling::changed, this, &MachineCodeDesk::showSampling);
    connect(&m_sampling, &StageSampling::sampled, this, &MachineCodeDesk::showSamples);
    connect(&m_sampling, &StageSampling::failed, this, &MachineCodeDesk::showSamplingFailure);
    showSampling();
    connect(&m_editors, &StageEditors::cursorMoved, this, &MachineCodeDesk::showSourceLine);
    connect(&m_editors, &StageEditors::modifiedChanged, this, &MachineCodeDesk::showCaption);
}

MachineCodeDesk::~MachineCodeDesk() = default;

void MachineCodeDesk::makeCompiler()
{
    m_compiler = std::make_unique<run::StageCompiler>();
    connect(m_compiler.get(), &run::StageCompiler::compiled, this, &MachineCodeDesk::takeCompilation);
}

template <typename Result>
void MachineCodeDesk::onPool(std::function<Result()> work, std::function<void(const Result &)> then)
{
    auto *watcher = new QFutureWatcher<Result>(this);
    connect(watcher, &QFutureWatcher<Result>::finished, this, [this, watcher, then, number = m_number] {
        watcher->deleteLater();
        if (number == m_number)
            then(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(work));
}

void MachineCodeDesk::setWorkerPrefix(const QStringList &prefix)
{
    m_prefix = prefix;
    m_key.clear();
    look();
}

void MachineCodeDesk::setPython(const QString &python)
{
    m_disassembler.setPython(python);
    m_sampling.setPython(python);
}

void MachineCodeDesk::setShown(bool shown)
{
    m_shown = shown;
    look();
    widgets::LineMarks *marks = m_editors.currentMarks();
    if (marks && shown)
        showSourceLine(m_editors.current()->currentLine());
    else if (marks)
        marks->setRelated({});
}

void MachineCodeDesk::show(const Wish &wish)
{
    m_wish = wish;
    look();
}

QString MachineCodeDesk::keyOf(const Wish &wish) const
{
    if (!wish.stage)
        return QStringLiteral("none/") + wish.refusal;
    QStringList parts{QString::fromStdString(wish.stage->name()), QString::fromStdString(wish.stage->sha256),
                      wish.architecture, wish.refusal};
    for (const qint64 dim : wish.dims)
        parts.append(QString::number(dim));
    return parts.join(QLatin1Char('/'));
}

QString MachineCodeDesk::fileOf(const Wish &wish) const
{
    return QString::fromStdString(wish.stage->fileName).section(QLatin1Char('/'), -1);
}

QString MachineCodeDesk::cubin() const
{
    return m_folder.filePath(QStringLiteral("%1.cubin").arg(m_number));
}

QString MachineCodeDesk::ptx() const
{
    return m_folder.filePath(QStringLiteral("%1.ptx").arg(m_number));
}

void MachineCodeDesk::look()
{
    if (!m_shown || m_key == keyOf(m_wish))
        return;
    m_key = keyOf(m_wish);
    ++m_number;
    m_compiler->clear();
    m_disassembler.cancel();
    m_making = {};
    m_sassProblem.clear();
    m_sampledOn.clear();
    m_sampling.setNoStage(tr("The stage is being compiled."));
    showCaption();
    if (!m_wish.stage || !m_wish.refusal.isEmpty()) {
        finish(m_wish.refusal.isEmpty() ? tr("No stage is chosen.") : m_wish.refusal);
    } else if (!m_prefix.isEmpty()) {
        finish(tr("The workers run elsewhere (%1), and the compiler with them: its files would be written there.")
                   .arg(m_prefix.join(QLatin1Char(' '))),
               tr("Let the workers run on this machine (Settings, Workers) to see machine code."));
    } else if (const Made *made = m_known.object(m_key)) {
        m_panel.setPtx(made->ptx);
        m_panel.setSass(made->sass, made->code);
        m_making = *made;
        finish();
    } else {
        begin();
    }
}

void MachineCodeDesk::begin()
{
    m_busy = true;
    m_panel.setGap({tr("Compiling for %1…").arg(m_wish.architecture), {}});
    run::CompileOrder order;
    order.stage = *m_wish.stage;
    order.architecture = m_wish.architecture;
    order.dims = m_wish.dims;
    order.cubin = cubin();
    order.ptx = ptx();
    m_compiler->compile({order});
}

void MachineCodeDesk::takeCompilation(const run::StageCompilation &compilation)
{
    if (compilation.state != run::StageCompilation::Compiled)
        return finish(compilation.reason, compilation.fix);
    m_panel.setGap({tr("Disassembling…"), {}});
    m_waiting = 2;
    m_isWhole = true;
    readPtx(ptx());
    m_disassembler.disassemble(cubin());
}

void MachineCodeDesk::readPtx(const QString &path)
{
    onPool<CodeListing>(
        [path, file = fileOf(m_wish)] {
            const QString text = run::withoutFolders(readText(path));
            QFile::remove(path);
            return ptxListing(text, file);
        },
        [this](const CodeListing &listing) {
            m_making.ptx = listing;
            m_panel.setPtx(listing);
            finishPart();
        });
}

void MachineCodeDesk::takeDisassembly(const run::DisassemblyResult &result)
{
    QFile::remove(cubin());
    if (!result.reason.isEmpty()) {
        m_isWhole = false;
        m_sassProblem = tr("Machine code cannot be shown: %1. What to do: %2").arg(result.reason, result.fix);
        m_panel.setSassGap(
            {tr("Machine code is not shown: %1.").arg(result.reason), tr("What to do: %1").arg(result.fix), true});
        return finishPart();
    }
    m_making.code = result.code;
    onPool<CodeListing>([code = result.code, file = fileOf(m_wish)] { return sassListing(code, file); },
                        [this](const CodeListing &listing) {
                            m_making.sass = listing;
                            m_panel.setSass(listing, m_making.code);
                            finishPart();
                        });
}

// PTX and machine code come in any order. Only what is whole is kept: nvdisasm may be there the next time.
void MachineCodeDesk::finishPart()
{
    if (--m_waiting > 0)
        return;
    if (m_isWhole)
        m_known.insert(m_key, new Made(m_making));
    finish();
}

void MachineCodeDesk::finish(const QString &problem, const QString &fix)
{
    m_busy = false;
    if (!problem.isEmpty())
        m_panel.setGap({problem, fix});
    const QString noSamples = problem.isEmpty() ? m_sassProblem : problem;
    if (noSamples.isEmpty())
        m_sampling.setStage(*m_wish.stage, m_wish.dims);
    else
        m_sampling.setNoStage(noSamples);
    showCaption();
    if (const widgets::SourceView *view = m_editors.current())
        showSourceLine(view->currentLine());
    emit settled();
}

void MachineCodeDesk::showSampling()
{
    m_panel.setSampling({m_sampling.isBusy(), m_sampling.refusal()});
}

void MachineCodeDesk::showSamples(const SampledListing &sampled)
{
    m_sampledOn = sampled.gpu;
    m_panel.setSass(sampled.listing, sampled.code);
    m_panel.setLines(sampled.lines, QStringLiteral("%1 · %2").arg(sampled.gpu, sampled.text));
    if (m_panel.tab() != MachineCodePanel::SassTab)
        m_panel.setTab(MachineCodePanel::LinesTab);
    showCaption();
    if (const widgets::SourceView *view = m_editors.current())
        showSourceLine(view->currentLine());
}

void MachineCodeDesk::showSamplingFailure(const QString &reason, const QString &fix)
{
    const QString todo = fix.isEmpty() ? QString() : tr("What to do: %1").arg(fix);
    m_panel.setLinesGap({tr("The stage could not be sampled: %1").arg(reason), todo});
    m_panel.setTab(MachineCodePanel::LinesTab);
}

void MachineCodeDesk::showCaption()
{
    if (!m_wish.stage)
        return m_panel.setCaption({}, {});
    const QString dims = evidence::dimsText(m_wish.dims);
    QString what = QStringLiteral("%1 · %2").arg(m_wish.architecture, dims);
    QString detail = tr("Compiled for %1, with dims %2").arg(m_wish.architecture, dims);
    if (!m_sampledOn.isEmpty()) {
        what = tr("sampled on %1 · %2").arg(m_sampledOn, dims);
        detail += tr("\nSASS, its mix and the lines are of what %1 executed").arg(m_sampledOn);
    }
    if (m_making.code.notUnderstood > 0)
        detail += tr("\n%1 lines of nvdisasm's text were not understood").arg(m_making.code.notUnderstood);
    if (m_editors.current() && m_editors.current()->isModified()) {
        what += tr(" · of the saved text");
        detail += tr("\nThe source has changes that are not saved: line numbers are those of the saved text");
    }
    m_panel.setCaption(what, detail);
}

void MachineCodeDesk::showSourceLine(int line)
{
    widgets::LineMarks *marks = m_editors.currentMarks();
    if (!m_shown || !marks)
        return;
    marks->setRelated({line});
    m_panel.showSourceLine(line);
}

void MachineCodeDesk::goToSource(int line)
{
    widgets::LineMarks *marks = m_editors.currentMarks();
    if (!m_shown || !marks)
        return;
    marks->goTo(line);
    showSourceLine(line);
}

} // namespace stagecraft::window
