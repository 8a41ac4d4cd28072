// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "fakeworkers.h"
#include "windowfixture.h"

#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

// What Google Benchmark writes for one benchmark of this time.
QByteArray benchmarks(const QString &name, double us)
{
    return QStringLiteral(R"({"context":{"date":"2026-03-01T10:11:12+02:00","host_name":"lovelace",
        "executable":"/home/ada/build/bench","num_cpus":16,"library_version":"v1.8.3"},
        "benchmarks":[{"name":"%1","run_name":"%1","run_type":"iteration","repetitions":1,"repetition_index":0,
        "threads":1,"iterations":1000,"real_time":%2,"cpu_time":%2,"time_unit":"us"}]})")
        .arg(name)
        .arg(us)
        .toUtf8();
}

void writeFile(const QString &path, const QByteArray &text)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

void dropOn(MainWindow &window, const QStringList &paths)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString &path : paths)
        urls.append(QUrl::fromLocalFile(path));
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
}

bool waitForLoading(const WindowFixture &fixture)
{
    return QTest::qWaitFor([&] { return fixture.ready(); }, 60'000);
}

QStringList recentTexts(MainWindow &window)
{
    emit window.actions()->recentMenu->aboutToShow();
    QStringList texts;
    for (const QAction *action : window.actions()->recentMenu->actions())
        texts.append(action->text());
    return texts;
}

} // namespace

class tst_WindowImport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources"); }

    void aDroppedForeignFileIsImportedUnsavedAndCanBeKept()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        QVERIFY(!window.actions()->saveRun->isEnabled());
        writeFile(fixture.path("mine.json"), benchmarks("BM_Copy", 12.5));
        dropOn(window, {fixture.path("mine.json")});
        QVERIFY(waitForLoading(fixture));
        QVERIFY2(!window.messages()->isVisible() || window.messages()->title().isEmpty(),
                 qPrintable(window.messages()->title() + window.messages()->text()));
        const int row = window.evidence()->rowOf(QFileInfo(fixture.path("mine.json")).canonicalFilePath());
        QVERIFY(row >= 0);
        const EvidenceListModel::Entry entry = window.evidence()->at(row);
        QCOMPARE(entry.origin, EvidenceListModel::Origin::Imported);
        QVERIFY(entry.shown);
        QCOMPARE(entry.title(), QStringLiteral("mine"));
        QVERIFY(window.evidence()->index(row).data(EvidenceListModel::UnsavedRole).toBool());
        QCOMPARE(window.actions()->undo->text(), QStringLiteral("&Undo import mine"));
        window.evidenceDock()->selectRow(row);
        QVERIFY(window.actions()->saveRun->isEnabled());
        QSignalSpy saved(window.evidenceDesk(), &EvidenceDesk::saved);
        window.evidenceDesk()->saveRun(entry.evidence, fixture.path("kept"));
        QVERIFY(saved.wait(30'000));
        QCOMPARE(saved.last().first().toString(), QString());
        QVERIFY(!window.evidence()->index(row).data(EvidenceListModel::UnsavedRole).toBool());
        QVERIFY(!evidence::readNamespace(fixture.path("kept")).results.isEmpty());
        window.actions()->undo->trigger();
        QCOMPARE(window.evidence()->rowOf(entry.path), -1);
    }

    void mixedThingsGoEachItsWay()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        const int before = window.evidence()->rowCount();
        writeFile(fixture.path("ns/summary.json"),
                  R"({"gpu":"NVIDIA H200","rounds":3,"samples":300,"rows":[{"op":"matmul","label":"matmul",
                     "dims":[1024,1024,1024],"measurements":{"cuda":{"event":31.5,"event_min":31.0,"event_max":32.0,
                     "kernel":30.5,"launches":1}}}]})");
        writeFile(fixture.path("v1.json"), benchmarks("BM_Copy", 20));
        writeFile(fixture.path("v2.json"), benchmarks("BM_Copy", 10));
        writeFile(fixture.path("notes.txt"), "no measurements\n");
        dropOn(window,
               {fixture.path("ns"), fixture.path("v2.json"), fixture.path("v1.json"), fixture.path("notes.txt")});
        QVERIFY(waitForLoading(fixture));
        // The two of one kind are one namespace: a series becomes a progression.
        QCOMPARE(window.evidence()->rowCount(), before + 2);
        const auto shown = window.evidence()->shown();
        const auto imported =
            std::ranges::find(shown, EvidenceListModel::Origin::Imported, &EvidenceListModel::Entry::origin);
        QVERIFY(imported != shown.end());
        QVERIFY(imported->evidence->progression.has_value());
        QCOMPARE(imported->evidence->progression->operations.first().stages.size(), 2);
        QVERIFY(window.messages()->isVisible());
        QVERIFY2(window.messages()->title().contains("notes.txt"), qPrintable(window.messages()->title()));
        QVERIFY2(window.messages()->text().contains("Google Benchmark"), qPrintable(window.messages()->text()));
        QCOMPARE(window.actions()->undo->text(), QStringLiteral("&Undo open 2 namespaces"));
        window.actions()->undo->trigger();
        QCOMPARE(window.evidence()->rowCount(), before);
    }

    void recentFilesOpenAgainAndMissingOnesAreOfferedForRemoval()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        writeFile(fixture.path("v1.json"), benchmarks("BM_Copy", 20));
        writeFile(fixture.path("v2.json"), benchmarks("BM_Copy", 10));
        writeFile(fixture.path("alone.json"), benchmarks("BM_Copy", 5));
        dropOn(window, {fixture.path("v1.json"), fixture.path("v2.json")});
        QVERIFY(waitForLoading(fixture));
        dropOn(window, {fixture.path("alone.json")});
        QVERIFY(waitForLoading(fixture));
        const QStringList texts = recentTexts(window);
        QCOMPARE(texts.mid(0, 2), (QStringList{"alone.json", "v1.json and 1 more"}));
        window.actions()->undo->trigger();
        window.actions()->undo->trigger();
        const int before = window.evidence()->rowCount();
        window.actions()->recentMenu->actions().at(1)->trigger();
        QVERIFY(waitForLoading(fixture));
        QCOMPARE(window.evidence()->rowCount(), before + 1);
        QVERIFY(QFile::remove(fixture.path("alone.json")));
        window.actions()->recentMenu->actions().first()->trigger();
        QVERIFY(waitForLoading(fixture));
        QVERIFY(window.messages()->isVisible());
        QVERIFY2(window.messages()->title().contains("alone.json is not there"),
                 qPrintable(window.messages()->title()));
        const auto buttons = window.messages()->findChildren<QPushButton *>();
        const auto remove = std::ranges::find_if(buttons, [](const QPushButton *button) {
            return button->isVisible() && button->text().contains("Remove");
        });
        QVERIFY(remove != buttons.end());
        (*remove)->click();
        QCOMPARE(recentTexts(window).first(), QStringLiteral("v1.json and 1 more"));
    }

    void aDamagedForeignFileSaysWhatIsWrong()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        MainWindow &window = fixture.window;
        QVERIFY(fixture.begin());
        QByteArray text = benchmarks("BM_Copy", 20);
        text.truncate(text.indexOf("\"benchmarks\""));
        writeFile(fixture.path("cut.json"), text + "\"benchmarks\":[");
        const int before = window.evidence()->rowCount();
        dropOn(window, {fixture.path("cut.json")});
        QVERIFY(waitForLoading(fixture));
        QCOMPARE(window.evidence()->rowCount(), before);
        QVERIFY(window.messages()->isVisible());
        QVERIFY2(window.messages()->title().contains("cut"), qPrintable(window.messages()->title()));
        QVERIFY(!window.messages()->text().isEmpty());
    }
};

QTEST_MAIN(tst_WindowImport)
#include "tst_windowimport.moc"
