// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeworkers.h"
#include "programruns.h"

#include <nlohmann/json.hpp>
#include <QDirIterator>
#include <QScopeGuard>
#include <QTest>

using nlohmann::json;

namespace {

// What somebody who knows mage's files and nothing else finds wrong.
ProgramResult magesOwn(const QString &directory, const QStringList &languages)
{
    return runProgram("python3",
                      QStringList{STAGECRAFT_SOURCE_DIR "/tests/app/run/magecheck.py", directory} + languages);
}

json parsed(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

void write(const QString &path, const json &document)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(document.dump())) < 0)
        qFatal("cannot write %s", qPrintable(path));
}

const QString resultsName = "comparison-results.json", profilesName = "comparison-profiles.json";
const QStringList three = {"python", "triton", "rust"};

} // namespace

// A run of three implementations and five operations, written as mage's files: all that mage's own scripts check.
class tst_MageForm : public QObject
{
    Q_OBJECT

    FakeWorkers m_workers;
    QString m_form;

private slots:
    void initTestCase()
    {
        m_workers.writePython(FakeWorkers::fakeCommand("python", "--implementation pytorch --implementation triton"));
        m_workers.write("nvidia-smi", "echo 'name, clocks.current.sm [MHz]'; echo 'Fake GPU, 1980 MHz'");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", m_workers.path().toUtf8() + ":" + path);
        const auto restored = qScopeGuard([&] { qputenv("PATH", path); });
        const ProgramResult run =
            stagecraft_({"run", "--output", m_workers.output(), "--implementations", "pytorch,triton,cuda", "--rounds",
                         "3", "--iterations", "20", "--warmup", "2", "--capture-iterations", "10", "--dims",
                         "matmul=8x6x4,gelu=8x16,layernorm=8x16,triangle=5x3,neighbor=9x4x20"});
        QVERIFY2(run.status == 0, qPrintable(run.all()));
        const QString out = m_workers.path() + "/mage";
        const ProgramResult exported = stagecraft_(
            {"export", m_workers.output(), "--format", "mage", "--map", "cuda=rust,pytorch=python", "--output", out});
        QVERIFY2(exported.status == 0, qPrintable(exported.all()));
        m_form = out + "/evidence";
    }

    void itSatisfiesEveryCheck()
    {
        const ProgramResult check = magesOwn(m_form, three);
        QVERIFY2(check.status == 0, qPrintable(check.all()));
        const json captures = parsed(m_form + "/" + profilesName)["captures"];
        QCOMPARE(captures.size(), std::size_t(15));
        for (const json &capture : captures) {
            // The fake implementation number i launches i + 1 kernels an iteration.
            const int kernels = capture["language"] == "triton" ? 2 : 1;
            QCOMPARE(capture["requested_iterations"].get<int>(), 30);
            QCOMPARE(capture["launches"].get<int>(), 30 * kernels);
        }
    }

    void stagecraftReadsItToo()
    {
        const ProgramResult check = stagecraft_({"check", m_form});
        QVERIFY2(check.status == 0, qPrintable(check.all()));
    }

    // The check finds what is wrong, so that its silence says something.
    void damageIsFound_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<std::function<void(json &)>>("damage");
        QTest::addColumn<QString>("word");
        const auto results = [](const char *name, std::function<void(json &)> damage, const char *word) {
            QTest::newRow(name) << resultsName << damage << word;
        };
        const auto profiles = [](const char *name, std::function<void(json &)> damage, const char *word) {
            QTest::newRow(name) << profilesName << damage << word;
        };
        const auto rust = [](json &file) -> json & {
            return file["results"][2]["rounds"][1]["implementations"]["rust"];
        };
        results(
            "a key of ours", [](json &file) { file["format"] = 1; }, "format");
        results(
            "a state", [=](json &file) { rust(file)["state"] = "ok"; }, "state");
        results(
            "a sample less", [=](json &file) { rust(file)["samples_us"].erase(0); }, "19 samples of 20");
        results(
            "a wrong result", [=](json &file) { rust(file)["correctness"]["passed"] = false; }, "did not pass");
        results(
            "an unknown name",
            [=](json &file) {
                json &all = file["results"][0]["rounds"][0]["implementations"];
                all["cuda"] = all["rust"];
                all.erase("rust");
            },
            "who took part");
        results(
            "no hash", [](json &file) { file["source_sha256"].clear(); }, "source_sha256");
        results(
            "no GPU state", [](json &file) { file["results"][0]["rounds"][2]["gpu_state"] = ""; }, "gpu_state");
        profiles(
            "a capture less", [](json &file) { file["captures"].erase(4); }, "14 captures");
        profiles(
            "one round only", [](json &file) { file["captures"][0]["requested_iterations"] = 10; }, "iterations");
        profiles(
            "a record less", [](json &file) { file["captures"][7]["kernel_metrics"].erase(3); }, "records of");
        profiles(
            "an iteration", [](json &file) { file["captures"][0]["kernel_metrics"][0]["iteration"] = 0; }, "iteration");
    }

    void damageIsFound()
    {
        QFETCH(QString, file);
        QFETCH(std::function<void(json &)>, damage);
        QFETCH(QString, word);
        QTemporaryDir copy;
        for (const QString &name : {resultsName, profilesName}) {
            json document = parsed(m_form + "/" + name);
            if (name == file)
                damage(document);
            write(copy.filePath(name), document);
        }
        const ProgramResult check = magesOwn(copy.path(), three);
        QCOMPARE(check.status, 1);
        QVERIFY2(check.all().contains(word), qPrintable(check.all()));
    }

    // Five operations on a GPU, of which one implementation computes all.
    void aBundledRunSatisfiesItAsFarAsItGoes()
    {
        QTemporaryDir out;
        const ProgramResult exported = stagecraft_({"export", "h200-001", "--format", "mage", "--implementation",
                                                    "cuda", "--map", "cuda=rust", "--output", out.path()});
        QVERIFY2(exported.status == 0, qPrintable(exported.all()));
        const ProgramResult check = magesOwn(out.filePath("h200-001"), {"rust"});
        QVERIFY2(check.status == 0, qPrintable(check.all()));
    }
};

QTEST_GUILESS_MAIN(tst_MageForm)
#include "tst_mageform.moc"
