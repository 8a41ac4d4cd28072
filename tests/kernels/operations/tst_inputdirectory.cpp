// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

using namespace stagecraft::operations;
using nlohmann::json;

namespace {

InputSet small(std::uint64_t seed = defaultSeed)
{
    return generateInputs(*findOperation("neighbor"), {5, 3, 11}, seed);
}

} // namespace

class InputDirectoryTest : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void writesEverything();
    void readsBack();
    void leavesAnEqualDirectoryAlone();
    void replacesAnotherSeed();
    void repairsADamagedFile();
    void updatesTheCounts();
    void readsAndWritesTheManifest();
    void readsWithoutHashes();
    void refuses_data();
    void refuses();
    void opensNoPipe_data();
    void opensNoPipe();
    void refusesAShortReference();
    void saysWhyItCannotWrite();

private:
    std::filesystem::path path() const { return m_directory->filePath("inputs").toStdString(); }
    QString file(const QString &name) const { return m_directory->filePath("inputs/" + name); }
    QByteArray content(const QString &name) const;
    void overwrite(const QString &name, const QByteArray &content) const;
    json jsonOf(const QString &name) const { return json::parse(content(name).toStdString()); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void InputDirectoryTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    writeInputDirectory(path(), small(), 25, 100);
}

QByteArray InputDirectoryTest::content(const QString &name) const
{
    QFile stored(file(name));
    if (!stored.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(name));
    return stored.readAll();
}

void InputDirectoryTest::overwrite(const QString &name, const QByteArray &content) const
{
    QFile stored(file(name));
    QVERIFY(stored.open(QIODevice::WriteOnly) && stored.write(content) == content.size());
}

void InputDirectoryTest::writesEverything()
{
    const auto names = QDir(file("")).entryList(QDir::Files, QDir::Name);
    QCOMPARE(names, (QStringList{"a.bin", "b.bin", "indices.bin", "input.json", "inputs.sha256.json",
                                 "reference.f64.bin", "rowptr.bin"}));
    const json manifest = {{"op", "neighbor"}, {"dims", {5, 3, 11}}, {"warmup", 25}, {"iterations", 100}};
    QCOMPARE(jsonOf("input.json").dump(), manifest.dump());
    const json seedAndHashes = {{"seed", defaultSeed}, {"sha256", hashes(small())}};
    QCOMPARE(jsonOf("inputs.sha256.json").dump(), seedAndHashes.dump());
    QCOMPARE(content("reference.f64.bin").size(), 5 * 3 * 8);
}

void InputDirectoryTest::readsBack()
{
    const auto written = small();
    const auto read = readInputDirectory(path());
    QCOMPARE(read.operation, written.operation);
    QCOMPARE(read.dims, written.dims);
    QCOMPARE(read.seed, written.seed);
    QCOMPARE(read.a, written.a);
    QCOMPARE(read.b, written.b);
    QCOMPARE(read.rowptr, written.rowptr);
    QCOMPARE(read.indices, written.indices);
    QCOMPARE(readReference(path(), 15), reference(written));
}

void InputDirectoryTest::leavesAnEqualDirectoryAlone()
{
    QFile stored(file("a.bin"));
    QVERIFY(stored.open(QIODevice::ReadWrite));
    const QDateTime old(QDate(2020, 1, 1), QTime(0, 0));
    QVERIFY(stored.setFileTime(old, QFileDevice::FileModificationTime));
    stored.close();
    writeInputDirectory(path(), small(), 25, 100);
    QCOMPARE(stored.fileTime(QFileDevice::FileModificationTime), old);
}

void InputDirectoryTest::replacesAnotherSeed()
{
    writeInputDirectory(path(), small(1), 25, 100);
    QCOMPARE(readInputDirectory(path()).a, small(1).a);
    QCOMPARE(readReference(path(), 15), reference(small(1)));
}

void InputDirectoryTest::repairsADamagedFile()
{
    overwrite("a.bin", content("a.bin").chopped(4));
    writeInputDirectory(path(), small(), 25, 100);
    QCOMPARE(readInputDirectory(path()).a, small().a);
    overwrite("reference.f64.bin", {});
    writeInputDirectory(path(), small(), 25, 100);
    QCOMPARE(readReference(path(), 15), reference(small()));
}

void InputDirectoryTest::updatesTheCounts()
{
    writeInputDirectory(path(), small(), 1, 2);
    QCOMPARE(jsonOf("input.json")["warmup"].get<int>(), 1);
    QCOMPARE(jsonOf("input.json")["iterations"].get<int>(), 2);
}

void InputDirectoryTest::readsAndWritesTheManifest()
{
    const auto found = readInputManifest(path());
    QCOMPARE(found.operation, std::string("neighbor"));
    QCOMPARE(found.dims, (Dims{5, 3, 11}));
    QCOMPARE(found.warmup, std::optional(25));
    QCOMPARE(found.iterations, std::optional(100));
    const QByteArray before = content("a.bin");
    writeInputManifest(path(), {found.operation, found.dims, 0, 7});
    QCOMPARE(readInputManifest(path()).warmup, std::optional(0));
    QCOMPARE(readInputManifest(path()).iterations, std::optional(7));
    QCOMPARE(content("a.bin"), before);
    overwrite("input.json", R"({"op": "gelu", "dims": [1, 2], "run_id": "x"})"); // another program's
    QVERIFY(!readInputManifest(path()).warmup && !readInputManifest(path()).iterations);
    QVERIFY(hasReference(path()));
    QVERIFY(QFile::remove(file("reference.f64.bin")));
    QVERIFY(!hasReference(path()));
}

void InputDirectoryTest::readsWithoutHashes()
{
    QVERIFY(QFile::remove(file("inputs.sha256.json")));
    QCOMPARE(readInputDirectory(path()).a, small().a);
}

void InputDirectoryTest::refuses_data()
{
    const auto floats = [](std::vector<float> values) {
        return QByteArray(reinterpret_cast<const char *>(values.data()), qsizetype(values.size() * sizeof(float)));
    };
    const auto words = [](std::vector<std::uint32_t> values) {
        return QByteArray(reinterpret_cast<const char *>(values.data()), qsizetype(values.size() * 4));
    };
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *title, const char *name, const QByteArray &bytes, const char *said) {
        QTest::addRow("%s", title) << name << bytes << said;
    };
    row("no JSON", "input.json", "{", "is not valid JSON");
    row("no JSON, at length", "input.json", "[\"" + QByteArray(5000, 'x'), "is not valid JSON at byte 5003");
    row("no operation", "input.json", "{}", "/op");
    row("other operation, at length", "input.json", "{\"op\": \"" + QByteArray(5000, 'x') + "\"}",
        "no operation is named");
    row("unknown operation", "input.json", R"({"op": "conv", "dims": [1]})", "conv");
    row("no dims", "input.json", R"({"op": "gelu"})", "/dims");
    row("dims of text", "input.json", R"({"op": "gelu", "dims": ["1", "2"]})", "/dims");
    row("dims too large", "input.json", R"({"op": "gelu", "dims": [18446744073709551615, 1]})", "/dims");
    row("negative dims", "input.json", R"({"op": "gelu", "dims": [-1, 1]})", "rows is -1");
    row("warm-up of text", "input.json", R"({"op": "gelu", "dims": [1, 2], "warmup": "25"})", "/warmup: expected");
    row("negative warm-up", "input.json", R"({"op": "gelu", "dims": [1, 2], "warmup": -1})", "/warmup: expected");
    row("no iterations", "input.json", R"({"op": "gelu", "dims": [1, 2], "iterations": 0})",
        "/iterations: expected a whole number from 1");
    row("iterations too many", "input.json", R"({"op": "gelu", "dims": [1, 2], "iterations": 4294967297})",
        "/iterations: expected");
    row("iterations beyond the program's", "input.json", R"({"op": "gelu", "dims": [1, 2], "iterations": 1000001})",
        "/iterations: expected a whole number from 1 to 1000000");
    row("huge dims, small file", "input.json", R"({"op": "gelu", "dims": [1000000000, 1000000]})", "a.bin");
    row("short buffer", "a.bin", "1234", "has 4 bytes, its dims need 60");
    row("not finite", "b.bin", floats(std::vector<float>(11, std::numeric_limits<float>::quiet_NaN())), "element 0");
    row("other bytes", "b.bin", floats(std::vector<float>(11, 0.0F)), "SHA-256");
    row("start not 0", "rowptr.bin", words({1, 2, 3, 4, 5, 11}), "element 0 is 1");
    row("descending", "rowptr.bin", words({0, 5, 4, 6, 7, 11}), "element 2 is below");
    row("wrong end", "rowptr.bin", words({0, 1, 2, 3, 4, 5}), "ends with 5, but there are 11 edges");
    row("index too large", "indices.bin", words({0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0}), "element 5 is 5");
    row("no seed", "inputs.sha256.json", "{}", "/seed");
    row("no hash of a file", "inputs.sha256.json", R"({"seed": 1, "sha256": {}})", "/sha256/a.bin");
}

void InputDirectoryTest::refuses()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    overwrite(name, bytes);
    try {
        readInputDirectory(path());
        QFAIL("accepted");
    } catch (const InputError &error) {
        QVERIFY2(QString(error.what()).contains(said), error.what());
        QVERIFY(QString(error.what()).size() < 300); // whatever the file holds
        QVERIFY2(QString(error.what()).contains(QRegularExpression("^[a-z0-9.]+: ")), error.what());
    }
}

void InputDirectoryTest::opensNoPipe_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"input.json", "a.bin", "inputs.sha256.json"})
        QTest::newRow(name) << name;
}

void InputDirectoryTest::opensNoPipe()
{
    QFETCH(QString, name);
    const auto file = path() / name.toStdString();
    std::filesystem::remove(file);
    QCOMPARE(mkfifo(file.c_str(), 0600), 0);
    try {
        readInputDirectory(path());
        QFAIL("accepted");
    } catch (const InputError &error) {
        QCOMPARE(QString(error.what()), name + ": cannot be read: it is no regular file");
    }
}

void InputDirectoryTest::refusesAShortReference()
{
    QVERIFY_EXCEPTION_THROWN(readReference(path(), 16), InputError);
    QVERIFY_EXCEPTION_THROWN(readReference(path() / "nowhere", 16), InputError);
}

void InputDirectoryTest::saysWhyItCannotWrite()
{
    overwrite("blocked", {});
    try {
        writeInputDirectory(path() / "blocked" / "inputs", small(), 25, 100);
        QFAIL("written into a file");
    } catch (const InputError &error) {
        QVERIFY2(QString(error.what()).contains("Not a directory"), error.what());
    }
}

QTEST_APPLESS_MAIN(InputDirectoryTest)
#include "tst_inputdirectory.moc"
