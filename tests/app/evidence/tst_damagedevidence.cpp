// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"
#include "statistics.h"

// What is wrong with a namespace is named by file, JSON pointer and cause; what is sound is still read.
using namespace stagecraft::evidence;
using nlohmann::json;

namespace {

const QString resultsName = QStringLiteral("comparison-results.json");
const QString profilesName = QStringLiteral("comparison-profiles.json");

} // namespace

class TestDamagedEvidence : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results();
        m_profiles = fixtures::profiles();
    }

    void aSoundNamespaceHasNoProblem()
    {
        const Namespace evidence = read();
        QVERIFY2(evidence.problems.isEmpty(), qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.missing, QStringList({"summary.json", "progression.json", "floors.json"}));
        QCOMPARE(evidence.results.value(0).rounds.size(), 3);
        QCOMPARE(evidence.captures.size(), 6);
    }

    void aSampleIsMissing()
    {
        samples(1, "cublas").erase(100);
        expect(resultsName, "/results/0/rounds/1/implementations/cublas/samples_us",
               "100 samples where 101 iterations are declared (302 of 303 in all rounds)");
        QCOMPARE(m_read.results[0].rounds[1].implementations["cublas"].samplesUs.size(), 100);
    }

    void threeHundredSamplesAreDeclared()
    {
        m_results = fixtures::results(3, 100);
        samples(2, "cuda").erase(0);
        expect(resultsName, "/results/0/rounds/2/implementations/cuda/samples_us", "299 of 300");
    }

    void aNaNStopsReadingAtItsPlace()
    {
        samples(1, "cuda")[51] = 99.25;
        QByteArray text = QByteArray::fromStdString(m_results.dump());
        QCOMPARE(text.count("99.25"), 1);
        text.replace("99.25", "NaN");
        fixtures::write(path(resultsName), text);
        m_read = readNamespace(m_folder->path());
        QCOMPARE(fixtures::contradictions(m_read).size(), 1); // what is lost behind the place is no fault of its own
        const Problem problem = fixtures::contradictions(m_read).value(0);
        QCOMPARE(problem.file, resultsName);
        QVERIFY2(problem.pointer == "/results/0/rounds/1/implementations/cuda/samples_us/51",
                 qPrintable(problem.pointer));
        QVERIFY2(problem.cause.contains("NaN"), qPrintable(problem.cause));
        // Rounds before the place are whole; the measurement that was cut is no result.
        QVERIFY(!m_read.results.isEmpty());
        QCOMPARE(m_read.results[0].rounds.size(), 2);
        const Round &cut = m_read.results[0].rounds[1];
        QCOMPARE(cut.implementations["cuda"].state, State::Invalid);
        QCOMPARE(cut.implementations["cuda"].samplesUs.size(), 51);
        QCOMPARE(cut.implementations["cublas"].samplesUs.size(), 101);
    }

    void aNegativeSample()
    {
        samples(0, "cuda")[7] = -3.0;
        expect(resultsName, "/results/0/rounds/0/implementations/cuda/samples_us/7", "not negative");
        QCOMPARE(m_read.results[0].rounds[0].implementations["cuda"].samplesUs.size(), 100);
    }

    void aNegativeDuration()
    {
        m_profiles["captures"][0]["kernel_metrics"][4]["duration_us"] = -1.5;
        expect(profilesName, "/captures/0/kernel_metrics/4/duration_us", "not negative");
        QCOMPARE(m_read.captures[0].invalidRecords, 1);
        QCOMPARE(m_read.captures[0].records.size(), 9);
    }

    void aRecordWithoutATimeIsCountedAndLeftOut()
    {
        m_profiles["captures"][0]["kernel_metrics"][4]["duration_us"] = 0;
        const Namespace evidence = read();
        QVERIFY(!evidence.hasContradiction());
        QCOMPARE(evidence.problems.size(), 1);
        QCOMPARE(evidence.problems[0].pointer, QStringLiteral("/captures/0/kernel_metrics/4/duration_us"));
        QCOMPARE(evidence.captures[0].invalidRecords, 1);
        for (const ValueRow &row : valueRows(evidence)) {
            if (row.implementation == QLatin1String("cuda"))
                QCOMPARE(row.kernel.estimate->roundMeans.value(0), 12.0); // nine records, nine iterations
        }
    }

    void recordsDoNotMatchLaunches()
    {
        m_profiles["captures"][2]["kernel_metrics"].erase(9);
        expect(profilesName, "/captures/2/launches", "10 launches are recorded, 9 kernel records are there");
    }

    void launchesAreNoWholeNumberPerIteration()
    {
        json &capture = m_profiles["captures"][1];
        capture["launches"] = 19;
        capture["kernel_metrics"].erase(19);
        expect(profilesName, "/captures/1/launches", "19 launches over 10 iterations");
    }

    void kernelNamesDoNotMatchRecords()
    {
        m_profiles["captures"][1]["kernel_names"] = {"kernel0", "other"};
        const Namespace evidence = read();
        QCOMPARE(fixtures::contradictions(evidence).size(), 2);
        QCOMPARE(evidence.problems[0].pointer, QStringLiteral("/captures/1/kernel_names"));
        QVERIFY(evidence.problems[0].cause.contains("kernel1"));
        QVERIFY(evidence.problems[1].cause.contains("other"));
    }

    void aFailedCheckBesideStateOk()
    {
        implementation(0, "cuda")["correctness"]["passed"] = false;
        expect(resultsName, "/results/0/rounds/0/implementations/cuda/correctness/passed", "did not pass");
        QCOMPARE(m_read.results[0].rounds[0].implementations["cuda"].state, State::Failed);
    }

    void aFailedCheckBesideStateThrottled()
    {
        json &cuda = implementation(0, "cuda");
        cuda["correctness"]["passed"] = false;
        cuda["state"] = "throttled";
        cuda["reason"] = "power cap";
        expect(resultsName, "/results/0/rounds/0/implementations/cuda/correctness/passed", "the state is throttled");
        QCOMPARE(m_read.results[0].rounds[0].implementations["cuda"].state, State::Failed);
    }

    void aRecordedFailureIsListedAndNoContradiction()
    {
        json &cuda = implementation(0, "cuda");
        cuda["correctness"]["passed"] = false;
        cuda["state"] = "failed";
        cuda["reason"] = "3 elements outside the tolerance";
        cuda["samples_us"] = json::array();
        const Namespace evidence = read();
        QVERIFY(!evidence.hasContradiction());
        QCOMPARE(evidence.problems.size(), 1);
        QCOMPARE(evidence.problems[0].pointer, QStringLiteral("/results/0/rounds/0/implementations/cuda/state"));
        QVERIFY(evidence.problems[0].cause.contains("3 elements outside the tolerance"));
    }

    void aStateWithoutAReason()
    {
        implementation(0, "cuda")["state"] = "failed";
        expect(resultsName, "/results/0/rounds/0/implementations/cuda/reason", "reason is expected");
    }

    void anUnknownState()
    {
        implementation(0, "cuda")["state"] = "splendid";
        expect(resultsName, "/results/0/rounds/0/implementations/cuda/state", "splendid is no state");
    }

    void aRecordedMeanDisagreesWithTheSamples()
    {
        implementation(0, "cuda")["event_mean_us"] = 20.0;
        implementation(0, "cuda")["event_median_us"] = 20.25;
        expect(resultsName, "/results/0/rounds/0/implementations/cuda/event_median_us", "the samples give 20.");
    }

    void aRoundIsMissing()
    {
        m_results["results"][0]["rounds"].erase(2);
        expect(resultsName, "/results/0/rounds", "The file declares 3 rounds, the list has 2");
    }

    void iterationsDisagreeWithTheDeclaration()
    {
        m_results["iterations_per_round"] = 50;
        const Namespace evidence = read();
        QCOMPARE(fixtures::contradictions(evidence).size(), 6);
        QCOMPARE(evidence.problems[0].pointer, QStringLiteral("/results/0/rounds/0/implementations/cublas/iterations"));
    }

    void aWrongType_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::newRow("text for a sample") << "/results/0/rounds/0/implementations/cuda/samples_us/3"
                                           << "\"12\"";
        QTest::newRow("null for a sample") << "/results/0/rounds/0/implementations/cuda/samples_us/3"
                                           << "null";
        QTest::newRow("number for text") << "/results/0/op"
                                         << "5";
        QTest::newRow("object for a list") << "/results/0/rounds"
                                           << "{}";
        QTest::newRow("list for an object") << "/results/0/rounds/1/implementations"
                                            << "[]";
        QTest::newRow("a fraction of a dim") << "/results/0/dims/1"
                                             << "2.5";
        QTest::newRow("a negative dim") << "/results/0/dims/1"
                                        << "-2";
        QTest::newRow("more rounds than an int holds") << "/rounds"
                                                       << "99999999999";
        QTest::newRow("text for true") << "/results/0/rounds/0/implementations/cuda/correctness/passed"
                                       << "\"yes\"";
    }
    void aWrongType()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        m_results[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
        const Namespace evidence = read();
        QVERIFY(evidence.hasContradiction());
        QVERIFY2(std::any_of(evidence.problems.begin(), evidence.problems.end(),
                             [&](const Problem &problem) { return problem.fatal && problem.pointer == pointer; }),
                 qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.captures.size(), 6); // the other file is untouched
    }

    void aTruncatedFile()
    {
        fixtures::write(path(resultsName), m_results);
        QByteArray text = QByteArray::fromStdString(m_profiles.dump());
        const qsizetype cut =
            text.indexOf("13.0", text.indexOf("13.0") + 1) + 2; // inside a number of the third capture
        fixtures::write(path(profilesName), text.left(cut));
        m_read = readNamespace(m_folder->path());
        const Problem problem = fixtures::contradictions(m_read).value(0);
        QCOMPARE(problem.file, profilesName);
        QCOMPARE(problem.pointer, QStringLiteral("/captures/2/kernel_metrics/1/duration_us"));
        QVERIFY2(problem.cause.contains("end of input"), qPrintable(problem.cause));
        QCOMPARE(m_read.captures.size(), 3);
        QCOMPARE(m_read.captures[0].records.size(), 10);
        QCOMPARE(m_read.captures[2].state, State::Invalid);
        QCOMPARE(m_read.results[0].rounds.size(), 3);
    }

    void anotherFormat_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("cause");
        QTest::newRow("no JSON") << QByteArray("\x89PNG\r\n\x1a\n") << ""
                                 << "not JSON";
        QTest::newRow("prose") << QByteArray("Dear reader,") << ""
                               << "not JSON";
        QTest::newRow("empty") << QByteArray() << ""
                               << "empty";
        QTest::newRow("other JSON") << QByteArray("{\"name\": \"left-pad\"}") << "/results"
                                    << "no comparison-results file";
        QTest::newRow("a list") << QByteArray("[1, 2]") << ""
                                << "An object is expected";
        QTest::newRow("newer") << QByteArray("{\"format\": 2, \"results\": []}") << "/format"
                               << "format 2; this program reads format 1";
        QTest::newRow("no number") << QByteArray("{\"format\": \"1\", \"results\": []}") << "/format"
                                   << "format 1";
    }
    void anotherFormat()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, pointer);
        QFETCH(QString, cause);
        fixtures::write(path(resultsName), text);
        m_read = readNamespace(m_folder->path());
        verifyProblem(resultsName, pointer, cause);
    }

    void aFileThatIsNoSummary()
    {
        fixtures::write(path("package.json"), QByteArray("{\"name\": \"left-pad\"}"));
        m_read = readNamespace(path("package.json"));
        verifyProblem("package.json", "/rows", "no summary");
    }

    void anEmptyDirectory()
    {
        m_read = readNamespace(m_folder->path());
        verifyProblem(QFileInfo(m_folder->path()).fileName(), "", "The directory is empty");
        QCOMPARE(m_read.missing.size(), 5);
    }

    void aDirectoryWithoutEvidence()
    {
        fixtures::write(path("notes.txt"), QByteArray("x"));
        m_read = readNamespace(m_folder->path());
        verifyProblem(QFileInfo(m_folder->path()).fileName(), "", "no namespace");
    }

    void nothingThere()
    {
        m_read = readNamespace(path("absent"));
        verifyProblem("absent", "", "no such file or directory");
    }

    void aFileOfANamespaceMeansTheNamespace()
    {
        read();
        const Namespace evidence = readNamespace(path(resultsName));
        QCOMPARE(evidence.name, QFileInfo(m_folder->path()).fileName());
        QCOMPARE(evidence.captures.size(), 6);
    }

    void theTwoFilesAreOfDifferentExperiments()
    {
        m_profiles["experiment_id"] = "another";
        expect(profilesName, "/experiment_id", "another");
    }

    void noProblemNamesAnAbsolutePath()
    {
        for (const QString &file : {QStringLiteral("absent"), QStringLiteral("."), QStringLiteral("x.json")}) {
            if (file.endsWith(".json"))
                fixtures::write(path(file), QByteArray("["));
            for (const Problem &problem : readNamespace(path(file)).problems)
                QVERIFY2(!(problem.file + problem.cause).contains(m_folder->path()), qPrintable(problem.cause));
        }
    }

    void problemsAreBounded()
    {
        json &list = samples(0, "cuda");
        list = json(std::vector<double>(5000, -1.0));
        const Namespace evidence = read();
        QCOMPARE(evidence.problems.size(), 201);
        QVERIFY(evidence.problems.last().cause.contains("not listed"));
        QVERIFY(evidence.problems.last().fatal);
    }

    void textOfTheFileCannotSteerATerminal()
    {
        implementation(0, "cuda")["state"] = "failed";
        implementation(0, "cuda")["reason"] = std::string("\x1b[2J") + std::string(5000, 'x');
        const QString cause = read().problems.value(0).cause;
        QVERIFY(cause.contains("[2J") && !cause.contains(QChar(0x1b)));
        QVERIFY(cause.size() <= 1001);
    }

private:
    QString path(const QString &name) const { return m_folder->filePath(name); }

    json &implementation(int round, const char *id)
    {
        return m_results["results"][0]["rounds"][round]["implementations"][id];
    }
    json &samples(int round, const char *id) { return implementation(round, id)["samples_us"]; }

    Namespace read()
    {
        fixtures::write(path(resultsName), m_results);
        fixtures::write(path(profilesName), m_profiles);
        return readNamespace(m_folder->path());
    }

    void expect(const QString &file, const QString &pointer, const QString &cause)
    {
        m_read = read();
        verifyProblem(file, pointer, cause);
    }

    void verifyProblem(const QString &file, const QString &pointer, const QString &cause)
    {
        const QList<Problem> problems = fixtures::contradictions(m_read);
        QVERIFY2(problems.size() == 1, qPrintable(fixtures::described(problems)));
        QCOMPARE(problems[0].file, file);
        QCOMPARE(problems[0].pointer, pointer);
        QVERIFY2(problems[0].cause.contains(cause), qPrintable(problems[0].cause));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results, m_profiles;
    Namespace m_read;
};

QTEST_GUILESS_MAIN(TestDamagedEvidence)
#include "tst_damagedevidence.moc"
