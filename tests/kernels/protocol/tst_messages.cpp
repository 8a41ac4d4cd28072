// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagejson.h"

#include <QTest>

using namespace stagecraft::protocol;
using nlohmann::json;

namespace {

const auto largestInt = std::numeric_limits<int>::max();
const auto largestLong = std::numeric_limits<std::int64_t>::max();

// Every field of every message set to something of its own, so that a key read into another field is seen.
DescribeResult fullDescription()
{
    DescribeResult result;
    result.worker = "cuda";
    result.workerVersion = "0.1.0";
    result.platform = "Debian";
    result.devices = {{1, "H200", "GPU-1", "9.0", "580", 132, 2048, largestLong, 5}};
    result.libraries = {{"cuBLAS", "libcublas.so", "13", true, "r", "f", "n"}};
    result.implementations = {{"cublas", {"matmul"}, true, "why", "do", "fp32", "event", "note"}};
    result.capture = {true, "cupti", "normal", "why", "do"};
    result.selfTest = {true, "fine", 1.5};
    return result;
}

PrepareResult fullPreparation()
{
    return {7,
            "matmul/tiled",
            "ab12",
            "fp32",
            "event",
            "note",
            {{"k", {1, 2, 3}, {4, 5, 6}, {"k", 37, 2, 2048, 8, 16}, 1536}}};
}

CaptureResult fullCapture()
{
    return {"cupti", "normal", 2, {{"k", 1.25, 1, {1, 2, 3}, {4, 5, 6}, 37, 2048, 8}}, 1, 2, true};
}

template <class Message>
void roundTrip(const char *title, const Message &message, const char *keys)
{
    const json written = message;
    const json again = json::parse(written.dump()).get<Message>();
    QTest::addRow("%s", title) << QString::fromStdString(written.dump()) << QString::fromStdString(again.dump())
                               << QString(keys);
}

template <class Message>
std::function<void(const json &)> reading()
{
    return [](const json &text) { std::ignore = text.get<Message>(); };
}

using Read = std::function<void(const json &)>;

} // namespace

Q_DECLARE_METATYPE(Read)

class MessagesTest : public QObject
{
    Q_OBJECT

private slots:
    void survivesARoundTrip_data();
    void survivesARoundTrip();
    void readsTheLargestValues();
    void passesOverUnknownKeys();
    void leavesOutWhatIsAbsent();
    void refuses_data();
    void refuses();
};

void MessagesTest::survivesARoundTrip_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("again");
    QTest::addColumn<QString>("keys");
    roundTrip("Hello", Hello{1, "cuda", "2"}, "protocol worker worker_version");
    roundTrip("DescribeParams", DescribeParams{3, true}, "device leave_profiler");
    roundTrip("DescribeResult", fullDescription(),
              "capture devices implementations libraries platform protocol self_test worker worker_version");
    roundTrip("CompileParams", CompileParams{"matmul", "matmul/tiled", "sm_90a", {1, 2, 3}, "text", "file", "other"},
              "architecture cubin dims operation ptx source stage");
    roundTrip("CompileResult", CompileResult{"log", {{"k", 1, 2, 3, 4, 5}}}, "kernels log");
    roundTrip(
        "PrepareParams",
        PrepareParams{"gelu", {1, 2}, 18446744073709551615u, {{"a.bin", "ff"}}, "dir", "cuda", "gelu/x", "text", 1},
        "device dims directory implementation operation seed sha256 source stage");
    roundTrip("HandleParams", HandleParams{5}, "handle");
    roundTrip("CheckParams", CheckParams{5, 2, "out.bin"}, "handle output round");
    roundTrip("PrepareResult", fullPreparation(), "arithmetic handle launches note source_sha256 stage timing_source");
    roundTrip("CheckResult", CheckResult{false, 1.5, 2.5, 1e-4, 2e-4, 10, 3, 4, 5.5, 6.5, "fp64"},
              "atol bad_elements checked_elements first_bad first_bad_reference first_bad_value max_abs_error passed "
              "reference rel_error rtol");
    roundTrip("MeasureParams", MeasureParams{1, 2, 3, 4, true}, "bracket handle iterations round warmup");
    roundTrip("SamplesNote", SamplesNote{1, 2, {0.1, 3e300, 1e-3}}, "first handle us");
    roundTrip("MeasureResult", MeasureResult{9, true}, "cancelled count");
    roundTrip("CaptureParams", CaptureParams{1, 2, 3, 4}, "handle iterations round warmup");
    roundTrip("CaptureResult", fullCapture(),
              "backend cancelled dropped invalid records requested_iterations timestamp_mode");
    roundTrip("LogNote", LogNote{"info", "text"}, "level text");
}

void MessagesTest::survivesARoundTrip()
{
    QFETCH(QString, written);
    QFETCH(QString, keys);
    QTEST(written, "again");
    QStringList found;
    const auto parsed = json::parse(written.toStdString());
    for (const auto &[key, value] : parsed.items())
        found << QString::fromStdString(key);
    QCOMPARE(found.join(' '), keys);
}

void MessagesTest::readsTheLargestValues()
{
    const auto params =
        json::parse(R"({"handle": 9223372036854775807, "warmup": 0, "iterations": 2147483647})").get<MeasureParams>();
    QCOMPARE(params.handle, largestLong);
    QCOMPARE(params.iterations, largestInt);
    QCOMPARE(params.round, 0);
}

void MessagesTest::passesOverUnknownKeys()
{
    const auto result = json::parse(R"({"count": 1, "cancelled": false, "later": {"x": [1]}})").get<MeasureResult>();
    QCOMPARE(result.count, 1);
}

void MessagesTest::leavesOutWhatIsAbsent()
{
    const json written = CheckResult{};
    for (const auto *key : {"max_abs_error", "rel_error", "first_bad", "first_bad_value", "first_bad_reference"})
        QVERIFY2(!written.contains(key), key);
    QVERIFY(!written.get<CheckResult>().maxAbsError);
    const auto withNull = json::parse(R"({"passed": true, "kernel_us": null})").get<SelfTest>();
    QVERIFY(!withNull.kernelUs);
}

void MessagesTest::refuses_data()
{
    QTest::addColumn<Read>("read");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *title, const Read &read, const char *text, const char *said) {
        QTest::addRow("%s", title) << read << text << said;
    };
    const auto measure = reading<MeasureParams>();
    row("no object", measure, "[]", "expected an object, found array");
    row("missing", measure, R"({"handle": 1, "warmup": 1})", "iterations: is missing");
    row("negative", measure, R"({"handle": -1, "warmup": 1, "iterations": 1})", "handle: is negative: -1");
    row("fraction", measure, R"({"handle": 1.5, "warmup": 1, "iterations": 1})", "handle: expected a whole number");
    row("whole fraction", measure, R"({"handle": 1.0, "warmup": 1, "iterations": 1})", "handle: expected a whole");
    row("text", measure, R"({"handle": "1", "warmup": 1, "iterations": 1})",
        "handle: expected a whole number, found st");
    row("boolean", measure, R"({"handle": true, "warmup": 1, "iterations": 1})", "handle: expected a whole number");
    row("beyond int", measure, R"({"handle": 1, "warmup": 2147483648, "iterations": 1})",
        "warmup: is above 2147483647");
    row("beyond int64", measure, R"({"handle": 9223372036854775808, "warmup": 1, "iterations": 1})",
        "handle: is above 9223372036854775807");
    row("null", measure, R"({"handle": null, "warmup": 1, "iterations": 1})", "handle: expected a whole number");
    const auto samples = reading<SamplesNote>();
    row("negative sample", samples, R"({"handle": 1, "first": 0, "us": [1, -0.5]})", "us/1: is a negative duration");
    row("sample of nothing", samples, R"({"handle": 1, "first": 0, "us": [0]})", "us/0: is 0, which is no duration");
    row("no sample", samples, R"({"handle": 1, "first": 0, "us": [1, null]})", "us/1: expected a number, found null");
    row("no samples", samples, R"({"handle": 1, "first": 0, "us": {}})", "us: expected an array, found object");
    const auto describe = reading<DescribeResult>();
    const char *described = R"({"protocol": 1, "worker": "w", "devices": [{"index": 0, "name": "n", "sm_count": "x"}],
                                "libraries": [], "implementations": [], "capture": {"available": false},
                                "self_test": {"passed": true}})";
    row("nested", describe, described, "devices/0/sm_count: expected a whole number, found string");
    const auto prepare = reading<PrepareParams>();
    row("dims", prepare, R"({"operation": "gelu", "dims": [1, -2], "seed": 1, "implementation": "host"})",
        "dims/1: is negative");
    row("hashes", prepare,
        R"({"operation": "gelu", "dims": [1], "seed": 1, "implementation": "host", "sha256": {"a.bin": 5}})",
        "sha256/a.bin: expected a string, found number");
    const auto capture = reading<CaptureResult>();
    const auto withRecord = [](const char *record) {
        return R"({"backend": "cupti", "requested_iterations": 2, "cancelled": false, "records": [)" +
               std::string(record) + "]}";
    };
    row("grid", capture,
        withRecord(R"({"kernel_name":"k","duration_us":1,"iteration":0,"grid":[1,2],"block":[1,1,1]})").c_str(),
        "records/0/grid: expected an array of three whole numbers");
    row("no duration", capture,
        withRecord(R"({"kernel_name":"k","duration_us":0,"iteration":0,"grid":[1,1,1],"block":[1,1,1]})").c_str(),
        "records/0/duration_us: is not a duration above zero");
    row("duration beyond sense", capture,
        withRecord(R"({"kernel_name":"k","duration_us":1e13,"iteration":0,"grid":[1,1,1],"block":[1,1,1]})").c_str(),
        "records/0/duration_us: is above 1e12");
    row("grid of nothing", capture,
        withRecord(R"({"kernel_name":"k","duration_us":1,"iteration":0,"grid":[0,1,1],"block":[1,1,1]})").c_str(),
        "records/0/grid/0: is not from 1 to 2147483647: 0");
    row("shared memory beyond sense", capture,
        withRecord(R"({"kernel_name":"k","duration_us":1,"iteration":0,"grid":[1,1,1],"block":[1,1,1],)"
                   R"("shared_mem_bytes":4611686018427387904})")
            .c_str(),
        "records/0/shared_mem_bytes: is above 9007199254740992: 4611686018427387904");
    row("dropped beyond sense", capture,
        R"({"backend": "cupti", "requested_iterations": 2, "cancelled": false, "records": [],)"
        R"( "dropped": 4611686018427387904})",
        "dropped: is above 9007199254740992");
    row("iteration", capture,
        withRecord(R"({"kernel_name":"k","duration_us":1,"iteration":2,"grid":[1,1,1],"block":[1,1,1]})").c_str(),
        "records/0/iteration: is 2 of 2 requested");
    const auto check = reading<CheckResult>();
    row("contradiction", check,
        R"({"passed":true,"rtol":1,"atol":1,"checked_elements":2,"bad_elements":1,"reference":"fp64"})",
        "passed: is true with 1 bad");
    row("more bad than checked", check,
        R"({"passed":false,"rtol":1,"atol":1,"checked_elements":2,"bad_elements":3,"reference":"fp64"})",
        "bad_elements: is above");
}

void MessagesTest::refuses()
{
    QFETCH(Read, read);
    QFETCH(QString, text);
    QFETCH(QString, said);
    try {
        read(json::parse(text.toStdString()));
        QFAIL("accepted");
    } catch (const ProtocolError &error) {
        QVERIFY2(QString(error.what()).startsWith(said), error.what());
        QCOMPARE(error.code(), rpc::invalidParams);
    }
}

QTEST_APPLESS_MAIN(MessagesTest)
#include "tst_messages.moc"
