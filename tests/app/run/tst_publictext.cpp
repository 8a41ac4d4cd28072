// SPDX-License-Identifier: GPL-3.0-or-later
#include "publictext.h"
#include "workerlog.h"

#include <QSysInfo>
#include <QTest>

using namespace stagecraft::run;

class tst_PublicText : public QObject
{
    Q_OBJECT

private slots:
    void pathsAreCut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("file") << "/home/ada/k/tiled.cu(3): error"
                              << "tiled.cu(3): error";
        QTest::newRow("quoted") << "cannot open \"/usr/lib/libcuda.so.1\""
                                << "cannot open \"libcuda.so.1\"";
        QTest::newRow("after a sign") << "-I/opt/x/include"
                                      << "-I/opt/x/include";
        QTest::newRow("equals") << "path=/opt/x/include."
                                << "path=include.";
        QTest::newRow("address") << "see https://example.org/a/b"
                                 << "see https://example.org/a/b";
        QTest::newRow("fraction") << "1/2 of 20 000/s"
                                  << "1/2 of 20 000/s";
        QTest::newRow("operation") << "matmul/tiled is retained"
                                   << "matmul/tiled is retained";
        QTest::newRow("control") << QString("a\x1b[31m\tb\nc") << "a[31m b c";
    }

    void pathsAreCut()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(publicText(text), expected);
    }

    void hostNameIsReplaced()
    {
        const QString host = QSysInfo::machineHostName();
        if (host.size() < 3)
            QSKIP("this machine has no name to hide");
        QCOMPARE(publicText("ssh: " + host + ": refused"), QString("ssh: HOST: refused"));
    }

    void lengthIsBounded() { QVERIFY(publicText(QString(100'000, 'x')).size() < 2100); }

    void linesOfALogStay()
    {
        const QString log =
            "matmul/mine.cu(3): error: no\n    int x = y;\n            ^\n\n/home/someone/a/b.h(1): x\n";
        QCOMPARE(publicLines(log), QString("matmul/mine.cu(3): error: no\n    int x = y;\n            ^\n\nb.h(1): x"));
        QVERIFY(publicLines(QString("x\n").repeated(5000)).endsWith("x\n… (cut)"));
        QCOMPARE(publicLines({}), QString());
    }

    void logIsBounded()
    {
        WorkerLog log;
        QCOMPARE(log.append("first\nsec"), QStringList({"first"}));
        QCOMPARE(log.append("ond\n"), QStringList({"second"}));
        QCOMPARE(log.append(QByteArray(100'000, 'x') + '\n').first().size(), WorkerLog::maximumLineLength);
        qsizetype lines = 0;
        for (int i = 0; i < 10'000; ++i)
            lines += log.append("line\n").size();
        // Two seconds' worth at most, however slow the machine, or the loop took longer than a test may.
        QVERIFY2(lines < 10'000, "every line of a flood was passed on");
        log.append("end without line end");
        QVERIFY(log.finish().join(" ").contains("were left out"));
        QCOMPARE(log.lastLines(), QStringList({"line", "line", "end without line end"}));
    }
};

QTEST_GUILESS_MAIN(tst_PublicText)
#include "tst_publictext.moc"
