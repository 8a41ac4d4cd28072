// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontmatter.h"

#include <nlohmann/json.hpp>
#include <QCryptographicHash>
#include <QTest>

using namespace stagecraft::stagefile;

namespace {

const char *const minimal = R"({"title": "t", "status": "retained",
    "launches": [{"entry": "f", "block": 256, "grid": [{"cover": ["m", "n"], "by": 256}]}]})";

std::string file(const std::string &json)
{
    return "// SPDX-License-Identifier: MIT\n\n/* stage\n" + json + "\n*/\nextern \"C\" __global__ void f() {}\n";
}

// The minimal front matter with one key of its root set to a JSON text.
std::string with(const std::string &key, const std::string &value)
{
    auto json = nlohmann::json::parse(minimal);
    json[key] = nlohmann::json::parse(value);
    return file(json.dump());
}

std::string withLaunch(const std::string &key, const std::string &value)
{
    auto json = nlohmann::json::parse(minimal);
    json["launches"][0][key] = nlohmann::json::parse(value);
    return file(json.dump());
}

std::string withMapsAndArchitecture(const std::string &architecture)
{
    auto json = nlohmann::json::parse(minimal);
    json["tensor_maps"] = nlohmann::json::parse(R"([{"buffer": "a", "box": [8, 32], "swizzle": "128B"}])");
    json["requires"] = {{"arch", architecture}};
    return file(json.dump());
}

} // namespace

class TestFrontMatter : public QObject
{
    Q_OBJECT

private slots:
    void everyKeyIsRead();
    void defaultsApply();
    void hashIsOfTheWholeFile();
    void faultsAreNamed_data();
    void faultsAreNamed();
};

void TestFrontMatter::everyKeyIsRead()
{
    const Stage stage = parseStage("matmul", "k64", file(R"({
        "title": "Title", "change": "Change", "after": "tiled", "status": "attempt", "label": "second",
        "arithmetic": "3xtf32",
        "launches": [
            {"entry": "first", "block": [16, 8, 2], "cluster": [2, 1], "shared_bytes": 98304,
             "grid": [{"cover": "n", "by": 64}, {"cover": ["m", "k"], "by": 128}, {"cover": "k"}]},
            {"entry": "second", "block": 32, "grid": [{"per_sm": 2}, {"cover": "m", "by": 8, "per_sm": 4}]}],
        "scratch": 4096,
        "tensor_maps": [{"buffer": "a", "box": [64, 32], "swizzle": "128B"}],
        "requires": {"multiple_of": {"k": 32}, "min": {"m": 1}, "max": {"n": 9}, "equals": {"m": 4}, "arch": "sm_90a"},
        "counts": {"shared reads per multiply-add": 0.125},
        "local_memory": "on purpose",
        "source": "a note"})"));
    QCOMPARE(stage.name(), std::string("matmul/k64"));
    QCOMPARE(stage.fileName, std::string("matmul/k64.cu"));
    QCOMPARE(stage.title, std::string("Title"));
    QCOMPARE(stage.change, std::string("Change"));
    QCOMPARE(stage.after, std::string("tiled"));
    QVERIFY(stage.status == Status::Attempt);
    QCOMPARE(stage.label, std::string("second"));
    QCOMPARE(stage.arithmetic, std::string("3xtf32"));
    QCOMPARE(stage.launches.size(), 2u);
    const LaunchSpec &first = stage.launches[0];
    QCOMPARE(first.entry, std::string("first"));
    QVERIFY((first.block == Extent3{16, 8, 2}));
    QVERIFY((first.cluster == Extent3{2, 1, 1}));
    QCOMPARE(first.sharedBytes, 98304);
    QCOMPARE(first.grid.size(), 3u);
    QCOMPARE(std::get<Cover>(first.grid[0]).by, 64);
    QVERIFY((std::get<Cover>(first.grid[1]).dims == std::vector<std::string>{"m", "k"}));
    QCOMPARE(std::get<Cover>(first.grid[2]).by, 1);
    QCOMPARE(std::get<PerSm>(stage.launches[1].grid[0]).blocks, 2);
    QVERIFY(!std::get<Cover>(stage.launches[0].grid[0]).perSm);
    const Cover &limited = std::get<Cover>(stage.launches[1].grid[1]);
    QCOMPARE(limited.by, 8);
    QCOMPARE(limited.perSm.value_or(0), 4);
    QCOMPARE(stage.scratchBytes, 4096);
    QCOMPARE(stage.tensorMaps.at(0).swizzle, std::string("128B"));
    QVERIFY((stage.tensorMaps.at(0).box == std::vector<std::int64_t>{64, 32}));
    QVERIFY(stage.requirements.dims.at("k").multipleOf == 32);
    QVERIFY(stage.requirements.dims.at("m").min == 1 && stage.requirements.dims.at("m").equals == 4);
    QVERIFY(stage.requirements.dims.at("n").max == 9);
    QCOMPARE(stage.requirements.architecture, std::string("sm_90a"));
    QCOMPARE(stage.counts.at("shared reads per multiply-add"), 0.125);
    QCOMPARE(stage.localMemory, std::string("on purpose"));
    QCOMPARE(stage.source, std::string("a note"));
}

void TestFrontMatter::defaultsApply()
{
    const Stage stage = parseStage("matmul", "tiled", file(minimal));
    QCOMPARE(stage.label, std::string("tiled"));
    QCOMPARE(stage.arithmetic, std::string("fp32"));
    QCOMPARE(stage.scratchBytes, 0);
    QVERIFY(stage.localMemory.empty());
    QVERIFY((stage.launches[0].block == Extent3{256, 1, 1}));
    QVERIFY(stage.requirements.architecture.empty() && stage.requirements.dims.empty());
    QCOMPARE(parseStage("matmul", "tiled", withMapsAndArchitecture("sm_90")).tensorMaps.size(), 1u);
}

void TestFrontMatter::hashIsOfTheWholeFile()
{
    const std::string text = file(minimal);
    const Stage stage = parseStage("matmul", "tiled", text);
    const QByteArray expected =
        QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256).toHex();
    QCOMPARE(QByteArray::fromStdString(stage.sha256), expected);
    QCOMPARE(stage.text, text);
}

void TestFrontMatter::faultsAreNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("cause");
    const auto row = [](const char *name, const std::string &text, const char *place, const char *cause) {
        QTest::newRow(name) << QString::fromStdString(text) << QString(place) << QString(cause);
    };
    row("empty", "", "matmul/tiled.cu:1:", "no front matter");
    row("licence alone", "// SPDX\n", "matmul/tiled.cu:2:", "no front matter");
    row("code first", "int x;\n/* stage {} */", "matmul/tiled.cu:1:", "no front matter");
    row("other comment", "// x\n/* hello */", "matmul/tiled.cu:2:", "not the front matter");
    row("no end", "/* stage { ", "matmul/tiled.cu:1:", "no end");
    row("not JSON", "/* stage\n{\n \"title\": oops\n}*/", "matmul/tiled.cu:3:", "not JSON");
    row("not an object", file("[1]"), "/:", "expected an object");
    row("title missing", file(R"({"status": "retained"})"), "/:", "\"title\" is missing");
    row("misspelt key", with("lanches", "[]"), "/:", "unknown key \"lanches\"");
    row("wrong type", with("title", "3"), "/title:", "is number, expected a string");
    row("status", with("status", "\"kept\""), "/status:", "expected retained or attempt");
    row("attempt without after", with("status", "\"attempt\""), "/:", "compared with");
    row("after", with("after", "\"../x\""), "/after:", "not a stage id");
    row("no launches", with("launches", "[]"), "/launches:", "at least one kernel");
    row("entry", withLaunch("entry", "\"a b\""), "/launches/0/entry:", "not a C identifier");
    row("block type", withLaunch("block", "\"x\""), "/launches/0/block:", "expected an integer");
    row("block zero", withLaunch("block", "[16, 0]"), "/launches/0/block/1:", "from 1 to 1024");
    row("block huge", withLaunch("block", "18446744073709551615"), "/launches/0/block:", "from 1 to 1024");
    row("block threads", withLaunch("block", "[64, 32]"), "/launches/0/block:", "2048 threads");
    row("block z", withLaunch("block", "[1, 1, 128]"), "/launches/0/block:", "at most 64");
    row("four axes", withLaunch("block", "[1, 1, 1, 1]"), "/launches/0/block:", "one to three");
    row("cluster", withLaunch("cluster", "[8, 4]"), "/launches/0/cluster:", "more than 16");
    row("grid empty", withLaunch("grid", "[]"), "/launches/0/grid:", "one to three");
    row("unknown dim", withLaunch("grid", R"([{"cover": "rows"}])"),
        "/launches/0/grid/0/cover:", "no dim of matmul; its dims are m, n, k");
    row("unknown dim in list", withLaunch("grid", R"([{"cover": ["m", "q"]}])"),
        "/launches/0/grid/0/cover/1:", "\"q\"");
    row("by zero", withLaunch("grid", R"([{"cover": "m", "by": 0}])"), "/launches/0/grid/0/by:", "from 1");
    row("per_sm and by", withLaunch("grid", R"([{"per_sm": 1, "by": 2}])"), "/launches/0/grid/0:", "unknown key");
    row("per_sm zero", withLaunch("grid", R"([{"cover": "m", "per_sm": 0}])"), "/launches/0/grid/0/per_sm:", "from 1");
    row("shared", withLaunch("shared_bytes", "999999"), "/launches/0/shared_bytes:", "from 0 to 232448");
    row("requires dim", with("requires", R"({"min": {"q": 1}})"), "/requires/min/q:", "no dim of matmul");
    row("requires arch", with("requires", R"({"arch": "90"})"), "/requires/arch:", "sm_90a");
    row("requires arch number", with("requires", R"({"arch": "sm_x"})"), "/requires/arch:", "sm_90a");
    row("counts", with("counts", R"({"a/b": "x"})"), "/counts/a~1b:", "finite number");
    row("local memory without a reason", with("local_memory", "\"\""), "/local_memory:", "says why");
    row("local memory as a number", with("local_memory", "128"), "/local_memory:", "expected a string");
    const std::string map = R"({"buffer": "a", "box": [1, 4]})";
    row("four maps", with("tensor_maps", "[" + map + "," + map + "," + map + "," + map + "]"),
        "/tensor_maps:", "three");
    row("swizzle", with("tensor_maps", R"([{"buffer": "a", "box": [1, 4], "swizzle": "7"}])"),
        "/tensor_maps/0/swizzle:", "128B");
    row("map of no array", with("tensor_maps", R"([{"buffer": "c", "box": [1, 4]}])"),
        "/tensor_maps/0/buffer:", "matmul has no array of floats of that name");
    row("box of another rank", with("tensor_maps", R"([{"buffer": "a", "box": [4]}])"),
        "/tensor_maps/0/box:", "has 1 entries, but a has 2 dims");
    row("box row", with("tensor_maps", R"([{"buffer": "out", "box": [8, 3]}])"),
        "/tensor_maps/0/box:", "a row of 12 bytes, a multiple of 16 is needed");
    row("box row beyond the swizzle", with("tensor_maps", R"([{"buffer": "b", "box": [8, 36], "swizzle": "128B"}])"),
        "/tensor_maps/0/box:", "144 bytes, the swizzle 128B holds at most 128 (32 floats)");
    row("maps of an older GPU", withMapsAndArchitecture("sm_89"), "/requires/arch:", "which need sm_90 or newer");
    row("no arithmetic", with("arithmetic", "\"\""), "/arithmetic:", "expected 1 to 32 of a-z, 0-9, + and -");
    row("arithmetic in capitals", with("arithmetic", "\"TF32\""), "/arithmetic:", "such as fp32 or 3xtf32");
    row("arithmetic without end", with("arithmetic", '"' + std::string(33, 'x') + '"'), "/arithmetic:", "1 to 32");
}

void TestFrontMatter::faultsAreNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, place);
    QFETCH(QString, cause);
    try {
        parseStage("matmul", "tiled", text.toStdString());
        QFAIL("accepted");
    } catch (const StageError &error) {
        const QString message = error.what();
        QVERIFY2(message.startsWith("matmul/tiled.cu:"), error.what());
        QVERIFY2(message.contains(place), error.what());
        QVERIFY2(message.contains(cause), error.what());
    }
}

QTEST_APPLESS_MAIN(TestFrontMatter)
#include "tst_frontmatter.moc"
