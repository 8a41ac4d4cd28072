// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "evidencereader.h"

using namespace stagecraft::evidence;
using nlohmann::json;

class TestDamagedSummary : public QObject
{
    Q_OBJECT

private slots:
    void summaries_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("cause");
        const QString cuda = QStringLiteral("/rows/0/measurements/cuda");
        QTest::newRow("smallest above mean") << cuda + "/event_min"
                                             << "20.5"
                                             << "above the mean";
        QTest::newRow("largest below mean") << cuda + "/event_max"
                                            << "19.5"
                                            << "below the mean";
        QTest::newRow("no launches") << cuda + "/launches"
                                     << "0"
                                     << "above 0";
        QTest::newRow("half a launch") << cuda + "/launches"
                                       << "1.5"
                                       << "whole number";
        QTest::newRow("negative kernel time") << cuda + "/kernel"
                                              << "-1"
                                              << "not negative";
        QTest::newRow("uneven samples") << "/samples"
                                        << "301"
                                        << "do not divide into 3 rounds";
        QTest::newRow("no rounds") << "/rounds"
                                   << "0"
                                   << "above 0";
    }
    void summaries()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, cause);
        json document = fixtures::summary();
        document[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
        const QTemporaryDir folder;
        const QString path = folder.filePath("h200.json");
        fixtures::write(path, document);
        const Namespace evidence = readNamespace(path);
        QCOMPARE(evidence.name, QStringLiteral("h200"));
        QVERIFY2(evidence.problems.size() == 1, qPrintable(fixtures::described(evidence.problems)));
        QCOMPARE(evidence.problems[0].file, QStringLiteral("h200.json"));
        QCOMPARE(evidence.problems[0].pointer, pointer);
        QVERIFY2(evidence.problems[0].cause.contains(cause), qPrintable(evidence.problems[0].cause));
    }

    void aSoundSummary()
    {
        const QTemporaryDir folder;
        fixtures::write(folder.filePath("h200.json"), fixtures::summary());
        QVERIFY(readNamespace(folder.filePath("h200.json")).problems.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestDamagedSummary)
#include "tst_damagedsummary.moc"
