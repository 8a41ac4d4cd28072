// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "programfixture.h"

// `stagecraft check` of a directory in which a run did not end.
class TestCheckUnfinished : public QObject
{
    Q_OBJECT

private slots:
    void theUnfinishedRunIsNamedWithWhatItHolds()
    {
        const QTemporaryDir folder;
        fixtures::write(folder.filePath("run/journal.jsonl"), QByteArray("{\"cut"));
        const fixtures::Outcome outcome = fixtures::runStagecraft({"check", folder.filePath("run")});
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.out.contains("run/journal.jsonl: recorded: the run did not end"), qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains("run: a run that did not end, 2 recorded states; 0 operations"),
                 qPrintable(outcome.out));
        QVERIFY(!outcome.out.contains("is no namespace"));
    }
};

QTEST_GUILESS_MAIN(TestCheckUnfinished)
#include "tst_checkunfinished.moc"
