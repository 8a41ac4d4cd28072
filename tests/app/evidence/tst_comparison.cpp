// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonfixture.h"
#include "evidencefixtures.h"
#include "evidencereader.h"

#include <cmath>

using namespace stagecraft::evidence;
using fixtures::namespaceOf;
using fixtures::Piece;

namespace {

Namespace bundled(const char *name)
{
    return readNamespace(bundledPath(QString::fromUtf8(name)));
}

const ComparedRow *find(const Comparison &comparison, const QString &operation, const QString &now)
{
    for (const ComparedRow &row : comparison.rows)
        if (row.now.operation == operation && row.now.implementation == now)
            return &row;
    return nullptr;
}

double rounded(std::optional<double> percent)
{
    return percent ? std::round(*percent * 10) / 10 : NAN;
}

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void theNoteIsReproduced()
    {
        const Comparison comparison = compare(bundled("mage-001"), bundled("mage-003"), {{}, {"rust"}, {}});
        QCOMPARE(comparison.rows.size(), 5);
        const struct
        {
            const char *operation;
            double percent, bound;
            bool isUnchanged;
            Drift drift;
        } expected[] = {{"gelu", -2.1, 1.3, true, Drift::Beyond},
                        {"triangle", -1.3, 2.1, true, Drift::Within},
                        {"neighbor", 0.5, 2.1, true, Drift::Within},
                        {"matmul", -76.7, 2.1, false, Drift::Beyond},
                        {"layernorm", -46.1, 2.1, false, Drift::Beyond}};
        for (const auto &want : expected) {
            const ComparedRow *row = find(comparison, want.operation, "rust");
            QVERIFY2(row, want.operation);
            QCOMPARE(rounded(row->kernel.percent), want.percent);
            QCOMPARE(rounded(row->bound), want.bound);
            QCOMPARE(row->isUnchanged, want.isUnchanged);
            QCOMPARE(row->drift, want.drift);
        }
        QCOMPARE(comparison.drifts.size(), 3); // what was asked for first, the others beside it
        QVERIFY(!comparison.drifts[0].isBeside && comparison.drifts[1].isBeside && comparison.drifts[2].isBeside);
        QCOMPARE(rounded(comparison.drifts.first().bound), 2.1);
        QCOMPARE(comparison.drifts.first().operations, QStringList({"gelu", "triangle", "neighbor"}));
    }

    void largestChangesComeFirst()
    {
        const Comparison comparison = compare(bundled("mage-001"), bundled("mage-003"), {{}, {"rust"}, {}});
        QStringList order;
        for (const ComparedRow &row : comparison.rows)
            order.append(row.now.operation);
        QCOMPARE(order, QStringList({"matmul", "layernorm", "gelu", "triangle", "neighbor"}));
    }

    // mage's summaries record neither stage nor kernels of the others.
    void withoutAnythingRecordedNothingIsUnchanged()
    {
        const Comparison comparison = compare(bundled("mage-001"), bundled("mage-003"), {{}, {"triton"}, {}});
        QCOMPARE(comparison.rows.size(), 5);
        for (const ComparedRow &row : comparison.rows) {
            QVERIFY(!row.isUnchanged);
            QVERIFY(row.unchangedWhy.contains("recorded"));
            QCOMPARE(row.drift, Drift::Unknown);
            QVERIFY(!row.bound);
        }
        QVERIFY(!comparison.drifts.first().bound);
    }

    void hashesDecideBeforeNames()
    {
        const auto at = [](const char *hash, const char *stage) {
            return namespaceOf(hash, {{"gelu", "cuda", 10, stage, hash}});
        };
        const auto row = [](const Namespace &base, const Namespace &now) { return compare(base, now).rows.first(); };
        QVERIFY(row(at("aa", "gelu/x"), at("aa", "gelu/x")).isUnchanged);
        QVERIFY(!row(at("aa", "gelu/x"), at("bb", "gelu/x")).isUnchanged); // edited under the same name
        QVERIFY(row(at("aa", "gelu/x"), at("aa", "gelu/y")).isUnchanged);  // renamed, the same text
        QVERIFY(row(at("", "gelu/x"), at("bb", "gelu/x")).isUnchanged);    // a hash of one of them says nothing
        QVERIFY(!row(at("", "gelu/x"), at("", "gelu/y")).isUnchanged);
        QCOMPARE(row(at("aa", "gelu/x"), at("aa", "gelu/x")).unchangedWhy, QString("same stage source"));
        const QList<Difference> edited = compare(at("aa", "gelu/x"), at("bb", "gelu/x")).differences;
        QCOMPARE(edited.size(), 1);
        QCOMPARE(edited.first().what, QString("source of gelu/x"));
        QCOMPARE(edited.first().now, QString("bb"));
        QCOMPARE(row(at("", "gelu/x"), at("", "gelu/x")).unchangedWhy, QString("same stage"));
    }

    void kernelsDecideWithoutStages()
    {
        Piece piece{"gelu", "pytorch"};
        const Namespace base = namespaceOf("base", {piece});
        QVERIFY(compare(base, namespaceOf("now", {piece})).rows.first().isUnchanged);
        piece.registers = 40;
        QVERIFY(!compare(base, namespaceOf("now", {piece})).rows.first().isUnchanged);
        piece.registers.reset(); // nothing says that it takes the same
        QVERIFY(!compare(base, namespaceOf("now", {piece})).rows.first().isUnchanged);
        piece.registers = 32;
        piece.kernelName = "kernel_v2";
        QVERIFY(!compare(base, namespaceOf("now", {piece})).rows.first().isUnchanged);
    }

    void otherArithmeticIsNeitherUnchangedNorASeries()
    {
        const Piece before{"gelu", "cuda", 10, "gelu/x", "aa"};
        Piece after = before;
        after.arithmetic = "3xtf32";
        const ComparedRow row = compare(namespaceOf("base", {before}), namespaceOf("now", {after})).rows.first();
        QVERIFY(!row.isUnchanged);
        QVERIFY(!row.kernel.percent);
        QVERIFY2(row.kernel.why.contains("3xtf32"), qPrintable(row.kernel.why));
        QCOMPARE(row.drift, Drift::NoValue);
    }

    void otherInstrumentsAreNoSeries()
    {
        const Piece before{"gelu", "cuda", 10, "gelu/x"};
        Piece after = before;
        after.backend = "nsys";
        const ComparedRow row = compare(namespaceOf("base", {before}), namespaceOf("now", {after})).rows.first();
        QVERIFY(!row.kernel.percent);
        QVERIFY(row.kernel.why.contains("nsys"));
        QVERIFY(row.span.percent); // both by events
    }

    void theBoundIsOfTheOthers()
    {
        const Namespace base = namespaceOf("base", {{"gelu", "cuda", 10, "g", "1"}, {"matmul", "cuda", 10, "m", "2"}});
        const Namespace now = namespaceOf("now", {{"gelu", "cuda", 10.2, "g", "1"}, {"matmul", "cuda", 13, "m", "3"}});
        const Comparison comparison = compare(base, now);
        const ComparedRow *gelu = find(comparison, "gelu", "cuda"), *matmul = find(comparison, "matmul", "cuda");
        QVERIFY(!gelu->bound); // matmul was edited, so nothing else is unchanged
        QCOMPARE(gelu->drift, Drift::Unknown);
        QCOMPARE(rounded(matmul->bound), 2.0);
        QCOMPARE(matmul->boundOperations, QStringList{"gelu"});
        QCOMPARE(matmul->drift, Drift::Beyond);
    }

    void driftIsPerImplementation()
    {
        const Namespace base = namespaceOf("base", {{"gelu", "cuda", 10, "g", "1"},
                                                    {"matmul", "cuda", 10, "m", "2"},
                                                    {"gelu", "cublas", 10},
                                                    {"matmul", "cublas", 10}});
        const Namespace now = namespaceOf("now", {{"gelu", "cuda", 10.2, "g", "1"},
                                                  {"matmul", "cuda", 13, "m", "3"},
                                                  {"gelu", "cublas", 15},
                                                  {"matmul", "cublas", 10.1}});
        const Comparison comparison = compare(base, now);
        QCOMPARE(rounded(find(comparison, "matmul", "cuda")->bound), 2.0);
        QCOMPARE(rounded(find(comparison, "matmul", "cublas")->bound), 50.0);
        QCOMPARE(comparison.drifts.size(), 2);
        QCOMPARE(rounded(comparison.drifts.first().bound), 50.0); // libraries come before this project's kernels
        QCOMPARE(rounded(comparison.drifts.last().bound), 2.0);
    }

    // cuda/ID are of one operation each; alone they would have no other.
    void stagesMeasuredByNameAreThisProjectsKernels()
    {
        const Namespace base = namespaceOf("base", {{"gelu", "cuda/quads", 10, "g", "1"},
                                                    {"matmul", "cuda/tiled", 10, "m", "2"},
                                                    {"matmul", "cuda/k64", 10, "k", "4"}});
        const Namespace now = namespaceOf("now", {{"gelu", "cuda/quads", 10.2, "g", "1"},
                                                  {"matmul", "cuda/tiled", 13, "m", "3"},
                                                  {"matmul", "cuda/k64", 11, "k", "4"}});
        const Comparison comparison = compare(base, now);
        QCOMPARE(rounded(find(comparison, "matmul", "cuda/tiled")->bound), 2.0); // not k64's: the same operation
        QCOMPARE(rounded(find(comparison, "gelu", "cuda/quads")->bound), 10.0);
        QCOMPARE(comparison.drifts.size(), 1);
    }

    // What is shown does not change what is judged.
    void choosingLeavesTheVerdict()
    {
        const Namespace base = namespaceOf(
            "base", {{"gelu", "cuda/quads", 10, "g", "1"}, {"matmul", "cuda", 10, "m", "2"}, {"gelu", "cublas"}});
        const Namespace now = namespaceOf(
            "now", {{"gelu", "cuda/quads", 10.2, "g", "1"}, {"matmul", "cuda", 13, "m", "3"}, {"matmul", "cublas"}});
        const Comparison chosen = compare(base, now, {{}, {"cuda"}, {}});
        QCOMPARE(chosen.rows.size(), 1);
        QCOMPARE(rounded(chosen.rows.first().bound), 2.0);
        QCOMPARE(chosen.rows.first().boundOperations, QStringList{"gelu"});
        QVERIFY(chosen.onlyBase.isEmpty() && chosen.onlyNow.isEmpty());
        QVERIFY(!chosen.drifts.first().isBeside);
    }

    void whatWasThrottledMakesNoBound()
    {
        const Namespace base = namespaceOf("base", {{"gelu", "cuda", 10, "g", "1"}, {"matmul", "cuda", 10, "m", "2"}});
        Piece throttled{"gelu", "cuda", 20, "g", "1"};
        Namespace now = namespaceOf("now", {throttled, {"matmul", "cuda", 13, "m", "3"}});
        now.results.first().rounds.first().implementations["cuda"].state = State::Throttled;
        const Comparison comparison = compare(base, now);
        QVERIFY(find(comparison, "gelu", "cuda")->isUnchanged);
        QVERIFY(!find(comparison, "gelu", "cuda")->makesBound);
        QVERIFY(!find(comparison, "matmul", "cuda")->bound);
        QCOMPARE(comparison.drifts.first().leftOut, QStringList{"gelu (throttled in now)"});
    }

    // 10 → 10.3 and 20 → 20.6 are one change, whatever the divisions round to.
    void equalChangesAreWithin()
    {
        for (int i = 1; i < 200; ++i) {
            const double us = 0.1 * i, factor = 1.03;
            const Namespace base =
                namespaceOf("base", {{"gelu", "cuda", us, "g", "1"}, {"matmul", "cuda", 3 * us, "m", "2"}});
            const Namespace now = namespaceOf(
                "now", {{"gelu", "cuda", us * factor, "g", "1"}, {"matmul", "cuda", 3 * us * factor, "m", "3"}});
            QCOMPARE(find(compare(base, now), "matmul", "cuda")->drift, Drift::Within);
        }
    }

    // The largest and the second largest change bound all: of three, and of an operation with two dims.
    void theLargestOfTheOthersBounds()
    {
        Piece wide{"gelu", "cuda", 10, "g", "1"};
        wide.dims = {128, 32};
        const auto pieces = [&wide](double gelu, double wideGelu, double matmul) {
            wide.kernelUs = wideGelu;
            return QList<Piece>{{"gelu", "cuda", gelu, "g", "1"}, wide, {"matmul", "cuda", matmul, "m", "2"}};
        };
        const Comparison comparison =
            compare(namespaceOf("base", pieces(10, 10, 10)), namespaceOf("now", pieces(10.1, 10.4, 9.7)));
        QStringList bounds;
        for (const ComparedRow &row : comparison.rows)
            bounds.append(QStringLiteral("%1 %2 %3")
                              .arg(dimsText(row.now.dims))
                              .arg(rounded(row.bound))
                              .arg(row.boundOperations.join(',')));
        QCOMPARE(bounds, QStringList({"128x32 3 matmul,gelu", "64x32 4 gelu", "64x32 4 matmul,gelu"}));
    }

    void theReaderCorrects()
    {
        const ComparisonOptions none{{}, {"rust"}, QStringList{}};
        for (const ComparedRow &row : compare(bundled("mage-001"), bundled("mage-003"), none).rows)
            QCOMPARE(row.drift, Drift::Unknown);
        const ComparisonOptions some{{}, {}, QStringList{"triangle", "neighbor"}};
        const Comparison comparison = compare(bundled("mage-001"), bundled("mage-003"), some);
        QCOMPARE(rounded(find(comparison, "gelu", "rust")->bound), 1.3);
        QVERIFY(!find(comparison, "gelu", "rust")->isUnchanged);
        QCOMPARE(find(comparison, "triangle", "rust")->unchangedWhy, QString("said by the reader"));
        QVERIFY(find(comparison, "gelu", "triton")->bound); // of every implementation
    }

    void acrossGpusNothingDrifts()
    {
        const QList<Piece> pieces{{"gelu", "cuda", 10, "g", "1"}, {"matmul", "cuda", 10, "m", "2"}};
        const Comparison comparison =
            compare(namespaceOf("base", pieces, "NVIDIA GeForce RTX 4090"), namespaceOf("now", pieces));
        QVERIFY(comparison.isAcrossGpus);
        for (const ComparedRow &row : comparison.rows) {
            QCOMPARE(row.drift, Drift::OtherGpu);
            QVERIFY(row.kernel.percent);
            QVERIFY(!row.bound);
        }
        QVERIFY(!comparison.drifts.first().bound);
        QCOMPARE(comparison.differences.first().what, QString("GPU"));
        QVERIFY(comparison.differences.first().consequence.contains("never one series"));
        // Where one does not name its GPU, nothing says that it is another; that it does not is a difference.
        const Comparison unnamed = compare(namespaceOf("base", pieces, ""), namespaceOf("now", pieces));
        QVERIFY(!unnamed.isAcrossGpus);
        QCOMPARE(unnamed.differences.first().base, QString());
        QVERIFY(unnamed.differences.first().consequence.startsWith("if it is another"));
        QCOMPARE(unnamed.gpuNotRecorded, QStringList{"base"});
        QVERIFY(unnamed.rows.first().bound);
    }

    void statesStandForValues()
    {
        const Piece sound{"gelu", "cuda", 10, "g", "1"};
        Piece failed = sound;
        failed.state = State::Failed;
        const ComparedRow row = compare(namespaceOf("base", {sound}), namespaceOf("now", {failed})).rows.first();
        QVERIFY(row.kernel.base);
        QVERIFY(!row.kernel.now);
        QVERIFY(!row.kernel.percent);
        QVERIFY2(row.kernel.why.startsWith("now: failed"), qPrintable(row.kernel.why));
        QCOMPARE(row.drift, Drift::NoValue);
        QVERIFY(!row.isSlowerBeyond(0));
    }

    void whatOnlyOneHasIsListed()
    {
        const Namespace base = namespaceOf("base", {{"gelu", "cuda"}, {"gelu", "host"}});
        Piece larger{"gelu", "cuda"};
        larger.dims = {128, 32};
        const Namespace now = namespaceOf("now", {larger, {"gelu", "pytorch"}});
        const Comparison comparison = compare(base, now);
        QVERIFY(comparison.rows.isEmpty());
        QCOMPARE(comparison.onlyBase.size(), 2);
        QCOMPARE(comparison.onlyNow.size(), 2);
        const auto isDims = [](const Difference &difference) { return difference.what == "dims of gelu"; };
        const auto dims = std::find_if(comparison.differences.begin(), comparison.differences.end(), isDims);
        QVERIFY(dims != comparison.differences.end());
        QCOMPARE(dims->base, QString("64x32"));
        QCOMPARE(compare(base, now, {{}, {"pytorch"}, {}}).onlyBase.size(), 0);
    }

    void otherCacheStatesAreOtherRows()
    {
        Piece cold{"gelu", "cuda"}, warm = cold;
        cold.cache = "cold";
        warm.cache = "warm";
        const Comparison comparison =
            compare(namespaceOf("base", {{"gelu", "cuda"}}), namespaceOf("now", {cold, warm}));
        QCOMPARE(comparison.rows.size(), 1); // not recorded is warm
        QCOMPARE(comparison.rows.first().now.cache, QString("warm"));
        QCOMPARE(comparison.onlyNow.size(), 1);
    }

    void handsPair()
    {
        const Namespace base = namespaceOf("base", {{"gelu", "rust", 10}, {"gelu", "cuda", 30}});
        const Namespace now = namespaceOf("now", {{"gelu", "cuda", 20}});
        QCOMPARE(rounded(compare(base, now).rows.first().kernel.percent), -33.3);
        const Comparison paired = compare(base, now, {{{"rust", "cuda"}}, {}, {}});
        QCOMPARE(paired.rows.size(), 1);
        QCOMPARE(rounded(paired.rows.first().kernel.percent), 100.0);
        QCOMPARE(paired.onlyBase.first().implementation, QString("cuda"));
        for (const char *either : {"rust", "cuda"})
            QCOMPARE(compare(base, now, {{{"rust", "cuda"}}, {either}, {}}).rows.size(), 1);
    }

    void likelyPairsAreOffered()
    {
        const QList<ImplementationPair> pairs = likelyPairs(bundled("mage-003"), bundled("h200-peers"));
        QVERIFY(pairs.contains(ImplementationPair{"rust", "cuda"}));
        QVERIFY(pairs.contains(ImplementationPair{"python", "pytorch"}));
        QVERIFY(likelyPairs(bundled("mage-001"), bundled("mage-003")).isEmpty());
        // Imports have names of their own: what is left alone on both sides and measured the same is offered.
        const Namespace before = namespaceOf("a", {{"gelu", "before"}, {"gelu", "cublas"}});
        const QList<ImplementationPair> alone = likelyPairs(before, namespaceOf("b", {{"gelu", "after"}}));
        QVERIFY(alone.isEmpty()); // cublas is left, too
        QCOMPARE(likelyPairs(before, namespaceOf("b", {{"gelu", "after"}, {"gelu", "cublas"}})),
                 QList<ImplementationPair>({{"before", "after"}}));
        QVERIFY(likelyPairs(before, namespaceOf("b", {{"matmul", "after"}, {"gelu", "cublas"}})).isEmpty());
    }

    void slowerBeyond()
    {
        ComparedRow row;
        row.kernel = {10, 10.5, 5, {}};
        row.bound = 2;
        row.drift = Drift::Beyond;
        QVERIFY(row.isSlowerBeyond(3));
        QVERIFY(!row.isSlowerBeyond(5)); // more than, not at least
        row.drift = Drift::Within;
        QVERIFY(!row.isSlowerBeyond(3));
        row.drift = Drift::Unknown; // then the percentage alone
        QVERIFY(row.isSlowerBeyond(3));
        row.kernel.percent = -5;
        QVERIFY(!row.isSlowerBeyond(3));
        row.kernel = {{}, {}, {}, "none was captured"};
        row.span = {10, 11, 10, {}};
        row.drift = Drift::NoValue;
        row.base.span = {Estimate{10, {}, 9.8, 10.2, {}, {}, 200, 0}, State::Ok, {}, "event"};
        row.now.span = {Estimate{11, {}, 10.8, 11.2, {}, {}, 200, 0}, State::Ok, {}, "event"};
        QVERIFY(row.isJudgedBySpan());
        QVERIFY(row.isSlowerBeyond(3));
        row.now.span.estimate->low = 10.1; // the ranges overlap
        QVERIFY(row.isUndecided());
        QVERIFY(!row.isSlowerBeyond(3));
        row.kernel.now = 9; // the base has none to compare it with
        QVERIFY(row.isJudgedBySpan());
        row.kernel.base = 9; // the kernel time is lost, which a span does not make up for
        QVERIFY(!row.isJudgedBySpan());
        QVERIFY(!row.isSlowerBeyond(3));
    }

    void clocksAndProtocolAreDifferences()
    {
        Namespace base = namespaceOf("base", {{"gelu", "cuda"}}), now = namespaceOf("now", {{"gelu", "cuda"}});
        QVERIFY(compare(base, now).differences.isEmpty());
        base.gpuStateBefore = "name, pstate, clocks.current.sm [MHz], clocks.current.memory [MHz], temperature.gpu\n"
                              "NVIDIA H200, P0, 1980 MHz, 3201 MHz, 35";
        now.gpuStateBefore = "NVIDIA H200, P0, 1755 MHz, 3201 MHz, 35";
        now.results.first().rounds.first().gpuState = "NVIDIA H200, P0, 1980 MHz, 3201 MHz, 60";
        now.roundsDeclared = 5;
        base.driver = "unknown"; // as mage's summaries write it
        now.driver = "580.95.05";
        base.results.first().seed = 1;
        now.results.first().seed = 2;
        QStringList told;
        for (const Difference &difference : compare(base, now).differences)
            told.append(difference.what + ": " + difference.base + " | " + difference.now);
        QCOMPARE(told, QStringList({"clocks: SM 1980 MHz, memory 3201 MHz | SM 1755–1980 MHz, memory 3201 MHz",
                                    "driver:  | 580.95.05", "rounds:  | 5", "seed of gelu: 1 | 2"}));
    }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
