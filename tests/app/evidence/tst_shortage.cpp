// SPDX-License-Identifier: GPL-3.0-or-later
#include "shortage.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace stagecraft::evidence;

namespace {

using nlohmann::json;

json readSet(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

QString textOf(const json &object, const char *key)
{
    return QString::fromStdString(object.value(key, std::string()));
}

template <typename Number>
std::optional<Number> numberOf(const json &object, const char *key)
{
    return object.contains(key) ? std::optional(object.at(key).get<Number>()) : std::nullopt;
}

CountedKernel kernelOf(const json &set)
{
    CountedKernel kernel;
    for (const auto &[metric, value] : set.at("values").items())
        kernel.values.insert(QString::fromStdString(metric), value.get<double>());
    return kernel;
}

KernelFacts factsOf(const json &set)
{
    const json &object = set.at("facts");
    KernelFacts facts;
    facts.kernelUs = numberOf<double>(object, "kernel_us");
    facts.emptyKernelUs = numberOf<double>(object, "empty_kernel_us");
    facts.l2Rate = numberOf<double>(object, "l2_gbps");
    facts.dramRate = numberOf<double>(object, "dram_gbps");
    facts.waves = numberOf<double>(object, "waves");
    facts.blocks = numberOf<qint64>(object, "blocks");
    facts.sms = numberOf<int>(object, "sms");
    return facts;
}

QString pathOf(const QString &name)
{
    return QStringLiteral(STAGECRAFT_SOURCE_DIR "/tests/app/evidence/countersets/%1.json").arg(name);
}

Shortage answerOf(const QString &name)
{
    const json set = readSet(pathOf(name));
    return shortage(kernelOf(set), factsOf(set));
}

// A kernel that the FMA pipe limits, to be bent.
CountedKernel busyKernel()
{
    return kernelOf(readSet(pathOf(QStringLiteral("plausible-lacking-but-saturated"))));
}

} // namespace

// The rule, on sets of counters: each file of countersets/ is a row. Those named "plausible" were made up from the
// arithmetic of their kernels; "h200" ones were recorded.
class TestShortage : public QObject
{
    Q_OBJECT

private slots:
    void theRule_data()
    {
        QTest::addColumn<QString>("name");
        const QDir folder(QStringLiteral(STAGECRAFT_SOURCE_DIR "/tests/app/evidence/countersets"));
        for (const QFileInfo &file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(file.completeBaseName())) << file.completeBaseName();
    }

    void theRule()
    {
        QFETCH(QString, name);
        const json expected = readSet(pathOf(name)).at("expected");
        const Shortage answer = answerOf(name);
        const QString sentence = shortageSentence(answer);
        QVERIFY2(limitId(answer.limit) == textOf(expected, "limit"), qPrintable(sentence));
        QVERIFY2(sentence.contains(textOf(expected, "remark")), qPrintable(sentence));
        if (answer.limit == Limit::Undecided) {
            QVERIFY2(answer.reason.contains(textOf(expected, "reason")), qPrintable(sentence));
            QVERIFY(!answer.next && !answer.marginPoints && answer.figures.isEmpty());
            QVERIFY2(sentence.startsWith("Not decided: "), qPrintable(sentence));
            return;
        }
        QVERIFY2(answer.figures.size() >= 2 && answer.figures.size() <= 3, qPrintable(sentence));
        for (const json &figure : expected.value("figures", json::array()))
            QVERIFY2(sentence.contains(QString::fromStdString(figure.get<std::string>())), qPrintable(sentence));
        QVERIFY(answer.next && answer.marginPoints.value_or(0) >= kMarginPoints);
        if (const QString next = textOf(expected, "next"); !next.isEmpty())
            QCOMPARE(limitId(*answer.next), next);
        QVERIFY2(sentence.startsWith("Short of "), qPrintable(sentence));
        QVERIFY2(sentence.contains(QString::number(*answer.marginPoints, 'f', 1) + " points below"),
                 qPrintable(sentence));
    }

    void sharesAreOfTheTimedRun()
    {
        const Shortage answer = answerOf(QStringLiteral("plausible-warm-stream"));
        const double sum = answer.rampPercent.value_or(0) + answer.tailPercent.value_or(0) +
                           answer.busyPercent.value_or(0) + answer.waitingPercent.value_or(0);
        QVERIFY2(std::abs(sum - 100) < 1e-9, qPrintable(QString::number(sum)));
        QVERIFY(std::abs(*answer.rampPercent - 100 * 0.64 / 4.4) < 1e-9);
        // Without a warp for 26 % of 5.6 µs, of which 1.2 µs is what counting added: less than the ramp.
        QCOMPARE(answer.tailPercent.value_or(-1), 0.0);
        // Here for 74 % of 50.4 µs, of which 0.4 µs is what counting added.
        const double idle = 0.74 * 50.4 - 0.4;
        QVERIFY(std::abs(answerOf(QStringLiteral("plausible-half-empty")).tailPercent.value_or(0) - 2 * (idle - 0.64)) <
                0.1);
    }

    // By the figures that are within the margin, which are shares of the time here.
    void aRefusalPrintsWhatDecided()
    {
        const QString sentence = shortageSentence(answerOf(QStringLiteral("plausible-near-in-time")));
        static const QRegularExpression shares(QStringLiteral("load/store unit \\(([0-9.]+) % of the time\\) and "
                                                              "L2 bandwidth \\(([0-9.]+) % of the time\\)"));
        const auto match = shares.match(sentence);
        QVERIFY2(match.hasMatch(), qPrintable(sentence));
        QVERIFY2(match.captured(1).toDouble() - match.captured(2).toDouble() < kMarginPoints, qPrintable(sentence));
        const QString levels = shortageSentence(answerOf(QStringLiteral("plausible-two-near")));
        QVERIFY2(levels.contains("load/store unit (at 74.0 %) and L2 bandwidth (at 72.0 %)"), qPrintable(levels));
    }

    // Every unit at its limit has a second figure, and no wait that the rule does not believe is one.
    void saturatedUnitsHaveTwoFigures()
    {
        for (const char *metric : {"sm__pipe_alu_cycles_active", "sm__inst_executed_pipe_xu",
                                   "sm__pipe_tensor_cycles_active", "dram__throughput"}) {
            CountedKernel kernel = busyKernel();
            for (double &value : kernel.values)
                value = std::min(value, 50.0);
            kernel.values[QString::fromUtf8(metric) + ".avg.pct_of_peak_sustained_elapsed"] = 88;
            kernel.values[QStringLiteral("smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio")] =
                0.01;
            const Shortage answer = shortage(kernel, {});
            QVERIFY2(answer.limit != Limit::Undecided, qPrintable(answer.reason));
            QVERIFY2(answer.figures.size() >= 2, metric);
            QVERIFY(!answer.figures.join(' ').contains("dispatch stall"));
        }
    }

    void emptyReadsAreNoSharedLoads()
    {
        CountedKernel kernel = kernelOf(readSet(pathOf(QStringLiteral("plausible-scalar-shared-reads"))));
        const auto loads = sharedLoads(kernel);
        QVERIFY(loads && loads->withEmptyOnes);
        const QString remark = QStringLiteral("counted with those that are predicated off");
        QVERIFY(shortageSentence(shortage(kernel, {})).contains(remark));
        kernel.values[QStringLiteral("smsp__inst_executed_op_shared_ld_pred_on_any.sum")] = loads->count / 2;
        const QString sentence = shortageSentence(shortage(kernel, {}));
        QVERIFY2(!sentence.contains(remark) && sentence.contains("2.00 wavefronts per shared load"),
                 qPrintable(sentence));
    }

    void conflictsHaveAPrice()
    {
        const QString sentence = shortageSentence(answerOf(QStringLiteral("h200-matmul-registers")));
        QVERIFY2(sentence.contains("bank conflicts, which make them 2.00 times as many"), qPrintable(sentence));
        QVERIFY(!shortageSentence(answerOf(QStringLiteral("h200-matmul-tiled"))).contains("times as many"));
    }

    void aMarginDecides()
    {
        CountedKernel kernel = busyKernel();
        const QString l2 = QStringLiteral("lts__throughput.avg.pct_of_peak_sustained_elapsed");
        kernel.values[l2] = 90 - kMarginPoints;
        QCOMPARE(shortage(kernel, {}).limit, Limit::FmaPipe);
        kernel.values[l2] += 0.1;
        QCOMPARE(shortage(kernel, {}).limit, Limit::Undecided);
    }

    // A rate that no copy reaches is not of the kernel's own bytes.
    void anUnbelievableRateIsLeftOut()
    {
        CountedKernel kernel = busyKernel();
        kernel.values[QStringLiteral("lts__t_bytes.sum")] = 40 * 1000 * 6000 * 1.2;
        KernelFacts facts;
        facts.kernelUs = 40;
        facts.l2Rate = 6000;
        const Shortage answer = shortage(kernel, facts);
        QCOMPARE(answer.limit, Limit::FmaPipe);
        QVERIFY(shortageSentence(answer).contains("The L2 moved more bytes"));
        // Sectors of the SMs alone are believed.
        kernel.values[QStringLiteral("lts__t_sectors_srcunit_tex.sum")] = 40 * 1000 * 6000 * 0.5 / 32;
        QCOMPARE(shortage(kernel, facts).remarks, QStringList());
    }

    // Only bytes that the time in which SMs hold warps has no room for, and not what a copy's own spread explains.
    void bytesThatTheTimedRunCannotMoveAreSaid()
    {
        CountedKernel kernel = busyKernel();
        KernelFacts facts;
        facts.kernelUs = 40;
        facts.emptyKernelUs = 4; // a tenth
        facts.dramRate = 4000;
        const auto sentence = [&](double percent) {
            kernel.values[QStringLiteral("dram__bytes_read.sum")] = 40 * 1000 * 4000 * percent / 100;
            kernel.values[QStringLiteral("dram__bytes_write.sum")] = 0;
            return shortageSentence(shortage(kernel, facts));
        };
        const QString read = QStringLiteral("that run read from memory what the timed one finds in the L2");
        const double most = 0.9 * kBelievedRatePercent;
        QVERIFY(!sentence(most - 1).contains(read));
        QVERIFY2(sentence(most + 1).contains(read + '.'), qPrintable(sentence(most + 1)));
        QVERIFY(sentence(kBelievedRatePercent + 1).contains(read + ", and the rate is left out."));
    }

    void anUnknownKernelTimeIsSaid()
    {
        QVERIFY(shortageSentence(shortage(busyKernel(), {})).contains("kernel time is not known"));
    }

    void nothingCountedIsNotDecided()
    {
        const Shortage answer = shortage({}, {});
        QCOMPARE(answer.limit, Limit::Undecided);
        QCOMPARE(shortageSentence(answer).section('.', 0, 0),
                 QStringLiteral("Not decided: no use of any unit was counted"));
    }

    void workIsCounted()
    {
        CountedKernel kernel;
        QVERIFY(!floatingOperations(kernel, QStringLiteral("fp32")));
        const auto set = [&](const char *op, double value) {
            kernel.values[QStringLiteral("smsp__sass_thread_inst_executed_op_%1_pred_on.sum").arg(op)] = value;
        };
        set("ffma", 100);
        set("fadd", 10);
        set("fmul", 1);
        QCOMPARE(floatingOperations(kernel, QStringLiteral("fp32")).value_or(0), 211.0);
        kernel.values[QStringLiteral("sm__inst_executed_pipe_tensor.sum")] = 5;
        QVERIFY(!floatingOperations(kernel, QStringLiteral("3xtf32"))); // of which nothing is known
        kernel.values[QStringLiteral("sm__ops_path_tensor_src_tf32_dst_fp32.sum")] = 3000;
        QCOMPARE(floatingOperations(kernel, QStringLiteral("3xtf32")).value_or(0), 1211.0);
        QCOMPARE(floatingOperations(kernel, QStringLiteral("tf32")).value_or(0), 3211.0);
    }

    void ceilingsAreOfTheSmallestAndTheLargestArrays()
    {
        const auto stream = [](const char *what, double rate) {
            return FloorMeasurement{QString::fromUtf8(what), QStringLiteral("GB/s"), rate, {}};
        };
        QList<FloorMeasurement> all{stream("warm copy of 100 bytes", 6200), stream("warm read of 100 bytes", 4800),
                                    stream("warm write of 100 bytes", 9000), stream("warm copy of 2000 bytes", 4300),
                                    stream("warm read of 2000 bytes", 4500)};
        const RateCeilings ceilings = rateCeilings(all);
        QCOMPARE(ceilings.l2.value_or(0), 6200.0);
        QCOMPARE(ceilings.l2What, QStringLiteral("warm copy of 100 bytes"));
        QCOMPARE(ceilings.dram.value_or(0), 4500.0);
        QVERIFY(!rateCeilings({}).l2);
        QVERIFY(!rateCeilings(all.mid(0, 3)).dram); // one size: nothing says that it is beyond the L2
        for (FloorMeasurement &measurement : all)
            measurement.what.replace("warm", "cold");
        QVERIFY(!rateCeilings(all).l2);
        QCOMPARE(rateCeilings(all).dram.value_or(0), 4500.0);
    }

    // The help page gives the same thresholds as the header, and names every limit.
    void theHelpPageSaysTheRule()
    {
        QFile file(QStringLiteral(STAGECRAFT_SOURCE_DIR "/resources/help/counters.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll());
        const QList<std::pair<const char *, double>> thresholds{{"busy", kBusyPercent},
                                                                {"at its limit", kSaturatedPercent},
                                                                {"margin", kMarginPoints},
                                                                {"leading wait", kStallPercent},
                                                                {"eligible warps", kEligibleWarps},
                                                                {"few warps", kFewWarpsPercent},
                                                                {"believed rate", kBelievedRatePercent},
                                                                {"slower run", kSlowerRun},
                                                                {"wide access", kWideWavefronts}};
        for (const auto &[name, value] : thresholds)
            QVERIFY2(page.contains(QStringLiteral("| %1 | %2 ").arg(QString::fromUtf8(name)).arg(value)), name);
        for (int i = 0; i <= static_cast<int>(Limit::Undecided); ++i)
            QVERIFY2(page.contains("| " + limitName(static_cast<Limit>(i)) + " |"),
                     qPrintable(limitName(static_cast<Limit>(i))));
    }
};

QTEST_APPLESS_MAIN(TestShortage)
#include "tst_shortage.moc"
