// SPDX-License-Identifier: GPL-3.0-or-later
#include "ownstages.h"
#include "stagelibrary.h"

#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace stagecraft;
using namespace stagecraft::window;

class tst_StageLibrary : public QObject
{
    Q_OBJECT

private slots:
    void aFolderItsTrustAndItsStagesChangeTogether()
    {
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft");
        const QTemporaryDir foreign, mine;
        const QString text = QString::fromStdString(run::stageCatalogue().find("matmul", "tiled")->stage.text);
        QVERIFY(writeStageFile(stagePath(foreign.path(), "matmul", "foreign"), text).isEmpty());
        StageLibrary library;
        const auto mayRunForeign = [&] {
            const run::CatalogueStage *stage = library.catalogue().find("matmul", "foreign");
            return stage && library.mayRun(*stage);
        };
        bool everRunnable = false;
        connect(&library, &StageLibrary::catalogueChanged, this, [&] { everRunnable |= mayRunForeign(); });
        library.setFolder(foreign.path(), false);
        QTRY_VERIFY_WITH_TIMEOUT(library.catalogue().find("matmul", "foreign"), 30'000);
        QVERIFY(!library.isTrusted());
        // The other folder is trusted; what is known is still of this one.
        library.setFolder(mine.path(), true);
        QVERIFY(library.catalogue().find("matmul", "foreign"));
        QVERIFY(!mayRunForeign());
        QTRY_COMPARE_WITH_TIMEOUT(library.folder(), mine.path(), 30'000);
        QVERIFY(library.isTrusted());
        QVERIFY(!library.catalogue().find("matmul", "foreign"));
        QVERIFY(!everRunnable);
    }

    void aFileThatIsWrittenWhileItIsReadIsReadAgain()
    {
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft");
        const QTemporaryDir folder;
        const QString text = QString::fromStdString(run::stageCatalogue().find("matmul", "tiled")->stage.text);
        const QString path = stagePath(folder.path(), "matmul", "mine");
        QVERIFY(writeStageFile(path, text).isEmpty());
        StageLibrary library;
        library.setFolder(folder.path(), true);
        // Nothing is watched before the first reading is taken, which needs the event loop: it has been read by now.
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(writeStageFile(path, text + "// later\n").isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(library.text(path).endsWith("// later\n"), 30'000);
        QCOMPARE(library.catalogue().find("matmul", "mine")->stage.text, (text + "// later\n").toStdString());
    }

    void aFileThatCannotBeReadSaysSo()
    {
        const QTemporaryDir folder;
        const FileText file = readFileText(folder.filePath("nothing.cu"));
        QVERIFY2(file.unwritable.startsWith("it cannot be read: "), qPrintable(file.unwritable));
        QVERIFY(file.state.isEmpty());
        QVERIFY(readFileText(folder.path()).unwritable.startsWith("it cannot be read: "));
    }
};

QTEST_GUILESS_MAIN(tst_StageLibrary)
#include "tst_stagelibrary.moc"
