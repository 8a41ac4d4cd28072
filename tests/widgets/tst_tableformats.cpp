// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureexport.h"
#include "samplefigures.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <bit>

using namespace stagecraft::widgets;

class TableFormatsTest : public QObject
{
    Q_OBJECT

private slots:
    void displayedNumbers_data();
    void displayedNumbers();
    void percentagesAreFixed();
    void storedNumbersReadBack();
    void storedNumbersAreShort();
    void csv();
    void csvQuotes();
    void csvSaysWhatIsUnavailable();
    void markdown();
    void markdownEscapes();
    void htmlEscapes();
    void htmlMarksStates();
    void json();
    void tsv();
    void shortRowsAreFilled();
    void writesFiles();
    void namesTheFileThatCannotBeWritten();
};

void TableFormatsTest::displayedNumbers_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QString>("text");
    QTest::newRow("one decimal") << 44.02753 << 1 << "44.0";
    QTest::newRow("rounded up") << 79.99543 << 1 << "80.0";
    QTest::newRow("two decimals") << 9.005 << 2 << "9.01"; // the double is a little above
    QTest::newRow("zero") << 0.0 << 1 << "0.0";
    QTest::newRow("shown by its decimals") << 0.05001 << 1 << "0.1";
    QTest::newRow("below its decimals") << 0.0032 << 1 << "0.0032";
    QTest::newRow("just below") << 0.0499 << 1 << "0.05";
    QTest::newRow("negative below") << -0.0032 << 1 << "-0.0032";
    QTest::newRow("far below") << 3.2e-9 << 1 << "3.2e-09";
    QTest::newRow("below whole numbers") << 0.25 << 0 << "0.25";
    QTest::newRow("long") << 999999999.0 << 1 << "999999999.0";
    QTest::newRow("huge") << 1.2e300 << 1 << "1.2e+300";
    QTest::newRow("no exponent") << 12345678.0 << 0 << "12345678";
}

void TableFormatsTest::displayedNumbers()
{
    QFETCH(double, value);
    QFETCH(int, decimals);
    QTEST(displayNumber(value, decimals), "text");
}

void TableFormatsTest::percentagesAreFixed()
{
    QCOMPARE(fixedNumber(0.0032, 1), QStringLiteral("0.0"));
    QCOMPARE(fixedNumber(-0.0032, 1), QStringLiteral("0.0"));
    QCOMPARE(fixedNumber(1.2e300, 1), QStringLiteral("1.2e+300"));
    ValueTable table = samples::table();
    table.rows = {{samples::text(QStringLiteral("a")), samples::text(QStringLiteral("b")), samples::number(0.0032)}};
    QVERIFY(toMarkdown(table).contains("| a | b | 0.0032 |\n"));
    table.columns[2].unit = QStringLiteral("%");
    QVERIFY(toMarkdown(table).contains("| a | b | 0.0 |\n"));
}

void TableFormatsTest::storedNumbersReadBack()
{
    QRandomGenerator64 random(20260910);
    for (int i = 0; i < 20000; ++i) {
        const auto value = std::bit_cast<double>(random.generate());
        if (std::isfinite(value))
            QCOMPARE(storedNumber(value).toDouble(), value);
    }
}

void TableFormatsTest::storedNumbersAreShort()
{
    QCOMPARE(storedNumber(58.17941361417373), QStringLiteral("58.17941361417373"));
    QCOMPARE(storedNumber(0.1), QStringLiteral("0.1"));
    QCOMPARE(storedNumber(4), QStringLiteral("4"));
    QCOMPARE(storedNumber(1e6), QStringLiteral("1000000"));
}

void TableFormatsTest::csv()
{
    QCOMPARE(toCsv(samples::table()), QByteArray("operation,implementation,kernel_us\r\n"
                                                 "matmul,triton,71.93692\r\n"
                                                 "matmul,cuda,failed\r\n"
                                                 "gelu,cuda,10.97419\r\n"
                                                 "gelu,triton,7.62248\r\n"));
}

void TableFormatsTest::csvQuotes()
{
    ValueTable table = samples::table();
    table.rows = {
        {samples::text(QStringLiteral("a,b")), samples::text(QStringLiteral("say \"µ\"\nnow")), samples::number(1.5)}};
    QCOMPARE(toCsv(table), QByteArray("operation,implementation,kernel_us\r\n"
                                      "\"a,b\",\"say \"\"\xC2\xB5\"\"\nnow\",1.5\r\n"));
}

void TableFormatsTest::csvSaysWhatIsUnavailable()
{
    ValueTable table = samples::table();
    table.unavailable = QStringLiteral("no kernel records, no launches");
    QCOMPARE(toCsv(table), QByteArray("unavailable\r\n\"no kernel records, no launches\"\r\n"));
}

void TableFormatsTest::markdown()
{
    ValueTable table = samples::table();
    table.footer = {QStringLiteral("RTX 4090")};
    QCOMPARE(QString::fromUtf8(toMarkdown(table)), QStringLiteral("## Values\n\n"
                                                                  "| operation | implementation | kernel (µs) |\n"
                                                                  "| --- | --- | ---: |\n"
                                                                  "| matmul | triton | 71.9 |\n"
                                                                  "| matmul | cuda | failed |\n"
                                                                  "| gelu | cuda | 11.0 |\n"
                                                                  "| gelu | triton | 7.6 |\n"
                                                                  "\nRTX 4090\n"));
}

void TableFormatsTest::markdownEscapes()
{
    ValueTable table = samples::table();
    table.rows = {{samples::text(QStringLiteral("a|b")), samples::text(QStringLiteral("<b>\nx")), samples::number(1)}};
    QVERIFY(QString::fromUtf8(toMarkdown(table)).contains(QStringLiteral("| a\\|b | \\<b\\> x | 1.0 |\n")));
}

void TableFormatsTest::htmlEscapes()
{
    ValueTable table = samples::table();
    table.title = QStringLiteral("<script>");
    table.rows[0][0].text = QStringLiteral("<img src=x>");
    table.footer = {QStringLiteral("a & b")};
    const QString html = QString::fromUtf8(toHtml(table));
    QVERIFY(!html.contains(QStringLiteral("<script>")));
    QVERIFY(!html.contains(QStringLiteral("<img")));
    QVERIFY(html.contains(QStringLiteral("a &amp; b")));
    QVERIFY(html.contains(QStringLiteral("<td class=\"number\">71.9</td>")));
    QVERIFY(!html.contains(QStringLiteral("http"))); // nothing is fetched
}

void TableFormatsTest::htmlMarksStates()
{
    QVERIFY(toHtml(samples::table()).contains("<td class=\"number state\">failed</td>"));
}

void TableFormatsTest::json()
{
    const QJsonObject object = QJsonDocument::fromJson(toJson(samples::table())).object();
    QCOMPARE(object.value(QStringLiteral("id")).toString(), QStringLiteral("values"));
    const QJsonArray rows = object.value(QStringLiteral("rows")).toArray();
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[0][QStringLiteral("kernel_us")].toDouble(), 71.93692);
    QVERIFY(rows[1][QStringLiteral("kernel_us")].isNull());
    QCOMPARE(rows[1][QStringLiteral("kernel_us_state")].toString(), QStringLiteral("failed"));
    QVERIFY(!rows[0].toObject().contains(QStringLiteral("kernel_us_state")));
    const QJsonArray columns = object.value(QStringLiteral("columns")).toArray();
    QCOMPARE(columns[2][QStringLiteral("unit")].toString(), QStringLiteral("µs"));
}

void TableFormatsTest::tsv()
{
    const QList<QByteArray> lines = toTsv(samples::table()).split('\n');
    QCOMPARE(QString::fromUtf8(lines[0]), QStringLiteral("operation\timplementation\tkernel (µs)"));
    QCOMPARE(lines[1], QByteArray("matmul\ttriton\t71.93692"));
    QCOMPARE(lines[2], QByteArray("matmul\tcuda\tfailed"));
}

void TableFormatsTest::shortRowsAreFilled()
{
    ValueTable table = samples::table();
    table.rows = {{samples::text(QStringLiteral("matmul"))}};
    QCOMPARE(toCsv(table).split('\n')[1], QByteArray("matmul,,\r"));
}

void TableFormatsTest::writesFiles()
{
    QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("kernel.csv"));
    QCOMPARE(exportCsv(samples::table(), path), QString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), toCsv(samples::table()));
}

void TableFormatsTest::namesTheFileThatCannotBeWritten()
{
    QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("missing/kernel.csv"));
    const QString error = exportCsv(samples::table(), path);
    QVERIFY2(error.startsWith(path + QStringLiteral(": cannot be written: ")), qPrintable(error));
}

QTEST_GUILESS_MAIN(TableFormatsTest)
#include "tst_tableformats.moc"
