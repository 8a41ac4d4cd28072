// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "fakeworkers.h"
#include "programruns.h"
#include "smallrun.h"

#include <QRegularExpression>
#include <QTest>

using namespace stagecraft;
using evidence::State;

// `stagecraft run` as a process, with the real host worker and a fake CUDA worker.
class tst_RunProgram : public QObject
{
    Q_OBJECT

private slots:
    void hostRunPassesTheCheck()
    {
        FakeWorkers workers;
        const ProgramResult run = stagecraft_(
            small(workers, {"--implementations", "host", "--dims", "matmul=16x12x8,gelu=8x16,layernorm=8x16", "--dims",
                            "triangle=5x3,neighbor=9x4x20"}));
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        const ProgramResult check = stagecraft_({"check", workers.output()});
        QVERIFY2(check.status == 0, qPrintable(check.all()));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        QStringList operations;
        for (const auto &result : ns.results)
            operations.append(result.operation);
        QCOMPARE(operations, QStringList({"matmul", "gelu", "layernorm", "triangle", "neighbor"}));
        QCOMPARE(ns.results[4].dims, QList<qint64>({9, 4, 20}));
        // The table names each operation and the place of the files; progress is elsewhere.
        QVERIFY2(run.out.contains("Matrix multiplication"), qPrintable(run.out));
        QVERIFY(run.out.contains("Evidence: " + workers.output()));
        QVERIFY(!run.out.contains("round 2 of 2"));
        QVERIFY2(run.err.contains("matmul host round 2 of 2 spans"), qPrintable(run.err));
    }

    void defaultsAreWhatIsAvailable()
    {
        FakeWorkers workers("--behaviour no-device");
        const ProgramResult run = stagecraft_(small(workers, {"--operations", "gelu", "--dims", "gelu=8x16"}));
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        QVERIFY2(run.err.contains("cuda is left out: no GPU is there. What to do: install one"), qPrintable(run.err));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        QCOMPARE(ns.results[0].rounds[0].implementations.keys(), QStringList({"host"}));
    }

    void aLibraryTakesPartWhereItFits()
    {
        FakeWorkers workers;
        const ProgramResult run =
            stagecraft_(small(workers, {"--operations", "matmul,gelu", "--implementations", "cuda,cublas", "--dims",
                                        "matmul=8x8x8,gelu=8x16", "--capture-iterations", "10"}));
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        QCOMPARE(ns.results[0].rounds[0].order, QStringList({"cuda", "cublas"}));
        QCOMPARE(ns.results[1].rounds[0].order, QStringList({"cuda"}));
        QVERIFY2(run.out.contains("cuBLAS"), qPrintable(run.out));
    }

    // Every stage that the program brings, in two runs, as they are measured on a GPU.
    void stagesMakeAProgressionThatPassesTheCheck()
    {
        FakeWorkers workers;
        const ProgramResult run =
            stagecraft_(small(workers, {"--operations", "matmul", "--implementations", "cuda", "--stages", "all",
                                        "--runs", "2", "--dims", "matmul=256x256x256", "--capture-iterations", "10"}));
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        const ProgramResult check = stagecraft_({"check", workers.output()});
        QVERIFY2(check.status == 0, qPrintable(check.all()));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        QCOMPARE(ns.roundsDeclared, 4);
        QCOMPARE(ns.runs, 2);
        QVERIFY(ns.progression);
        const evidence::OperationProgression &matmul = ns.progression->operations[0];
        QStringList stages, attempts;
        for (const auto &stage : matmul.stages)
            stages.append(stage.id);
        for (const auto &attempt : matmul.attempts)
            attempts.append(attempt.id);
        QCOMPARE(stages.first(), QString("tiled"));
        QVERIFY(stages.indexOf("registers") < stages.indexOf("k64"));
        QVERIFY2(attempts.contains("tile-32x32-2x4"), qPrintable(attempts.join(' ')));
        for (const auto &experiment : matmul.experiments) {
            if (experiment.title.startsWith("tile-32x32-2x4 against registers") &&
                experiment.counts.contains("shared reads per multiply-add"))
                QCOMPARE(experiment.predicted, 1.5);
        }
        QCOMPARE(matmul.ab.size(), 2 * (stages.size() + attempts.size()));
    }

    void unavailableByNameIsRecordedAndFails()
    {
        FakeWorkers workers;
        const ProgramResult run = stagecraft_(
            small(workers, {"--operations", "gelu", "--implementations", "host,triton", "--dims", "gelu=8x16"}));
        QVERIFY2(run.status == 1, qPrintable(run.all()));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        QCOMPARE(ns.results[0].rounds[1].implementations["triton"].state, State::Unavailable);
        QCOMPARE(ns.results[0].rounds[1].implementations["host"].state, State::Ok);
        QVERIFY2(run.out.contains("unavailable"), qPrintable(run.out));
    }

    // One command says of each operation: floor, best peer, this time, both ratios and the error.
    void whatItIsReadAgainstStandsBesideATime_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::newRow("warm") << "warm";
        QTest::newRow("cold") << "cold";
    }

    void whatItIsReadAgainstStandsBesideATime()
    {
        QFETCH(QString, cache);
        FakeWorkers workers("--behaviour floors");
        const QStringList plan{
            "--operations", "matmul,gelu", "--implementations",      "cuda,cublas", "--capture-iterations",
            "10",           "--dims",      "matmul=8x8x8,gelu=8x16", "--cache",     cache};
        const ProgramResult run = stagecraft_(small(workers, plan));
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        QStringList lines;
        for (const QString &line : run.out.split('\n'))
            lines.append(line.simplified());
        const QString heading = lines.value(0);
        QVERIFY2(heading.contains("kernel µs") && heading.contains("floor µs ÷ floor best peer ÷ best peer") &&
                     heading.contains("rel. error"),
                 qPrintable(run.out));
        QCOMPARE(heading.contains("cache"), cache == "cold");
        const auto lineOf = [&](const QString &operation, const QString &label) {
            return lines.filter(QRegularExpression(operation + ".* " + label + " ")).value(0);
        };
        // The made-up cuda has one kernel of 4 µs in an iteration, cuBLAS two; the floor of each operation is 1.25 µs.
        QVERIFY2(lineOf("Matrix", "CUDA").contains(" 4.0 1.3 3.20 cuBLAS 0.50 "), qPrintable(run.out));
        QVERIFY2(lineOf("Matrix", "cuBLAS").contains(" 8.0 1.3 6.40 unknown "), qPrintable(run.out));
        QVERIFY2(lineOf("GELU", "CUDA").contains(" 4.0 1.3 3.20 unknown "), qPrintable(run.out));
        QVERIFY2(lineOf("Matrix", "CUDA").contains(" 1e-07"), qPrintable(run.out));
        QVERIFY2(lines.contains("An empty kernel's call takes 4.5 µs around it, 0.6 µs of which are the kernel."),
                 qPrintable(run.out));

        QVERIFY(QDir(workers.output()).removeRecursively());
        const ProgramResult without = stagecraft_(small(workers, plan + QStringList{"--no-floors"}));
        QVERIFY2(without.status == 0, qPrintable(without.all()));
        QVERIFY2(!without.out.contains("empty kernel"), qPrintable(without.out));
        QVERIFY2(!without.out.contains("floor") && without.out.contains("÷ best peer"), qPrintable(without.out));
        QVERIFY(evidence::readNamespace(workers.output()).floors.isEmpty());
    }

    void countersAreToldBelowTheValues()
    {
        FakeWorkers workers("--only cublas --behaviour counters-refused");
        const QStringList plan{"--operations",     "matmul,gelu",           "--implementations",
                               "cuda,cublas,host", "--capture-iterations",  "10",
                               "--dims",           "matmul=8x8x8,gelu=8x16"};
        const ProgramResult run = stagecraft_(small(workers, plan + QStringList{"--counters"}));
        QVERIFY2(run.status == 0, qPrintable(run.all()));                                     // what was timed is there
        const QString block = run.out.mid(run.out.indexOf("Hardware counters")).simplified(); // lines may be wrapped
        for (const char *text :
             {"Hardware counters matmul 8x8x8 cuda 2 metrics of 1 kernel in 18 passes; lacking: "
              "sm__pipe_tensor_cycles_active.sum matmul",
              "gelu 8x16 cuda 2 metrics of 1 kernel in 18 passes; lacking what matmul 8x8x8 cuda lacks",
              "matmul 8x8x8 cublas unavailable: the made-up driver refuses counters. What to do: ask it nicely",
              "matmul 8x8x8 host unavailable: hardware counters are the GPU's, and this is computed on the CPU",
              "gelu 8x16 host unavailable, as matmul 8x8x8 host Evidence: "})
            QVERIFY2(block.contains(text), qPrintable(run.out));
        QVERIFY2(run.err.contains("matmul cuda counters"), qPrintable(run.err)); // progress
        const ProgramResult check = stagecraft_({"check", workers.output()});
        QVERIFY2(check.status == 0, qPrintable(check.all()));

        QVERIFY(QDir(workers.output()).removeRecursively());
        const ProgramResult without = stagecraft_(small(workers, plan));
        QVERIFY2(without.status == 0, qPrintable(without.all()));
        QVERIFY2(!without.all().contains("counters"), qPrintable(without.all()));
        QVERIFY(!QFile::exists(workers.output() + "/comparison-counters.json"));
    }

    // Below the values: this project's kernels against every other, by kernel time where both have it.
    void verdictsFollowTheValues()
    {
        FakeWorkers workers;
        workers.writePython(FakeWorkers::fakeCommand(
            "python", "--implementation other --implementation other2 --implementation triton"));
        const QStringList plan = {"--operations", "matmul",       "--implementations",    "cuda,triton,host",
                                  "--dims",       "matmul=8x8x8", "--capture-iterations", "10"};
        const ProgramResult run = stagecraft_(
            QStringList{"run", "--rounds", "5", "--iterations", "10", "--warmup", "1", "--output", workers.output()} +
            plan);
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        const QString verdicts = run.out.mid(run.out.indexOf("reference"));
        QString triton, host;
        for (const QString &line : verdicts.split('\n')) {
            if (line.contains("Triton"))
                triton = line.simplified();
            else if (line.contains("Host (CPU)"))
                host = line.simplified();
        }
        // 12 µs in three kernels against 4 µs in one.
        QVERIFY2(triton.contains("kernel time 3.000") && triton.contains("slower"), qPrintable(run.out));
        QVERIFY2(host.contains("span") || host.contains("not comparable"), qPrintable(run.out));
        QVERIFY2(run.out.contains("at least 5 rounds"), qPrintable(run.out));
    }

    // Without kernel records it is the span that says why there is no verdict.
    void aFailedSpanIsNotHiddenByKernelsThatWereNotCaptured()
    {
        FakeWorkers workers("--behaviour wrong-result --only cublas");
        const ProgramResult run =
            stagecraft_(small(workers, {"--operations", "matmul", "--implementations", "cuda,cublas", "--dims",
                                        "matmul=8x8x8", "--no-capture"}));
        QCOMPARE(run.status, 1);
        const QString verdicts = run.out.mid(run.out.indexOf("reference"));
        QVERIFY2(verdicts.contains("failed") && verdicts.contains("the result is wrong"), qPrintable(run.out));
        QVERIFY2(!verdicts.contains("switched off"), qPrintable(run.out));
    }

    // The first of the user's order that was measured, by the metric that both have; --reference names another.
    void theReferenceIsOneThatWasMeasured()
    {
        FakeWorkers workers;
        workers.write("stagecraft-worker-external", FakeWorkers::fakeCommand("external", "--implementation mine"));
        const QStringList plan = {"--operations",     "gelu",       "--dims",  "gelu=8x16",   "--implementations",
                                  "triton,mine,host", "--external", "mine=sh", "--no-capture"};
        const ProgramResult run = stagecraft_(small(workers, plan));
        QCOMPARE(run.status, 1);
        const QString verdicts = run.out.mid(run.out.indexOf("reference")).simplified();
        QVERIFY2(verdicts.contains("Host (CPU) mine span"), qPrintable(run.out));
        QVERIFY2(verdicts.contains("Triton mine span unavailable"), qPrintable(run.out));
        QVERIFY2(verdicts.contains("below 1 the implementation is faster"), qPrintable(run.out));
        QVERIFY2(run.err.contains("The worker of mine runs on"), qPrintable(run.err));
        QVERIFY(QDir(workers.output()).removeRecursively());
        const ProgramResult named = stagecraft_(small(workers, plan + QStringList{"--reference", "host"}));
        QVERIFY2(named.out.simplified().contains("mine Host (CPU) span"), qPrintable(named.all()));
    }

    // A reason that no column holds stands whole below the table.
    void longReasonsStandBelowTheVerdicts()
    {
        FakeWorkers workers("--behaviour wrong-result --only cublas");
        const ProgramResult run =
            stagecraft_(small(workers, {"--operations", "matmul", "--implementations", "cuda,cublas", "--dims",
                                        "matmul=8x8x8", "--no-capture"}));
        const QString verdicts = run.out.mid(run.out.indexOf("reference"));
        QVERIFY2(verdicts.simplified().contains("Its times are not taken; correct the kernel first"),
                 qPrintable(run.out));
        for (const QString &line : verdicts.split('\n'))
            QVERIFY2(line.size() < 250, qPrintable(line));
    }

    void oneImplementationNeedsNoVerdict()
    {
        FakeWorkers workers;
        const ProgramResult run =
            stagecraft_(small(workers, {"--operations", "gelu", "--implementations", "cuda", "--dims", "gelu=8x16"}));
        QCOMPARE(run.status, 0);
        QVERIFY2(!run.out.contains("verdict"), qPrintable(run.out));
    }

    void anExternalThatIsGivenTakesPart()
    {
        FakeWorkers workers;
        workers.write("stagecraft-worker-external", "echo \"$@\" > '" + workers.path() + "/started'\n" +
                                                        FakeWorkers::fakeCommand("external", "--implementation rust"));
        const ProgramResult run = stagecraft_(
            small(workers, {"--operations", "gelu", "--dims", "gelu=8x16", "--external", "rust=sh -c \"some thing\""}));
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        QVERIFY(ns.results[0].rounds[0].implementations.contains("cuda"));
        QCOMPARE(ns.results[0].rounds[0].implementations["rust"].state, State::Ok);
        QFile started(workers.path() + "/started");
        QVERIFY(started.open(QIODevice::ReadOnly));
        const QByteArray command = started.readAll();
        QVERIFY2(command.startsWith("rust /") && command.endsWith("/sh -c some thing\n"), command.constData());
        for (const char *file : {"comparison-results.json", "comparison-profiles.json"}) {
            QFile written(workers.output() + "/" + file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            QVERIFY2(!written.readAll().contains("some thing"), file);
        }
    }

    void anExternalThatIsNotThereFailsByName()
    {
        FakeWorkers workers;
        workers.write("stagecraft-worker-external", "exit 1\n");
        const ProgramResult run =
            stagecraft_(small(workers, {"--operations", "gelu", "--dims", "gelu=8x16", "--external",
                                        "rust=/nowhere/rustbench", "--no-capture"}));
        QVERIFY2(run.status == 1, qPrintable(run.all()));
        const evidence::Namespace ns = evidence::readNamespace(workers.output());
        const evidence::Measurement rust = ns.results[0].rounds[0].implementations["rust"];
        QCOMPARE(rust.state, State::Unavailable);
        QVERIFY2(rust.reason.contains("the external program rustbench is not there"), qPrintable(rust.reason));
        QVERIFY2(run.err.contains("the external program /nowhere/rustbench is not there"), qPrintable(run.err));
        QCOMPARE(ns.results[0].rounds[0].implementations["cuda"].state, State::Ok);
    }

    void anExternalThatIsNotNamedIsLeftOut()
    {
        FakeWorkers workers;
        const ProgramResult run = stagecraft_(small(workers, {"--operations", "gelu", "--dims", "gelu=8x16",
                                                              "--external", "rust=sh", "--implementations", "cuda"}));
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.contains("rust is left out: --implementations does not name it"), qPrintable(run.err));
    }

    void failuresEndWithOne()
    {
        FakeWorkers workers("--behaviour wrong-result --only cuda");
        const ProgramResult run =
            stagecraft_(small(workers, {"--operations", "gelu", "--implementations", "cuda", "--dims", "gelu=8x16"}));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("the result is wrong"), qPrintable(run.err));
        QVERIFY2(run.out.contains("failed"), qPrintable(run.out));
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("word");
        const auto row = [](const QStringList &arguments, const char *word) {
            QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString(word);
        };
        row({"--cache", "cool"}, "--cache: “cool” is not known; there are warm and cold; did you mean cold");
        row({"--arithmetic=tf32"}, "--arithmetic: “tf32” is not known; there are any and fp32");
        row({"--counters", "--no-capture"}, "--counters needs the device's profiler, which --no-capture leaves");
        row({"--counters", "--cache", "cold"}, "take them of a warm run, without --cache cold");
        row({"--rounds", "0"}, "rounds");
        row({"--iterations", "many"}, "iterations");
        row({"--runs", "0"}, "runs");
        row({"--stages", "matmul/none"}, "none");
        row({"--stages", "all", "--stages-dir", "/nowhere"},
            "--stages-dir: the stages folder “nowhere” does not exist");
        row({"--stages", "all", "--stages-dir", "/dev/null"}, "--stages-dir: “null” is a file, not a folder");
        row({"--stages", "all", "--stages-dir", ""}, "--stages-dir: it names no folder");
        row({"--operations", "matmull"}, "did you mean matmul");
        row({"--implementations", "cubals"}, "did you mean cublas");
        row({"--implementations", "cublas", "--operations", "gelu"}, "cublas computes none");
        row({"--implementations", "rust"}, "“rust” is not known; there are host, cuda");
        row({"--external", "rust=./bench", "--implementations", "rus"}, "did you mean rust");
        row({"--external", "rust"}, "“rust” is no NAME=PROGRAM");
        row({"--external", "Rust=./bench"}, "--external: “Rust” cannot be the name of an external program");
        row({"--external", "cuda=./bench"}, "--external: “cuda” cannot be the name");
        row({"--external", "rust="}, "--external: the external program rust names no program");
        row({"--external", "rust=a", "--external", "rust=b"}, "--external: two external programs are called rust");
        row({"--external", "rust=sh -c \"a b"}, "--external: a double quote in “rust=sh -c \"a b” is not closed");
        row({"--worker", "ssh \"gpu"}, "--worker: a double quote");
        row({"--reference", "hots"},
            "--reference: “hots” takes no part in this run; there are host; did you mean host");
        row({"--python", ""}, "--python names no interpreter");
        row({"--dims", "matmul=8x8"}, "--dims matmul");
        row({"--dims", "matmul=big"}, "OP=AxBxC");
        row({"--dims", "conv=8"}, "not among the chosen operations");
        row({"--seed", "-1"}, "--seed");
        row({"extra"}, "extra");
        row({"--nothing"}, "nothing");
    }

    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, word);
        FakeWorkers workers;
        const ProgramResult run = stagecraft_(
            QStringList{"run", "--output", workers.output()} + arguments +
            (arguments.contains("--implementations") ? QStringList() : QStringList{"--implementations", "host"}));
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains(word), qPrintable(run.err));
        QVERIFY(!QFile::exists(workers.output()));
        QCOMPARE(workers.pids().size(), 0);
    }

    void outputIsNeverOverwritten()
    {
        FakeWorkers workers;
        QCOMPARE(stagecraft_({"run"}).status, 2);
        QVERIFY(QDir().mkpath(workers.output()));
        QFile file(workers.output() + "/comparison-results.json");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
        file.close();
        const ProgramResult run = stagecraft_(small(workers, {}));
        QCOMPARE(run.status, 2);
        QVERIFY2(run.err.contains("holds evidence already (comparison-results.json)"), qPrintable(run.err));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{}"));
    }
};

QTEST_GUILESS_MAIN(tst_RunProgram)
#include "tst_runprogram.moc"
