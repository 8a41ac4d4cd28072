// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagejson.h"
#include "sampledcode.h"

#include <nlohmann/json.hpp>
#include <QFile>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::run;

namespace {

QByteArray recorded(const QString &name)
{
    QFile file(STAGECRAFT_SOURCE_DIR "/tests/app/run/machinecode/" + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

protocol::SampleResult samplesOnAnH200()
{
    return nlohmann::json::parse(recorded("matmul-tiled-h200.samples.json").toStdString())
        .get<protocol::SampleResult>();
}

Disassembly tiled()
{
    return parseDisassembly(QString::fromUtf8(recorded("matmul-tiled-sm_90a.sass")));
}

} // namespace

// Samples of matmul/tiled on an H200, and the machine code that was executed there.
class TestSampledCode : public QObject
{
    Q_OBJECT

private slots:
    void eachSampleIsOfOneInstruction()
    {
        const protocol::SampleResult result = samplesOnAnH200();
        QCOMPARE(sampleProblem(result), QString());
        const SampledCode samples = placeSamples(result, tiled());
        QCOMPARE(samples.total.all, qint64(6'820'347));
        QCOMPARE(samples.total.all, qint64(result.samples));
        QCOMPARE(samples.total.issued, qint64(243'887));
        QCOMPARE(samples.elsewhere.all, qint64(0));
        QCOMPARE(samples.sections.size(), 1);
        const PlaceSamples load = samples.sections.first().value(0x330);
        QCOMPARE(load.all, qint64(525'974));
        QCOMPARE(load.issued, qint64(3'191));
        const QList<Wait> waits = leadingWaits(load, 2);
        QCOMPARE(waits.size(), 2);
        QCOMPARE(waits.at(0).reason, QString("mio throttle"));
        QCOMPARE(qRound(waits.at(0).share), 68);
        QCOMPARE(waits.at(1).reason, QString("not selected"));
    }

    void linesHaveWhatTheirInstructionsHave()
    {
        const Disassembly code = tiled();
        const SampledCode samples = placeSamples(samplesOnAnH200(), code);
        const QMap<int, PlaceSamples> lines = samplesByLine(samples, code, "tiled.cu");
        QCOMPARE(lines.value(64).all, qint64(3'801'625)); // with what is inlined from stagecraft.cuh
        QCOMPARE(lines.value(64).issued, qint64(154'629));
        QCOMPARE(lines.value(58).all, qint64(1'882'129));
        QCOMPARE(leadingWaits(lines.value(58), 1).value(0).reason, QString("long scoreboard"));
        qint64 all = 0;
        for (const PlaceSamples &line : lines)
            all += line.all;
        QCOMPARE(all, samples.total.all);
        // Of another file's point of view they are of no line, and none is lost.
        QCOMPARE(samplesByLine(samples, code, "other.cu").value(0).all, samples.total.all);
    }

    // "selected" is no wait, not even where it is all there is.
    void whatIsIssuedWaitsForNothing()
    {
        const SampledCode samples = placeSamples({256, 30, 0, {{"matmul_tiled", {{16, {{"selected", 30}}}}}}}, tiled());
        const PlaceSamples one = samples.sections.first().value(16);
        QCOMPARE(one.all, qint64(30));
        QCOMPARE(one.issued, qint64(30));
        QVERIFY(leadingWaits(one, 2).isEmpty());
    }

    void whatTheCodeLacksIsKeptApart()
    {
        const Disassembly code = tiled();
        const SampledCode samples = placeSamples(
            {256,
             60,
             0,
             {{"another", {{16, {{"wait", 10}}}}}, {"matmul_tiled", {{7, {{"wait", 20}}}, {16, {{"wait", 30}}}}}}},
            code);
        QCOMPARE(samples.total.all, qint64(60));
        QCOMPARE(samples.elsewhere.all, qint64(30));
        QCOMPARE(samples.sections.first().size(), 1);
        QCOMPARE(samplesByLine(samples, code, "tiled.cu").value(0).all, qint64(30));
    }

    void nonsenseIsNotBelieved_data()
    {
        QTest::addColumn<qint64>("address");
        QTest::addColumn<qint64>("count");
        QTest::addColumn<QString>("problem");
        QTest::newRow("negative") << qint64(16) << qint64(-5) << "the worker reports -5 samples at address 16 of k";
        QTest::newRow("huge") << qint64(16) << std::numeric_limits<qint64>::max() << "at address 16 of k";
        QTest::newRow("before its begin") << qint64(-16) << qint64(5) << "5 samples at address -16 of k";
        QTest::newRow("none") << qint64(16) << qint64(0) << "no sample is of this stage";
    }

    void nonsenseIsNotBelieved()
    {
        QFETCH(qint64, address);
        QFETCH(qint64, count);
        QFETCH(QString, problem);
        const QString said = sampleProblem({256, 1, 0, {{"k", {{address, {{"wait", count}}}}}}});
        QVERIFY2(said.contains(problem), qPrintable(said));
    }
};

QTEST_GUILESS_MAIN(TestSampledCode)
#include "tst_sampledcode.moc"
