// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandtext.h"
#include "externalprogrammodel.h"
#include "pythonpanel.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QProcess>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace stagecraft;
using namespace stagecraft::window;

class tst_ExternalProgramModel : public QObject
{
    Q_OBJECT

private slots:
    void addsEditsAndRemoves()
    {
        ExternalProgramModel model;
        const QAbstractItemModelTester tester(&model);
        const QSignalSpy changed(&model, &ExternalProgramModel::programsChanged);
        model.setPrograms({{"first", "/first", {"--a"}}});
        QCOMPARE(model.addProgram("/folder/Fast MatMul.v2.bin"), 1);
        QCOMPARE(model.programs().last().name, QStringLiteral("fast-matmul-v2"));
        QCOMPARE(model.addProgram("/other/cuda"), 2); // a name that is taken
        QCOMPARE(model.programs().last().name, QStringLiteral("program"));
        QVERIFY(model.setData(model.index(1, ExternalProgramModel::ArgumentsColumn), "-x  \"a b\"", Qt::EditRole));
        QCOMPARE(model.programs().at(1).arguments, QStringList({"-x", "a b"}));
        QVERIFY(model.removeRow(0));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(changed.size(), 5);
    }

    void saysWhatIsWrong()
    {
        ExternalProgramModel model;
        model.setPrograms({{"one", "/not/there", {}}, {"two", "", {}}, {"one", "/not/there", {}}});
        QVERIFY(model.problem(0).isEmpty());
        QVERIFY(!model.hint(0).isEmpty()); // it may be there tomorrow
        QVERIFY(model.problem(1).contains("names no program"));
        QVERIFY(!model.problem(2).isEmpty());
        QVERIFY(!model.index(1, 0).data(Qt::DecorationRole).isNull());
        model.setPrefix({"ssh", "gpu01"});
        QVERIFY(model.hint(0).isEmpty()); // the other end knows
    }

    void whatWasJustAddedIsNotComplainedOf()
    {
        ExternalProgramModel model;
        const int row = model.addProgram({});
        QVERIFY(model.isNew(row));
        QVERIFY(!model.problem(row).isEmpty()); // it cannot be accepted
        QVERIFY(model.index(row, 0).data(Qt::DecorationRole).isNull());
        QVERIFY(model.setData(model.index(row, 0), "mine", Qt::EditRole));
        QVERIFY(!model.isNew(row));
        QVERIFY(!model.index(row, 0).data(Qt::DecorationRole).isNull());
    }

    void advisesInTheTablesWords()
    {
        const QTemporaryDir directory;
        QFile file(directory.filePath("good.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QFile worker(directory.filePath("stagecraft-worker-external"));
        QVERIFY(worker.open(QIODevice::WriteOnly));
        worker.close();
        QVERIFY(worker.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        qputenv("STAGECRAFT_WORKER_DIRECTORY", directory.path().toUtf8());
        const auto restored = qScopeGuard([] { qunsetenv("STAGECRAFT_WORKER_DIRECTORY"); });
        ExternalProgramModel model;
        model.setPrograms({{"line", "python3 good.py", {}}, {"text", file.fileName(), {}}, {"gone", "/not/there", {}}});
        const char *wanted[] = {"into the column Arguments", "chmod +x", "Browse"};
        for (int row = 0; row < 3; ++row) {
            const QString hint = model.hint(row);
            QVERIFY2(hint.contains(". What to do: ") && hint.contains(wanted[row]), qPrintable(hint));
            QVERIFY2(!hint.contains("--external"), qPrintable(hint));
        }
    }

    void aRelativeFileIsKeptInFull()
    {
        const QTemporaryDir directory;
        QFile file(directory.filePath("mine"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(directory.path()));
        ExternalProgramModel model;
        const auto kept = [&model](const QString &text) {
            model.setData(model.index(0, ExternalProgramModel::ProgramColumn), text, Qt::EditRole);
            return model.programs().first().program;
        };
        model.setPrograms({{"mine", "", {}}});
        const QString full = QDir::current().filePath("mine");
        QCOMPARE(kept("mine"), full);
        QCOMPARE(kept("./mine"), QFileInfo("./mine").absoluteFilePath());
        QCOMPARE(kept("sh"), QStringLiteral("sh")); // a command
        model.setPrefix({"ssh", "gpu01"});
        QCOMPARE(kept("./mine"), QStringLiteral("./mine")); // of the other end
        QVERIFY(QDir::setCurrent(before));
    }

    void takesDroppedFilesOnly()
    {
        const QTemporaryDir directory;
        QFile file(directory.filePath("dropped"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        ExternalProgramModel model;
        const QAbstractItemModelTester tester(&model);
        QMimeData folder;
        folder.setUrls({QUrl::fromLocalFile(directory.path()), QUrl("https://example.org/program")});
        QVERIFY(!model.canDropMimeData(&folder, Qt::CopyAction, -1, -1, {}));
        QMimeData program;
        program.setUrls({QUrl::fromLocalFile(file.fileName())});
        QVERIFY(model.canDropMimeData(&program, Qt::CopyAction, -1, -1, {}));
        QVERIFY(model.dropMimeData(&program, Qt::CopyAction, -1, -1, {}));
        QCOMPARE(model.programs(), (QList<run::ExternalProgram>{{"dropped", file.fileName(), {}}}));
    }

    void aCommandsTextSplitsIntoTheSameWords_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << QStringList{"ssh", "-p", "22", "gpu01"};
        QTest::newRow("spaces") << QStringList{"a b", " c"};
        QTest::newRow("quotes") << QStringList{"say \"so\"", "\"", "a\"b"};
        QTest::newRow("nothing") << QStringList{};
    }

    void aCommandsTextSplitsIntoTheSameWords()
    {
        QFETCH(QStringList, words);
        QCOMPARE(QProcess::splitCommand(commandText(words)), words);
        QCOMPARE(QProcess::splitCommand(commandText(QStringList{""} + words)), words);
    }

    void anInstallCommandNamesTheChosenInterpreter()
    {
        QCOMPARE(installCommand("python3 -m pip install torch", "/my venv/bin/python3"),
                 QStringLiteral("\"/my venv/bin/python3\" -m pip install torch"));
        QCOMPARE(installCommand("install one with CUDA: python -m pip install torch", QString()),
                 QStringLiteral("python -m pip install torch"));
        QVERIFY(installCommand("check nvidia-smi", QString()).isEmpty());
    }
};

QTEST_MAIN(tst_ExternalProgramModel)
#include "tst_externalprogrammodel.moc"
