// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "evidencewriter.h"
#include "statistics.h"

#include <set>

// Hardware counters in comparison-counters.json: kept as they are, and named by place and cause where they cannot be.
using namespace stagecraft::evidence;
using nlohmann::json;

namespace {

const QString countersName = QStringLiteral("comparison-counters.json");
const std::string reads = "smsp__inst_executed_op_shared_ld.sum";
const std::string hits = "lts__t_sector_hit_rate.pct";

json kernel(int number, double value)
{
    return {{"kernel_name", "kernel" + std::to_string(number)},
            {"grid_size", "4,1,1"},
            {"block_size", "256,1,1"},
            {"registers_per_thread", 32},
            {"shared_mem_bytes", 8192},
            {"values", {{reads, value}, {hits, 100.25}}}};
}

json entry(const char *language, int kernels)
{
    json list = json::array();
    for (int k = 0; k < kernels; ++k)
        list.push_back(kernel(k, 1048576.0 + k));
    return {{"operation", "matmul"},
            {"language", language},
            {"dims", {8, 8, 8}},
            {"cache", "warm"},
            {"arithmetic", "fp32"},
            {"backend", "cupti"},
            {"replay_mode", "kernel"},
            {"passes", 18},
            {"metrics", {{reads, {{"unit", "instruction"}}}, {hits, {{"unit", "percent"}}}}},
            {"lacking", {{"sm__pipe_tensor_cycles_active.sum", "this GPU does not have it"}}},
            {"kernels", list}};
}

} // namespace

class TestCountersEvidence : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_document = {
            {"format", 1}, {"experiment_id", "fixture"}, {"captures", {entry("cuda", 1), entry("cublas", 2)}}};
        m_document["captures"][0]["stage"] = "matmul/tiled";
    }

    void everyFieldIsRead()
    {
        const Namespace evidence = read();
        QVERIFY2(evidence.problems.isEmpty(), qPrintable(fixtures::described(evidence.problems)));
        QVERIFY(!evidence.missing.contains(countersName));
        QCOMPARE(evidence.counters.size(), 2);
        const CounterCapture &cuda = evidence.counters[0];
        QCOMPARE(cuda.operation, QStringLiteral("matmul"));
        QCOMPARE(cuda.language, QStringLiteral("cuda"));
        QCOMPARE(cuda.dims, QList<qint64>({8, 8, 8}));
        QCOMPARE(cuda.cache, QStringLiteral("warm"));
        QCOMPARE(cuda.stage, QStringLiteral("matmul/tiled"));
        QCOMPARE(cuda.arithmetic, QStringLiteral("fp32"));
        QCOMPARE(cuda.backend, QStringLiteral("cupti"));
        QCOMPARE(cuda.replayMode, QStringLiteral("kernel"));
        QCOMPARE(cuda.passes, std::optional(18));
        QCOMPARE(cuda.state, State::Ok);
        QCOMPARE(cuda.units.size(), 2);
        QCOMPARE(cuda.units.value(QString::fromStdString(reads)), QStringLiteral("instruction"));
        QCOMPARE(cuda.lacking.value("sm__pipe_tensor_cycles_active.sum"), QStringLiteral("this GPU does not have it"));
        QCOMPARE(evidence.counters[1].kernels.size(), 2);
        const CountedKernel &second = evidence.counters[1].kernels[1];
        QCOMPARE(second.kernelName, QStringLiteral("kernel1"));
        QCOMPARE(second.gridSize, QStringLiteral("4,1,1"));
        QCOMPARE(second.blockSize, QStringLiteral("256,1,1"));
        QCOMPARE(second.registersPerThread, std::optional(32));
        QCOMPARE(second.sharedMemBytes, std::optional<qint64>(8192));
        QCOMPARE(second.values.value(QString::fromStdString(reads)), 1048577.0);
        QCOMPARE(second.values.value(QString::fromStdString(hits)), 100.25); // more than all: how it was sampled
    }

    void whatIsReadIsWrittenAlike()
    {
        m_document["weather"] = "rain";
        m_document["captures"][0]["note"] = {1, 2};
        m_document["captures"][0]["metrics"][reads]["source"] = "SM";
        m_document["captures"][1]["kernels"][1]["stream"] = 7;
        m_document["captures"][1]["state"] = "unavailable";
        m_document["captures"][1]["reason"] = "the driver refuses counters to this user";
        const Namespace evidence = read();
        QVERIFY(!evidence.hasContradiction());
        QCOMPARE(writeNamespace(evidence, out()), QString());
        QCOMPARE(fixtures::text(fixtures::parsed(out(countersName))), fixtures::text(m_document));
    }

    void whatTheModelDroppedDoesNotComeBack()
    {
        Namespace evidence = read();
        evidence.counters[0].units.remove(QString::fromStdString(hits));
        evidence.counters[0].kernels[0].values.remove(QString::fromStdString(hits));
        evidence.counters[0].lacking.clear();
        QCOMPARE(writeNamespace(evidence, out()), QString());
        const json written = fixtures::parsed(out(countersName))["captures"][0];
        QVERIFY(!written["metrics"].contains(hits));
        QVERIFY(!written["kernels"][0]["values"].contains(hits));
        QVERIFY(!written.contains("lacking"));
    }

    void nobodyMissesTheFile()
    {
        fixtures::write(path("comparison-results.json"), fixtures::results());
        const Namespace evidence = readNamespace(m_folder->path());
        QVERIFY(!evidence.missing.contains(countersName));
        QVERIFY(evidence.counters.isEmpty());
        QCOMPARE(writeNamespace(evidence, out()), QString());
        QVERIFY(!QFile::exists(out(countersName)));
    }

    void theFileAloneIsANamespace()
    {
        fixtures::write(path(countersName), m_document);
        const Namespace evidence = readNamespace(path(countersName));
        QVERIFY2(evidence.problems.isEmpty(), qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.name, QFileInfo(m_folder->path()).fileName());
        QCOMPARE(evidence.experimentId, QStringLiteral("fixture"));
        QCOMPARE(evidence.counters.size(), 2);
    }

    void contradictions_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("cause");
        const auto row = [](const char *name, const QString &place, const char *value, const char *cause,
                            const QString &pointer = {}) {
            QTest::newRow(name) << place << QString::fromUtf8(value) << (pointer.isEmpty() ? place : pointer)
                                << QString::fromUtf8(cause);
        };
        const QString cuda = QStringLiteral("/captures/0");
        const QString value = cuda + QStringLiteral("/kernels/0/values/") + QString::fromStdString(reads);
        row("no list", "/captures", "{}", "no list of captures");
        row("no object", cuda, "5", "object is expected");
        row("another experiment", "/experiment_id", R"("other")", "the namespace is of fixture");
        row("no kernel", cuda + "/kernels", "[]", "No kernel is listed, yet the state is ok");
        row("no pass", cuda + "/passes", "0", "at least one pass");
        row("negative", value, "-1", "not negative");
        row("text", value, R"("1")", "number is expected");
        row("beyond all counters", value, "1e31", "no counter's value");
        row("unlisted metric", cuda + "/kernels/0/values/a.sum", "1", "a.sum is not among the metrics",
            cuda + "/kernels/0");
        row("metrics of which most are gone", cuda + "/metrics", R"({"a.sum": {"unit": "inst"}})",
            "more are not among the metrics", cuda + "/kernels/0");
        row("a name that steers a terminal", cuda + "/lacking/\x1b[2J", R"("x")", "no metric's name",
            cuda + "/lacking/ [2J");
        row("a name with a space", cuda + "/metrics/a b", R"({"unit": "x"})", "no metric's name");
        row("there and lacking", cuda + "/lacking/" + QString::fromStdString(hits), R"("x")", "said to be lacking",
            cuda + "/lacking");
        row("a reason of no text", cuda + "/lacking/a.sum", "7", "Text is expected");
        row("a metric of no object", cuda + "/metrics/a.sum", R"("byte")", "object is expected");
        row("no extent", cuda + "/kernels/0/grid_size", R"("4x1")", "whole numbers above 0");
        row("no kernel's name", cuda + "/kernels/0/kernel_name", "null", "Text is expected");
        row("no word", cuda + "/cache", R"("hot")", "warm or cold");
        row("too few dims", cuda + "/dims", "[8]", "matmul has 3 dims");
        row("no state", cuda + "/state", R"("splendid")", "splendid is no state");
        row("no reason", cuda + "/state", R"("failed")", "reason is expected", cuda + "/reason");
        row("an operation that was not measured", cuda + "/operation", R"("gelu")", "operation gelu",
            cuda + "/operation");
        row("dims that were not measured", cuda + "/dims", "[8, 8, 9]", "these dims");
        row("nothing of this implementation", cuda + "/language", R"("triton")", "has the implementation triton");
        row("twice the same", "/captures/1/language", R"("cuda")", "/captures/0 already has", "/captures/1");
        row("another stage", cuda + "/stage", R"("matmul/k64")", "is of matmul/tiled");
        row("another arithmetic", cuda + "/arithmetic", R"("3xtf32")", "is of fp32");
    }
    void contradictions()
    {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, pointer);
        QFETCH(QString, cause);
        m_document[json::json_pointer(place.toStdString())] = json::parse(value.toStdString());
        const Namespace evidence = read();
        const QList<Problem> problems = fixtures::contradictions(evidence);
        const bool isThere = std::ranges::any_of(problems, [&](const Problem &problem) {
            return problem.file == countersName && problem.pointer == pointer && problem.cause.contains(cause);
        });
        QVERIFY2(isThere, qPrintable(fixtures::described(problems)));
        QCOMPARE(evidence.results.size(), 1); // what the other files hold is as good as before
        QCOMPARE(evidence.captures.size(), 6);
        for (const CounterCapture &capture : evidence.counters)
            for (const CountedKernel &counted : capture.kernels)
                for (auto it = counted.values.begin(); it != counted.values.end(); ++it)
                    QVERIFY(capture.units.contains(it.key()) && std::isfinite(*it) && *it >= 0);
    }

    void whatHasNoKernelIsNoResult()
    {
        m_document["captures"][0]["kernels"] = json::array();
        m_document["captures"][1].erase("metrics");
        m_document["captures"][1]["kernels"][0]["values"] = json::object();
        m_document["captures"][1]["kernels"][1]["values"] = json::object();
        const Namespace evidence = read();
        QCOMPARE(fixtures::contradictions(evidence).size(), 2);
        for (const CounterCapture &capture : evidence.counters) {
            QCOMPARE(capture.state, State::Invalid);
            QVERIFY(!capture.reason.isEmpty());
        }
    }

    void aKernelThatNoRecordHasIsNoted()
    {
        m_document["captures"][1]["kernels"][1]["grid_size"] = "8,1,1";
        m_document["captures"][1]["kernels"].push_back(7); // what is no kernel displaces none
        m_document["captures"][1]["kernels"].push_back(kernel(9, 1));
        m_document["captures"][1]["kernels"][0]["grid_size"] = "4, 1, 1"; // the same extents
        const Namespace evidence = read();
        QStringList notes;
        for (const Problem &problem : evidence.problems)
            if (!problem.fatal)
                notes.append(problem.pointer);
        QCOMPARE(notes, QStringList({"/captures/1/kernels/1", "/captures/1/kernels/3"}));
        QCOMPARE(fixtures::contradictions(evidence).size(), 1);
        QCOMPARE(evidence.counters[1].kernels.size(), 3);
    }

    void aRecordedStateIsNoContradiction()
    {
        m_document["captures"][0]["state"] = "unavailable";
        m_document["captures"][0]["reason"] = "the driver refuses counters to this user";
        m_document["captures"][0]["kernels"] = json::array();
        const Namespace evidence = read();
        QVERIFY2(!evidence.hasContradiction(), qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.problems.size(), 1);
        QCOMPARE(evidence.problems[0].pointer, QStringLiteral("/captures/0/state"));
        QCOMPARE(evidence.counters[0].state, State::Unavailable);
    }

    void sizesAreBounded()
    {
        json names = json::object();
        for (int i = 0; i < 1001; ++i)
            names["m" + std::to_string(i)] = {{"unit", "byte"}};
        m_document["captures"][0]["metrics"] = names;
        m_document["captures"][0]["kernels"] = json::array({kernel(0, 1)});
        m_document["captures"][1]["kernels"] = json(std::vector<json>(10'001, kernel(0, 1)));
        m_document["captures"][1]["kernels"][0]["kernel_name"] = std::string(100'000, 'x');
        m_document["captures"][0]["lacking"]["a.sum"] = std::string(100'000, 'x') + "\x1b[2J";
        const Namespace evidence = read();
        QVERIFY(evidence.counters[0].units.isEmpty());
        QVERIFY(evidence.counters[1].kernels.isEmpty());
        QVERIFY(evidence.counters[0].lacking.value("a.sum").size() <= 4000);
        const QString text = fixtures::described(fixtures::contradictions(evidence));
        QVERIFY2(text.contains("/captures/0/metrics: There are 1001 entries"), qPrintable(text));
        QVERIFY2(text.contains("/captures/1/kernels: There are 10001 entries"), qPrintable(text));

        m_document["captures"] = json(std::vector<json>(10'001, json::object()));
        QVERIFY(read().counters.isEmpty());
    }

    // Wherever the text ends or breaks, what the other files hold is there, and what came before is.
    void damageAnywhereLosesNothingElse()
    {
        fixtures::write(path("comparison-results.json"), fixtures::results(1, 5));
        fixtures::write(path("comparison-profiles.json"), fixtures::profiles(1, 3));
        const QByteArray whole = QByteArray::fromStdString(m_document.dump());
        const qsizetype secondEntry = whole.indexOf("cublas");
        std::set<int> entries;
        for (qsizetype offset = 0; offset < whole.size(); offset += 7) {
            QByteArray broken = whole;
            broken[offset] = '\x01';
            for (const QByteArray &text : {whole.left(offset), broken}) {
                fixtures::write(path(countersName), text);
                const Namespace evidence = readNamespace(m_folder->path());
                QVERIFY2(evidence.hasContradiction(), qPrintable(QString::number(offset)));
                for (const Problem &problem : fixtures::contradictions(evidence))
                    QCOMPARE(problem.file, countersName);
                QCOMPARE(evidence.results.value(0).rounds.size(), 1);
                QCOMPARE(evidence.captures.size(), 2);
                QVERIFY(valueRows(evidence).size() == 2);
                entries.insert(static_cast<int>(evidence.counters.size()));
                for (const CounterCapture &capture : evidence.counters)
                    QVERIFY(capture.state != State::Ok || !capture.kernels.isEmpty());
                if (offset > secondEntry)
                    QCOMPARE(evidence.counters.value(0).kernels.value(0).values.size(), 2);
            }
        }
        QCOMPARE(entries, std::set<int>({0, 1, 2}));
    }

    void anotherFormatIsNotRead()
    {
        m_document["format"] = 2;
        const Namespace evidence = read();
        QVERIFY(evidence.counters.isEmpty());
        QCOMPARE(fixtures::contradictions(evidence).value(0).pointer, QStringLiteral("/format"));
    }

private:
    QString path(const QString &name) const { return m_folder->filePath(name); }
    QString out(const QString &name = {}) const { return m_folder->filePath("out/" + name); }

    Namespace read()
    {
        fixtures::write(path("comparison-results.json"), fixtures::results());
        fixtures::write(path("comparison-profiles.json"), fixtures::profiles());
        fixtures::write(path(countersName), m_document);
        return readNamespace(m_folder->path());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_document;
};

QTEST_GUILESS_MAIN(TestCountersEvidence)
#include "tst_countersevidence.moc"
