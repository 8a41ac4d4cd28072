// SPDX-License-Identifier: GPL-3.0-or-later
#include "capturefile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace stagecraft::capture;
using stagecraft::protocol::KernelRecord;

namespace {

KernelRecord record(const std::string &name, int iteration)
{
    KernelRecord one;
    one.kernelName = name;
    one.durationUs = 1.25;
    one.iteration = iteration;
    one.grid = {4, 2, 1};
    one.block = {128, 1, 1};
    one.registersPerThread = 32;
    one.sharedMemBytes = 2048;
    one.localBytesPerThread = 8;
    return one;
}

CaptureFile captureFile(std::int64_t pid)
{
    CaptureFile file;
    file.pid = pid;
    file.process = "python3";
    file.cupti = "API 130001, CUDA 13";
    CaptureBracket recorded;
    recorded.backend = "cupti";
    recorded.timestampMode = "default";
    recorded.records = {record("add", -1), record("mul", 7)};
    recorded.dropped = 2;
    recorded.invalid = 3;
    CaptureBracket refused;
    refused.unavailable = Refusal{"the driver does not let this user profile the GPU", "run as root"};
    refused.unterminated = true;
    file.brackets = {recorded, refused};
    return file;
}

QByteArray text(std::int64_t pid)
{
    return QByteArray::fromStdString(captureText(captureFile(pid)));
}

std::vector<int> iterationsOf(const std::vector<KernelRecord> &records)
{
    std::vector<int> iterations;
    for (const KernelRecord &one : records)
        iterations.push_back(one.iteration);
    return iterations;
}

} // namespace

class TestCaptureFile : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }
    void whatIsWrittenIsRead();
    void namesNeedNotBeText();
    void laterKeysArePassedOver();
    void allBracketsTogetherAreBounded();
    void damage_data();
    void damage();
    void directoriesHoldManyFiles();
    void directoriesThatCannotBeRead();
    void filesThatAreNone_data();
    void filesThatAreNone();
    void filesWithoutBracketsAreLeftOut();
    void anotherProcessesFile();
    void aFileTooLarge();
    void tooManyFiles();
    void iterations_data();
    void iterations();
    void recordsThatHaveNoIteration_data();
    void recordsThatHaveNoIteration();

private:
    void put(const QString &name, const QByteArray &contents) const
    {
        QFile file(m_directory->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(contents), contents.size());
    }
    std::vector<CaptureFile> read() const { return readCaptureDirectory(m_directory->path().toStdString()); }
    QString problem() const
    {
        try {
            read();
        } catch (const CaptureFileError &error) {
            return error.what();
        }
        return {};
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestCaptureFile::whatIsWrittenIsRead()
{
    const CaptureFile file = parseCapture(captureText(captureFile(12)), "12.json");
    QCOMPARE(file.pid, 12);
    QCOMPARE(file.process, std::string("python3"));
    QCOMPARE(file.cupti, std::string("API 130001, CUDA 13"));
    QCOMPARE(file.brackets.size(), 2u);
    const CaptureBracket &recorded = file.brackets[0];
    QCOMPARE(recorded.backend, std::string("cupti"));
    QCOMPARE(recorded.timestampMode, std::string("default"));
    QCOMPARE(recorded.dropped, 2);
    QCOMPARE(recorded.invalid, 3);
    QVERIFY(!recorded.unavailable && !recorded.unterminated);
    QVERIFY((iterationsOf(recorded.records) == std::vector<int>{-1, 7}));
    const KernelRecord &one = recorded.records[1];
    QCOMPARE(one.kernelName, std::string("mul"));
    QCOMPARE(one.durationUs, 1.25);
    QVERIFY((one.grid == std::array<std::int64_t, 3>{4, 2, 1}));
    QVERIFY((one.block == std::array<std::int64_t, 3>{128, 1, 1}));
    QCOMPARE(one.registersPerThread, 32);
    QCOMPARE(one.sharedMemBytes, 2048);
    QCOMPARE(one.localBytesPerThread, 8);
    const CaptureBracket &refused = file.brackets[1];
    QVERIFY(refused.unterminated && refused.records.empty());
    QCOMPARE(refused.unavailable->reason, std::string("the driver does not let this user profile the GPU"));
    QCOMPARE(refused.unavailable->fix, std::string("run as root"));
}

void TestCaptureFile::namesNeedNotBeText()
{
    CaptureFile file = captureFile(1);
    file.process = "a\xff\x01";
    QCOMPARE(parseCapture(captureText(file), "1.json").process, std::string("a\xef\xbf\xbd\x01"));
}

void TestCaptureFile::laterKeysArePassedOver()
{
    const std::string later =
        text(1).replace("\"format\":1", "\"format\":1,\"more\":{\"of\":[{\"it\":[1]}]}").toStdString();
    QCOMPARE(parseCapture(later, "1.json").brackets.size(), 2u);
}

void TestCaptureFile::allBracketsTogetherAreBounded()
{
    std::vector<CaptureBracket> brackets;
    const CaptureBracket bracket = captureFile(1).brackets[0]; // of two records, with two dropped
    for (int i = 0; i < 3; ++i)
        appendBracket(brackets, bracket, {3, 0});
    QCOMPARE(brackets.size(), 3u);
    QCOMPARE(brackets[0].records.size(), 2u);
    QCOMPARE(brackets[0].dropped, 2);
    QCOMPARE(brackets[1].records.size(), 1u);
    QCOMPARE(brackets[1].records[0].kernelName, std::string("add"));
    QCOMPARE(brackets[1].dropped, 3);
    QVERIFY(brackets[2].records.empty());
    QCOMPARE(brackets[2].dropped, 4);
}

void TestCaptureFile::damage_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const char *from, const QByteArray &to, const char *error) {
        QTest::newRow(name) << QByteArray(from) << to << "5.json: " + QString(error);
    };
    row("another format", "\"format\":1", "\"format\":2", "/format is 2; this program reads format 1");
    row("no format", "\"format\":1,", "", "/format is missing");
    row("a word as process id", "\"pid\":5", "\"pid\":\"5\"", "/pid expected a whole number, found string");
    row("a negative process id", "\"pid\":5", "\"pid\":-5", "/pid is negative: -5");
    row("a huge process id", "\"pid\":5", "\"pid\":18446744073709551615", "/pid is too large: 18446744073709551615");
    row("no process", "\"process\":\"python3\"", "\"x\":0", "/process is missing");
    row("a number as cupti", "\"cupti\":\"API 130001, CUDA 13\"", "\"cupti\":13",
        "/cupti expected a string, found number");
    row("brackets that are none", "\"brackets\":[", "\"brackets\":{},\"x\":[",
        "/brackets expected an array, found object");
    row("a bracket that is none", "\"brackets\":[", "\"brackets\":[4,", "/brackets/0 expected an object, found number");
    row("no backend", "\"backend\":\"cupti\",", "", "/brackets/0/backend is missing");
    row("fractional drops", "\"dropped\":2", "\"dropped\":2.5",
        "/brackets/0/dropped expected a whole number, found number");
    row("negative invalid", "\"invalid\":3", "\"invalid\":-1", "/brackets/0/invalid is negative: -1");
    row("drops beyond what doubles tell apart", "\"dropped\":2", "\"dropped\":9007199254740993",
        "/brackets/0/dropped is too large: 9007199254740993");
    row("another backend", "\"backend\":\"cupti\"", "\"backend\":\"\\u001b[31m\"",
        "/brackets/0/backend is not \"cupti\"");
    row("an empty backend", "\"backend\":\"cupti\"", "\"backend\":\"\"", "/brackets/0/backend is not \"cupti\"");
    row("a timestamp mode with an escape", "\"timestamp_mode\":\"default\"", "\"timestamp_mode\":\"\\u001b[31m\"",
        "/brackets/0/timestamp_mode expected 1 to 64 printable ASCII characters");
    row("a timestamp mode at length", "\"timestamp_mode\":\"default\"",
        "\"timestamp_mode\":\"" + QByteArray(65, 'x') + '"',
        "/brackets/0/timestamp_mode expected 1 to 64 printable ASCII characters");
    row("no timestamp mode", "\"timestamp_mode\":\"default\"", "\"x\":0", "/brackets/0/timestamp_mode is missing");
    row("a record that is none", "\"records\":[", "\"records\":[[],",
        "/brackets/0/records/0 expected an object, found array");
    row("a record without a name", "\"kernel_name\":\"mul\"", "\"x\":0",
        "/brackets/0/records/1/kernel_name is missing");
    row("a duration of 0", "\"duration_us\":1.25", "\"duration_us\":0",
        "/brackets/0/records/0/duration_us is not a duration above zero: 0.000000");
    row("a duration beyond numbers", "\"duration_us\":1.25", "\"duration_us\":1e999",
        "holds a number that is beyond every range");
    row("a duration beyond sense", "\"duration_us\":1.25", "\"duration_us\":1e308",
        "/brackets/0/records/0/duration_us is above 1e12");
    row("a grid beyond CUDA's", "\"grid\":[4,2,1]", "\"grid\":[1099511627776,1,1]",
        "/brackets/0/records/0/grid/0 is not from 1 to 2147483647: 1099511627776");
    row("a grid of nothing", "\"grid\":[4,2,1]", "\"grid\":[4,0,1]",
        "/brackets/0/records/0/grid/1 is not from 1 to 2147483647: 0");
    row("a negative grid", "\"grid\":[4,2,1]", "\"grid\":[4,2,-1]", "/brackets/0/records/0/grid/2 is negative: -1");
    row("another mark", "\"iteration\":-1", "\"iteration\":-2", "/brackets/0/records/0/iteration is negative: -2");
    row("a fractional mark", "\"iteration\":-1", "\"iteration\":-1.0",
        "/brackets/0/records/0/iteration expected a whole number, found number");
    row("a grid of two", "\"grid\":[4,2,1]", "\"grid\":[4,2]",
        "/brackets/0/records/0/grid expected an array of three whole numbers, found array");
    row("a refusal that is none", "\"unavailable\":{", "\"unavailable\":7,\"x\":{",
        "/brackets/1/unavailable expected an object, found number");
    row("a refusal without a reason", "\"reason\":", "\"why\":", "/brackets/1/unavailable/reason is missing");
    row("a refusal without a fix", "\"fix\":\"run as root\"", "\"fix\":[]",
        "/brackets/1/unavailable/fix expected a string, found array");
    row("a word as unterminated", "\"unterminated\":true", "\"unterminated\":\"yes\"",
        "/brackets/1/unterminated expected a boolean, found string");
    row("cut off", "\"unterminated\":true}]", "", "is not valid JSON at byte ");
}

void TestCaptureFile::damage()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, error);
    QByteArray damaged = text(5);
    const qsizetype at = damaged.indexOf(from);
    QVERIFY(at >= 0);
    put("5.json", damaged.replace(at, from.size(), to));
    QVERIFY2(problem().startsWith(error), qPrintable(problem()));
}

void TestCaptureFile::directoriesHoldManyFiles()
{
    QVERIFY(read().empty());
    put("200.json", text(200));
    put("31.json", text(31));
    for (const char *other : {"31.json.part", "notes.json", "-4.json", "12", "12.txt", "1e3.json"})
        put(other, "not for this reader");
    const auto files = read();
    QCOMPARE(files.size(), 2u);
    QCOMPARE(files[0].pid, 31);
    QCOMPARE(files[1].pid, 200);
}

void TestCaptureFile::directoriesThatCannotBeRead()
{
    const std::string missing = m_directory->filePath("missing").toStdString();
    try {
        readCaptureDirectory(missing);
        QFAIL("read");
    } catch (const CaptureFileError &error) {
        QCOMPARE(error.file(), missing);
        QVERIFY(error.pointer().empty());
        QVERIFY2(error.cause().starts_with("cannot be read: No such file"), error.what());
    }
}

void TestCaptureFile::filesThatAreNone_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"folder", "pipe", "link"})
        QTest::newRow(what) << what;
}

void TestCaptureFile::filesThatAreNone()
{
    QFETCH(QString, what);
    const QString file = m_directory->filePath("5.json");
    put("elsewhere", text(5));
    if (what == "folder")
        QVERIFY(QDir().mkdir(file));
    else if (what == "pipe")
        QCOMPARE(mkfifo(qPrintable(file), 0600), 0);
    else
        QVERIFY(QFile::link(m_directory->filePath("elsewhere"), file));
    QCOMPARE(problem(), QString("5.json: is not a regular file"));
}

void TestCaptureFile::filesWithoutBracketsAreLeftOut()
{
    put("5.json", R"({"format": 1, "pid": 5, "process": "gcc", "brackets": []})");
    QVERIFY(read().empty());
    QCOMPARE(problem(), QString());
    put("6.json", "");
    QCOMPARE(problem(), QString("6.json: is not valid JSON at byte 1"));
    put("6.json", "[6]");
    QCOMPARE(problem(), QString("6.json: expected an object, found array"));
    put("6.json", QByteArray(100000, '['));
    QCOMPARE(problem(), QString("6.json: is nested deeper than any capture file"));
}

void TestCaptureFile::anotherProcessesFile()
{
    put("6.json", text(5));
    QCOMPARE(problem(), QString("6.json: /pid is 5, which the file's name is not"));
}

void TestCaptureFile::aFileTooLarge()
{
    QFile file(m_directory->filePath("5.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64(maximumCaptureFileBytes) + 1));
    QCOMPARE(problem(), QString("5.json: holds 256 MB, of which at most 256 MB are read: bracket less of the program"));
}

void TestCaptureFile::tooManyFiles()
{
    for (std::size_t pid = 1; pid <= maximumCaptureFiles + 1; ++pid)
        put(QString("%1.json").arg(pid), {});
    QVERIFY(problem().endsWith("holds the files of more than 1000 processes"));
}

void TestCaptureFile::iterations_data()
{
    QTest::addColumn<std::vector<int>>("marks");
    QTest::addColumn<int>("requested");
    QTest::addColumn<std::vector<int>>("expected");
    QTest::newRow("one each") << std::vector<int>{-1, -1, -1} << 3 << std::vector<int>{0, 1, 2};
    QTest::newRow("two each") << std::vector<int>{-1, -1, -1, -1} << 2 << std::vector<int>{0, 0, 1, 1};
    QTest::newRow("all of one") << std::vector<int>{-1, -1} << 1 << std::vector<int>{0, 0};
    QTest::newRow("marked") << std::vector<int>{0, 2, 2} << 4 << std::vector<int>{0, 2, 2};
}

void TestCaptureFile::iterations()
{
    QFETCH(std::vector<int>, marks);
    QFETCH(int, requested);
    QFETCH(std::vector<int>, expected);
    std::vector<KernelRecord> records;
    for (const int mark : marks)
        records.push_back(record("k", mark));
    const auto problem = assignIterations(records, requested);
    QVERIFY2(!problem, problem.value_or("").c_str());
    QVERIFY(iterationsOf(records) == expected);
}

void TestCaptureFile::recordsThatHaveNoIteration_data()
{
    QTest::addColumn<std::vector<int>>("marks");
    QTest::addColumn<int>("requested");
    QTest::addColumn<QString>("problem");
    QTest::newRow("none") << std::vector<int>{} << 3 << "no kernel was recorded";
    QTest::newRow("a rest") << std::vector<int>(203, -1) << 100
                            << "203 kernel records do not divide into 100 iterations";
    QTest::newRow("too few") << std::vector<int>{-1} << 2 << "1 kernel record does not divide into 2 iterations";
    QTest::newRow("some unmarked") << std::vector<int>{0, -1, -1} << 2
                                   << "2 kernel records of 3 belong to no marked iteration, the first is of k1";
    QTest::newRow("one unmarked") << std::vector<int>{0, -1} << 2
                                  << "1 kernel record of 2 belongs to no marked iteration, the first is of k1";
    QTest::newRow("marked beyond") << std::vector<int>{0, 1} << 1
                                   << "a record of k1 is marked as of iteration 1, counted from 0, of 1 iteration "
                                      "requested";
}

void TestCaptureFile::recordsThatHaveNoIteration()
{
    QFETCH(std::vector<int>, marks);
    QFETCH(int, requested);
    QFETCH(QString, problem);
    std::vector<KernelRecord> records;
    for (std::size_t i = 0; i < marks.size(); ++i)
        records.push_back(record("k" + std::to_string(i), marks[i]));
    QCOMPARE(QString::fromStdString(assignIterations(records, requested).value_or("")), problem);
    QVERIFY(iterationsOf(records) == marks);
}

QTEST_APPLESS_MAIN(TestCaptureFile)
#include "tst_capturefile.moc"
