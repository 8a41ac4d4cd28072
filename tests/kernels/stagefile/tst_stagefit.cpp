// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontmatter.h"
#include "stagefit.h"
#include "stagemacros.h"

#include <QTest>

using namespace stagecraft::stagefile;

namespace {

constexpr GpuFacts hopper{9, 0, 132};

Stage stage(const std::string &operation, const std::string &grid, const std::string &more = {},
            const std::string &id = "s")
{
    return parseStage(
        operation, id,
        R"(/* stage {"title": "t", "status": "retained", "launches": [{"entry": "f", "block": 64, "grid": )" + grid +
            "}]" + more + "} */");
}

Extent3 grid(const Stage &stage, const stagecraft::operations::Dims &dims)
{
    return gridOf(stage, stage.launches.front(), dims, hopper.smCount);
}

} // namespace

class TestStageFit : public QObject
{
    Q_OBJECT

private slots:
    void gridsCover();
    void gridLimitsAreNamed();
    void requirementsAreSentences();
    void architectures();
    void sharedMemoryThatTheGpuLacks();
    void theLastRetainedThatFits();
    void exactFp32IsKeptTo();
    void macros();
};

void TestStageFit::gridsCover()
{
    const Stage matmul = stage("matmul", R"([{"cover": "n", "by": 16}, {"cover": "m", "by": 16}])");
    QVERIFY((grid(matmul, {1024, 1024, 1024}) == Extent3{64, 64, 1}));
    QVERIFY((grid(matmul, {17, 19, 23}) == Extent3{2, 2, 1}));
    QVERIFY((grid(matmul, {16, 33, 1}) == Extent3{3, 1, 1}));
    QVERIFY((grid(matmul, {1, 1, 1}) == Extent3{1, 1, 1}));

    const Stage triangle = stage("triangle", R"([{"cover": ["n", "n", "channels"], "by": 256}])");
    QVERIFY((grid(triangle, {128, 32}) == Extent3{2048, 1, 1}));
    QVERIFY((grid(triangle, {7, 5}) == Extent3{1, 1, 1}));

    const Stage edges = stage("neighbor", R"([{"cover": "edges"}, {"per_sm": 2}])");
    QVERIFY((grid(edges, {7, 9, 0}) == Extent3{1, 264, 1})); // nothing to cover is still a launch
    QVERIFY((grid(edges, {7, 9, 23}) == Extent3{23, 264, 1}));

    // Blocks that stay share what there is to do: no more of them than that, and no more than the GPU shall have.
    const Stage resident = stage("gelu", R"([{"cover": ["rows", "width"], "by": 768, "per_sm": 16}])");
    QVERIFY((grid(resident, {1, 3}) == Extent3{1, 1, 1}));
    QVERIFY((grid(resident, {64, 769}) == Extent3{65, 1, 1}));
    QVERIFY((grid(resident, {4096, 768}) == Extent3{2112, 1, 1}));

    Stage clustered = stage("gelu", R"([{"cover": "rows", "by": 4}])");
    clustered.launches[0].cluster = {4, 1, 1};
    QVERIFY((grid(clustered, {33, 1}) == Extent3{12, 1, 1})); // 9 blocks make three clusters of four
}

void TestStageFit::gridLimitsAreNamed()
{
    const Stage matmul = stage("matmul", R"([{"cover": "n", "by": 16}, {"cover": "m", "by": 16}])");
    const auto problem = dimsMisfit(matmul, {65536 * 16, 1, 1}, hopper.smCount);
    QVERIFY(problem.has_value());
    QVERIFY2(problem->find("65536 blocks along y, CUDA allows 65535") != std::string::npos, problem->c_str());
    QVERIFY(!dimsMisfit(matmul, {65535 * 16, 1, 1}, hopper.smCount));

    const Stage product = stage("triangle", R"([{"cover": ["n", "n", "channels"]}])");
    QVERIFY(dimsMisfit(product, {std::int64_t{1} << 31, std::int64_t{1} << 31}, hopper.smCount).has_value());
}

void TestStageFit::requirementsAreSentences()
{
    const Stage picky = stage("gelu", R"([{"cover": "rows"}])",
                              R"(, "requires": {"multiple_of": {"width": 4}, "min": {"rows": 2}, "max": {"rows": 9}})");
    QVERIFY(!misfit(picky, {2, 8}, hopper));
    QCOMPARE(misfit(picky, {2, 6}, hopper).value(),
             std::string("gelu/s: width is 6, the stage needs a multiple of 4."));
    QCOMPARE(misfit(picky, {1, 8}, hopper).value(), std::string("gelu/s: rows is 1, the stage needs at least 2."));
    QCOMPARE(misfit(picky, {10, 8}, hopper).value(), std::string("gelu/s: rows is 10, the stage needs at most 9."));
    const Stage exact = stage("gelu", R"([{"cover": "rows"}])", R"(, "requires": {"equals": {"width": 768}})");
    QCOMPARE(misfit(exact, {1, 8}, hopper).value(), std::string("gelu/s: width is 8, the stage needs exactly 768."));
}

void TestStageFit::architectures()
{
    const auto fits = [](const std::string &architecture, int major, int minor) {
        const Stage one = stage("gelu", R"([{"cover": "rows"}])", R"(, "requires": {"arch": ")" + architecture + "\"}");
        return !gpuMisfit(one, {major, minor, 1});
    };
    QVERIFY(fits("sm_80", 8, 0) && fits("sm_80", 8, 9) && fits("sm_80", 9, 0) && fits("sm_80", 12, 0));
    QVERIFY(!fits("sm_80", 7, 5));
    QVERIFY(fits("sm_90a", 9, 0) && !fits("sm_90a", 8, 9) && !fits("sm_90a", 10, 0) && !fits("sm_90a", 12, 0));
    QVERIFY(fits("sm_120", 12, 0) && !fits("sm_120", 9, 0));
    const Stage hopperOnly = stage("gelu", R"([{"cover": "rows"}])", R"(, "requires": {"arch": "sm_90a"})");
    QCOMPARE(gpuMisfit(hopperOnly, {8, 9, 128}).value(),
             std::string("gelu/s: the GPU has compute capability 8.9, the stage needs exactly 9.0."));
}

void TestStageFit::sharedMemoryThatTheGpuLacks()
{
    Stage wide = stage("gelu", R"([{"cover": "rows"}])");
    wide.launches[0].sharedBytes = 100 * 1024;
    QVERIFY(!gpuMisfit(wide, {9, 0, 132}) && !gpuMisfit(wide, {8, 0, 108}));
    QVERIFY(!gpuMisfit(wide, {99, 0, 1})); // nothing is known of it
    QCOMPARE(
        gpuMisfit(wide, {8, 9, 128}).value(),
        std::string("gelu/s: the stage needs 102400 bytes of shared memory for a block, compute capability 8.9 has "
                    "101376."));
    wide.launches[0].sharedBytes = 99 * 1024;
    QVERIFY(!gpuMisfit(wide, {8, 9, 128}));
}

void TestStageFit::theLastRetainedThatFits()
{
    std::vector<Stage> stages{stage("gelu", R"([{"cover": "rows"}])", {}, "first"),
                              stage("gelu", R"([{"cover": "rows"}])", R"(, "after": "first")", "second"),
                              stage("gelu", R"([{"cover": "rows"}])", R"(, "requires": {"arch": "sm_90a"})", "hopper")};
    QCOMPARE(lastRetained(stages, {1, 1}, hopper)->id, std::string("hopper"));
    QCOMPARE(lastRetained(stages, {1, 1}, {8, 9, 128})->id, std::string("second"));
    stages[1].status = Status::Attempt;
    QCOMPARE(lastRetained(stages, {1, 1}, {8, 9, 128})->id, std::string("first"));
    stages[0].status = Status::Attempt;
    QVERIFY(!lastRetained(stages, {1, 1}, {8, 9, 128}));
}

void TestStageFit::exactFp32IsKeptTo()
{
    const std::vector<Stage> stages{
        stage("gelu", R"([{"cover": "rows"}])", {}, "plain"),
        stage("gelu", R"([{"cover": "rows"}])", R"(, "arithmetic": "3xtf32", "after": "plain")", "split")};
    QCOMPARE(lastRetained(stages, {1, 1}, hopper)->id, std::string("split"));
    QCOMPARE(lastRetained(stages, {1, 1}, hopper, "fp32")->id, std::string("plain"));
    QVERIFY(!lastRetained({stages[1]}, {1, 1}, hopper, "fp32"));
    QVERIFY(!arithmeticMisfit(stages[1], {}) && !arithmeticMisfit(stages[0], "fp32"));
    QCOMPARE(misfit(stages[1], {1, 1}, hopper, "fp32").value(),
             std::string("gelu/split: the stage computes in 3xtf32, fp32 was asked for."));
}

void TestStageFit::macros()
{
    Stage one = stage("neighbor", R"([{"cover": "nodes"}])");
    one.scratchBytes = 4;
    one.tensorMaps.resize(2);
    const std::vector<Macro> expected{{"STAGE_OPERATION_NEIGHBOR", "1"},
                                      {"STAGE_NODES", "7"},
                                      {"STAGE_WIDTH", "9"},
                                      {"STAGE_EDGES", "0"},
                                      {"STAGE_SCRATCH", "1"},
                                      {"STAGE_TENSOR_MAPS", "2"}};
    QVERIFY(macrosOf(one, {7, 9, 0}) == expected);
}

QTEST_APPLESS_MAIN(TestStageFit)
#include "tst_stagefit.moc"
