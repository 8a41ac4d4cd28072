// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencefixtures.h"
#include "jsondocument.h"

// The parser of untrusted text: where it stops, what it says, what it keeps.
using namespace stagecraft::evidence;
using nlohmann::json;

class TestDocumentParsing : public QObject
{
    Q_OBJECT

private slots:
    void stops_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("kept");
        QTest::newRow("in a list") << QByteArray("[1, 2, ") << "/2"
                                   << "[1,2]";
        QTest::newRow("inside the last number") << QByteArray("[1, 2") << "/1"
                                                << "[1]";
        QTest::newRow("inside a number of an object") << QByteArray("{\"a\": 1, \"b\": 23") << "/b"
                                                      << "{\"a\":1}";
        QTest::newRow("before a value") << QByteArray("{\"a\": 1, \"b\": ") << "/b"
                                        << "{\"a\":1}";
        QTest::newRow("after a value") << QByteArray("{\"a\": {\"b\": true") << "/a"
                                       << "{\"a\":{\"b\":true}}";
        QTest::newRow("inside a nested list") << QByteArray("{\"a\": [[1], [2, x") << "/a/1/1"
                                              << "{\"a\":[[1],[2]]}";
        QTest::newRow("keys are escaped") << QByteArray("{\"a/b~c\": [") << "/a~1b~0c/0"
                                          << "{\"a/b~c\":[]}";
        QTest::newRow("a number out of range") << QByteArray("[1, 1e999, 3]") << "/1"
                                               << "[1]";
        QTest::newRow("invalid UTF-8") << QByteArray("[\"ok\", \"\xff\"]") << "/1"
                                       << "[\"ok\"]";
        QTest::newRow("text behind the document") << QByteArray("{\"a\": 1} trailing") << ""
                                                  << "{\"a\":1}";
        QTest::newRow("a comment") << QByteArray("[1 /* two */]") << "/1"
                                   << "[1]";
    }
    void stops()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, pointer);
        QFETCH(QString, kept);
        QList<Problem> problems;
        ProblemLog log(QStringLiteral("x.json"), &problems);
        const json document = parseDocument(text, log);
        QCOMPARE(problems.size(), 1);
        QCOMPARE(problems[0].file, QStringLiteral("x.json"));
        QCOMPARE(problems[0].pointer, pointer);
        QVERIFY(problems[0].fatal);
        QVERIFY(!problems[0].cause.contains("json.exception"));
        QCOMPARE(QString::fromStdString(document.dump()), kept);
        QVERIFY(log.stoppedInside(pointer.toStdString()));
    }

    void literalsThatAreNoNumbers_data()
    {
        QTest::addColumn<QByteArray>("literal");
        for (const char *literal : {"NaN", "Infinity", "-Infinity", "nan", "inf", "-inf"})
            QTest::newRow(literal) << QByteArray(literal);
    }
    void literalsThatAreNoNumbers()
    {
        QFETCH(QByteArray, literal);
        QList<Problem> problems;
        ProblemLog log({}, &problems);
        parseDocument("{\"samples_us\": [1.5, " + literal + ", 2]}", log);
        QCOMPARE(problems.size(), 1);
        QCOMPARE(problems[0].pointer, QStringLiteral("/samples_us/1"));
        literal.replace("-", "");
        QVERIFY2(problems[0].cause.contains(QString::fromLatin1(literal) + " is not a JSON number"),
                 qPrintable(problems[0].cause));
    }

    void aDuplicateKey()
    {
        QList<Problem> problems;
        ProblemLog log({}, &problems);
        const json document = parseDocument(R"({"a": {"b": [1], "b": [2, 3]}, "c": 4})", log);
        QCOMPARE(problems.size(), 1);
        QCOMPARE(problems[0].pointer, QStringLiteral("/a/b"));
        QVERIFY(problems[0].cause.contains("twice"));
        QCOMPARE(QString::fromStdString(document.dump()), QStringLiteral(R"({"a":{"b":[2,3]},"c":4})"));
    }

    void nestingIsBounded()
    {
        QList<Problem> problems;
        ProblemLog log({}, &problems);
        const json document = parseDocument(QByteArray(1'000'000, '['), log);
        QCOMPARE(problems.size(), 1);
        QVERIFY(problems[0].cause.contains("nested deeper than 64"));
        QCOMPARE(problems[0].pointer.count('/'), qsizetype(maximumDepth));
        QVERIFY(document.is_array());
    }

    void doublesAreReadExactly()
    {
        QList<Problem> problems;
        ProblemLog log({}, &problems);
        const json document = parseDocument("[58.17941361417373, 1e-310, 9007199254740993]", log);
        QVERIFY(problems.isEmpty());
        QCOMPARE(document[0].get<double>(), 58.17941361417373);
        QCOMPARE(QString::fromStdString(document.dump()),
                 QStringLiteral("[58.17941361417373,1e-310,9007199254740993]"));
    }

    // Any cut of a sound file gives one problem and no crash.
    void everyCutIsNamed()
    {
        const QByteArray whole = QByteArray::fromStdString(fixtures::results(1, 3).dump());
        for (qsizetype length = 1; length < whole.size(); ++length) {
            QList<Problem> problems;
            ProblemLog log({}, &problems);
            parseDocument(whole.left(length), log);
            QCOMPARE(problems.size(), 1);
        }
    }

    void soundTextIsReadAsOtherReadersDo_data()
    {
        QTest::addColumn<QString>("file");
        for (const char *file : {"h200-001/comparison-results.json", "h200-001/comparison-profiles.json",
                                 "mage-003/progression.json", "mage-001.json"})
            QTest::newRow(file) << QString::fromUtf8(file);
    }
    void soundTextIsReadAsOtherReadersDo()
    {
        QFETCH(QString, file);
        const QByteArray text = fixtures::contents(QStringLiteral(STAGECRAFT_SOURCE_DIR "/resources/evidence/") + file);
        QList<Problem> problems;
        ProblemLog log(file, &problems);
        QVERIFY(parseDocument(text, log) == json::parse(text.toStdString()));
        QVERIFY(problems.isEmpty());
    }

    void theLastOfEqualKeysStays()
    {
        QList<Problem> problems;
        ProblemLog log(QStringLiteral("x.json"), &problems);
        const json document = parseDocument(R"({"b": {"c": 1}, "a": 2, "b": [3, {"a": 4, "a": 5}], "c": 6})", log);
        QCOMPARE(QString::fromStdString(document.dump()), QStringLiteral(R"({"a":2,"b":[3,{"a":5}],"c":6})"));
        QCOMPARE(problems.size(), 2);
        QCOMPARE(problems[0].pointer, QStringLiteral("/b"));
        QCOMPARE(problems[1].pointer, QStringLiteral("/b/1/a"));
    }

    void readingEndsWhereNobodyWaits()
    {
        QByteArray text("[0");
        for (int i = 1; i < 100'000; ++i)
            text += ",1";
        text += ']';
        QList<Problem> problems;
        ProblemLog log(QStringLiteral("x.json"), &problems);
        int questions = 0;
        const json document = parseDocument(text, log, [&questions] { return ++questions == 2; });
        QCOMPARE(questions, 2);
        QVERIFY(document.size() < 10'000);
        QVERIFY(problems.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestDocumentParsing)
#include "tst_documentparsing.moc"
