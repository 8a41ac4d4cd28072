// SPDX-License-Identifier: GPL-3.0-or-later
#include "externalfixture.h"

#include <csignal>
#include <QDir>
#include <QFile>
#include <unistd.h>

using namespace external;

// How a program ends that does not end by itself: with everything that it has started.
class ExternalEndsTest : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cancelEndsTheProgram_data();
    void cancelEndsTheProgram();
    void cancelEndsAPreparation();
    void cancelEndsACapture();
    void endOfInputEndsTheProgram_data();
    void endOfInputEndsTheProgram();
    void endOfInputEndsWhatCannotBeCancelled();
    void terminationEndsWhatTheProgramStarted();
    void endOfTheGroupEndsTheProgram();
    void endOfTheWorkerEndsTheProgram();
    void leavesNothingBehind();

private:
    void startHanging(WorkerClient &client, const QStringList &words);
    void startPrivately(WorkerClient &client, const QStringList &words);
    int privateDirectories() const;
    QString pidsFile() const { return m_folder->filePath("pids"); }
    bool isWritten() const
    {
        return QTest::qWaitFor([this] { return QFile::exists(pidsFile()); }, 30'000);
    }
    bool areGone() const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

// One that has ended and that nobody has waited for yet is gone too.
bool isGone(const QByteArray &pid)
{
    QFile stat("/proc/" + QString::fromLatin1(pid) + "/stat");
    if (!stat.open(QIODevice::ReadOnly))
        return true;
    const QByteArray line = stat.readAll();
    return line.isEmpty() || line.mid(line.lastIndexOf(')') + 2, 1) == "Z";
}

} // namespace

void ExternalEndsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

// It is right when it is prepared and hangs in longer runs.
void ExternalEndsTest::startHanging(WorkerClient &client, const QStringList &words)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("STAGECRAFT_CAPTURE_LIBRARY", STAGECRAFT_SOURCE_DIR "/README.md");
    client.process().setChildProcessModifier([] { setsid(); }); // as the program's side starts workers
    startOdd(client, QStringList{"later", "hang", "pids:" + pidsFile()} + words, environment);
}

// With a folder for temporary files that nobody else has.
void ExternalEndsTest::startPrivately(WorkerClient &client, const QStringList &words)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TMPDIR", m_folder->path());
    addDriver(environment);
    client.start("bin/stagecraft-worker-external", QStringList{"odd", misbehaving()} + words, environment);
    QVERIFY(client.waitForHello());
}

int ExternalEndsTest::privateDirectories() const
{
    return static_cast<int>(QDir(m_folder->path()).entryList({"stagecraft-external-*"}, QDir::Dirs).size());
}

bool ExternalEndsTest::areGone() const
{
    QFile file(pidsFile());
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArrayList pids = file.readAll().split(' ');
    return pids.size() == 2 && QTest::qWaitFor([&] { return isGone(pids[0]) && isGone(pids[1]); }, 30'000);
}

void ExternalEndsTest::cancelEndsTheProgram_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addRow("silent") << QStringList{};
    QTest::addRow("prints without end") << QStringList{"flood"};
}

void ExternalEndsTest::cancelEndsTheProgram()
{
    QFETCH(QStringList, words);
    WorkerClient client;
    startHanging(client, words);
    const auto measure = client.send(method::measure, MeasureParams{prepare(client), 0, 0, 5});
    QVERIFY(isWritten());
    client.notify(method::cancel);
    const auto result = WorkerClient::resultOf(client.waitFor(measure)).get<MeasureResult>();
    QVERIFY(result.cancelled);
    QCOMPARE(result.count, 0);
    QVERIFY(areGone()); // also the child that has left the group
    QVERIFY(client.get<DescribeResult>(method::describe).selfTest.passed);
}

void ExternalEndsTest::cancelEndsAPreparation()
{
    WorkerClient client;
    startOdd(client, {"hang", "pids:" + pidsFile()});
    const auto asked = client.send(method::prepare, paramsFor("matmul", {3, 4, 5}));
    QVERIFY(isWritten());
    client.notify(method::cancel);
    QCOMPARE(WorkerClient::errorOf(client.waitFor(asked)).code, error::cancelled);
    QVERIFY(areGone());
}

void ExternalEndsTest::cancelEndsACapture()
{
    WorkerClient client;
    startHanging(client, {});
    const auto capture = client.send(method::capture, CaptureParams{prepare(client), 0, 0, 5});
    QVERIFY(isWritten());
    client.notify(method::cancel);
    QVERIFY(WorkerClient::resultOf(client.waitFor(capture)).get<CaptureResult>().cancelled);
    QVERIFY(areGone());
}

void ExternalEndsTest::endOfInputEndsTheProgram_data()
{
    QTest::addColumn<bool>("preparing");
    QTest::addColumn<QStringList>("words");
    QTest::addRow("measure") << false << QStringList{"later"};
    QTest::addRow("prepare") << true << QStringList{};
    QTest::addRow("prepare, in the group") << true << QStringList{"stay"};
}

void ExternalEndsTest::endOfInputEndsTheProgram()
{
    QFETCH(bool, preparing);
    QFETCH(QStringList, words);
    WorkerClient client;
    startPrivately(client, QStringList{"hang", "pids:" + pidsFile()} + words);
    if (preparing)
        client.send(method::prepare, paramsFor("matmul", {3, 4, 5}));
    else
        client.send(method::measure, MeasureParams{prepare(client), 0, 0, 5});
    QVERIFY(isWritten());
    QCOMPARE(privateDirectories(), 1);
    client.process().closeWriteChannel();
    QVERIFY(client.waitForEnd());
    QCOMPARE(client.process().exitCode(), 0);
    QVERIFY(areGone());
    QCOMPARE(privateDirectories(), 0);
}

// The FP64 reference of these dims takes longer than a worker may.
void ExternalEndsTest::endOfInputEndsWhatCannotBeCancelled()
{
    WorkerClient client;
    startPrivately(client, {});
    client.send(method::prepare, paramsFor("matmul", {4096, 4096, 4096}));
    QVERIFY(QTest::qWaitFor([this] { return privateDirectories() == 1; }, 30'000));
    client.process().closeWriteChannel();
    QVERIFY(client.waitForEnd());
    QCOMPARE(privateDirectories(), 0);
}

// What the system sends when the program's side is gone. The shell waits for what it has started.
void ExternalEndsTest::terminationEndsWhatTheProgramStarted()
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TMPDIR", m_folder->path());
    WorkerClient client;
    const QString script = "sleep 600 & echo -n \"$$ $!\" > '" + m_folder->path() + "/new'; mv '" + m_folder->path() +
                           "/new' '" + pidsFile() + "'; wait; exit 0";
    client.start("bin/stagecraft-worker-external", {"odd", "sh", "-c", script}, environment);
    QVERIFY(client.waitForHello());
    client.send(method::prepare, paramsFor("matmul", {3, 4, 5}));
    QVERIFY(isWritten());
    QCOMPARE(privateDirectories(), 1);
    client.process().terminate(); // the worker alone, whose input stays open
    QVERIFY(client.waitForEnd());
    QVERIFY(areGone());
    QCOMPARE(privateDirectories(), 0);
}

// What the program's side does at its time limit.
void ExternalEndsTest::endOfTheGroupEndsTheProgram()
{
    WorkerClient client;
    startHanging(client, {"stay"});
    client.send(method::measure, MeasureParams{prepare(client), 0, 0, 5});
    QVERIFY(isWritten());
    QCOMPARE(kill(-static_cast<pid_t>(client.process().processId()), SIGKILL), 0);
    QVERIFY(client.waitForEnd());
    QVERIFY(areGone());
}

void ExternalEndsTest::endOfTheWorkerEndsTheProgram()
{
    WorkerClient client;
    startHanging(client, {});
    client.send(method::measure, MeasureParams{prepare(client), 0, 0, 5});
    QVERIFY(isWritten());
    client.process().kill(); // the worker alone
    QVERIFY(client.waitForEnd());
    QFile file(pidsFile());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList pids = file.readAll().split(' ');
    QVERIFY(QTest::qWaitFor([&] { return isGone(pids.first()); }, 30'000));
    kill(static_cast<pid_t>(pids.last().toInt()), SIGKILL); // what left its session is nobody's to find then
}

void ExternalEndsTest::leavesNothingBehind()
{
    WorkerClient client;
    startOdd(client, {"leave", "pids:" + pidsFile()});
    prepare(client);
    QVERIFY(areGone()); // the program itself ended well
}

QTEST_GUILESS_MAIN(ExternalEndsTest)
#include "tst_externalends.moc"
