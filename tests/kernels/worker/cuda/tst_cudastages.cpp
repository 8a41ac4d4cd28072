// SPDX-License-Identifier: GPL-3.0-or-later
#include "cudaworkerfixture.h"
#include "frontmatter.h"

using namespace stagecraft::protocol;
namespace stagefile = stagecraft::stagefile;
using cudaworker::handleOnly;
using cudaworker::params;
using cudaworker::stages;

namespace {

// A stage of gelu whose launches have these further keys; the made-up GPU takes it for launched.
std::string stageText(const std::string &launches, const std::string &body)
{
    return "/* stage {\"title\": \"t\", \"status\": \"retained\", \"launches\": [" + launches +
           "]} */\n#include \"stagecraft.cuh\"\n" + body;
}

std::string launch(const std::string &entry, const std::string &more = {}, int threads = 32)
{
    return R"({"entry": ")" + entry + R"(", "block": )" + std::to_string(threads) + R"(, "grid": [{"cover": "rows"}])" +
           more + "}";
}

std::string kernel(const std::string &name)
{
    return "extern \"C\" __global__ void " + name + "(STAGE_ARGS) { out[threadIdx.x] = a[threadIdx.x]; }\n";
}

std::string mapStage(const std::string &buffer, const std::string &box, const std::string &swizzle)
{
    return R"(/* stage {"title": "t", "status": "retained", "tensor_maps": [{"buffer": ")" + buffer + R"(", "box": )" +
           box + R"(, "swizzle": ")" + swizzle + R"("}], "launches": [)" +
           launch("fake_takes_map", R"(, "cluster": 2)") + R"(]} */
#include "stagecraft.cuh"
extern "C" __global__ void fake_takes_map(STAGE_ARGS)
{
    if (a[0] > 1)
        out[0] = static_cast<float>(reinterpret_cast<unsigned long long>(&map0));
}
)";
}

CompileParams compileParams(const std::string &source, const char *architecture = "sm_80")
{
    CompileParams compile{"gelu", "gelu/mine", architecture, {}};
    compile.source = source;
    return compile;
}

} // namespace

// What the GPU worker makes of stage files: its own and those whose text a message brings.
class TestCudaStages : public cudaworker::Fixture
{
    Q_OBJECT

private slots:
    void compileFaults();
    void compilesTheTextOfAMessage();
    void resourcesAreInLaunchOrder();
    void errorsBringTheCompilersLog();
    void entriesThatAreThereAreNamed_data();
    void entriesThatAreThereAreNamed();
    void machineCodeIsWritten();

    void stagesAreLaunchedAndGated();
    void preparesTheTextOfAMessage();
    void impossibleLaunchesAreRefused_data();
    void impossibleLaunchesAreRefused();
    void scratchOfAnEarlierCallIsNoResult();
    void sharedMemoryIsOptedInTo_data();
    void sharedMemoryIsOptedInTo();
    void stagesThatArePassedOverAreNamed();
    void exactFp32IsChosenAmongExactStages();
    void tensorMapsAreEncodedAndPassed();
    void tensorMapsThatCannotBeAreRefused();
};

void TestCudaStages::compileFaults()
{
    startPlain();
    const auto fault = [&](const char *operation, const char *stage, const char *architecture,
                           std::vector<std::int64_t> dims = {}) {
        return WorkerClient::errorOf(
            m_client->call(method::compile, CompileParams{operation, stage, architecture, std::move(dims)}));
    };
    QCOMPARE(fault("nothing", "tiled", "sm_80").code, error::invalid);
    QCOMPARE(fault("matmul", "absent", "sm_80").code, error::invalid);
    QCOMPARE(fault("matmul", "gelu/one-per-thread", "sm_80").code, error::invalid);
    QCOMPARE(fault("matmul", "../gelu/one-per-thread", "sm_80").code, error::invalid);
    QCOMPARE(fault("matmul", "tiled", "sm_80 --include-path=/").code, error::invalid);
    QCOMPARE(fault("matmul", "tiled", "sm_80", {1, 2}).code, error::invalid);
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto unknown = fault("matmul", "tiled", "sm_35");
    QCOMPARE(unknown.code, error::invalid);
    QVERIFY2(unknown.reason.find("does not know the architecture sm_35") != std::string::npos, unknown.reason.c_str());
    QVERIFY2(unknown.fix.find("sm_") != std::string::npos, unknown.fix.c_str());
}

// The made-up GPU runs no stage, so its output stays poisoned, and the check must say so.
void TestCudaStages::stagesAreLaunchedAndGated()
{
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("matmul", {17, 19, 23}, "cuda"));
    QCOMPARE(prepared.stage, std::string("matmul/split-tf32-mma")); // the made-up GPU is of compute capability 9.0
    QCOMPARE(prepared.sourceSha256, stagefile::readStage(stages, "matmul", "split-tf32-mma").sha256);
    QCOMPARE(prepared.arithmetic, std::string("3xtf32"));
    QCOMPARE(prepared.timingSource, std::string("event"));
    QVERIFY2(prepared.note.find("sm_90a") != std::string::npos, prepared.note.c_str());
    QCOMPARE(prepared.launches.size(), std::size_t{1});
    const Launch &launch = prepared.launches.front();
    QCOMPARE(launch.entry, std::string("matmul_split_tf32_mma"));
    QVERIFY((launch.grid == std::array<std::int64_t, 3>{1, 1, 1}));
    QVERIFY((launch.block == std::array<std::int64_t, 3>{128, 1, 1}));
    QCOMPARE(launch.resources.registers, 33); // the driver's word, not the compiler's
    QCOMPARE(launch.resources.barriers, 16);  // which only the compiler has
    QCOMPARE(launch.residentThreadsPerSm, 2048);
    const auto check = m_client->get<CheckResult>(method::check, handleOnly(prepared.handle));
    QVERIFY(!check.passed);
    QCOMPARE(check.badElements, 17 * 19);
    QCOMPARE(check.checkedElements, 17 * 19);
    QVERIFY(!check.maxAbsError && !check.relError);
    QVERIFY(check.firstBad == 0 && !check.firstBadValue);
}

// The stage writes what its scratch held, then leaves a number there: only a NaN may come out of any check.
void TestCudaStages::scratchOfAnEarlierCallIsNoResult()
{
    startWithStage(R"(/* stage {"title": "t", "status": "retained", "scratch": 16,
                       "launches": [{"entry": "fake_keeps_scratch", "block": 1, "grid": [{"cover": "rows"}]}]} */
#include "stagecraft.cuh"
extern "C" __global__ void fake_keeps_scratch(STAGE_ARGS) { out[0] = scratch[0]; scratch[0] = 1000; }
)");
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto handle = m_client->prepare("gelu", {1, 1}, "cuda");
    for (int call = 0; call < 2; ++call) {
        const auto check = m_client->get<CheckResult>(method::check, handleOnly(handle));
        QVERIFY(!check.passed && check.firstBad == 0);
        QVERIFY2(!check.firstBadValue, qPrintable(QString::number(check.firstBadValue.value_or(0))));
    }
}

void TestCudaStages::sharedMemoryIsOptedInTo_data()
{
    QTest::addColumn<int>("dynamicBytes"); // the made-up GPU's functions have 2048 more
    QTest::newRow("none") << 0;
    QTest::newRow("up to the minimum") << 46 * 1024;
    QTest::newRow("above it together only") << 47 * 1024;
    QTest::newRow("above it alone") << 64 * 1024;
}

// The made-up GPU launches, as a real one, nothing that was not opted in to.
void TestCudaStages::sharedMemoryIsOptedInTo()
{
    QFETCH(int, dynamicBytes);
    startWithStage(R"(/* stage {"title": "t", "status": "retained", "launches": [
                       {"entry": "f", "block": 1, "grid": [{"cover": "rows"}], "shared_bytes": )" +
                   std::to_string(dynamicBytes) + R"(}]} */
#include "stagecraft.cuh"
extern "C" __global__ void f(STAGE_ARGS) { out[0] = a[0]; }
)");
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("gelu", {1, 1}, "cuda"));
    QCOMPARE(prepared.launches.at(0).resources.sharedBytes, 2048 + dynamicBytes);
    QCOMPARE(m_client->get<CheckResult>(method::check, handleOnly(prepared.handle)).checkedElements, 1);
}

// A later stage that does not fit, and a file that is none, lead to the stage before; never without a word.
void TestCudaStages::stagesThatArePassedOverAreNamed()
{
    const QTemporaryDir resources;
    const auto folder = std::filesystem::path(resources.path().toStdString()) / "stages";
    std::filesystem::copy(stages, folder, std::filesystem::copy_options::recursive);
    std::ofstream(folder / "gelu/later.cu") << R"(/* stage {"title": "t", "status": "retained", "after": "resident",
                       "launches": [{"entry": "f", "block": 32, "grid": [{"cover": "rows"}]}],
                       "requires": {"multiple_of": {"width": 4}}} */)";
    std::ofstream(folder / "gelu/broken.cu") << "not a stage";
    startWithFakes({{"STAGECRAFT_RESOURCES", resources.path().toUtf8().constData()}});
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto prepared = m_client->get<PrepareResult>(method::prepare, params("gelu", {3, 257}, "cuda"));
    QCOMPARE(prepared.stage, std::string("gelu/resident"));
    QVERIFY2(prepared.note.find("gelu/later: width is 257, the stage needs a multiple of 4") != std::string::npos,
             prepared.note.c_str());
    QVERIFY2(prepared.note.find("gelu/broken.cu:1: no front matter") != std::string::npos, prepared.note.c_str());
    const auto later =
        WorkerClient::errorOf(m_client->call(method::prepare, params("gelu", {3, 257}, "cuda", "gelu/later")));
    QCOMPARE(later.code, error::invalid); // asked for by name there is no other
}

// The last stage of any arithmetic, or the last of exact FP32; which were passed over for it is said.
void TestCudaStages::exactFp32IsChosenAmongExactStages()
{
    const QTemporaryDir resources;
    const auto folder = std::filesystem::path(resources.path().toStdString()) / "stages";
    std::filesystem::create_directories(folder / "gelu");
    std::filesystem::copy_file(stages / "stagecraft.cuh", folder / "stagecraft.cuh");
    const auto write = [&](const char *id, const std::string &more) {
        std::ofstream(folder / "gelu" / (std::string(id) + ".cu"))
            << R"(/* stage {"title": "t", "status": "retained", "launches": [
                  {"entry": "f", "block": 32, "grid": [{"cover": "rows"}]}])"
            << more << R"(} */
#include "stagecraft.cuh"
extern "C" __global__ void f(STAGE_ARGS) { out[threadIdx.x] = a[threadIdx.x]; }
)";
    };
    write("plain", "");
    write("split", R"(, "after": "plain", "arithmetic": "3xtf32")");
    startWithFakes({{"STAGECRAFT_RESOURCES", resources.path().toUtf8().constData()}});
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    auto prepare = params("gelu", {3, 5}, "cuda");
    for (const char *word : {"", "any"}) {
        prepare.arithmetic = word;
        const auto any = m_client->get<PrepareResult>(method::prepare, prepare);
        QCOMPARE(any.stage, std::string("gelu/split"));
        QCOMPARE(any.arithmetic, std::string("3xtf32"));
        QVERIFY2(any.note.find("computes in 3xtf32, which is not exact FP32") != std::string::npos, any.note.c_str());
    }
    prepare.arithmetic = "fp32";
    const auto exact = m_client->get<PrepareResult>(method::prepare, prepare);
    QCOMPARE(exact.stage, std::string("gelu/plain"));
    QCOMPARE(exact.arithmetic, std::string("fp32"));
    QVERIFY2(exact.note.find("gelu/split: the stage computes in 3xtf32, fp32 was asked for") != std::string::npos,
             exact.note.c_str());

    prepare.stage = "gelu/split"; // asked for by name there is no other
    const auto named = WorkerClient::errorOf(m_client->call(method::prepare, prepare));
    QCOMPARE(named.code, error::invalid);
    QVERIFY2(named.reason.find("computes in 3xtf32") != std::string::npos, named.reason.c_str());
    QVERIFY2(named.fix.find("--arithmetic any") != std::string::npos, named.fix.c_str());
    std::filesystem::remove(folder / "gelu/plain.cu");
    write("split", R"(, "arithmetic": "3xtf32")");
    prepare.stage.clear();
    const auto none = WorkerClient::errorOf(m_client->call(method::prepare, prepare));
    QCOMPARE(none.code, error::unavailable);
    QVERIFY2(none.fix.find("--arithmetic any") != std::string::npos, none.fix.c_str());
}

// By value, innermost dim first, over the very array; the launch of a cluster says so.
void TestCudaStages::tensorMapsAreEncodedAndPassed()
{
    startLogged();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const std::string source = mapStage("a", "[4, 32]", "128B");
    const auto prepared =
        m_client->get<PrepareResult>(method::prepare, params("gelu", {8, 64}, "cuda", "gelu/mine", source));
    QVERIFY(log().contains("tensor map 64,8 strides 256 box 32,4 swizzle 3"));
    clearLog();
    m_client->get<CheckResult>(method::check, handleOnly(prepared.handle));
    QCOMPARE(log(), QStringList({"cluster 2", "launch fake_takes_map", "map of the first array"}));
}

void TestCudaStages::tensorMapsThatCannotBeAreRefused()
{
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto refused = WorkerClient::errorOf(m_client->call(
        method::prepare, params("gelu", {8, 66}, "cuda", "gelu/mine", mapStage("out", "[4, 32]", "128B"))));
    QCOMPARE(refused.code, error::invalid);
    QVERIFY2(refused.reason.find("gelu/mine: tensor map 0 (out, box [4, 32], swizzle 128B): the array's rows are 264 "
                                 "bytes apart") == 0,
             refused.reason.c_str());
    QVERIFY(!refused.fix.empty());
}

void TestCudaStages::compilesTheTextOfAMessage()
{
    startPlain();
    const auto wrong = WorkerClient::errorOf(m_client->call(method::compile, compileParams("/* stage {} */")));
    QCOMPARE(wrong.code, error::invalid);
    QVERIFY2(wrong.reason.find("gelu/mine.cu: ") == 0, wrong.reason.c_str());
    QVERIFY(!wrong.fix.empty());
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto result =
        m_client->get<CompileResult>(method::compile, compileParams(stageText(launch("mine"), kernel("mine"))));
    QCOMPARE(result.kernels.size(), std::size_t{1});
    QCOMPARE(result.kernels[0].entry, std::string("mine"));
    QVERIFY(result.kernels[0].registers > 0);
}

void TestCudaStages::resourcesAreInLaunchOrder()
{
    startPlain();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const std::string shared = "extern \"C\" __global__ void second(STAGE_ARGS)\n"
                               "{ __shared__ float t[256]; t[threadIdx.x] = a[0]; __syncthreads(); out[0] = t[1]; }\n";
    const auto result = m_client->get<CompileResult>(
        method::compile, compileParams(stageText(launch("second", ", \"shared_bytes\": 512") + "," + launch("first") +
                                                     "," + launch("second"),
                                                 kernel("first") + shared)));
    QCOMPARE(result.kernels.size(), std::size_t{3});
    QCOMPARE(result.kernels[0].entry, std::string("second"));
    QCOMPARE(result.kernels[0].sharedBytes, 1024 + 512);
    QCOMPARE(result.kernels[1].entry, std::string("first"));
    QCOMPARE(result.kernels[1].sharedBytes, 0);
    QCOMPARE(result.kernels[2].sharedBytes, 1024);
}

void TestCudaStages::errorsBringTheCompilersLog()
{
    startPlain();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto refused = WorkerClient::errorOf(m_client->call(
        method::compile, compileParams(stageText(launch("mine"), "extern \"C\" __global__ void mine(STAGE_ARGS)\n{\n"
                                                                 "    out[0] = undeclared_name;\n}\n"))));
    QCOMPARE(refused.code, error::failed);
    const std::string place = "gelu/mine.cu(5): error: identifier \"undeclared_name\" is undefined";
    QCOMPARE(refused.reason, "gelu/mine.cu does not compile for sm_80: " + place);
    QVERIFY2(refused.log.find(place + "\n") != std::string::npos, refused.log.c_str());
}

void TestCudaStages::entriesThatAreThereAreNamed_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("said");
    QTest::newRow("others") << QString::fromStdString(kernel("one") + kernel("two")) << "its kernels are one, two";
    QTest::newRow("mangled") << "__global__ void mine(STAGE_ARGS) { out[0] = 1; }"
                             << "its kernels are _Z4mine";
    QTest::newRow("none") << "__device__ int x;"
                          << "it has no kernel";
}

void TestCudaStages::entriesThatAreThereAreNamed()
{
    QFETCH(QString, body);
    QFETCH(QString, said);
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const std::string source = stageText(launch("mine"), body.toStdString());
    for (const auto &reply : {m_client->call(method::compile, compileParams(source)),
                              m_client->call(method::prepare, params("gelu", {1, 1}, "cuda", "gelu/mine", source))}) {
        const auto refused = WorkerClient::errorOf(reply);
        QCOMPARE(refused.code, error::failed);
        QVERIFY2(refused.reason.find("the source has no kernel \"mine\" for launch 1") != std::string::npos,
                 refused.reason.c_str());
        QVERIFY2(QString::fromStdString(refused.reason).contains(said), refused.reason.c_str());
        QVERIFY(refused.fix.find("extern \"C\" __global__") != std::string::npos);
    }
}

void TestCudaStages::machineCodeIsWritten()
{
    startPlain();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const QTemporaryDir folder;
    CompileParams compile = compileParams(stageText(launch("mine"), kernel("mine")));
    compile.cubin = folder.filePath("mine.cubin").toStdString();
    m_client->get<CompileResult>(method::compile, compile);
    QFile file(folder.filePath("mine.cubin"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("\177ELF"));
    compile.ptx = folder.filePath("mine.ptx").toStdString();
    m_client->get<CompileResult>(method::compile, compile);
    QFile ptx(folder.filePath("mine.ptx"));
    QVERIFY(ptx.open(QIODevice::ReadOnly));
    const QByteArray text = ptx.readAll();
    QVERIFY(text.contains(".visible .entry mine("));
    QVERIFY2(text.contains("mine.cu\""), "line information names the stage's file");
    QVERIFY(!text.contains('\0'));
    compile.cubin = folder.filePath("absent/mine.cubin").toStdString();
    const auto refused = WorkerClient::errorOf(m_client->call(method::compile, compile));
    QCOMPARE(refused.code, error::failed);
    QVERIFY2(refused.reason.find("No such file or directory") != std::string::npos, refused.reason.c_str());
}

void TestCudaStages::preparesTheTextOfAMessage()
{
    startWithFakes();
    const auto refusal = [&](const PrepareParams &prepare) {
        return WorkerClient::errorOf(m_client->call(method::prepare, prepare)).code;
    };
    const std::string source = stageText(launch("mine"), kernel("mine"));
    QCOMPARE(refusal(params("gelu", {1, 1}, "cuda", "", source)), error::invalid);           // of which stage?
    QCOMPARE(refusal(params("matmul", {1, 1, 1}, "cublas", "matmul/mine")), error::invalid); // has no stages
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const auto prepared =
        m_client->get<PrepareResult>(method::prepare, params("gelu", {3, 5}, "cuda", "gelu/mine", source));
    QCOMPARE(prepared.stage, std::string("gelu/mine"));
    QCOMPARE(prepared.sourceSha256, stagefile::parseStage("gelu", "mine", source).sha256);
    QCOMPARE(prepared.launches.size(), std::size_t{1});
    QCOMPARE(prepared.launches[0].entry, std::string("mine"));
    QVERIFY((prepared.launches[0].grid == std::array<std::int64_t, 3>{3, 1, 1}));
}

void TestCudaStages::impossibleLaunchesAreRefused_data()
{
    QTest::addColumn<QString>("spec");
    QTest::addColumn<QString>("said");
    // The made-up GPU's functions have 2048 static bytes and are compiled for 512 threads.
    QTest::newRow("threads") << QString::fromStdString(launch("mine", {}, 1024))
                             << "a block has 1024 threads, the kernel was compiled for at most 512";
    QTest::newRow("shared") << QString::fromStdString(launch("mine", ", \"shared_bytes\": 231000"))
                            << "a block takes 233048 bytes of shared memory, this GPU has 232448";
}

void TestCudaStages::impossibleLaunchesAreRefused()
{
    QFETCH(QString, spec);
    QFETCH(QString, said);
    startWithFakes();
    if (!hasNvrtc())
        QSKIP("libnvrtc is not on this machine");
    const std::string source = stageText(spec.toStdString(), kernel("mine"));
    const auto refused =
        WorkerClient::errorOf(m_client->call(method::prepare, params("gelu", {1, 1}, "cuda", "gelu/mine", source)));
    QCOMPARE(refused.code, error::invalid);
    QVERIFY2(QString::fromStdString(refused.reason).contains("gelu/mine: mine cannot be launched: " + said),
             refused.reason.c_str());
    QVERIFY(!refused.fix.empty());
    const auto good = stageText(launch("mine"), kernel("mine"));
    m_client->get<PrepareResult>(method::prepare, params("gelu", {1, 1}, "cuda", "gelu/mine", good)); // and lives on
}

QTEST_GUILESS_MAIN(TestCudaStages)
#include "tst_cudastages.moc"
