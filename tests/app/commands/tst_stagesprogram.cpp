// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuobjdump.h"
#include "fakeworkers.h"
#include "programfixture.h"
#include "stagefolder.h"
#include "stagefolderfixture.h"
#include "standindisassembler.h"

#include <nlohmann/json.hpp>
#include <QRegularExpression>

using fixtures::Outcome;
using fixtures::runStagecraft;
using nlohmann::json;

namespace {

const char *bundledStages = STAGECRAFT_SOURCE_DIR "/kernels/stages";

} // namespace

// `stagecraft stages` as a process: with a fake worker, and with NVRTC where the GPU worker is built and finds it.
class TestStagesProgram : public QObject
{
    Q_OBJECT

private slots:
    void listsWhatThereIs();
    void textKeepsTheProgression();
    void wrongUsage_data();
    void wrongUsage();

    // With the fake worker.
    void figuresOfOneArchitecture();
    void figuresOfSeveralLaunches();
    void figuresOfSeveralArchitectures();
    void localMemoryIsRemarkedUpon();
    void whatAStageIsNotMadeForIsNoFailure();
    void failuresAreToldAndEndWithOne_data();
    void failuresAreToldAndEndWithOne();
    void brokenFilesAreTold();
    void withoutACompiler();
    void machineCodeIsWritten();
    void withoutNvdisasmPtxIsWritten();

    // With NVRTC.
    void bundledStagesCompile();
    void figuresAreThoseOfTheMachineCode();

private:
    static Outcome stages(const QStringList &arguments) { return runStagecraft(QStringList{"stages"} + arguments); }

    static json listed(const QStringList &arguments, int status = 0)
    {
        const Outcome outcome = stages(arguments + QStringList{"--format", "json"});
        if (outcome.status != status)
            QTest::qFail(qPrintable(outcome.err), __FILE__, __LINE__);
        return json::parse(outcome.out.toStdString(), nullptr, false);
    }

    static json stageOf(const json &list, const std::string &operation, const std::string &id)
    {
        for (const json &stage : list) {
            if (stage["operation"] == operation && stage["id"] == id)
                return stage;
        }
        return json::object();
    }

    static QString text(const json &value) { return QString::fromStdString(value.get<std::string>()); }
    static double number(const json &value) { return value.get<double>(); }

    static bool hasCompiler() { return stages({"--operation", "gelu", "--compile", "sm_80"}).status == 0; }
};

void TestStagesProgram::listsWhatThereIs()
{
    const json list = listed({});
    QVERIFY(list.is_array());
    std::map<std::string, int> counts;
    for (const json &stage : list) {
        ++counts[stage["operation"]];
        for (const char *key : {"id", "title", "change", "status", "label", "arithmetic", "file", "sha256"})
            QVERIFY2(stage[key].is_string() && !stage[key].get<std::string>().empty(), stage.dump().c_str());
        QVERIFY(stage["counts"].is_object() && !stage["counts"].empty());
        QVERIFY(stage["after"].is_null() || stage["after"].is_string());
        QCOMPARE(stage["own"].get<bool>(), false);
        QCOMPARE(stage["file"].get<std::string>(),
                 stage["operation"].get<std::string>() + "/" + stage["id"].get<std::string>() + ".cu");
        QVERIFY(!stage["launches"].empty() && stage["launches"][0].contains("entry"));
        QVERIFY(!stage.contains("registers"));
    }
    QVERIFY(counts["matmul"] >= 7 && counts["layernorm"] >= 8);
    QVERIFY(counts["gelu"] >= 1 && counts["triangle"] >= 1 && counts["neighbor"] >= 1);
    QCOMPARE(text(stageOf(list, "matmul", "rows-128-8x4")["status"]), QString("attempt"));
    QCOMPARE(text(stageOf(list, "matmul", "rows-128-8x4")["after"]), QString("registers"));
    QCOMPARE(number(stageOf(list, "matmul", "tiled")["counts"]["shared reads per multiply-add"]), 2.0);
}

void TestStagesProgram::textKeepsTheProgression()
{
    const Outcome outcome = stages({"--operation", "matmul"});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.err.isEmpty(), qPrintable(outcome.err));
    const QStringList lines = outcome.out.split('\n');
    QCOMPARE(lines.first(), QString("matmul"));
    const auto place = [&](const char *start) {
        return lines.indexOf(QRegularExpression(QStringLiteral("^%1 .*").arg(QString::fromUtf8(start))));
    };
    QVERIFY(place("  tiled") > 0);
    QVERIFY(place("  tiled") < place("  registers"));
    QVERIFY(place("  registers") < place("    rows-128-8x4")); // an attempt, indented,
    QVERIFY(place("    rows-128-8x4") < place("  k64"));       // below the stage that it was compared with
    QVERIFY(outcome.out.contains("shared reads per multiply-add 0.125"));
    QVERIFY(!outcome.out.contains("layernorm"));
}

void TestStagesProgram::wrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *title, const QStringList &arguments, const char *said) {
        QTest::newRow(title) << arguments << QString(said);
    };
    row("operation", {"--operation", "matmull"}, "did you mean matmul?");
    row("architecture", {"--compile", "sm90"}, "“sm90” is no architecture; name ones such as");
    row("twice", {"--compile", "sm_80,sm_80"}, "--compile names “sm_80” twice");
    row("none", {"--compile", ","}, "--compile names no architecture");
    row("format", {"--format", "xml"}, "text or json is expected");
    row("cubins alone", {"--cubins", "x"}, "--cubins is for compiling: add --compile ARCH");
    row("machine code alone", {"--machine-code", "x"}, "--machine-code is for compiling: add --compile ARCH");
    row("no machine code", {"--compile", "sm_80", "--machine-code", ""}, "--machine-code names no folder");
    row("far machine code", {"--compile", "sm_80", "--machine-code", "x", "--worker", "ssh gpu01"}, "at the other end");
    row("dims alone", {"--dims", "matmul=1x1x1"}, "--dims is for compiling");
    row("dims", {"--compile", "sm_80", "--dims", "matmul=1x1"}, "--dims matmul: ");
    row("dims of another", {"--compile", "sm_80", "--operation", "gelu", "--dims", "matmul=1x1x1"}, "not among");
    row("no cubins", {"--compile", "sm_80", "--cubins", ""}, "--cubins names no folder");
    row("far cubins", {"--compile", "sm_80", "--cubins", "x", "--worker", "ssh gpu01"}, "at the other end");
    row("stray", {"matmul"}, "operations are named with --operation");
    row("option", {"--compil", "sm_80"}, "did you mean compile");
}

void TestStagesProgram::wrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Outcome outcome = stages(arguments);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(said), qPrintable(outcome.err));
    QVERIFY(outcome.out.isEmpty());
}

void TestStagesProgram::figuresOfOneArchitecture()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/mine.cu", StageFolder::text(R"("after": "one-per-thread")", "// fake: registers=64\n"));
    const QString cubins = workers.path() + "/cubins";
    const QStringList arguments{"--operation", "gelu",  "--stages-dir", folder.path(),
                                "--compile",   "sm_89", "--cubins",     cubins};
    const json mine = stageOf(listed(arguments), "gelu", "mine");
    QCOMPARE(mine["own"].get<bool>(), true);
    QCOMPARE(text(mine["state"]), QString("compiled"));
    QCOMPARE(number(mine["registers"]), 64.0);
    QCOMPARE(number(mine["shared_bytes"]), 2048.0);
    QCOMPARE(number(mine["local_bytes"]), 0.0);
    QCOMPARE(number(mine["spill_bytes"]), 0.0);
    QCOMPARE(number(mine["resident_threads_per_sm"]), 768.0); // 24 blocks of 32 threads
    QCOMPARE(text(mine["limited_by"]), QString("blocks"));
    QCOMPARE(mine["launches"].size(), std::size_t{1});
    QCOMPARE(text(mine["launches"][0]["entry"]), QString("mine"));
    QCOMPARE(number(mine["compiled"]["sm_89"]["registers"]), 64.0);
    QVERIFY(QFile::exists(cubins + "/gelu-mine-sm_89.cubin"));
    const Outcome shown = stages(arguments);
    QVERIFY2(shown.out.contains(QRegularExpression("\n  mine +64 +2048 +0 +0 +1 +768  blocks\n")),
             qPrintable(shown.out));
    QVERIFY2(!(shown.out + shown.err).contains(folder.path()), qPrintable(shown.out)); // no absolute path
}

void TestStagesProgram::figuresOfSeveralLaunches()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/two.cu", QString(R"(/* stage {"title": "t", "status": "retained", "launches": [
        {"entry": "first", "block": 256, "grid": [{"per_sm": 1}], "shared_bytes": 4096},
        {"entry": "second", "block": 1024, "grid": [{"per_sm": 1}]}]} */)"));
    const QStringList arguments{"--operation", "gelu", "--stages-dir", folder.path(), "--compile", "sm_89"};
    const json two = stageOf(listed(arguments), "gelu", "two");
    QCOMPARE(two["launches"].size(), std::size_t{2});
    QCOMPARE(number(two["shared_bytes"]), 6144.0); // the first's, which is the larger
    QCOMPARE(number(two["launches"][1]["shared_bytes"]), 2048.0);
    QCOMPARE(number(two["resident_threads_per_sm"]), 1024.0); // the second's, of which one block fits
    QCOMPARE(number(two["launches"][0]["resident_threads_per_sm"]), 1536.0);
    const Outcome shown = stages(arguments);
    QVERIFY2(shown.out.contains(QRegularExpression("\n  two +first +37 ")), qPrintable(shown.out));
    QVERIFY2(shown.out.contains(QRegularExpression("\n  two +second +37 ")), qPrintable(shown.out));
}

void TestStagesProgram::figuresOfSeveralArchitectures()
{
    const FakeWorkers workers;
    const json tiled = stageOf(listed({"--operation", "matmul", "--compile", "sm_80,sm_90a"}), "matmul", "tiled");
    QVERIFY(!tiled.contains("registers"));
    QCOMPARE(tiled["compiled"].size(), std::size_t{2});
    QCOMPARE(number(tiled["compiled"]["sm_80"]["registers"]), 37.0);
    QCOMPARE(number(tiled["compiled"]["sm_90a"]["resident_threads_per_sm"]), 1536.0);
    const Outcome shown = stages({"--operation", "matmul", "--compile", "sm_80,sm_90a"});
    QVERIFY2(shown.out.contains(QRegularExpression("\n  tiled +sm_80 .*\n  tiled +sm_90a ")), qPrintable(shown.out));
    QCOMPARE(workers.pids().size(), 2); // one for each of the two calls
}

void TestStagesProgram::localMemoryIsRemarkedUpon()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/meant.cu", StageFolder::text(R"("local_memory": "to show it")", "// fake: local=128\n"));
    folder.write("gelu/spills.cu", StageFolder::text({}, "// fake: spill=8\n"));
    const Outcome shown = stages({"--operation", "gelu", "--stages-dir", folder.path(), "--compile", "sm_80"});
    QCOMPARE(shown.status, 0);
    QVERIFY2(shown.out.contains(QRegularExpression("\n  meant .* local memory on purpose\n")), qPrintable(shown.out));
    QVERIFY2(shown.out.contains(QRegularExpression("\n  spills .* warning: local memory\n")), qPrintable(shown.out));
    QVERIFY2(shown.out.contains("\n  meant: to show it\n"), qPrintable(shown.out));
    QVERIFY2(shown.out.contains("\n  spills: uses local memory, and its front matter does not say why"),
             qPrintable(shown.out));
}

void TestStagesProgram::whatAStageIsNotMadeForIsNoFailure()
{
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/newer.cu", StageFolder::text(R"("requires": {"arch": "sm_90a"})"));
    folder.write("gelu/fours.cu", StageFolder::text(R"("requires": {"multiple_of": {"width": 4}})"));
    const json list =
        listed({"--operation", "gelu", "--stages-dir", folder.path(), "--compile", "sm_80", "--dims", "gelu=3x257"});
    const json newer = stageOf(list, "gelu", "newer"), fours = stageOf(list, "gelu", "fours");
    QCOMPARE(text(newer["state"]), QString("unavailable"));
    QVERIFY(newer["reason"].get<std::string>().find("the stage needs exactly 9.0") != std::string::npos);
    QCOMPARE(text(fours["state"]), QString("invalid"));
    QVERIFY(fours["reason"].get<std::string>().find("the stage needs a multiple of 4") != std::string::npos);
    QVERIFY(!fours.contains("registers"));
}

void TestStagesProgram::failuresAreToldAndEndWithOne_data()
{
    QTest::addColumn<QString>("instruction");
    QTest::addColumn<QString>("said");
    QTest::newRow("error") << "compile-error"
                           << "gelu/mine.cu(3): error: identifier \"undeclared_name\" is undefined";
    QTest::newRow("death") << "kill-in-compile"
                           << "SIGKILL (9) during compile";
}

void TestStagesProgram::failuresAreToldAndEndWithOne()
{
    QFETCH(QString, instruction);
    QFETCH(QString, said);
    const FakeWorkers workers;
    const StageFolder folder;
    folder.write("gelu/mine.cu", StageFolder::text({}, "// fake: " + instruction + '\n'));
    const QStringList arguments{"--operation", "gelu", "--stages-dir", folder.path(), "--compile", "sm_80"};
    const json list = listed(arguments, 1);
    const json mine = stageOf(list, "gelu", "mine");
    QCOMPARE(text(mine["state"]), QString("failed"));
    QVERIFY(!mine["fix"].get<std::string>().empty());
    QCOMPARE(text(stageOf(list, "gelu", "one-per-thread")["state"]), QString("compiled")); // the others are not held up
    if (instruction == "compile-error")
        QCOMPARE(number(mine["messages"][0]["line"]), 3.0);
    const Outcome shown = stages(arguments);
    QCOMPARE(shown.status, 1);
    QVERIFY2(shown.err.contains(said), qPrintable(shown.err));
    QVERIFY2(shown.err.contains("What to do: "), qPrintable(shown.err));
    QVERIFY2(shown.out.contains(QRegularExpression("\n  mine .*failed\n")), qPrintable(shown.out));
}

void TestStagesProgram::brokenFilesAreTold()
{
    const StageFolder folder;
    folder.write("gelu/mine.cu", QString("no front matter"));
    folder.write("gelu/one-per-thread.cu");
    folder.write("layernorm/other.cu", QString("nor here"));
    const Outcome outcome = stages({"--operation", "gelu", "--stages-dir", folder.path()});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("gelu/mine.cu:1: no front matter"), qPrintable(outcome.err));
    QVERIFY2(outcome.err.contains("gelu/one-per-thread.cu: a stage of this name comes with"), qPrintable(outcome.err));
    QVERIFY2(!outcome.err.contains("layernorm"), qPrintable(outcome.err));
    QVERIFY(outcome.out.contains("one-per-thread"));
}

void TestStagesProgram::withoutACompiler()
{
    const FakeWorkers workers;
    workers.remove("stagecraft-worker-cuda");
    const Outcome outcome = stages({"--compile", "sm_80"});
    QCOMPARE(outcome.status, 1);
    QCOMPARE(outcome.err.count("stagecraft-worker-cuda is not part of this build"), 1); // not once per stage
    QVERIFY2(outcome.err.contains("What to do: "), qPrintable(outcome.err));
    QVERIFY(outcome.out.contains("unavailable"));
}

void TestStagesProgram::bundledStagesCompile()
{
    if (!hasCompiler())
        QSKIP("there is no GPU worker with NVRTC on this machine");
    const json list = listed({"--operation", "matmul,layernorm", "--compile", "sm_89"});
    QVERIFY(list.size() >= 15);
    for (const json &stage : list) {
        if (stage["state"] == "compiled")
            QVERIFY2(stage["registers"].get<int>() > 0, stage.dump().c_str());
        else // made for another GPU
            QVERIFY2(stage["reason"].get<std::string>().find(": the GPU has compute capability 8.9, ") !=
                         std::string::npos,
                     stage.dump().c_str());
    }
    const std::map<std::string, int> shared{{"tiled", 2048},         {"registers", 16384}, {"k64", 33792},
                                            {"block-per-row", 1024}, {"warp-per-row", 0},  {"two-warps-per-row", 64}};
    for (const auto &[id, bytes] : shared) {
        const json matmul = stageOf(list, "matmul", id);
        QCOMPARE(number((matmul.empty() ? stageOf(list, "layernorm", id) : matmul)["shared_bytes"]), double(bytes));
    }
    const Outcome unknown = stages({"--operation", "gelu", "--compile", "sm_35"});
    QCOMPARE(unknown.status, 1);
    QCOMPARE(unknown.err.count("does not know the architecture sm_35"), 1);
    QVERIFY2(unknown.err.contains("choose among") && unknown.err.contains("sm_90a"), qPrintable(unknown.err));
}

void TestStagesProgram::machineCodeIsWritten()
{
    const StandInDisassembler standIn(
        StandInDisassembler::printing(STAGECRAFT_SOURCE_DIR "/tests/app/run/machinecode/matmul-tiled-sm_90a.sass"));
    const FakeWorkers workers;
    const QString code = workers.path() + "/code";
    const QStringList arguments{"--operation", "matmul", "--compile", "sm_90a", "--machine-code", code};
    const json tiled = stageOf(listed(arguments), "matmul", "tiled");
    const json instructions = tiled["launches"][0]["instructions"];
    QCOMPARE(number(instructions["total"]), 125.0);
    QCOMPARE(number(instructions["kinds"]["fma_fp32"]), 16.0);
    QCOMPARE(number(instructions["kinds"]["shared_load"]), 32.0);
    QVERIFY(!instructions["kinds"].contains("local") && !instructions["kinds"].contains("padding"));
    QFile sass(code + "/matmul-tiled-sm_90a.sass");
    QVERIFY(sass.open(QIODevice::ReadOnly));
    const QByteArray text = sass.readAll();
    QVERIFY(text.contains("File \"tiled.cu\", line 58"));
    QVERIFY(!text.contains("/home/reader")); // no folder of the machine that compiled it
    QVERIFY(QFile::exists(code + "/matmul-tiled-sm_90a.ptx"));
    QVERIFY(!QFile::exists(code + "/matmul-tiled-sm_90a.cubin"));
    const Outcome shown = stages(arguments);
    QCOMPARE(shown.status, 0);
    QVERIFY2(shown.out.contains("  tiled: 125 instructions: "), qPrintable(shown.out));
}

void TestStagesProgram::withoutNvdisasmPtxIsWritten()
{
    if (StandInDisassembler::isInstalled())
        QSKIP("nvdisasm is in one of the usual prefixes of this machine");
    const StandInDisassembler standIn;
    const FakeWorkers workers;
    const QString code = workers.path() + "/code";
    const Outcome outcome = stages({"--operation", "triangle", "--compile", "sm_90a", "--machine-code", code});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.err.contains("no machine code: nvdisasm was not found"), qPrintable(outcome.err));
    QCOMPARE(outcome.err.count("pip install nvidia-cuda-nvdisasm"), 1); // once for all stages
    QVERIFY(QFile::exists(code + "/triangle-tile-4x4-sm_90a.ptx"));
    QVERIFY(!QFile::exists(code + "/triangle-tile-4x4-sm_90a.sass"));
    const json tile = stageOf(listed({"--operation", "triangle", "--compile", "sm_90a", "--machine-code", code}, 1),
                              "triangle", "tile-4x4");
    QCOMPARE(text(tile["state"]), QString("compiled"));
    QCOMPARE(text(tile["machine_code"]["state"]), QString("unavailable"));
    QVERIFY(!tile["launches"][0].contains("instructions"));
}

void TestStagesProgram::figuresAreThoseOfTheMachineCode()
{
    const QString tool = stagecraft::tests::findCuobjdump();
    if (tool.isEmpty() || !hasCompiler())
        QSKIP("there is no cuobjdump, or no NVRTC");
    const StageFolder folder;
    const json list = listed({"--compile", "sm_89", "--cubins", folder.path()});
    for (const json &stage : list) {
        const std::string operation = stage["operation"], id = stage["id"];
        const auto launches = stagecraft::stagefile::readStage(bundledStages, operation, id).launches;
        if (stage["state"] != "compiled") // made for another GPU
            continue;
        QCOMPARE(launches.size(), std::size_t(1));
        const std::string file = operation + "-" + id + "-sm_89.cubin";
        const auto dump = QString::fromStdString(stagecraft::tests::runCuobjdump(
            tool, "--dump-resource-usage", folder.path() + '/' + QString::fromStdString(file)));
        static const QRegularExpression usage("REG:(\\d+) STACK:(\\d+) SHARED:(\\d+)");
        const auto match = usage.match(dump);
        QVERIFY2(match.hasMatch(), file.c_str());
        QCOMPARE(stage["registers"].get<int>(), match.captured(1).toInt());
        QCOMPARE(stage["local_bytes"].get<int>(), match.captured(2).toInt());
        // The machine code knows the static shared bytes; the dynamic ones are the launch's.
        QCOMPARE(stage["shared_bytes"].get<int>(), match.captured(3).toInt() + launches.front().sharedBytes);
    }
}

QTEST_GUILESS_MAIN(TestStagesProgram)
#include "tst_stagesprogram.moc"
