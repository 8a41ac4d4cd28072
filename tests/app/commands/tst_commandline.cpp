// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

// What the first words of the command line mean.
using namespace stagecraft::commands;

class TestCommandLine : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources"); }

    void nothingOpensTheWindow()
    {
        QCOMPARE(interpretCommandLine({}).kind, Invocation::Window);
        const Invocation themed = interpretCommandLine({"--theme", "light"});
        QCOMPARE(themed.kind, Invocation::Window);
        QCOMPARE(themed.arguments, QStringList({"--theme", "light"}));
    }

    void pathsAndBundledNamesOpenTheWindow()
    {
        const QTemporaryDir folder;
        const Invocation invocation = interpretCommandLine({folder.path(), "mage-001", "--theme", "dark"});
        QCOMPARE(invocation.kind, Invocation::Window);
        QCOMPARE(invocation.arguments.size(), 4);
        QCOMPARE(invocation.arguments[0], folder.path());
        QVERIFY2(QFile::exists(invocation.arguments[1]), qPrintable(invocation.arguments[1]));
        QVERIFY(invocation.arguments[1].endsWith("mage-001.json"));
    }

    void aCommandGetsWhatFollows()
    {
        for (const Command &command : commandTable()) {
            const Invocation invocation = interpretCommandLine({command.name, "a", "--b"});
            QCOMPARE(invocation.kind, Invocation::Run);
            QCOMPARE(invocation.command->name, command.name);
            QCOMPARE(invocation.arguments, QStringList({"a", "--b"}));
        }
    }

    void whatIsNeitherIsWrongUsage()
    {
        for (const char *word : {"exprot", "no/such/place"}) {
            const Invocation invocation = interpretCommandLine({QString::fromUtf8(word)});
            QCOMPARE(invocation.kind, Invocation::Answered);
            QCOMPARE(invocation.exitStatus, int(ExitUsage));
        }
    }

    void helpNamesEveryCommand()
    {
        for (const Command &command : commandTable()) {
            QVERIFY(programHelp().contains(command.name));
            QVERIFY(programHelp().contains(command.summary));
            QVERIFY(headlessHint().contains(command.name));
        }
        for (const QString &line : programHelp().split('\n'))
            QVERIFY2(line.size() <= 80, qPrintable(line));
        const Invocation help = interpretCommandLine({"--help"});
        QCOMPARE(help.kind, Invocation::Answered);
        QCOMPARE(help.exitStatus, int(ExitDone));
    }

    void helpOfOneTopic()
    {
        const Invocation command = interpretCommandLine({"help", "check"});
        QCOMPARE(command.kind, Invocation::Run);
        QCOMPARE(command.arguments, QStringList({"--help"}));
        QCOMPARE(interpretCommandLine({"help", "window"}).kind, Invocation::Window);
        QCOMPARE(interpretCommandLine({"help", "nothing"}).exitStatus, int(ExitUsage));
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
