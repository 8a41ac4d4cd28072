// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionsettings.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

class tst_SessionSettings : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_store = std::make_unique<QSettings>(m_directory.filePath("settings.ini"), QSettings::IniFormat); }
    void cleanup()
    {
        m_store->clear();
        m_store.reset();
    }

    void recentFilesAreNewestFirstWithoutRepetition()
    {
        SessionSettings settings(*m_store);
        for (int i = 0; i < 12; ++i)
            settings.addRecentFile(QString::number(i));
        settings.addRecentFile("5");
        QCOMPARE(settings.recentFiles().size(), 10);
        QCOMPARE(settings.recentFiles().mid(0, 2), QStringList({"5", "11"}));
        QCOMPARE(settings.recentFiles().count("5"), 1);
    }

    void theProtocolSurvivesWithAllBitsOfItsSeed()
    {
        run::RunPlan plan;
        plan.rounds = 3;
        plan.runs = 5;
        plan.capture = false;
        plan.cache = "cold";
        plan.arithmetic = "fp32";
        plan.counters = true;
        plan.seed = 0xfedcba9876543211ULL;
        SessionSettings(*m_store).setProtocol(plan);
        m_store->sync();
        QSettings again(m_store->fileName(), QSettings::IniFormat);
        const run::RunPlan restored = SessionSettings(again).protocol();
        QCOMPARE(restored.rounds, 3);
        QCOMPARE(restored.runs, 5);
        QCOMPARE(restored.capture, false);
        QCOMPARE(restored.cache, QStringLiteral("cold"));
        QCOMPARE(restored.arithmetic, QStringLiteral("fp32"));
        QVERIFY(restored.counters);
        QCOMPARE(restored.seed, plan.seed);
    }

    void theStagesFolderAndTheEditorAreRemembered()
    {
        SessionSettings settings(*m_store);
        QVERIFY(settings.stagesFolder().isEmpty());
        settings.setStagesFolder("/folder/of mine");
        settings.setEditorCommand("code --reuse-window");
        QCOMPARE(settings.stagesFolder(), QStringLiteral("/folder/of mine"));
        QCOMPARE(settings.editorCommand(), QStringLiteral("code --reuse-window"));
    }

    void programsThatMeasureAreRemembered()
    {
        run::WorkerSetup workers;
        workers.prefix = {"ssh", "gpu 01"};
        workers.python = "/venv/bin/python";
        workers.externals = {{"mine", "/a b/mine", {"--fast", "two words"}}, {"yours", "yours", {}}};
        SessionSettings(*m_store).setWorkers(workers);
        m_store->sync();
        QSettings again(m_store->fileName(), QSettings::IniFormat);
        QCOMPARE(SessionSettings(again).workers(), workers);
    }

    void programsThatCannotBeUsedAreKept()
    {
        m_store->setValue("workers",
                          R"({"prefix": "ssh", "python": 7, "externals": [3, {"name": "cuda", "program": "/a"},
            {"name": "mine"}, {"name": "good", "program": "/g", "arguments": ["x", 4]}, {"name": "good", "program": "/h"}]})");
        const run::WorkerSetup workers = SessionSettings(*m_store).workers();
        QVERIFY(workers.prefix.isEmpty());
        QVERIFY(workers.python.isEmpty());
        QCOMPARE(workers.externals,
                 (QList<run::ExternalProgram>{
                     {"cuda", "/a", {}}, {"mine", {}, {}}, {"good", "/g", {"x"}}, {"good", "/h", {}}}));
    }

    void damagedValuesAreTheDefaults()
    {
        m_store->setValue("protocol", "{\"rounds\": -4, \"iterations\": \"many\"");
        m_store->setValue("theme", "pink");
        const SessionSettings settings(*m_store);
        QCOMPARE(settings.protocol().rounds, run::RunPlan().rounds);
        QCOMPARE(settings.protocol().iterations, run::RunPlan().iterations);
        QCOMPARE(settings.theme(), ThemeChoice::Dark);
    }

    void themesAreRemembered()
    {
        SessionSettings settings(*m_store);
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::System, ThemeChoice::Dark}) {
            settings.setTheme(choice);
            QCOMPARE(settings.theme(), choice);
        }
    }

private:
    QTemporaryDir m_directory;
    std::unique_ptr<QSettings> m_store;
};

QTEST_GUILESS_MAIN(tst_SessionSettings)
#include "tst_sessionsettings.moc"
