// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowapplication.h"
#include "windowoptions.h"

#include <QTest>

using namespace stagecraft::window;

class tst_WindowOptions : public QObject
{
    Q_OBJECT

private slots:
    void readsEverything()
    {
        QString error;
        const WindowOptions options =
            parseWindowOptions({"--screenshot", "shots", "--size", "1920x1080", "--theme", "light", "--run",
                                "--operations", "matmul,gelu", "--dims", "matmul=64x32x16", "--rounds", "3", "a", "b"},
                               &error);
        QCOMPARE(error, QString());
        QCOMPARE(options.screenshots, QStringLiteral("shots"));
        QCOMPARE(options.size, QSize(1920, 1080));
        QCOMPARE(*options.theme, ThemeChoice::Light);
        QVERIFY(options.run);
        QCOMPARE(options.operations, QStringList({"matmul", "gelu"}));
        QCOMPARE(options.dims.value("matmul"), QStringLiteral("64x32x16"));
        QCOMPARE(options.rounds, 3);
        QCOMPARE(options.namespaces, QStringList({"a", "b"}));
    }

    void aStagesFolderIsTaken()
    {
        QString error;
        QCOMPARE(parseWindowOptions({"--stages-dir", "/tmp", "evidence"}, &error).stagesDirectory,
                 QStringLiteral("/tmp"));
        QCOMPARE(error, QString());
    }

    void wrongUsageNamesTheOption_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("size") << QStringList{"--size", "big"} << "--size big";
        QTest::newRow("theme") << QStringList{"--theme", "pink"} << "--theme pink";
        QTest::newRow("run alone") << QStringList{"--run"} << "--screenshot";
        QTest::newRow("operation") << QStringList{"--operations", "matmull"} << "matmul, gelu";
        QTest::newRow("dims") << QStringList{"--dims", "matmul=3"} << "--dims matmul=3";
        QTest::newRow("rounds") << QStringList{"--rounds", "0"} << "--rounds 0";
        QTest::newRow("stages") << QStringList{"--stages-dir", "/nowhere/at/all"} << "--stages-dir /nowhere";
        QTest::newRow("unknown") << QStringList{"--colour"} << "colour";
    }

    void wrongUsageNamesTheOption()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        QString error;
        parseWindowOptions(arguments, &error);
        QVERIFY2(error.contains(words), qPrintable(error));
        QVERIFY(needsNoDisplay(arguments));
    }

    void onlyPicturesAndHelpNeedNoDisplay()
    {
        QVERIFY(!needsNoDisplay({"evidence"}));
        QVERIFY(needsNoDisplay({"--screenshot", "shots"}));
        QVERIFY(needsNoDisplay({"--help"}));
        QVERIFY(windowHelp().contains("--screenshot"));
    }
};

QTEST_GUILESS_MAIN(tst_WindowOptions)
#include "tst_windowoptions.moc"
