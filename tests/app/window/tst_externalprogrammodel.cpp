// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandtext.h"
#include "externalprogrammodel.h"
#include "pythonpanel.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QProcess>
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
