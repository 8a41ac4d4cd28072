// SPDX-License-Identifier: GPL-3.0-or-later
#include "disassemblerplaces.h"
#include "linemarks.h"
#include "machinecodepanel.h"
#include "stagefixture.h"
#include "standindisassembler.h"

#include <QToolButton>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

const QString folder = STAGECRAFT_SOURCE_DIR "/tests/app/run/machinecode/";
const QString tiled = StandInDisassembler::printing(folder + "matmul-tiled-sm_90a.sass");

// The stages page with machine code beside the source.
class MachineCodeFixture : public StageFixture
{
public:
    using StageFixture::StageFixture;
    bool open(const QString &operation = "matmul", const QString &id = "tiled")
    {
        if (!begin())
            return false;
        window.workbench()->select(operation, id);
        window.actions()->machineCode->setChecked(true);
        return QTest::qWaitFor([&] { return view() && files().id() == id && window.stageDesk()->isSettled(); }, 60'000);
    }

    bool settle()
    {
        return QTest::qWaitFor([&] { return window.stageDesk()->isSettled(); }, 60'000);
    }

    MachineCodePanel &panel() { return *window.workbench()->machineCode(); }
    widgets::SourceView &listing() { return *panel().view(panel().tab()); }
    widgets::LineMarks &marks() { return *panel().marks(panel().tab()); }
    widgets::LineMarks &sourceMarks() { return *window.workbench()->editors()->currentMarks(); }

    QStringList lines(const QList<int> &numbers)
    {
        QStringList texts;
        for (const int number : numbers)
            texts.append(listing().editor()->text(number - 1).trimmed());
        return texts;
    }

    bool sample()
    {
        panel().sampleButton()->click();
        return QTest::qWaitFor([&] { return !sampling().isBusy(); }, 60'000);
    }
    const StageSampling &sampling() { return window.stageDesk()->machineCode().sampling(); }

    int lineWith(const QString &text) const
    {
        const QString all = window.workbench()->machineCode()->view(MachineCodePanel::SassTab)->text();
        return static_cast<int>(all.left(all.indexOf(text)).count('\n')) + 1;
    }
};

} // namespace

class tst_WindowMachineCode : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft"); }

    void aLineAndItsInstructionsAreMarkedInBoth()
    {
        const StandInDisassembler standIn(tiled);
        MachineCodeFixture stages;
        QVERIFY(stages.open());
        QVERIFY(stages.panel().isVisible());
        QCOMPARE(stages.panel().gapText(MachineCodePanel::SassTab), QString());
        QVERIFY2(stages.panel().caption().startsWith("sm_90a · 1024x1024x1024"), qPrintable(stages.panel().caption()));
        stages.view()->goToLine(64);
        QTRY_COMPARE_WITH_TIMEOUT(stages.marks().related().size(), 48, 30'000);
        for (const QString &line : stages.lines(stages.marks().related()))
            QVERIFY2(line.startsWith("/*  64 "), qPrintable(line));
        QCOMPARE(stages.panel().lineText(), QString("line 64: 48 instructions: 32 shared loads, 16 FMA FP32"));
        QCOMPARE(stages.sourceMarks().related(), QList<int>{64});
        // It is scrolled to, and the cursor stays where it was.
        const int top = stages.listing().editor()->firstVisibleLine();
        QVERIFY2(top > 0 && top < stages.marks().related().first(), qPrintable(QString::number(top)));
        QCOMPARE(stages.listing().currentLine(), 1);
        // From an instruction to its line, by whatever moves the cursor.
        const int load = stages.lineWith("@!P3 LDG.E.CONSTANT");
        stages.listing().goToLine(load);
        QTRY_COMPARE_WITH_TIMEOUT(stages.view()->currentLine(), 58, 30'000);
        QCOMPARE(stages.sourceMarks().related(), QList<int>{58});
        QVERIFY(stages.marks().related().contains(load));
        const int shown = stages.listing().editor()->firstVisibleLine();
        QTest::keyClick(stages.listing().editor(), Qt::Key_Down);
        QCOMPARE(stages.listing().currentLine(), load + 1);
        QTRY_COMPARE_WITH_TIMEOUT(stages.view()->currentLine(), 59, 30'000);
        QCOMPARE(stages.listing().editor()->firstVisibleLine(), shown); // what is read does not move away
        // A line of which nothing was made says so; the listing is only read.
        stages.view()->goToLine(1);
        QTRY_VERIFY2_WITH_TIMEOUT(stages.panel().lineText().contains("no instruction comes from it"),
                                  qPrintable(stages.panel().lineText()), 30'000);
        QVERIFY(stages.marks().related().isEmpty());
        const QString text = stages.listing().text();
        QTest::keyClicks(stages.listing().editor(), "xx");
        QCOMPARE(stages.listing().text(), text);
        // Hidden, its marks leave the source.
        stages.view()->goToLine(64);
        QTRY_COMPARE_WITH_TIMEOUT(stages.sourceMarks().related(), QList<int>{64}, 30'000);
        stages.window.actions()->machineCode->setChecked(false);
        QVERIFY(!stages.panel().isVisible());
        QVERIFY(stages.sourceMarks().related().isEmpty());
        stages.window.actions()->machineCode->setChecked(true);
        QCOMPARE(stages.sourceMarks().related(), QList<int>{64});
    }

    void localMemoryIsMarkedByMoreThanColour()
    {
        const StandInDisassembler standIn(StandInDisassembler::printing(folder + "layernorm-quad-array-sm_80.sass"));
        MachineCodeFixture stages;
        QVERIFY(stages.open("layernorm", "quad-array"));
        const QList<int> flagged = stages.marks().flagged();
        QCOMPARE(flagged.size(), 3);
        for (const QString &line : stages.lines(flagged))
            QVERIFY2(line.contains("▲") && line.contains("local memory"), qPrintable(line));
        QToolButton *button = stages.panel().localButton();
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QString("▲ 3 local memory"));
        QVERIFY(button->accessibleName().startsWith("3 lines"));
        for (const int line : {flagged.at(0), flagged.at(1), flagged.at(2), flagged.at(0)}) {
            button->click();
            QCOMPARE(stages.listing().currentLine(), line);
        }
        stages.panel().setTab(MachineCodePanel::MixTab);
        const auto &rows = stages.panel().mix()->table().rows;
        QVERIFY(std::ranges::any_of(rows, [](const auto &row) { return row.first().text == "▲ local memory"; }));
        QVERIFY(!stages.panel().mix()->accessibleName().isEmpty());
        QVERIFY(!button->isVisible());
    }

    void withoutNvdisasmPtxIsShown()
    {
        if (StandInDisassembler::isInstalled())
            QSKIP("nvdisasm is in one of the usual prefixes of this machine");
        const StandInDisassembler standIn;
        MachineCodeFixture stages;
        QVERIFY(stages.open());
        const QString gap = stages.panel().gapText(MachineCodePanel::SassTab);
        QVERIFY2(gap.contains("nvdisasm was not found") && gap.contains("pip install nvidia-cuda-nvdisasm"),
                 qPrintable(gap));
        QCOMPARE(stages.panel().gapText(MachineCodePanel::MixTab), gap);
        QCOMPARE(stages.panel().gapText(MachineCodePanel::PtxTab), QString());
        QCOMPARE(stages.panel().view(MachineCodePanel::PtxTab)->text(), QString("fake PTX of matmul/tiled"));
        // Installed meanwhile.
        standIn.write("bin", tiled);
        emit stages.panel().lookAgainRequested();
        QVERIFY(stages.settle());
        QCOMPARE(stages.panel().gapText(MachineCodePanel::SassTab), QString());
    }

    void whatIsNotCompiledSaysWhy()
    {
        const StandInDisassembler standIn(tiled);
        MachineCodeFixture stages;
        QVERIFY(stages.open());
        QVERIFY(stages.copy("mine"));
        QVERIFY(stages.settle());
        QCOMPARE(stages.panel().gapText(MachineCodePanel::PtxTab), QString());
        stages.type("// x");
        QVERIFY2(stages.panel().caption().contains("of the saved text"), qPrintable(stages.panel().caption()));
        stages.typeAndSave("// fake: compile-error\n");
        QVERIFY(stages.waitForSaves(1));
        QVERIFY(stages.settle());
        QVERIFY(!stages.panel().caption().contains("saved text"));
        const QString gap = stages.panel().gapText(MachineCodePanel::SassTab);
        QVERIFY2(gap.contains("does not compile"), qPrintable(gap));
        stages.window.stageDesk()->setWorkerPrefix({"/bin/false"});
        QVERIFY(
            QTest::qWaitFor([&] { return stages.panel().gapText(MachineCodePanel::PtxTab).contains("elsewhere"); }));
    }

    void whereWarpsWaitIsShownByInstructionAndLine()
    {
        const StandInDisassembler standIn(tiled);
        MachineCodeFixture stages;
        QVERIFY(stages.open());
        MachineCodePanel &panel = stages.panel();
        QVERIFY(panel.gapText(MachineCodePanel::LinesTab).contains("Not sampled"));
        QVERIFY2(panel.sampleButton()->isEnabled(), qPrintable(panel.sampleButton()->toolTip()));
        QVERIFY(!panel.sampleButton()->accessibleName().isEmpty());
        QVERIFY(stages.sample());
        QCOMPARE(panel.gapText(MachineCodePanel::LinesTab), QString());
        QVERIFY2(panel.linesText().contains("Fake GPU · 100 samples, one per 256 cycles of each SM; none dropped"),
                 qPrintable(panel.linesText()));
        QVERIFY2(panel.caption().startsWith("sampled on Fake GPU"), qPrintable(panel.caption()));
        QCOMPARE(panel.tab(), MachineCodePanel::SassTab);
        QVERIFY2(stages.listing().text().contains("/* 65.0 % long scoreboard "), qPrintable(stages.listing().text()));
        QVERIFY(!panel.lines()->accessibleName().isEmpty());
        const auto &rows = panel.lines()->table().rows;
        QCOMPARE(rows.size(), 3); // two lines, and what the code does not have
        QCOMPARE(rows.at(0).at(0).number.value(), 51.0);
        QCOMPARE(rows.at(0).at(2).text, QString("long scoreboard 76.9 %"));
        QCOMPARE(rows.at(1).at(0).number.value(), 45.0);
        QVERIFY(!rows.at(2).at(0).number);
        // Going to a row goes to its line.
        panel.setTab(MachineCodePanel::LinesTab);
        emit panel.lines()->activated(panel.lines()->model()->index(0, 1));
        QTRY_COMPARE_WITH_TIMEOUT(stages.view()->currentLine(), 51, 30'000);
        emit panel.lines()->activated(panel.lines()->model()->index(2, 0)); // of no line
        QCOMPARE(stages.view()->currentLine(), 51);
        // Another stage has no samples, nor has this one when it is looked at anew.
        QVERIFY(stages.copy("mine"));
        QVERIFY(stages.settle());
        QVERIFY(panel.gapText(MachineCodePanel::LinesTab).contains("Not sampled"));
        panel.setTab(MachineCodePanel::SassTab);
        QVERIFY(!stages.listing().text().contains("long scoreboard"));
        QVERIFY(!panel.caption().contains("sampled"));
    }

    void whatCannotBeSampledSaysWhy()
    {
        const StandInDisassembler standIn(tiled);
        MachineCodeFixture stages;
        QVERIFY(stages.open());
        QVERIFY(stages.copy("mine"));
        QVERIFY(stages.settle());
        MachineCodePanel &panel = stages.panel();
        int saves = 0;
        // The fake worker's refusal comes before its death: the text then has both.
        for (const auto &[instruction, reason] :
             {std::pair{"kill-in-sample", "SIGKILL"}, {"sample-refused", "ask it nicely"}}) {
            stages.typeAndSave(QStringLiteral("// fake: %1\n").arg(instruction));
            QVERIFY(stages.waitForSaves(++saves));
            QVERIFY(stages.settle());
            QTRY_VERIFY2_WITH_TIMEOUT(panel.sampleButton()->isEnabled(), qPrintable(panel.sampleButton()->toolTip()),
                                      30'000);
            panel.setTab(MachineCodePanel::SassTab);
            QVERIFY(stages.sample());
            QCOMPARE(panel.tab(), MachineCodePanel::LinesTab);
            const QString gap = panel.gapText(MachineCodePanel::LinesTab);
            QVERIFY2(gap.contains("could not be sampled") && gap.contains(reason), qPrintable(gap));
            QCOMPARE(panel.gapText(MachineCodePanel::SassTab), QString()); // the compiled code stays
        }
    }

    void nonsenseIsNotShown()
    {
        const StandInDisassembler standIn(tiled);
        MachineCodeFixture stages("--behaviour sample-nonsense");
        QVERIFY(stages.open());
        const QString compiled = stages.listing().text();
        QVERIFY(stages.sample());
        const QString gap = stages.panel().gapText(MachineCodePanel::LinesTab);
        QVERIFY2(gap.contains("could not be sampled") && gap.contains("What to do"), qPrintable(gap));
        QCOMPARE(stages.panel().view(MachineCodePanel::SassTab)->text(), compiled);
        QVERIFY(stages.window.runDesk()->isFree());
    }

    void runsAndSamplingExcludeEachOther()
    {
        const StandInDisassembler standIn(tiled);
        MachineCodeFixture stages("--behaviour hang-in-sample");
        QVERIFY(stages.open());
        MachineCodePanel &panel = stages.panel();
        QVERIFY(panel.sampleButton()->isEnabled());
        QVERIFY(stages.window.actions()->run->isEnabled());
        QString whileRunning;
        QObject::connect(stages.window.runDesk(), &RunDesk::started, &panel, [&] {
            whileRunning = panel.sampleButton()->isEnabled() ? "on" : panel.sampleButton()->toolTip();
        });
        panel.sampleButton()->click();
        QVERIFY(stages.sampling().isBusy());
        QCOMPARE(panel.sampleButton()->text(), QString("Stop sampling"));
        QVERIFY(panel.sampleButton()->isEnabled());
        QVERIFY(!stages.window.actions()->run->isEnabled());
        QVERIFY(!stages.window.runDesk()->isFree());
        stages.window.actions()->measureStage->trigger(); // waits its turn
        panel.sampleButton()->click();
        QVERIFY(!stages.sampling().isBusy());
        QVERIFY(panel.gapText(MachineCodePanel::LinesTab).contains("Not sampled"));
        QVERIFY(stages.waitForSaves(1));
        QVERIFY2(whileRunning.contains("A run is in progress"), qPrintable(whileRunning));
        QTRY_VERIFY_WITH_TIMEOUT(panel.sampleButton()->isEnabled(), 30'000);
    }

    void withoutAGpuNothingIsSampled()
    {
        const StandInDisassembler standIn(tiled);
        MachineCodeFixture stages("--behaviour no-device");
        QVERIFY(stages.open());
        const QToolButton *button = stages.panel().sampleButton();
        QVERIFY(!button->isEnabled());
        QVERIFY2(button->toolTip().contains("no GPU is there") && button->toolTip().contains("install one"),
                 qPrintable(button->toolTip()));
    }

    void theRealCompilersLinesAreMarked()
    {
        const QString worker = STAGECRAFT_BINARY_DIR "/bin/stagecraft-worker-cuda";
        if (!QFile::exists(worker))
            QSKIP("the GPU worker is not part of this build");
        MachineCodeFixture stages;
        stages.workers().remove("stagecraft-worker-cuda");
        QVERIFY(QFile::link(worker, stages.workers().path() + "/stagecraft-worker-cuda"));
        QVERIFY(stages.open());
        const QString gap = stages.panel().gapText(MachineCodePanel::PtxTab);
        if (gap.contains("NVRTC"))
            QSKIP("NVRTC is not on this machine");
        QCOMPARE(gap, QString());
        stages.panel().setTab(MachineCodePanel::PtxTab);
        QVERIFY(stages.listing().text().contains(".visible .entry matmul_tiled("));
        QVERIFY(!stages.listing().text().contains(QDir::currentPath()));
        const QStringList source = stages.view()->text().split('\n');
        const auto barrier = static_cast<int>(source.indexOf("        __syncthreads();")) + 1;
        QVERIFY(barrier > 0);
        stages.view()->goToLine(barrier);
        const auto madeOfIt = [&] { return stages.lines(stages.marks().related()).join('\n'); };
        QTRY_VERIFY2_WITH_TIMEOUT(madeOfIt().contains("bar.sync"), qPrintable(stages.panel().lineText()), 30'000);
        if (run::findDisassembler().path.isEmpty())
            QSKIP("nvdisasm is not on this machine: PTX was looked at, machine code was not");
        QCOMPARE(stages.panel().gapText(MachineCodePanel::SassTab), QString());
        stages.panel().setTab(MachineCodePanel::SassTab);
        QVERIFY2(madeOfIt().contains("BAR.SYNC"), qPrintable(stages.panel().lineText()));
        const int wait = stages.lineWith("BAR.SYNC");
        stages.view()->goToLine(1);
        QTRY_COMPARE_WITH_TIMEOUT(stages.sourceMarks().related(), QList<int>{1}, 30'000);
        stages.listing().goToLine(wait);
        QTRY_COMPARE_WITH_TIMEOUT(stages.view()->currentLine(), barrier, 30'000);
    }
};

QTEST_MAIN(tst_WindowMachineCode)
#include "tst_windowmachinecode.moc"
