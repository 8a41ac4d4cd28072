// SPDX-License-Identifier: GPL-3.0-or-later
#include "disassembler.h"
#include "disassemblerplaces.h"
#include "standindisassembler.h"

#include <QSignalSpy>

using namespace stagecraft::run;

namespace {

const QString recorded = STAGECRAFT_SOURCE_DIR "/tests/app/run/machinecode/matmul-tiled-sm_90a.sass";

DisassemblyResult resultOf(Disassembler &disassembler)
{
    DisassemblyResult result;
    bool finished = false;
    QObject::connect(&disassembler, &Disassembler::finished, &disassembler, [&](const DisassemblyResult &got) {
        result = got;
        finished = true;
    });
    disassembler.disassemble("some.cubin");
    if (!QTest::qWaitFor([&] { return finished; }, 60'000))
        result.reason = "it never finished";
    return result;
}

} // namespace

class TestDisassembler : public QObject
{
    Q_OBJECT

private slots:
    void itIsFoundInItsPlaces_data();
    void itIsFoundInItsPlaces();
    void whatComesFirstIsTaken();
    void notFoundSaysWhatToInstall();
    void codeIsReadFromWhatItPrints();
    void failuresSayWhy_data();
    void failuresSayWhy();
    void oneThatHangsIsEnded();
    void onlyTheLastIsAnswered();
};

void TestDisassembler::itIsFoundInItsPlaces_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("root");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("python");
    QTest::newRow("PATH") << ""
                          << ""
                          << "bin"
                          << "";
    QTest::newRow("CUDA_PATH") << "CUDA_PATH"
                               << "toolkit"
                               << "toolkit/bin"
                               << "";
    QTest::newRow("CUDA_HOME") << "CUDA_HOME"
                               << "toolkit"
                               << "toolkit/bin"
                               << "";
    QTest::newRow("VIRTUAL_ENV") << "VIRTUAL_ENV"
                                 << "env"
                                 << "env/lib/python3.9/site-packages/nvidia/cuda_nvdisasm/bin"
                                 << "";
    QTest::newRow("the chosen Python") << ""
                                       << ""
                                       << "py/lib/python3.12/site-packages/nvidia/cu13/bin"
                                       << "py/bin/python";
    QTest::newRow("the user's packages") << ""
                                         << ""
                                         << ".local/lib/python3.11/site-packages/nvidia/cu13/bin"
                                         << "";
}

void TestDisassembler::itIsFoundInItsPlaces()
{
    QFETCH(QString, variable);
    QFETCH(QString, root);
    QFETCH(QString, folder);
    QFETCH(QString, python);
    const StandInDisassembler standIn;
    const QString written = standIn.write(folder, "exit 0");
    if (!variable.isEmpty())
        qputenv(qPrintable(variable), (standIn.path() + '/' + root).toUtf8());
    const QString interpreter = python.isEmpty() ? QString() : standIn.path() + '/' + python;
    QVERIFY2(disassemblerFolders(interpreter).contains(standIn.path() + '/' + folder), qPrintable(folder));
    const bool before = !StandInDisassembler::isInstalled() || folder == "bin" || folder == "toolkit/bin";
    if (before) // the usual prefixes come before the wheels
        QCOMPARE(findDisassembler(interpreter).path, written);
}

void TestDisassembler::whatComesFirstIsTaken()
{
    const StandInDisassembler standIn("exit 0");
    standIn.write("toolkit/bin", "exit 0");
    qputenv("CUDA_PATH", (standIn.path() + "/toolkit").toUtf8());
    QCOMPARE(findDisassembler().path, standIn.path() + "/bin/nvdisasm");
    // One that may not be executed is none.
    QFile(standIn.path() + "/bin/nvdisasm").setPermissions(QFile::ReadOwner);
    QCOMPARE(findDisassembler().path, standIn.path() + "/toolkit/bin/nvdisasm");
    // Of several wheels the newest, whose number may have more digits.
    qunsetenv("CUDA_PATH");
    for (const char *wheel :
         {"env/lib/python3.9/site-packages/nvidia/cu9", "env/lib/python3.9/site-packages/nvidia/cu13"})
        standIn.write(QLatin1String(wheel) + "/bin", "exit 0");
    qputenv("VIRTUAL_ENV", (standIn.path() + "/env").toUtf8());
    const QStringList folders = disassemblerFolders();
    QVERIFY(folders.indexOf(standIn.path() + "/env/lib/python3.9/site-packages/nvidia/cu13/bin") <
            folders.indexOf(standIn.path() + "/env/lib/python3.9/site-packages/nvidia/cu9/bin"));
}

void TestDisassembler::notFoundSaysWhatToInstall()
{
    if (StandInDisassembler::isInstalled())
        QSKIP("nvdisasm is in one of the usual prefixes of this machine");
    const StandInDisassembler standIn;
    const DisassemblerProgram none = findDisassembler();
    QVERIFY(none.path.isEmpty());
    QVERIFY2(none.reason.contains("nvdisasm was not found"), qPrintable(none.reason));
    QVERIFY2(none.fix.contains("pip install nvidia-cuda-nvdisasm"), qPrintable(none.fix));
    Disassembler disassembler;
    const DisassemblyResult result = resultOf(disassembler);
    QCOMPARE(result.reason, none.reason);
    QCOMPARE(result.fix, none.fix);
    QVERIFY(result.text.isEmpty());
}

void TestDisassembler::codeIsReadFromWhatItPrints()
{
    const StandInDisassembler standIn("echo \"$@\" >&2\n" + StandInDisassembler::printing(recorded));
    Disassembler disassembler;
    const DisassemblyResult result = resultOf(disassembler);
    QVERIFY2(result.reason.isEmpty(), qPrintable(result.reason));
    QCOMPARE(result.code.target, QString("sm_90a"));
    QCOMPARE(result.code.instructions(), 136);
    QVERIFY(result.text.contains("File \"tiled.cu\", line 58"));
    QVERIFY(!result.text.contains("/home/reader"));
}

void TestDisassembler::failuresSayWhy_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("reason");
    QTest::newRow("a status") << "echo 'nvdisasm fatal: unknown architecture' >&2; exit 3"
                              << "nvdisasm ended with status 3: nvdisasm fatal: unknown architecture";
    QTest::newRow("killed") << "kill -KILL $$"
                            << "nvdisasm died";
    QTest::newRow("nothing") << "exit 0"
                             << "nvdisasm printed no instructions";
    QTest::newRow("something else") << "echo hello"
                                    << "nvdisasm printed no instructions";
    QTest::newRow("no end of it") << "x=$0; while [ ${#x} -lt 1000000 ]; do x=$x$x; done; while :; do echo $x; done"
                                  << "nvdisasm printed more than";
}

void TestDisassembler::failuresSayWhy()
{
    QFETCH(QString, script);
    QFETCH(QString, reason);
    const StandInDisassembler standIn(script);
    Disassembler disassembler;
    disassembler.setTimeLimit(60'000);
    const DisassemblyResult result = resultOf(disassembler);
    QVERIFY2(result.reason.startsWith(reason), qPrintable(result.reason));
    QVERIFY(!result.fix.isEmpty());
    QVERIFY(result.text.isEmpty());
}

void TestDisassembler::oneThatHangsIsEnded()
{
    const StandInDisassembler standIn("while :; do :; done");
    Disassembler disassembler;
    disassembler.setTimeLimit(300);
    const DisassemblyResult result = resultOf(disassembler);
    QCOMPARE(result.reason, QString("nvdisasm did not come to an end within 0.3 s"));
}

void TestDisassembler::onlyTheLastIsAnswered()
{
    const StandInDisassembler standIn(StandInDisassembler::printing(recorded));
    Disassembler disassembler;
    QSignalSpy finished(&disassembler, &Disassembler::finished);
    disassembler.disassemble("first.cubin");
    disassembler.disassemble("second.cubin");
    QVERIFY(finished.wait(60'000));
    disassembler.disassemble("third.cubin");
    disassembler.cancel();
    disassembler.disassemble("fourth.cubin");
    QVERIFY(finished.wait(60'000));
    QCOMPARE(finished.size(), 2);
}

QTEST_GUILESS_MAIN(TestDisassembler)
#include "tst_disassembler.moc"
