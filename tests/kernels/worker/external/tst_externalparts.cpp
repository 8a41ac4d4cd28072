// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend.h"
#include "errortail.h"
#include "gpupresence.h"
#include "privatedirectory.h"
#include "programsearch.h"
#include "timingfile.h"
#include "visibledevice.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft::worker;

// Parts of the worker that its messages do not show.
class ExternalPartsTest : public QObject
{
    Q_OBJECT

private slots:
    void searchesThePath();
    void searchesAsTheSystemDoes();
    void namesAFolderThatIsNoProgram();
    void keepsTheLastLines();
    void makesADirectoryOfItsOwn();
    void countsGpusInTheListThatThereIs();
    void seesAGpuByItsDevice_data();
    void seesAGpuByItsDevice();
    void takesNoEventsWithoutAGpu_data();
    void takesNoEventsWithoutAGpu();
};

namespace {

void makeProgram(const QString &path, bool executable)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.setPermissions(executable ? QFile::ReadOwner | QFile::ExeOwner : QFile::ReadOwner);
}

} // namespace

void ExternalPartsTest::searchesThePath()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("first/harness")); // a folder of that name is passed over
    QVERIFY(QDir(folder.path()).mkpath("second") && QDir(folder.path()).mkpath("third"));
    makeProgram(folder.filePath("second/harness"), false); // so is what may not be executed
    const QByteArray before = qgetenv("PATH");
    const auto path = [&](const char *name) { return folder.filePath(name); };
    qputenv("PATH", (path("first") + ":" + path("second") + ":" + path("third")).toLocal8Bit());
    QCOMPARE(findProgram("harness").reason, std::string("the program harness cannot be executed"));
    makeProgram(folder.filePath("third/harness"), true);
    QCOMPARE(findProgram("harness").path, path("third/harness").toStdString());
    QCOMPARE(findProgram("other").reason, std::string("the program other is in no folder of PATH"));
    qputenv("PATH", before);
}

void ExternalPartsTest::searchesAsTheSystemDoes()
{
    QCOMPARE(findProgram("/bin/sh").path, std::string("/bin/sh"));
    QCOMPARE(findProgram("sh").path.ends_with("/sh"), true);
    QCOMPARE(findProgram("").path, std::string());
    QCOMPARE(programName("/opt/tools/harness"), std::string("harness"));
}

void ExternalPartsTest::namesAFolderThatIsNoProgram()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("some-harness"));
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    for (const char *name : {"some-harness", "./some-harness", "some-harness/"}) {
        const auto found = findProgram(name);
        QCOMPARE(found.path, std::string());
        QVERIFY2(found.reason.ends_with(" is a folder, not a program"), found.reason.c_str());
    }
    QVERIFY(QDir::setCurrent(before));
}

void ExternalPartsTest::keepsTheLastLines()
{
    ErrorTail tail;
    QCOMPARE(tail.lastLines(), std::string());
    for (int i = 0; i < 1000; ++i)
        tail.append("line " + std::to_string(i) + "\n\n");
    tail.append("the e");
    tail.append("nd");
    QCOMPARE(tail.lastLines(), std::string("line 996 | line 997 | line 998 | line 999 | the end"));
    tail.append(std::string(100'000, 'x'));
    QVERIFY(tail.lastLines().size() <= 2000);
    const QString word = QString(1500, u'\u20ac'); // three bytes each, of which 2000 are no multiple
    tail.append(word.toStdString());
    QCOMPARE(QString::fromStdString(tail.lastLines()), word.left(666));
}

void ExternalPartsTest::makesADirectoryOfItsOwn()
{
    const QTemporaryDir folder;
    QString inside, outside;
    {
        const PrivateDirectory one(folder.path().toStdString()), other(folder.path().toStdString()), none({});
        inside = QString::fromStdString(one.path().string());
        outside = QString::fromStdString(none.path().string());
        QVERIFY(inside.startsWith(folder.path() + "/") && one.path() != other.path());
        QVERIFY(QFileInfo(inside).isDir() && QFileInfo(outside).isDir());
        QFile file(inside + "/left");
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    QVERIFY(!QFileInfo::exists(inside) && !QFileInfo::exists(outside));
    // Where the parent is none, as with inputs that were made elsewhere.
    const PrivateDirectory elsewhere("/nowhere/inputs");
    QVERIFY(QFileInfo(QString::fromStdString(elsewhere.path().string())).isDir());
}

void ExternalPartsTest::countsGpusInTheListThatThereIs()
{
    const bool isSet = qEnvironmentVariableIsSet("CUDA_VISIBLE_DEVICES");
    const QByteArray before = qgetenv("CUDA_VISIBLE_DEVICES");
    qunsetenv("CUDA_VISIBLE_DEVICES");
    QCOMPARE(visibleDevice(3), std::string("3"));
    qputenv("CUDA_VISIBLE_DEVICES", "5,GPU-1f2e,2");
    QCOMPARE(visibleDevice(0), std::string("5"));
    QCOMPARE(visibleDevice(1), std::string("GPU-1f2e"));
    try {
        visibleDevice(3);
        QFAIL("there is no such GPU in the list");
    } catch (const WorkerError &error) {
        QCOMPARE(error.code, stagecraft::protocol::error::unavailable);
        QCOMPARE(error.what(), "GPU 3 was asked for, but CUDA_VISIBLE_DEVICES names 3");
    }
    qputenv("CUDA_VISIBLE_DEVICES", ""); // no GPU is to be seen: a program on the CPU runs still
    QCOMPARE(visibleDevice(1), std::string());
    if (isSet)
        qputenv("CUDA_VISIBLE_DEVICES", before);
    else
        qunsetenv("CUDA_VISIBLE_DEVICES");
}

void ExternalPartsTest::seesAGpuByItsDevice_data()
{
    QTest::addColumn<QString>("device");
    for (const char *name : {"nvidiactl", "nvidia0", "dxg"})
        QTest::addRow("%s", name) << QString::fromUtf8(name);
}

void ExternalPartsTest::seesAGpuByItsDevice()
{
    QFETCH(QString, device);
    const QTemporaryDir folder;
    makeProgram(folder.filePath(device), false);
    QVERIFY(gpuMayBeHere(folder.path().toStdString()));
}

void ExternalPartsTest::takesNoEventsWithoutAGpu_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("said");
    QTest::addRow("none") << QByteArray() << "is missing";
    QTest::addRow("event") << QByteArray(R"(, "source": "event")") << R"(is "event")";
    QTest::addRow("host") << QByteArray(R"(, "source": "host")") << QString();
}

void ExternalPartsTest::takesNoEventsWithoutAGpu()
{
    QFETCH(QByteArray, source);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    QFile file(folder.filePath("odd-timing.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"op": "gelu", "dims": [1, 1], "warmup": 0, "iterations": 1, "samples_us": [2], "event_mean_us": 2)" +
               source + "}");
    file.close();
    TimingRequest request{"gelu", {1, 1}, 0, 1, false};
    const auto path = file.fileName().toStdString();
    QString reason;
    try {
        QCOMPARE(readTiming(path, request).source, std::string("host"));
    } catch (const WorkerError &error) {
        QCOMPARE(error.code, stagecraft::protocol::error::invalid);
        QCOMPARE(error.fix, std::string(R"(write "source": "host" into odd-timing.json)"));
        reason = error.what();
    }
    const QString expected =
        "odd-timing.json: source: %1, but there is no GPU here, so its times cannot be CUDA events";
    QCOMPARE(reason, said.isEmpty() ? QString() : expected.arg(said));
    request.gpuMayBeHere = true;
    QCOMPARE(readTiming(path, request).source, std::string(said.isEmpty() ? "host" : "event"));
}

QTEST_APPLESS_MAIN(ExternalPartsTest)
#include "tst_externalparts.moc"
