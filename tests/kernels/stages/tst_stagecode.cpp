// SPDX-License-Identifier: GPL-3.0-or-later
// Every stage of this project, compiled for every architecture as the program compiles it: in the GPU worker's process,
// by NVRTC. What the front matter says of it must be true of the machine code.
#include "cuobjdump.h"
#include "machinecode.h"
#include "stagefit.h"
#include "stagefolder.h"
#include "workerclient.h"

#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::protocol;
using namespace stagecraft::tests;
namespace operations = stagecraft::operations;
namespace stagefile = stagecraft::stagefile;

namespace {

const std::filesystem::path stages = STAGECRAFT_SOURCE_DIR "/kernels/stages";
constexpr auto readsPerMultiplyAdd = "shared reads per multiply-add";
constexpr double tolerance = 0.01;

const QStringList architectures{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_120"};

int numberOf(const QString &architecture)
{
    return architecture.mid(3).remove('a').toInt();
}

// From 9.0 on the system keeps 1024 bytes of each block that has shared memory, and cuobjdump counts them in.
std::int64_t reservedBytes(const QString &architecture)
{
    return numberOf(architecture) >= 90 ? 1024 : 0;
}

stagefile::Stage stageNamed(const QString &name)
{
    return stagefile::readStage(stages, name.section('/', 0, 0).toStdString(), name.section('/', 1).toStdString());
}

// The smallest dims that the stage's `requires` lets through: tails everywhere, loops that hardly turn.
operations::Dims smallestDims(const stagefile::Stage &stage)
{
    const auto *operation = operations::findOperation(stage.operation);
    operations::Dims dims = operation->minimumDims;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto found = stage.requirements.dims.find(operation->dimNames[i]);
        if (found == stage.requirements.dims.end())
            continue;
        const stagefile::DimRequirement &needs = found->second;
        const std::int64_t step = needs.multipleOf.value_or(1);
        dims[i] = needs.equals.value_or((std::max(dims[i], needs.min.value_or(0)) + step - 1) / step * step);
    }
    return dims;
}

bool runsOn(const stagefile::Stage &stage, const QString &architecture)
{
    const int number = numberOf(architecture);
    return !stagefile::gpuMisfit(stage, {number / 10, number % 10, 1});
}

} // namespace

class TestStageCode : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_client.reset(); }
    void compiles_data() { everyStage(); }
    void compiles();
    void sharedBytesAreAsDocumented_data();
    void sharedBytesAreAsDocumented();
    void machineCodeIsAsCounted_data() { everyStage(); }
    void machineCodeIsAsCounted();
    void workIsCountedAsBefore_data() { everyStage(); }
    void workIsCountedAsBefore();

private:
    void everyStage();
    CompileResult compile(const stagefile::Stage &stage, const QString &architecture, const operations::Dims &dims,
                          const QString &cubin = {});
    void compareResources(const KernelResources &kernel, const ResourceUsage &usage, const QString &architecture);
    QString countFault(const stagefile::Stage &stage, const std::string &code, const QString &architecture);

    std::unique_ptr<WorkerClient> m_client;
    QTemporaryDir m_folder;
    bool m_hasNvrtc = false;
};

void TestStageCode::initTestCase()
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/kernels");
    m_client = std::make_unique<WorkerClient>();
    m_client->start("bin/stagecraft-worker-cuda", {}, environment);
    QVERIFY(m_client->waitForHello());
    const auto description = m_client->get<DescribeResult>(method::describe);
    const auto nvrtc = std::ranges::find(description.libraries, "NVRTC", &Library::name);
    m_hasNvrtc = nvrtc != description.libraries.end() && nvrtc->available;
}

void TestStageCode::everyStage()
{
    QTest::addColumn<QString>("name");
    for (const stagefile::Stage &stage : stagefile::listStages(stages).stages)
        QTest::addRow("%s", stage.name().c_str()) << QString::fromStdString(stage.name());
}

CompileResult TestStageCode::compile(const stagefile::Stage &stage, const QString &architecture,
                                     const operations::Dims &dims, const QString &cubin)
{
    CompileParams params;
    params.operation = stage.operation;
    params.stage = stage.name();
    params.architecture = architecture.toStdString();
    params.dims = dims;
    params.source = stage.text;
    params.cubin = cubin.toStdString();
    return m_client->get<CompileResult>(method::compile, params);
}

void TestStageCode::compiles()
{
    QFETCH(QString, name);
    if (!m_hasNvrtc)
        QSKIP("libnvrtc is not on this machine");
    const stagefile::Stage stage = stageNamed(name);
    const operations::Dims defaults = operations::findOperation(stage.operation)->defaultDims;
    for (const QString &architecture : architectures) {
        if (!runsOn(stage, architecture))
            continue;
        for (const operations::Dims &dims : {defaults, smallestDims(stage)}) {
            const std::string where = architecture.toStdString() + " " + operations::dimsText(dims);
            const CompileResult result = compile(stage, architecture, dims);
            QCOMPARE(result.kernels.size(), stage.launches.size());
            QVERIFY2(result.log.find("warning") == std::string::npos, result.log.c_str());
            std::int64_t local = 0;
            for (std::size_t i = 0; i < result.kernels.size(); ++i) {
                QCOMPARE(result.kernels[i].entry, stage.launches[i].entry);
                QVERIFY(result.kernels[i].registers > 0);
                local += result.kernels[i].localBytes + result.kernels[i].spillBytes;
            }
            if (stage.localMemory.empty())
                QVERIFY2(local == 0, (where + ": spills or uses local memory and does not say why").c_str());
            else if (dims == defaults)
                QVERIFY2(local > 0, (where + ": has no local memory any more, though it says why it has").c_str());
        }
    }
}

void TestStageCode::sharedBytesAreAsDocumented_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("bytes");
    QTest::newRow("tiled") << "matmul/tiled" << 2048;
    QTest::newRow("registers") << "matmul/registers" << 16384;
    QTest::newRow("b-quads") << "matmul/b-quads" << 16384;
    QTest::newRow("a-transposed") << "matmul/a-transposed" << 16896;
    QTest::newRow("rows-128-8x4") << "matmul/rows-128-8x4" << 24576;
    QTest::newRow("tile-32x32-2x4") << "matmul/tile-32x32-2x4" << 8192;
    QTest::newRow("k64") << "matmul/k64" << 33792;
    QTest::newRow("block-per-row") << "layernorm/block-per-row" << 1024;
    QTest::newRow("warp-per-row") << "layernorm/warp-per-row" << 0;
    QTest::newRow("two-warps-per-row") << "layernorm/two-warps-per-row" << 64;
    QTest::newRow("four-rows-per-block") << "layernorm/four-rows-per-block" << 0;
    QTest::newRow("four-warps-per-row") << "layernorm/four-warps-per-row" << 64;
    QTest::newRow("eight-named-quads") << "layernorm/eight-named-quads" << 64;
    QTest::newRow("staged-in-shared") << "layernorm/staged-in-shared" << 12352;
    QTest::newRow("quad-array") << "layernorm/quad-array" << 0;
}

void TestStageCode::sharedBytesAreAsDocumented()
{
    QFETCH(QString, name);
    QFETCH(int, bytes);
    if (!m_hasNvrtc)
        QSKIP("libnvrtc is not on this machine");
    const stagefile::Stage stage = stageNamed(name);
    const auto &dims = operations::findOperation(stage.operation)->defaultDims;
    for (const QString &architecture : architectures)
        QCOMPARE(compile(stage, architecture, dims).kernels.at(0).sharedBytes, bytes);
}

void TestStageCode::machineCodeIsAsCounted()
{
    QFETCH(QString, name);
    if (!m_hasNvrtc)
        QSKIP("libnvrtc is not on this machine");
    const QString cuobjdump = findCuobjdump();
    if (cuobjdump.isEmpty())
        QSKIP("no cuobjdump with its nvdisasm on PATH or in a Toolkit; packaging/test.sh brings NVIDIA's wheels");
    const stagefile::Stage stage = stageNamed(name);
    const auto &dims = operations::findOperation(stage.operation)->defaultDims;
    for (const QString &architecture : architectures) {
        if (!runsOn(stage, architecture))
            continue;
        const QString cubin = m_folder.filePath(name.section('/', 1) + '.' + architecture + ".cubin");
        const CompileResult result = compile(stage, architecture, dims, cubin);
        const auto usage = parseResourceUsage(runCuobjdump(cuobjdump, "--dump-resource-usage", cubin));
        for (std::size_t i = 0; i < result.kernels.size(); ++i) {
            KernelResources kernel = result.kernels[i];
            QVERIFY2(usage.contains(kernel.entry), kernel.entry.c_str());
            kernel.sharedBytes -= stage.launches[i].sharedBytes; // of which the machine code knows nothing
            compareResources(kernel, usage.at(kernel.entry), architecture);
        }
        if (!stage.counts.contains(readsPerMultiplyAdd))
            continue;
        QString fault = countFault(stage, runCuobjdump(cuobjdump, "-sass", cubin), architecture);
        if (!fault.isEmpty()) {
            // NVRTC 13.0 does not always emit the same code: of 90 compilations of matmul/warp-tile for sm_90a, one had
            // a shared read more. What is wrong in the stage is wrong in the next one, too.
            compile(stage, architecture, dims, cubin);
            fault = countFault(stage, runCuobjdump(cuobjdump, "-sass", cubin), architecture);
        }
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }
}

// A thing that both a stage and the one before it count goes by one name, or no time can be predicted from it. What
// their names begin with tells what is counted, up to the amount that it is counted for: "barriers per 16 steps of k".
void TestStageCode::workIsCountedAsBefore()
{
    QFETCH(QString, name);
    const stagefile::Stage stage = stageNamed(name);
    if (stage.after.empty())
        return;
    const auto kind = [](const std::string &count) { return count.substr(0, count.find(" per ")); };
    const auto before = stageNamed(QString::fromStdString(stage.operation + '/' + stage.after)).counts;
    for (const auto &[own, number] : stage.counts) {
        for (const auto &[others, otherNumber] : before) {
            if (kind(own) == kind(others))
                QCOMPARE(own, others);
        }
    }
}

void TestStageCode::compareResources(const KernelResources &kernel, const ResourceUsage &usage,
                                     const QString &architecture)
{
    QCOMPARE(kernel.registers, usage.registers);
    QCOMPARE(kernel.localBytes, usage.stackBytes);
    QCOMPARE(kernel.sharedBytes, std::max<std::int64_t>(0, usage.sharedBytes - reservedBytes(architecture)));
}

QString TestStageCode::countFault(const stagefile::Stage &stage, const std::string &code, const QString &architecture)
{
    const auto functions = parseMachineCode(code);
    const auto &entry = stage.launches.front().entry;
    const auto found = functions.find(entry);
    if (found == functions.end())
        return QString::fromStdString(entry + " is not in the machine code");
    const LoopCounts counts = countInnerLoops(found->second);
    if (counts.multiplyAdds <= 0)
        return QString::fromStdString(entry + " multiplies and adds nothing");
    const double expected = stage.counts.at(readsPerMultiplyAdd);
    const double ratio = double(counts.sharedReads) / counts.multiplyAdds;
    if (std::abs(ratio / expected - 1) <= tolerance)
        return {};
    return QString("%1: %2 shared reads for %3 multiply-adds are %4, the stage counts %5")
        .arg(architecture)
        .arg(counts.sharedReads)
        .arg(counts.multiplyAdds)
        .arg(ratio)
        .arg(expected);
}

QTEST_GUILESS_MAIN(TestStageCode)
#include "tst_stagecode.moc"
