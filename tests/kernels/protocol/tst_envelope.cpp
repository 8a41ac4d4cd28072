// SPDX-License-Identifier: GPL-3.0-or-later
#include "envelope.h"

#include <QTest>

using namespace stagecraft::protocol;
using nlohmann::json;

class EnvelopeTest : public QObject
{
    Q_OBJECT

private slots:
    void requestsComeBack();
    void notificationsComeBack();
    void resultsComeBack();
    void errorsComeBack();
    void idsMayBeText();
    void paramsMayBeAbsent();
    void replacesBytesThatAreNotUtf8();
    void keepsToOneLine();
    void refuses_data();
    void refuses();
};

void EnvelopeTest::requestsComeBack()
{
    const auto line = requestLine(7, method::measure, MeasureParams{1, 2, 3, 4});
    const auto request = std::get<Request>(parseLine(line));
    QCOMPARE(request.id.get<int>(), 7);
    QCOMPARE(request.method, std::string("measure"));
    QCOMPARE(request.params.get<MeasureParams>().iterations, 4);
    QCOMPARE(QString::fromStdString(json::parse(line)["jsonrpc"].get<std::string>()), "2.0");
}

void EnvelopeTest::notificationsComeBack()
{
    const auto note = std::get<Notification>(parseLine(notificationLine(method::hello, Hello{1, "host", "2"})));
    QCOMPARE(note.method, std::string("hello"));
    QCOMPARE(note.params.get<Hello>().worker, std::string("host"));
}

void EnvelopeTest::resultsComeBack()
{
    const auto result = std::get<Result>(parseLine(resultLine(3, MeasureResult{9, true})));
    QCOMPARE(result.id.get<int>(), 3);
    QCOMPARE(result.result.get<MeasureResult>().count, 9);
}

void EnvelopeTest::errorsComeBack()
{
    const auto reply =
        std::get<ErrorReply>(parseLine(errorLine({3, error::failed, "failed", "it broke", "mend it", "a\nb"})));
    QCOMPARE(reply.id.get<int>(), 3);
    QCOMPARE(reply.code, -32002);
    QCOMPARE(reply.message, std::string("failed"));
    QCOMPARE(reply.reason, std::string("it broke"));
    QCOMPARE(reply.fix, std::string("mend it"));
    QCOMPARE(reply.log, std::string("a\nb"));
    const auto bare = std::get<ErrorReply>(
        parseLine(R"({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no", "data": [1]}})"));
    QVERIFY(bare.id.is_null());
    QVERIFY(bare.reason.empty() && bare.log.empty());
}

void EnvelopeTest::idsMayBeText()
{
    const auto request = std::get<Request>(parseLine(R"({"jsonrpc":"2.0","id":"x","method":"describe"})"));
    QCOMPARE(request.id.get<std::string>(), std::string("x"));
}

void EnvelopeTest::paramsMayBeAbsent()
{
    const auto request = std::get<Request>(parseLine(R"({"jsonrpc":"2.0","id":1,"method":"describe"})"));
    QVERIFY(request.params.is_object() && request.params.empty());
}

void EnvelopeTest::replacesBytesThatAreNotUtf8()
{
    const auto line = notificationLine(method::log, LogNote{"info", "a\xff"
                                                                    "b"});
    const auto note = std::get<Notification>(parseLine(line)).params.get<LogNote>();
    QCOMPARE(QString::fromStdString(note.text), QString("a\uFFFDb"));
}

void EnvelopeTest::keepsToOneLine()
{
    const auto line = notificationLine(method::log, LogNote{"info", "two\nlines\r\n"});
    QCOMPARE(std::ranges::count(line, '\n'), 1);
    QCOMPARE(line.back(), '\n');
}

void EnvelopeTest::refuses_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("id");
    const auto row = [](const char *title, const char *line, int code, const char *said, const char *id) {
        QTest::addRow("%s", title) << line << code << said << id;
    };
    row("no JSON", "{", rpc::parseError, "not valid JSON", "null");
    row("text", "hello", rpc::parseError, "not valid JSON", "null");
    row("two values", "{} {}", rpc::parseError, "not valid JSON", "null");
    row("number too large", R"({"a": 1e999})", rpc::parseError, "not valid JSON", "null");
    row("batch", "[]", rpc::invalidRequest, "expected an object, found array", "null");
    row("no version", R"({"id":1,"method":"x"})", rpc::invalidRequest, "jsonrpc", "1");
    row("other version", R"({"jsonrpc":"1.0","id":1,"method":"x"})", rpc::invalidRequest, "jsonrpc", "1");
    row("null id", R"({"jsonrpc":"2.0","id":null,"method":"x"})", rpc::invalidRequest, "id", "null");
    row("fraction id", R"({"jsonrpc":"2.0","id":1.5,"method":"x"})", rpc::invalidRequest, "id", "null");
    row("method a number", R"({"jsonrpc":"2.0","id":1,"method":2})", rpc::invalidRequest, "method: expected a string",
        "1");
    row("params an array", R"({"jsonrpc":"2.0","id":1,"method":"x","params":[]})", rpc::invalidRequest,
        "params: expected an object", "1");
    row("nothing", R"({"jsonrpc":"2.0","id":1})", rpc::invalidRequest, "method: is missing", "1");
    row("result without id", R"({"jsonrpc":"2.0","result":{}})", rpc::invalidRequest, "method: is missing", "null");
    row("error without code", R"({"jsonrpc":"2.0","id":1,"error":{}})", rpc::invalidRequest, "error/code", "1");
    row("error code too large", R"({"jsonrpc":"2.0","id":1,"error":{"code":9999999999}})", rpc::invalidRequest,
        "error/code", "1");
}

void EnvelopeTest::refuses()
{
    QFETCH(QString, line);
    QFETCH(QString, said);
    try {
        parseLine(line.toStdString());
        QFAIL("accepted");
    } catch (const EnvelopeError &error) {
        QVERIFY2(QString(error.what()).contains(said), error.what());
        QTEST(error.code(), "code");
        QTEST(QString::fromStdString(error.id().dump()), "id");
    }
}

QTEST_APPLESS_MAIN(EnvelopeTest)
#include "tst_envelope.moc"
