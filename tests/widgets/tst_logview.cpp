// SPDX-License-Identifier: GPL-3.0-or-later
#include "logview.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>

using namespace stagecraft::widgets;

namespace {

QStringList lines(const LogView &log)
{
    return log.shownText().isEmpty() ? QStringList() : log.shownText().split(u'\n');
}

QScrollBar *scrollBar(const LogView &log)
{
    return log.findChild<QPlainTextEdit *>()->verticalScrollBar();
}

void fill(LogView &log, int count)
{
    for (int i = 0; i < count; ++i)
        log.append(LogLevel::Information, QStringLiteral("line %1").arg(i));
}

} // namespace

class LogViewTest : public QObject
{
    Q_OBJECT

private slots:
    void linesCarryLevelAndText();
    void levelsFilter();
    void linesAreBounded();
    void controlCharactersAreLeftOut();
    void longLinesAreCut();
    void copies();
    void followsNewLines();
    void staysWhereTheReaderIs();
    void staysWhileOldLinesGo();
};

void LogViewTest::linesCarryLevelAndText()
{
    LogView log;
    log.append(LogLevel::Warning, QStringLiteral("libcupti.so not found"));
    log.append(LogLevel::Error, QStringLiteral("first\nsecond"));
    const QStringList shown = lines(log);
    QCOMPARE(shown.size(), 3);
    QVERIFY(shown[0].contains(QStringLiteral("warning  libcupti.so not found")));
    QVERIFY(shown[1].contains(QStringLiteral("error    first")));
    QVERIFY(shown[2].contains(QStringLiteral("error    second")));
}

void LogViewTest::levelsFilter()
{
    LogView log;
    log.append(LogLevel::Detail, QStringLiteral("ptxas"));
    log.append(LogLevel::Information, QStringLiteral("started"));
    log.append(LogLevel::Error, QStringLiteral("failed"));
    QCOMPARE(lines(log).size(), 2);
    log.setLeastLevel(LogLevel::Error);
    QCOMPARE(lines(log).size(), 1);
    log.append(LogLevel::Information, QStringLiteral("hidden, but kept"));
    QCOMPARE(lines(log).size(), 1);
    log.setLeastLevel(LogLevel::Detail);
    QCOMPARE(lines(log).size(), 4);
    QVERIFY(lines(log)[3].contains(QStringLiteral("hidden, but kept")));
}

void LogViewTest::linesAreBounded()
{
    LogView log;
    log.setMaximumLines(10);
    fill(log, 50);
    QCOMPARE(lines(log).size(), 10);
    QVERIFY(lines(log).first().endsWith(QStringLiteral("line 40")));
    log.setLeastLevel(LogLevel::Detail); // rebuilt from what is kept
    QCOMPARE(lines(log).size(), 10);
    QVERIFY(lines(log).last().endsWith(QStringLiteral("line 49")));
}

void LogViewTest::controlCharactersAreLeftOut()
{
    LogView log;
    log.append(LogLevel::Information, QStringLiteral("a\x1b[31mred\x07 µ"));
    QVERIFY2(log.shownText().endsWith(QStringLiteral("a[31mred µ")), qPrintable(log.shownText()));
}

void LogViewTest::longLinesAreCut()
{
    LogView log;
    log.append(LogLevel::Information, QString(100'000, u'x'));
    QVERIFY(log.shownText().size() < 5000);
    QVERIFY(log.shownText().endsWith(QStringLiteral("(96000 more characters)")));
}

void LogViewTest::copies()
{
    LogView log;
    fill(log, 3);
    log.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), log.shownText());
    auto *edit = log.findChild<QPlainTextEdit *>();
    QTextCursor cursor(edit->document());
    cursor.movePosition(QTextCursor::Right, QTextCursor::KeepAnchor, 8);
    edit->setTextCursor(cursor);
    log.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), log.shownText().left(8));
}

void LogViewTest::followsNewLines()
{
    LogView log;
    log.resize(500, 200);
    log.show();
    QVERIFY(QTest::qWaitForWindowExposed(&log));
    fill(log, 100);
    QVERIFY(scrollBar(log)->maximum() > 0);
    QCOMPARE(scrollBar(log)->value(), scrollBar(log)->maximum());
}

void LogViewTest::staysWhereTheReaderIs()
{
    LogView log;
    log.resize(500, 200);
    log.show();
    QVERIFY(QTest::qWaitForWindowExposed(&log));
    fill(log, 100);
    scrollBar(log)->setValue(20);
    fill(log, 10);
    QCOMPARE(scrollBar(log)->value(), 20);
    scrollBar(log)->setValue(scrollBar(log)->maximum());
    fill(log, 1);
    QCOMPARE(scrollBar(log)->value(), scrollBar(log)->maximum());
}

void LogViewTest::staysWhileOldLinesGo()
{
    LogView log;
    log.resize(500, 200);
    log.setMaximumLines(100);
    log.show();
    QVERIFY(QTest::qWaitForWindowExposed(&log));
    fill(log, 100);
    scrollBar(log)->setValue(50);
    fill(log, 5);
    QCOMPARE(scrollBar(log)->value(), 45); // the same line on top
}

QTEST_MAIN(LogViewTest)
#include "tst_logview.moc"
