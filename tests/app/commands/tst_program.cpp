// SPDX-License-Identifier: GPL-3.0-or-later
#include "programfixture.h"

#include <QTemporaryDir>

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
        for (const char *command : {"run", "export", "check", "stages", "doctor", "target"}) {
            const Outcome own = runStagecraft({QString::fromUtf8(command), "--help"});
            QCOMPARE(own.status, 0);
            QVERIFY(own.out.startsWith(QStringLiteral("Usage: stagecraft %1 ").arg(QString::fromUtf8(command))));
            QVERIFY2(!own.out.contains(QStringLiteral("â")), qPrintable(own.out)); // UTF-8 taken for Latin-1
            for (const QString &line : own.out.split('\n'))
                QVERIFY2(line.size() <= 80 || line.startsWith("  stagecraft "),
                         qPrintable(line)); // examples stay whole
        }
    }

    // A name that comes from elsewhere neither turns the writing direction of a terminal nor commands it.
    void namesArePrintable()
    {
        QTemporaryDir folder;
        const QString name = QStringLiteral("a\u202eb\u2067c\u200fd\u001be");
        QFile file(folder.filePath(name + ".json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("[]") == 2);
        file.close();
        for (const QStringList &arguments :
             {QStringList{"check", file.fileName()}, QStringList{"compare", file.fileName(), "mage-003"},
              QStringList{"import", file.fileName(), "--output", folder.filePath("out")}}) {
            const Outcome outcome = runStagecraft(arguments);
            const QString text = outcome.out + outcome.err;
            QVERIFY2(outcome.status != 0 && text.contains(QStringLiteral("a\ufffdb\ufffdc\ufffdd\ufffde")),
                     qPrintable(text));
            for (const QChar c : name)
                QVERIFY2(c.isLetter() || !text.contains(c), qPrintable(text));
        }
    }

    void withoutADisplayTheCommandsAreNamed()
    {
        for (const QStringList &arguments : {QStringList{}, QStringList{"mage-003"}}) {
            const Outcome outcome = runStagecraft(arguments);
            QCOMPARE(outcome.status, 1);
            QVERIFY2(outcome.err.contains("there is no display"), qPrintable(outcome.err));
            QVERIFY2(outcome.err.contains("run, export, import, compare, check, stages, doctor, target"),
                     qPrintable(outcome.err));
        }
    }

    void lostOutputEndsWithOne_data()
    {
        QTest::addColumn<QString>("command");
        for (const char *command : {"--help", "check mage-001", "export --help", "doctor", "run --help"})
            for (const char *output : {" >/dev/full", " >&-"})
                QTest::addRow("%s%s", command, output) << QString::fromUtf8(command) + QString::fromUtf8(output);
    }

    void lostOutputEndsWithOne()
    {
        QFETCH(QString, command);
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources");
        shell.setProcessEnvironment(environment);
        shell.start("/bin/sh", {"-c", QStringLiteral("\"$0\" ") + command, STAGECRAFT_PROGRAM});
        QVERIFY(shell.waitForFinished(60'000));
        QCOMPARE(shell.exitCode(), 1);
        const QByteArray complaint = shell.readAllStandardError();
        QCOMPARE(complaint.count("standard output did not take everything"), 1);
    }

    void argumentsAreUtf8()
    {
        for (const char *command : {"check", "export --output out"}) {
            QProcess shell;
            shell.start("/bin/sh",
                        {"-c", QStringLiteral("\"$0\" %1 \"$(printf 'dir\\377')\"").arg(command), STAGECRAFT_PROGRAM});
            QVERIFY(shell.waitForFinished(60'000));
            QCOMPARE(shell.exitCode(), 2);
            const QByteArray complaint = shell.readAllStandardError();
            QVERIFY2(complaint.contains("is not UTF-8"), complaint.constData());
        }
    }

    void aRunsOptionsAreRefused_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("message");
        const auto row = [](const QStringList &options, const char *message) {
            QTest::newRow(qPrintable(options.join(' '))) << options << QString::fromUtf8(message);
        };
        row({"--operations", "matmul,matmul"}, "--operations names “matmul” twice");
        row({"--operations", "gelu", "--operations", "gelu"}, "--operations names “gelu” twice");
        row({"--rounds", "2", "--rounds", "3"}, "--rounds is given twice");
        row({"--dims", "gelu=8x16", "--dims", "gelu=8x8"}, "--dims: “gelu” has dims twice");
        row({"--operations", ""}, "--operations names none; there are matmul");
        row({"--operations", "", "--dims", "gelu=8x16"}, "--operations names none");
    }

    void aRunsOptionsAreRefused()
    {
        QFETCH(QStringList, options);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        const Outcome outcome = runStagecraft(QStringList{"run", "--output", "out"} + options, folder.path());
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.err.contains(message), qPrintable(outcome.err));
        QVERIFY(!QFileInfo::exists(folder.filePath("out")));
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
