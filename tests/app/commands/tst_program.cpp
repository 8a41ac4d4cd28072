// SPDX-License-Identifier: GPL-3.0-or-later
#include "programfixture.h"

// The program's own options, and what it says where there is no display.
using fixtures::Outcome;
using fixtures::runStagecraft;

class TestProgram : public QObject
{
    Q_OBJECT

private slots:
    void helpAndVersionNeedNoDisplay()
    {
        const Outcome help = runStagecraft({"--help"});
        QCOMPARE(help.status, 0);
        QVERIFY(help.out.startsWith("Usage: stagecraft"));
        QVERIFY2(help.err.isEmpty(), qPrintable(help.err));
        const Outcome version = runStagecraft({"--version"});
        QCOMPARE(version.status, 0);
        QCOMPARE(version.out, QStringLiteral("stagecraft " STAGECRAFT_VERSION "\n"));
        for (const char *command : {"run", "export", "check", "doctor"}) {
            const Outcome own = runStagecraft({QString::fromUtf8(command), "--help"});
            QCOMPARE(own.status, 0);
            QVERIFY(own.out.startsWith(QStringLiteral("Usage: stagecraft %1 ").arg(QString::fromUtf8(command))));
            QVERIFY2(!own.out.contains(QStringLiteral("â")), qPrintable(own.out)); // UTF-8 taken for Latin-1
            for (const QString &line : own.out.split('\n'))
                QVERIFY2(line.size() <= 80 || line.startsWith("  stagecraft "),
                         qPrintable(line)); // examples stay whole
        }
    }

    void withoutADisplayTheCommandsAreNamed()
    {
        for (const QStringList &arguments : {QStringList{}, QStringList{"mage-003"}}) {
            const Outcome outcome = runStagecraft(arguments);
            QCOMPARE(outcome.status, 1);
            QVERIFY2(outcome.err.contains("there is no display"), qPrintable(outcome.err));
            QVERIFY2(outcome.err.contains("run, export, check, doctor"), qPrintable(outcome.err));
        }
    }

    void whatIsNeitherCommandNorEvidenceIsWrongUsage()
    {
        const Outcome outcome = runStagecraft({"chekc", "mage-003"});
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.err.contains("did you mean check?"), qPrintable(outcome.err));
        QVERIFY(outcome.out.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
