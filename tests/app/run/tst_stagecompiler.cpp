// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "frontmatter.h"
#include "stagecatalogue.h"
#include "stagecompiler.h"
#include "stagefolderfixture.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace stagecraft;
using namespace stagecraft::run;

namespace {

CompileOrder order(const QString &text, const QString &architecture = "sm_90a", const char *id = "mine")
{
    return {stagefile::parseStage("gelu", id, text.toStdString()), architecture};
}

QString with(const char *instruction)
{
    return StageFolder::text({}, QStringLiteral("// fake: %1\n").arg(QString::fromUtf8(instruction)));
}

} // namespace

class TestStageCompiler : public QObject
{
    Q_OBJECT

private slots:
    void init() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/kernels"); }
    void cleanup() { qunsetenv("STAGECRAFT_RESOURCES"); }

    void messagesOfALog();

    // Against the fake worker.
    void ordersAreAnsweredInOrder();
    void failuresAreTold_data();
    void failuresAreTold();
    void theOthersGoOnAfterALoss_data();
    void theOthersGoOnAfterALoss();
    void withoutAWorker();
    void clearingEndsWhatRuns();
    void anIdleWorkerThatDiedIsReplaced();

    // Against NVRTC.
    void realCompilerTellsResources();
    void realCompilerTellsTheLine();
    void realCompilerFollowsTheText();

private:
    // Compiles and waits for the last answer.
    QList<StageCompilation> answers(const QList<CompileOrder> &orders, int timeLimitMs = 30'000)
    {
        StageCompiler compiler;
        compiler.setTimeLimit(timeLimitMs);
        return answers(compiler, orders);
    }
    static QList<StageCompilation> answers(StageCompiler &compiler, const QList<CompileOrder> &orders)
    {
        QList<StageCompilation> result;
        QSignalSpy finished(&compiler, &StageCompiler::finished);
        const auto connection = connect(&compiler, &StageCompiler::compiled, &compiler,
                                        [&](const StageCompilation &one) { result.append(one); });
        compiler.compile(orders);
        if (!result.isEmpty() || !finished.isEmpty())
            qFatal("answered before the event loop ran");
        if (!finished.wait(60'000))
            QTest::qFail("the compiler never finished", __FILE__, __LINE__);
        disconnect(connection);
        return result;
    }
    static bool hasRealCompiler()
    {
        qputenv("STAGECRAFT_WORKER_DIRECTORY", STAGECRAFT_BINARY_DIR "/bin");
        if (!QFileInfo::exists(STAGECRAFT_BINARY_DIR "/bin/stagecraft-worker-cuda"))
            return false;
        StageCompiler compiler;
        return answers(compiler,
                       {order("/* stage {\"title\": \"t\", \"status\": \"retained\", \"launches\": [{\"entry\""
                              ": \"e\", \"block\": 1, \"grid\": [{\"per_sm\": 1}]}]} */\n"
                              "extern \"C\" __global__ void e() {}")})
                   .value(0)
                   .state == StageCompilation::Compiled;
    }
};

void TestStageCompiler::messagesOfALog()
{
    const QString log = "gelu/mine.cu(4): error: identifier \"x\" is undefined\n"
                        "      out[0] = x;\n"
                        "               ^\n\n"
                        "stagecraft.cuh(7): error: not of this file\n"
                        "gelu/mine.cu(9): warning #177-D: variable \"y\" was declared but never referenced\n"
                        "gelu/mine.cu(11): catastrophic error: cannot open source file \"z.h\"\n"
                        "gelu/mine.cu(12): note #2: here\n"
                        "1 error detected in the compilation of \"gelu/mine.cu\".\n";
    const QList<CompileMessage> messages = compileMessages(log, "gelu/mine.cu");
    QCOMPARE(messages.size(), 4);
    QCOMPARE(messages[0].line, 4);
    QCOMPARE(messages[0].severity, CompileMessage::Error);
    QCOMPARE(messages[0].text, QString("identifier \"x\" is undefined"));
    QCOMPARE(messages[1].severity, CompileMessage::Warning);
    QCOMPARE(messages[1].text, QString("variable \"y\" was declared but never referenced"));
    QCOMPARE(messages[2].severity, CompileMessage::Error);
    QCOMPARE(messages[2].line, 11);
    QCOMPARE(messages[3].severity, CompileMessage::Note);
    QVERIFY(compileMessages({}, "gelu/mine.cu").isEmpty());
}

void TestStageCompiler::ordersAreAnsweredInOrder()
{
    const FakeWorkers workers;
    QList<CompileOrder> orders{order(with("registers=41")), order(with("local=16 fake: spill=8"), "sm_80", "second")};
    orders[0].cubin = workers.path() + "/out.cubin";
    const auto results = answers(orders);
    QCOMPARE(results.size(), 2);
    QCOMPARE(results[0].state, StageCompilation::Compiled);
    QCOMPARE(results[0].operation + '/' + results[0].id, QString("gelu/mine"));
    QCOMPARE(results[0].architecture, QString("sm_90a"));
    QCOMPARE(results[0].sourceSha256, QString::fromStdString(orders[0].stage.sha256));
    QCOMPARE(results[0].log, QString("compiled gelu/mine"));
    QCOMPARE(results[0].kernels.size(), 1);
    QCOMPARE(results[0].kernels[0].registers, 41);
    QCOMPARE(results[0].kernels[0].entry, std::string("mine"));
    QVERIFY(QFile::exists(orders[0].cubin));
    QCOMPARE(results[1].id, QString("second"));
    QCOMPARE(results[1].kernels[0].localBytes, 16);
    QCOMPARE(results[1].kernels[0].spillBytes, 8);
    QCOMPARE(workers.pids().size(), 1); // one worker for both
}

void TestStageCompiler::failuresAreTold_data()
{
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<int>("state");
    QTest::addColumn<QString>("reason");
    QTest::newRow("error") << "compile-error"
                           << "sm_90a" << int(StageCompilation::Failed)
                           << "gelu/mine.cu does not compile for sm_90a: gelu/mine.cu(3): error: identifier";
    QTest::newRow("architecture") << "none"
                                  << "sm_35" << int(StageCompilation::Failed) << "does not know the architecture sm_35";
    QTest::newRow("no NVRTC") << "no-nvrtc"
                              << "sm_90a" << int(StageCompilation::Unavailable) << "libnvrtc is not there";
}

void TestStageCompiler::failuresAreTold()
{
    QFETCH(QString, instruction);
    QFETCH(QString, architecture);
    QFETCH(int, state);
    QFETCH(QString, reason);
    const FakeWorkers workers;
    const auto results = answers({order(with(qPrintable(instruction)), architecture), order(with("none"))});
    QCOMPARE(results.size(), 2);
    QCOMPARE(int(results[0].state), state);
    QVERIFY2(results[0].reason.contains(reason), qPrintable(results[0].reason));
    QVERIFY(!results[0].fix.isEmpty());
    QVERIFY(results[0].kernels.isEmpty());
    if (instruction == "compile-error") {
        const auto messages = compileMessages(results[0].log, "gelu/mine.cu");
        QCOMPARE(messages.size(), 1);
        QCOMPARE(messages[0].line, 3);
        QVERIFY(results[0].log.contains("\n      out[0] = undeclared_name;\n"));
    }
    QCOMPARE(results[1].state, StageCompilation::Compiled);
    QCOMPARE(workers.pids().size(), 1);
}

void TestStageCompiler::theOthersGoOnAfterALoss_data()
{
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<QString>("reason");
    QTest::newRow("death") << "kill-in-compile"
                           << "SIGKILL";
    QTest::newRow("hang") << "hang-in-compile"
                          << "/mine for sm_90a did not come to an end: the worker sent nothing for 0.7 s";
}

void TestStageCompiler::theOthersGoOnAfterALoss()
{
    QFETCH(QString, instruction);
    QFETCH(QString, reason);
    const FakeWorkers workers;
    const auto results =
        answers({order(with("none")), order(with(qPrintable(instruction))), order(with("registers=50"))}, 700);
    QCOMPARE(results.size(), 3);
    QCOMPARE(results[0].state, StageCompilation::Compiled);
    QCOMPARE(results[1].state, StageCompilation::Failed);
    QVERIFY2(results[1].reason.contains(reason), qPrintable(results[1].reason));
    QCOMPARE(results[1].fix.contains("templates, macros or includes"), instruction.startsWith("hang"));
    QCOMPARE(results[2].state, StageCompilation::Compiled);
    QCOMPARE(results[2].kernels[0].registers, 50);
    QCOMPARE(workers.pids().size(), 2);
}

void TestStageCompiler::withoutAWorker()
{
    const FakeWorkers workers;
    workers.remove("stagecraft-worker-cuda");
    StageCompiler compiler;
    const auto results = answers(compiler, {order(with("none")), order(with("none"), "sm_80")});
    QCOMPARE(results.size(), 2);
    for (const StageCompilation &result : results) {
        QCOMPARE(result.state, StageCompilation::Unavailable);
        QVERIFY2(result.reason.contains("stagecraft-worker-cuda is not part of this build"), qPrintable(result.reason));
        QVERIFY(!result.fix.isEmpty());
    }
    workers.writeFake({}); // installed meanwhile: tried again
    QCOMPARE(answers(compiler, {order(with("none"))}).value(0).state, StageCompilation::Compiled);
}

void TestStageCompiler::clearingEndsWhatRuns()
{
    const FakeWorkers workers;
    StageCompiler compiler;
    QSignalSpy finished(&compiler, &StageCompiler::finished), compiled(&compiler, &StageCompiler::compiled);
    compiler.compile({order(with("none")), order(with("hang-in-compile")), order(with("none"))});
    QVERIFY(compiled.wait(30'000));
    compiler.clear();
    QCOMPARE(finished.size(), 1);
    compiler.clear(); // nothing waits: nothing to say
    QCOMPARE(finished.size(), 1);
    const auto results = answers(compiler, {order(with("registers=51"))});
    QCOMPARE(results.size(), 1); // nothing of the cleared ones
    QCOMPARE(results[0].kernels.value(0).registers, 51);
    QCOMPARE(workers.pids().size(), 2);
}

void TestStageCompiler::anIdleWorkerThatDiedIsReplaced()
{
    const FakeWorkers workers;
    StageCompiler compiler;
    QCOMPARE(answers(compiler, {order(with("none"))}).value(0).state, StageCompilation::Compiled);
    ::kill(workers.pids().value(0), SIGKILL);
    QVERIFY(QTest::qWaitFor([&] { return ::kill(workers.pids().value(0), 0) != 0; }, 30'000));
    QCOMPARE(answers(compiler, {order(with("none"))}).value(0).state, StageCompilation::Compiled);
    QCOMPARE(workers.pids().size(), 2);
}

void TestStageCompiler::realCompilerTellsResources()
{
    if (!hasRealCompiler())
        QSKIP("NVRTC is not on this machine");
    const StageCatalogue catalogue = stageCatalogue();
    QList<CompileOrder> orders;
    for (const char *id : {"tiled", "registers", "k64"})
        orders.append({catalogue.find("matmul", id)->stage, "sm_89"});
    for (const char *id : {"block-per-row", "warp-per-row", "two-warps-per-row"})
        orders.append({catalogue.find("layernorm", id)->stage, "sm_89"});
    const QList<qint64> sharedBytes{2048, 16384, 33792, 1024, 0, 64};
    const auto results = answers(orders);
    QCOMPARE(results.size(), sharedBytes.size());
    for (qsizetype i = 0; i < results.size(); ++i) {
        QVERIFY2(results[i].state == StageCompilation::Compiled, qPrintable(results[i].reason));
        QCOMPARE(results[i].kernels.value(0).sharedBytes, sharedBytes[i]);
        QVERIFY(results[i].kernels.value(0).registers > 16);
    }
}

void TestStageCompiler::realCompilerTellsTheLine()
{
    if (!hasRealCompiler())
        QSKIP("NVRTC is not on this machine");
    const QString body = "#include \"stagecraft.cuh\"\n"
                         "extern \"C\" __global__ void mine(STAGE_ARGS)\n"
                         "{\n"
                         "    int unused = 1;\n"
                         "    out[0] = undeclared_name;\n"
                         "}\n";
    const auto failed = answers({order(StageFolder::text({}, body))}).value(0);
    QCOMPARE(failed.state, StageCompilation::Failed);
    QVERIFY2(failed.reason.contains("undeclared_name"), qPrintable(failed.reason));
    const auto messages = compileMessages(failed.log, "gelu/mine.cu");
    const auto error = std::ranges::find(messages, CompileMessage::Error, &CompileMessage::severity);
    QVERIFY2(error != messages.end(), qPrintable(failed.log));
    QCOMPARE(error->line, 7);
}

void TestStageCompiler::realCompilerFollowsTheText()
{
    if (!hasRealCompiler())
        QSKIP("NVRTC is not on this machine");
    const QString kernel = "#include \"stagecraft.cuh\"\n"
                           "extern \"C\" __global__ void %1(STAGE_ARGS) { out[threadIdx.x] = a[threadIdx.x]; }\n";
    const auto results = answers({order(StageFolder::text({}, kernel.arg("mine"))),
                                  order(StageFolder::text({}, kernel.arg("other")), "sm_80"),
                                  order(StageFolder::text({}, kernel.arg("mine")), "sm_35")});
    QCOMPARE(results[0].state, StageCompilation::Compiled);
    QCOMPARE(results[1].state, StageCompilation::Failed);
    QVERIFY2(results[1].reason.contains(
                 "gelu/mine.cu: the source has no kernel \"mine\" for launch 1; its kernels are other"),
             qPrintable(results[1].reason));
    QCOMPARE(results[2].state, StageCompilation::Failed);
    QVERIFY2(results[2].reason.contains("does not know the architecture sm_35"), qPrintable(results[2].reason));
    QVERIFY2(results[2].fix.contains("sm_90a"), qPrintable(results[2].fix));
}

QTEST_GUILESS_MAIN(TestStageCompiler)
#include "tst_stagecompiler.moc"
