// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracebytes.h"

#include <QTest>

using stagecraft::import::TraceBytes;

// What a parser gets of a trace with values that JSON has not.
class TestTraceBytes : public QObject
{
    Q_OBJECT

private slots:
    void values_data()
    {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *given, const char *expected) {
            QTest::newRow(name) << QByteArray(given).replace('\'', '"') << QByteArray(expected).replace('\'', '"');
        };
        const char *sound = "{'a': [-1.5e-3, true, null], 'b': 'NaN, \\'inf\\' µ 𝄞'}";
        row("sound", sound, sound);
        row("specials", "[NaN,-Infinity,Infinity,inf,-nan]", "['' ,''       ,''      ,'' ,''  ]");
        row("escaped end", "['a\\\\', NaN]", "['a\\\\', '' ]");
        row("not UTF-8", "['a\xE9 b\xC3', '\xED\xA0\x80\xF5']",
            "['a? b?', '?"
            "?"
            "?"
            "?']");
        row("cut sequence", "['\xF0\x9D\x84",
            "['?"
            "?"
            "?");
    }

    // The same, wherever the bytes are cut into pieces.
    void values()
    {
        QFETCH(QByteArray, given);
        for (qsizetype piece = 1; piece <= given.size(); ++piece)
            QTEST(cleaned(given, piece), "expected");
    }

    void endlessTextsEndTheStream()
    {
        TraceBytes bytes;
        QByteArray open("[\"");
        QCOMPARE(bytes.clean(open.data(), open.size(), false), open.size());
        const QByteArray piece(1 << 20, 'x');
        qint64 taken = 0;
        for (int i = 0; i < 100 && bytes.problem().isEmpty(); ++i) {
            QByteArray copy = piece;
            taken += bytes.clean(copy.data(), copy.size(), false);
        }
        QVERIFY2(bytes.problem().contains("64 MiB"), qPrintable(bytes.problem()));
        QCOMPARE(taken, TraceBytes::mostTextBytes + 1);
    }

private:
    static QByteArray cleaned(const QByteArray &given, qsizetype piece)
    {
        TraceBytes bytes;
        QByteArray result, waiting;
        for (qsizetype at = 0; at < given.size() || !waiting.isEmpty(); at += piece) {
            waiting += given.mid(at, piece);
            const qsizetype ready = bytes.clean(waiting.data(), waiting.size(), at >= given.size());
            result += waiting.left(ready);
            waiting = waiting.mid(ready);
        }
        return result;
    }
};

QTEST_GUILESS_MAIN(TestTraceBytes)
#include "tst_tracebytes.moc"
