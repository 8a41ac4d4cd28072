// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidenceopening.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <new>
#include <stdexcept>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

constexpr int waitMs = 60'000;

void writeSummary(const QString &path)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write(R"({"gpu":"NVIDIA H200","rounds":3,"samples":300,"rows":[{"op":"matmul","label":"matmul",
        "dims":[1024,1024,1024],"measurements":{"cuda":{"event":31.5,"event_min":31.0,"event_max":32.0,
        "kernel":30.5,"launches":1}}}]})") > 0);
}

QStringList titles(const EvidenceListModel &model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names.append(model.at(row).title());
    return names;
}

struct Fixture
{
    Fixture() : opening(model, stack)
    {
        QObject::connect(&opening, &EvidenceOpening::finished, [this](const OpeningReport &last) { report = last; });
    }

    bool open(const QStringList &paths)
    {
        const QSignalSpy finished(&opening, &EvidenceOpening::finished);
        opening.open(paths);
        return QTest::qWaitFor([&] { return !finished.isEmpty(); }, waitMs);
    }
    QString path(const QString &name) const { return directory.filePath(name); }

    QTemporaryDir directory;
    EvidenceListModel model;
    QUndoStack stack;
    EvidenceOpening opening;
    OpeningReport report;
};

} // namespace

class tst_EvidenceLoader : public QObject
{
    Q_OBJECT

private slots:
    void aFolderOfNamespacesOpensAllByName()
    {
        Fixture f;
        for (const int number : {10, 2, 1})
            writeSummary(f.path(QStringLiteral("runs/run-%1/summary.json").arg(number)));
        writeSummary(f.path("runs/note.json"));
        writeSummary(f.path("runs/deeper/below/summary.json")); // two levels down
        QVERIFY(QDir().mkpath(f.path("runs/empty")));
        QVERIFY(f.open({f.path("runs")}));
        QCOMPARE(titles(f.model), (QStringList{"note", "run-1", "run-2", "run-10"}));
        QVERIFY(!f.report.message());
        QCOMPARE(f.stack.undoText(), QStringLiteral("open 4 namespaces"));
        f.stack.undo();
        QCOMPARE(f.model.rowCount(), 0);
    }

    void ofManyOnlyTheFirstAreShownAndItIsSaid()
    {
        Fixture f;
        for (int i = 0; i < 30; ++i)
            writeSummary(f.path(QStringLiteral("runs/run-%1/summary.json").arg(i)));
        QVERIFY(f.open({f.path("runs")}));
        QCOMPARE(f.model.rowCount(), 30);
        QCOMPARE(f.model.shown().size(), EvidenceOpening::mostShown);
        QCOMPARE(f.model.at(29).title(), QStringLiteral("run-29"));
        const auto message = f.report.message();
        QVERIFY(message.has_value());
        QCOMPARE(message->title, QStringLiteral("30 namespaces opened"));
        QVERIFY2(message->text.contains("6 of them shown"), qPrintable(message->text));
    }

    void cancellingKeepsWhatIsThereAndSaysWhatIsNot()
    {
        Fixture f;
        for (int i = 0; i < 200; ++i)
            writeSummary(f.path(QStringLiteral("runs/run-%1/summary.json").arg(i)));
        int most = 0;
        connect(&f.opening, &EvidenceOpening::progressed, this, [&](int done, int total) {
            most = qMax(most, total);
            if (done == 10)
                QMetaObject::invokeMethod(&f.opening, &EvidenceOpening::cancel, Qt::QueuedConnection);
        });
        QVERIFY(f.open({f.path("runs")}));
        QCOMPARE(most, 200);
        QVERIFY(!f.opening.isLoading());
        const int kept = f.model.rowCount();
        QVERIFY2(kept >= 10 && kept < 200, qPrintable(QString::number(kept)));
        const auto message = f.report.message();
        QVERIFY(message && message->text.contains(QStringLiteral("%1 namespaces not read").arg(200 - kept)));
        // What was on its way does not arrive later, and loading goes on as ever.
        writeSummary(f.path("other/summary.json"));
        QVERIFY(f.open({f.path("other")}));
        QCOMPARE(f.model.rowCount(), kept + 1);
        QCOMPARE(f.stack.count(), 2);
    }

    void cancellingAtAnArrivalFinishesOnce()
    {
        EvidenceLoader loader;
        QTemporaryDir directory;
        QList<EvidenceSource> sources;
        for (int i = 0; i < 3; ++i) {
            sources.append({{directory.filePath(QStringLiteral("%1/summary.json").arg(i))}});
            writeSummary(sources.last().paths.first());
        }
        int arrived = 0;
        QList<int> dropped;
        connect(&loader, &EvidenceLoader::loaded, this, [&] {
            ++arrived;
            loader.cancel();
        });
        connect(&loader, &EvidenceLoader::finished, this, [&](int count) { dropped.append(count); });
        loader.load(sources);
        QVERIFY(QTest::qWaitFor([&] { return !dropped.isEmpty(); }, waitMs));
        QCOMPARE(arrived, 1);
        QCOMPARE(dropped, QList<int>{2});
    }

    void whatIsThrownWhileReadingIsAnError()
    {
        EvidenceLoader loader([](const EvidenceSource &source, const std::function<bool()> &) -> LoadedEvidence {
            if (source.paths.first() == "large")
                throw std::bad_alloc();
            throw std::runtime_error("the disk is on fire");
        });
        QList<LoadedEvidence> answers;
        const QSignalSpy finished(&loader, &EvidenceLoader::finished);
        connect(&loader, &EvidenceLoader::loaded, this, [&](const LoadedEvidence &loaded) { answers.append(loaded); });
        loader.load({{{"large"}}, {{"burning"}}});
        QVERIFY(QTest::qWaitFor([&] { return !finished.isEmpty(); }, waitMs));
        QCOMPARE(answers.size(), 2);
        QVERIFY2(answers.first().error.contains("not enough memory"), qPrintable(answers.first().error));
        QCOMPARE(answers.last().error, QStringLiteral("the disk is on fire"));
        OpeningReport report;
        report.addFailed(answers.last());
        QCOMPARE(report.message()->title, QStringLiteral("burning could not be read"));
    }

    // What is named on the command line comes first, and what is bundled, too, is read once.
    void namedEvidenceComesFirstAndOnce()
    {
        Fixture f;
        for (const QString name : {"first", "second"})
            writeSummary(f.path(QStringLiteral("resources/evidence/%1/summary.json").arg(name)));
        writeSummary(f.path("mine/summary.json"));
        const QByteArray before = qgetenv("STAGECRAFT_RESOURCES");
        qputenv("STAGECRAFT_RESOURCES", f.path("resources").toLocal8Bit());
        QStringList order;
        int most = 0;
        connect(&f.opening, &EvidenceOpening::listed, this,
                [&](int row, const EvidenceSource &) { order.append(f.model.at(row).title()); });
        connect(&f.opening, &EvidenceOpening::progressed, this, [&](int, int total) { most = qMax(most, total); });
        const QSignalSpy finished(&f.opening, &EvidenceOpening::finished);
        f.opening.begin({"second", f.path("mine"), f.path("resources/evidence/second")});
        QVERIFY(QTest::qWaitFor([&] { return !finished.isEmpty(); }, waitMs));
        qputenv("STAGECRAFT_RESOURCES", before);
        QCOMPARE(order, (QStringList{"second", "mine", "first"}));
        QCOMPARE(most, 3);
        QCOMPARE(f.model.shown().size(), 2);
    }

    void mixedPathsAreToldApart()
    {
        Fixture f;
        writeSummary(f.path("good/summary.json"));
        QVERIFY(QDir().mkpath(f.path("empty")));
        QFile text(f.path("notes.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("nothing to see\n") > 0);
        text.close();
        QVERIFY(QDir().mkpath(f.path("stages/matmul")));
        QVERIFY(QFile::copy(STAGECRAFT_SOURCE_DIR "/kernels/stages/matmul/tiled.cu", f.path("stages/matmul/mine.cu")));
        const QSignalSpy stages(&f.opening, &EvidenceOpening::stagesFound);
        // One of its files and the folder are one namespace.
        QVERIFY(f.open({f.path("good"), f.path("good/summary.json"), f.path("empty"), f.path("notes.txt"),
                        f.path("gone"), f.path("stages")}));
        QCOMPARE(titles(f.model), QStringList{"good"});
        QCOMPARE(stages.size(), 1);
        QCOMPARE(f.report.missing(), QStringList{f.path("gone")});
        const auto message = f.report.message();
        QVERIFY(message.has_value());
        QCOMPARE(message->severity, MessageBar::Severity::Error);
        for (const QString &said :
             QStringList{"gone is not there", "notes.txt is of no kind", "empty holds no evidence"})
            QVERIFY2(message->text.contains(said), qPrintable(message->text));
        QVERIFY2(message->text.contains("summary .json"), qPrintable(message->text));
    }
};

QTEST_MAIN(tst_EvidenceLoader)
#include "tst_evidenceloader.moc"
