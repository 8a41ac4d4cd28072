// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandparser.h"
#include "commandtable.h"
#include "console.h"

#include <QTest>

// One syntax gives the parser and the help text; wrong usage names what was meant.
using namespace stagecraft::commands;

namespace {

CommandSyntax syntax()
{
    CommandSyntax syntax;
    syntax.name = QStringLiteral("measure");
    syntax.synopsis = {QStringLiteral("FILE… --output DIR [OPTION…]"), QStringLiteral("--list")};
    syntax.description =
        QStringLiteral("First paragraph, which is long enough that it has to be broken into at least two "
                       "lines of the terminal.\n\nSecond paragraph.");
    syntax.options = {
        {QStringLiteral("output"), QStringLiteral("Where files go."), QStringLiteral("DIR")},
        {QStringLiteral("rounds"), QStringLiteral("How often."), QStringLiteral("N"), QStringLiteral("5")},
        {QStringLiteral("only"), QStringLiteral("Which ones."), QStringLiteral("ID,…")},
        {QStringLiteral("list"), QStringLiteral("Only list.")}};
    syntax.sections = {{QStringLiteral("Exit status"), QStringLiteral("0 or not.")}};
    syntax.examples = {QStringLiteral("stagecraft measure a --output b")};
    syntax.lists = {QStringLiteral("only")};
    return syntax;
}

} // namespace

class TestCommandParser : public QObject
{
    Q_OBJECT

private slots:
    void helpShowsEverythingWithin80Columns()
    {
        const QString help = helpText(syntax());
        for (const char *part :
             {"Usage: stagecraft measure FILE… --output DIR [OPTION…]", "       stagecraft measure --list",
              "Second paragraph.", "--output DIR", "--rounds N", "How often. Default: 5.", "-h, --help",
              "Exit status:\n  0 or not.", "Examples:\n  stagecraft measure a --output b"})
            QVERIFY2(help.contains(QString::fromUtf8(part)), part);
        for (const QString &line : help.split('\n'))
            QVERIFY2(line.size() <= 80, qPrintable(line));
    }

    void everyCommandHasAHelpOf80Columns()
    {
        for (const Command &command : commandTable()) {
            QVERIFY(!command.summary.isEmpty());
            QCOMPARE(command.run({"--help"}), int(ExitDone));
        }
    }

    void valuesListsAndDefaults()
    {
        CommandParser parser(syntax());
        QVERIFY(!parser.parse({"a", "b", "--only", "x,y", "--only=,z"}));
        QCOMPARE(parser.positional(), QStringList({"a", "b"}));
        QCOMPARE(parser.list("only"), QStringList({"x", "y", "z"}));
        QVERIFY(!parser.isSet("rounds"));
        QCOMPARE(parser.integer("rounds", 1, 100).value_or(-1), 5);
    }

    void integersHaveALimit_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("good");
        QTest::newRow("least") << "1" << true;
        QTest::newRow("most") << "100" << true;
        for (const char *bad : {"0", "101", "3.5", "x", "", "-4", "99999999999"})
            QTest::newRow(bad) << QString::fromUtf8(bad) << false;
    }

    void integersHaveALimit()
    {
        QFETCH(QString, text);
        QFETCH(bool, good);
        CommandParser parser(syntax());
        QVERIFY(!parser.parse({"--rounds=" + text}));
        QCOMPARE(parser.integer("rounds", 1, 100).has_value(), good);
    }

    void wrongUsageEndsWithTwo()
    {
        CommandParser unknown(syntax()), valueless(syntax()), twice(syntax()), flag(syntax());
        QCOMPARE(unknown.parse({"--outptu", "x"}).value_or(-1), int(ExitUsage));
        QCOMPARE(valueless.parse({"--output"}).value_or(-1), int(ExitUsage));
        QCOMPARE(twice.parse({"--rounds", "3", "--rounds=4"}).value_or(-1), int(ExitUsage));
        QCOMPARE(flag.parse({"--list", "--list"}).value_or(-1), int(ExitUsage));
    }

    // A comma or an ellipsis in the help makes no list.
    void onlyWhatTheSyntaxCallsAListMayComeAgain()
    {
        CommandSyntax plain = syntax();
        plain.lists.clear();
        CommandParser list(syntax()), single(plain);
        QVERIFY(!list.parse({"a", "--only", "x", "--only", "y"}));
        QCOMPARE(single.parse({"a", "--only", "x", "--only", "y"}).value_or(-1), int(ExitUsage));
    }

    void helpGoesBeforeOtherMistakes()
    {
        CommandParser parser(syntax());
        QCOMPARE(parser.parse({"--nonsense", "--help"}).value_or(-1), int(ExitDone));
    }

    void nearWordsAreFound()
    {
        const QStringList known{"kernel-span", "kernel", "span", "launches", "samples"};
        QCOMPARE(nearWords("kernl", known), QStringList({"kernel"}));
        QCOMPARE(nearWords("SPAN", known), QStringList({"span"}));
        QCOMPARE(nearWords("launch", known), QStringList({"launches"}));
        QCOMPARE(nearWords("frobnicate", known), QStringList());
        QCOMPARE(didYouMean("kernl", known), QStringLiteral("; did you mean kernel?"));
        QVERIFY(didYouMean("frobnicate", known).isEmpty());
    }

    void linesAreBrokenAtSpaces()
    {
        QCOMPARE(wrapped("one two three", 7), QStringList({"one two", "three"}));
        QCOMPARE(wrapped("incomprehensible one", 7), QStringList({"incomprehensible", "one"}));
        QCOMPARE(wrapped("", 7), QStringList({""}));
    }
};

QTEST_GUILESS_MAIN(TestCommandParser)
#include "tst_commandparser.moc"
