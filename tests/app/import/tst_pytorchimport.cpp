// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreignfixture.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

using namespace stagecraft;
using namespace fixtures;
using nlohmann::json;

namespace {

const QStringList secrets{QStringLiteral("secrethost"), QStringLiteral("adalovelace"), QStringLiteral("/home/")};

json kernel(const std::string &name, double at, double us)
{
    return {{"ph", "X"},
            {"cat", "kernel"},
            {"name", name},
            {"pid", 0},
            {"tid", 7},
            {"ts", at},
            {"dur", us},
            {"args",
             {{"External id", 5},
              {"device", 0},
              {"context", 1},
              {"stream", 7},
              {"correlation", 9},
              {"registers per thread", 32},
              {"shared memory", 2048},
              {"blocks per SM", 1.5},
              {"warps per SM", 12.0},
              {"grid", {216, 4, 1}},
              {"block", {128, 1, 1}},
              {"est. achieved occupancy %", 19}}}};
}

// Two kernels, 1 to 5 µs (mean 3) and 10 and 20 µs (mean 15), amid everything else that a trace has.
json trace()
{
    json events = json::array();
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", 4711}, {"ts", 0}, {"args", {{"name", "python"}}}});
    events.push_back({{"ph", "X"},
                      {"cat", "python_function"},
                      {"name", "/home/adalovelace/model.py(12): forward"},
                      {"ts", 1.0},
                      {"dur", 900.0},
                      {"args", {{"Call stack", "/home/adalovelace/model.py;secrethost"}, {"grid", {{"x", 1}}}}}});
    events.push_back({{"ph", "X"}, {"cat", "cpu_op"}, {"name", "aten::add"}, {"ts", 1.0}, {"dur", 30.0}});
    events.push_back({{"ph", "X"}, {"cat", "gpu_memcpy"}, {"name", "Memcpy HtoD"}, {"ts", 1.0}, {"dur", 40.0}});
    for (int i = 5; i >= 1; --i) // traces are not sorted
        events.push_back(kernel("void at::native::add<float, 4>(int)", 1000.0 + 10 * i, i));
    events.push_back(kernel("sgemm_128x64_tn", 2000.5, 10.0));
    events.push_back(kernel("sgemm_128x64_tn", 2100.25, 20.0));
    events.push_back({{"ph", "s"}, {"cat", "ac2g"}, {"name", "ac2g"}, {"ts", 1.0}, {"id", 9}});
    return {{"schemaVersion", 1},
            {"deviceProperties", {{{"id", 0}, {"name", "NVIDIA H200"}, {"totalGlobalMem", 150754820096}}}},
            {"cupti_version", 24},
            {"cuda_runtime_version", 12060},
            {"distributedInfo", {{"hostname", "secrethost"}}},
            {"displayTimeUnit", "ms"},
            {"baseTimeNanoseconds", 1767225600000000000},
            {"traceEvents", events},
            {"traceName", "/home/adalovelace/secrethost_4711.pt.trace.json"}};
}

QByteArray text(const json &document)
{
    return QByteArray::fromStdString(document.dump(1));
}

QByteArray gzipped(const QByteArray &bytes)
{
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    QByteArray packed(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))), '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.constData()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

} // namespace

// Traces of the PyTorch profiler: plain, compressed, old, without kernels, and damaged.
class TestPytorchImport : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void tracesAreRead_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << "trace.json" << text(trace());
        QTest::newRow("compressed") << "trace.json.gz" << gzipped(text(trace()));
        QTest::newRow("two members") << "trace.json.gz"
                                     << gzipped(text(trace()).first(700)) + gzipped(text(trace()).sliced(700));
        QTest::newRow("one line") << "trace.json" << QByteArray::fromStdString(trace().dump());
        json old = trace();
        for (json &event : old["traceEvents"]) {
            if (event.value("cat", "") == "kernel")
                event["cat"] = "Kernel";
        }
        QTest::newRow("old categories") << "trace.json" << text(old);
    }
    void tracesAreRead()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        writeFile(file(name), bytes);
        const auto imported = import::importFiles({file(name)});
        QCOMPARE(imported.error, "");
        QCOMPARE(problemTexts(imported.evidence), "");
        const evidence::Namespace back = written(imported.evidence, secrets);
        QCOMPARE(back.gpu, "NVIDIA H200");
        QCOMPARE(back.cuda, "12.6");
        QCOMPARE(back.utc, "2026-01-01T00:00:00Z");
        QCOMPARE(back.captureBackend, "cupti");
        const auto rows = evidence::valueRows(back);
        QCOMPARE(rows.size(), 2);
        const auto *add = rowOf(rows, "add", "trace"), *gemm = rowOf(rows, "sgemm_128x64_tn", "trace");
        QVERIFY(add && gemm && add->kernel.estimate && gemm->kernel.estimate && add->firstKernel);
        QCOMPARE(add->kernel.estimate->mean, 3.0);
        QCOMPARE(add->kernel.estimate->samples, 5);
        QCOMPARE(add->kernel.source, "cupti");
        QCOMPARE(add->firstKernel->durationUs, 1.0); // the first by time
        QCOMPARE(add->firstKernel->gridSize, "216,4,1");
        QCOMPARE(add->firstKernel->blockSize, "128,1,1");
        QCOMPARE(add->firstKernel->registersPerThread.value(), 32);
        QCOMPARE(add->firstKernel->sharedMemBytes.value(), 2048);
        QCOMPARE(gemm->kernel.estimate->mean, 15.0);
        QCOMPARE(add->span.state, evidence::State::Unavailable);
        QVERIFY(add->span.reason.contains("no spans"));
    }

    void eventsAloneAreATrace()
    {
        writeFile(file("events.json"), text(trace()["traceEvents"]));
        const auto imported = import::importFiles({file("events.json")});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("which GPU it was"));
        QCOMPARE(evidence::valueRows(written(imported.evidence, secrets)).size(), 2);
    }

    void handlersFileNamesHoldNoHost()
    {
        const QString name = "secrethost_4711.1690000000000.pt.trace.json.gz";
        writeFile(file(name), gzipped(text(trace())));
        const auto imported = import::importFiles({file(name)});
        QCOMPARE(imported.evidence.name, "trace_4711");
        const auto back = written(imported.evidence, secrets);
        QCOMPARE(evidence::valueRows(back).first().implementation, "trace_4711");
    }

    void aTraceOfTheCpuAloneSaysSo()
    {
        json cpu = trace();
        json &events = cpu["traceEvents"];
        events.erase(std::remove_if(events.begin(), events.end(),
                                    [](const json &event) { return event.value("cat", "") == "kernel"; }),
                     events.end());
        writeFile(file("cpu.json"), text(cpu));
        const QString error = import::importFiles({file("cpu.json")}).error;
        QVERIFY2(error.contains("no GPU kernels") && error.contains("ProfilerActivity.CUDA"), qPrintable(error));
    }

    void tracesOfOtherGpusAreRefused()
    {
        json rocm = trace();
        rocm.erase("cupti_version");
        rocm["roctracer_version"] = 4;
        writeFile(file("rocm.json"), text(rocm));
        QVERIFY(import::importFiles({file("rocm.json")}).error.contains("AMD"));
    }

    void durationsThatAreNoneAreCounted()
    {
        json odd = trace();
        json &events = odd["traceEvents"];
        events.push_back(kernel("sgemm_128x64_tn", 3000, 0));
        events.push_back(kernel("sgemm_128x64_tn", 3001, -4));
        events.push_back(kernel("sgemm_128x64_tn", 3002, 1));
        events.back().erase("dur");
        events.push_back(kernel("sgemm_128x64_tn", 3003, 1));
        events.back()["dur"] = "long";
        events.push_back(kernel("", 3004, 2));
        events.back()["args"] = {{"grid", {0, 1, 1}}, {"block", {1, 1}}, {"registers per thread", 1.5}};
        writeFile(file("odd.json"), text(odd));
        const auto imported = import::importFiles({file("odd.json")});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("4 launches have no duration above 0"));
        const auto rows = evidence::valueRows(written(imported.evidence, secrets));
        QCOMPARE(rowOf(rows, "sgemm_128x64_tn", "odd")->kernel.estimate->mean, 15.0);
        const auto *unnamed = rowOf(rows, "unnamed-kernel", "odd");
        QVERIFY(unnamed && unnamed->firstKernel->gridSize.isEmpty() && unnamed->firstKernel->blockSize.isEmpty());
        QVERIFY(!unnamed->firstKernel->registersPerThread);
    }

    // A time that no launch takes is a damaged one.
    void timesOverAYearAreCounted()
    {
        json odd = trace();
        odd["traceEvents"].push_back(kernel("sgemm_128x64_tn", 3000, 1e300));
        odd["traceEvents"].push_back(kernel("sgemm_128x64_tn", 3001, 1e17));
        writeFile(file("odd.json"), text(odd));
        const auto imported = import::importFiles({file("odd.json")});
        QCOMPARE(imported.error, "");
        QVERIFY2(problemTexts(imported.evidence).contains("2 launches have no duration above 0 and below a year"),
                 qPrintable(problemTexts(imported.evidence)));
        const auto rows = evidence::valueRows(written(imported.evidence, secrets));
        QCOMPARE(rowOf(rows, "sgemm_128x64_tn", "odd")->kernel.estimate->mean, 15.0);
    }

    // Launches of one base name, but of other template arguments or another grid, are averaged, and the row says so.
    void unlikeLaunchesAreSaid()
    {
        json mixed = trace();
        mixed["traceEvents"].push_back(kernel("void at::native::add<double, 2>(int)", 3000, 100));
        writeFile(file("mixed.json"), text(mixed));
        const auto rows = evidence::valueRows(import::importFiles({file("mixed.json")}).evidence);
        QVERIFY2(rowOf(rows, "add", "mixed")->note.contains("2 unlike kinds of launches averaged (2 full names"),
                 qPrintable(rowOf(rows, "add", "mixed")->note));
        QVERIFY(!rowOf(rows, "sgemm_128x64_tn", "mixed")->note.contains("unlike"));
    }

    // Values that JSON has not, and bytes that are no UTF-8, cost themselves and not the rest of the trace.
    void oneBadValueEndsNoTrace()
    {
        QByteArray bytes = text(trace());
        bytes.replace("\"est. achieved occupancy %\": 19", "\"est. achieved occupancy %\": Infinity");
        bytes.replace("process_name", "process\xE9name");
        QVERIFY(bytes.contains("Infinity") && bytes.contains('\xE9'));
        writeFile(file("trace.json"), bytes);
        const auto imported = import::importFiles({file("trace.json")});
        QCOMPARE(imported.error, "");
        QCOMPARE(problemTexts(imported.evidence), "");
        const auto rows = evidence::valueRows(imported.evidence);
        QCOMPARE(rowOf(rows, "add", "trace")->kernel.estimate->samples, 5);
    }

    void kernelsOfAllFilesAreStages()
    {
        json faster = trace();
        for (json &event : faster["traceEvents"]) {
            if (event.value("cat", "") == "kernel")
                event["dur"] = event["dur"].get<double>() / 2;
        }
        writeFile(file("before.json"), text(trace()));
        writeFile(file("after.json.gz"), gzipped(text(faster)));
        const auto imported = import::importFiles({file("before.json"), file("after.json.gz")});
        QCOMPARE(imported.error, "");
        QCOMPARE(imported.evidence.name, "before-and-1-more");
        const auto back = written(imported.evidence, secrets);
        QVERIFY(back.progression);
        QCOMPARE(back.progression->operations.size(), 2);
        QCOMPARE(back.progression->operations[0].operation, "add");
        QCOMPARE(back.progression->operations[0].stages[0].kernelUs.value(), 3.0);
        QCOMPARE(back.progression->operations[0].stages[1].kernelUs.value(), 1.5);
    }

    void damageIsNamedAndWhatCameBeforeIsRead()
    {
        const QByteArray whole = text(trace());
        writeFile(file("cut.json"), whole.first(whole.indexOf("2100.25")));
        const auto imported = import::importFiles({file("cut.json")});
        QCOMPARE(imported.error, "");
        QVERIFY(imported.evidence.hasContradiction());
        QCOMPARE(imported.evidence.problems.first().pointer, "/traceEvents/10");
        const auto back = written(imported.evidence, secrets);
        QCOMPARE(rowOf(evidence::valueRows(back), "sgemm_128x64_tn", "cut")->kernel.estimate->mean, 10.0);
        QVERIFY(back.excluded.join('\n').contains("damaged"));
    }

    void cutTracesAreSurvived()
    {
        const QByteArray whole = text(trace()), packed = gzipped(whole);
        for (const QByteArray *bytes : {&whole, &packed}) {
            for (qsizetype size = 0; size + 2 < bytes->size(); size += 1 + bytes->size() / 60) {
                writeFile(file("cut.json"), bytes->first(size));
                const auto imported = import::importFiles({file("cut.json")});
                QVERIFY2(!imported.error.isEmpty() || imported.evidence.hasContradiction(),
                         qPrintable(QString::number(size)));
                if (imported.error.isEmpty())
                    written(imported.evidence, secrets);
            }
        }
    }

    void damagedBytesAreSurvived()
    {
        const QByteArray whole = text(trace()), packed = gzipped(whole);
        for (const QByteArray *bytes : {&whole, &packed}) {
            for (qsizetype at = 0; at < bytes->size(); at += 1 + bytes->size() / 60) {
                QByteArray damaged = *bytes;
                damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
                writeFile(file("damaged.json"), damaged);
                const auto imported = import::importFiles({file("damaged.json")});
                if (imported.error.isEmpty())
                    written(imported.evidence);
            }
        }
    }

    void deepNestingEndsReading()
    {
        QByteArray deep = text(trace());
        deep.replace("\"ac2g\"", QByteArray(100'000, '['));
        writeFile(file("deep.json"), deep);
        const auto imported = import::importFiles({file("deep.json")});
        QCOMPARE(imported.error, "");
        QVERIFY(problemTexts(imported.evidence).contains("nested deeper"));
        QCOMPARE(evidence::valueRows(written(imported.evidence)).size(), 2);
    }

    void readingCanBeCancelled()
    {
        json many = trace();
        for (int i = 0; i < 5000; ++i)
            many["traceEvents"].push_back(kernel("k", i, 1));
        writeFile(file("many.json"), text(many));
        int asked = 0;
        const auto imported = import::importFiles({file("many.json")}, [&asked] { return ++asked > 1; });
        QVERIFY(imported.error.contains("cancelled"));
    }

    void kindsAreNotMixed()
    {
        writeFile(file("trace.json"), text(trace()));
        writeFile(file("report.sqlite"), QByteArray("SQLite format 3\0", 16) + QByteArray(100, '\0'));
        const QString error = import::importFiles({file("trace.json"), file("report.sqlite")}).error;
        QVERIFY2(error.contains("PyTorch profiler") && error.contains("Nsight Systems"), qPrintable(error));
    }

private:
    QString file(const QString &name) const { return m_folder->filePath(name); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestPytorchImport)
#include "tst_pytorchimport.moc"
