// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "programfixture.h"

// `stagecraft check` as a process: what damage it names, and with which exit status it ends.
using fixtures::json;
using fixtures::Outcome;
using fixtures::runStagecraft;

class TestCheckProgram : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results(3, 100);
        m_profiles = fixtures::profiles();
    }

    void soundEvidence()
    {
        store();
        const Outcome outcome = check();
        QCOMPARE(outcome.out, QStringLiteral("case: sound; 1 operation, 2 implementations\n"));
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.err.isEmpty(), qPrintable(outcome.err));
    }

    void bundledEvidenceByName()
    {
        const Outcome outcome = runStagecraft({"check", "mage-001", "mage-002", "mage-003"});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.out + outcome.err));
        QCOMPARE(outcome.out.count("sound; 5 operations, 3 implementations"), 3);
    }

    void aMissingSample()
    {
        m_results["results"][0]["rounds"][2]["implementations"]["cuda"]["samples_us"].erase(0);
        store();
        expectContradiction("case/comparison-results.json: /results/0/rounds/2/implementations/cuda/samples_us: ",
                            "299 of 300");
    }

    void aNaN()
    {
        QByteArray text = QByteArray::fromStdString(m_results.dump());
        const qsizetype at = text.lastIndexOf("22.125");
        QVERIFY(at > 0);
        fixtures::write(path("comparison-results.json"), text.replace(at, 6, "NaN"));
        fixtures::write(path("comparison-profiles.json"), m_profiles);
        expectContradiction("case/comparison-results.json: /results/0/rounds/2/implementations/cuda/samples_us/",
                            "NaN");
    }

    void aNegativeDuration()
    {
        m_profiles["captures"][0]["kernel_metrics"][4]["duration_us"] = -1.5;
        store();
        expectContradiction("case/comparison-profiles.json: /captures/0/kernel_metrics/4/duration_us: ", "negative");
    }

    void recordsThatDoNotMatchLaunches()
    {
        m_profiles["captures"][2]["kernel_metrics"].erase(9);
        store();
        expectContradiction("case/comparison-profiles.json: /captures/2/launches: ", "9 kernel records");
    }

    void aTruncatedFile()
    {
        const QByteArray text = QByteArray::fromStdString(m_results.dump());
        fixtures::write(path("comparison-results.json"), text.left(text.size() * 2 / 3));
        expectContradiction("case/comparison-results.json: /", "");
    }

    void aFileOfAnotherFormat()
    {
        m_results["format"] = 7;
        store();
        expectContradiction("case/comparison-results.json: /format: ", "7");
        fixtures::write(path("comparison-results.json"), QByteArray("\x7f"
                                                                    "ELF is no JSON"));
        expectContradiction("case/comparison-results.json: ", "");
    }

    void anEmptyDirectory()
    {
        QVERIFY(QDir().mkpath(path("")));
        expectContradiction("case: ", "empty");
    }

    void aNamespaceThatIsNotThere() { expectContradiction("case: ", "no such file or directory"); }

    void aFailedCheckBesideStateOk()
    {
        m_results["results"][0]["rounds"][0]["implementations"]["cuda"]["correctness"]["passed"] = false;
        store();
        expectContradiction("case/comparison-results.json: "
                            "/results/0/rounds/0/implementations/cuda/correctness/passed: ",
                            "");
    }

    void aRecordedStateIsListedAndNoContradiction()
    {
        json &cuda = m_results["results"][0]["rounds"][0]["implementations"]["cuda"];
        cuda["correctness"]["passed"] = false;
        cuda["state"] = "failed";
        cuda["reason"] = "3 elements outside the tolerance";
        cuda["samples_us"] = json::array();
        store();
        const Outcome outcome = check();
        QVERIFY2(outcome.status == 0, qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains("/results/0/rounds/0/implementations/cuda/state: recorded: "),
                 qPrintable(outcome.out));
        QVERIFY(outcome.out.contains("3 elements outside the tolerance"));
        QVERIFY2(outcome.out.contains("case: sound, 1 recorded state;"), qPrintable(outcome.out));
    }

    void recordedStatesWithOneReasonShareALine()
    {
        for (int round = 0; round < 3; ++round) {
            json &cuda = m_results["results"][0]["rounds"][round]["implementations"]["cuda"];
            cuda["state"] = "unavailable";
            cuda["reason"] = "no driver";
            cuda["samples_us"] = json::array();
        }
        store();
        const Outcome outcome = check();
        QVERIFY2(outcome.status == 0, qPrintable(outcome.out));
        QCOMPARE(outcome.out.count("no driver"), 1);
        QVERIFY2(outcome.out.contains("(and 2 more like it)"), qPrintable(outcome.out));
        QVERIFY(outcome.out.contains("case: sound, 3 recorded states;"));
    }

    void evidenceCannotCommandTheTerminal()
    {
        json &cuda = m_results["results"][0]["rounds"][0]["implementations"]["cuda"];
        cuda["state"] = "failed";
        cuda["reason"] = "red \x1b[31m alert";
        cuda["samples_us"] = json::array();
        store();
        const Outcome outcome = check();
        QVERIFY2(outcome.out.contains("alert"), qPrintable(outcome.out));
        QVERIFY(!outcome.out.contains(QChar(0x1b)));
    }

    void oneBadNamespaceDecides()
    {
        m_results["format"] = 7;
        store();
        const Outcome outcome = runStagecraft({"check", "mage-001", path("")});
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.out.contains("mage-001: sound"));
        QVERIFY(outcome.out.contains("case: 1 contradiction"));
    }

    void wrongUsage()
    {
        const Outcome nothing = runStagecraft({"check"});
        QCOMPARE(nothing.status, 2);
        QVERIFY(nothing.err.contains("name at least one NAMESPACE"));
        QVERIFY(nothing.out.isEmpty());
        const Outcome option = runStagecraft({"check", "--strict", "mage-001"});
        QCOMPARE(option.status, 2);
        QVERIFY(option.err.contains("there is no option --strict"));
    }

private:
    QString path(const char *file) const { return m_folder->filePath("case/" + QString::fromUtf8(file)); }

    void store()
    {
        fixtures::write(path("comparison-results.json"), m_results);
        fixtures::write(path("comparison-profiles.json"), m_profiles);
    }

    Outcome check() const { return runStagecraft({"check", m_folder->filePath("case")}); }

    // Exit status 1, and on standard output a line that starts with place and pointer and names the cause.
    void expectContradiction(const QString &start, const QString &cause)
    {
        const Outcome outcome = check();
        QVERIFY2(outcome.status == 1, qPrintable(outcome.out + outcome.err));
        bool found = false;
        for (const QString &line : outcome.out.split('\n'))
            found = found || (line.startsWith(start) && line.contains(cause));
        QVERIFY2(found, qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains("case: 1 contradiction"), qPrintable(outcome.out));
        QVERIFY(!outcome.out.contains(m_folder->path()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results, m_profiles;
};

QTEST_GUILESS_MAIN(TestCheckProgram)
#include "tst_checkprogram.moc"
