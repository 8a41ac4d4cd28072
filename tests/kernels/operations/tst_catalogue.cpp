// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue.h"

#include <limits>
#include <QTest>

using namespace stagecraft::operations;

namespace {

const Operation &operation(const char *id)
{
    const auto *found = findOperation(id);
    if (!found)
        qFatal("no operation %s", id);
    return *found;
}

} // namespace

class CatalogueTest : public QObject
{
    Q_OBJECT

private slots:
    void listsTheFiveOperationsInOrder();
    void hasTheDefaultDims_data();
    void hasTheDefaultDims();
    void describesBuffers_data();
    void describesBuffers();
    void refusesDims_data();
    void refusesDims();
    void acceptsTheSmallestDims();
    void parsesDims_data();
    void parsesDims();
    void refusesDimsText_data();
    void refusesDimsText();
};

void CatalogueTest::listsTheFiveOperationsInOrder()
{
    QStringList ids;
    for (const auto &entry : catalogue())
        ids << QString::fromStdString(entry.id);
    QCOMPARE(ids.join(' '), "matmul gelu layernorm triangle neighbor");
    QVERIFY(!findOperation("Matmul"));
    QVERIFY(!findOperation(""));
}

void CatalogueTest::hasTheDefaultDims_data()
{
    QTest::addColumn<QString>("text");
    QTest::addRow("matmul") << "1024x1024x1024";
    QTest::addRow("gelu") << "4096x768";
    QTest::addRow("layernorm") << "4096x768";
    QTest::addRow("triangle") << "128x32";
    QTest::addRow("neighbor") << "4096x64x65536";
}

void CatalogueTest::hasTheDefaultDims()
{
    QFETCH(QString, text);
    const auto &entry = operation(QTest::currentDataTag());
    QCOMPARE(QString::fromStdString(dimsText(entry.defaultDims)), text);
    QVERIFY(!dimsProblem(entry, entry.defaultDims));
    QCOMPARE(entry.dimNames.size(), entry.defaultDims.size());
}

void CatalogueTest::describesBuffers_data()
{
    QTest::addColumn<Dims>("dims");
    QTest::addColumn<QString>("buffers");
    QTest::addColumn<qint64>("output");
    QTest::addRow("matmul") << Dims{3, 5, 7} << "a:21 b:35" << qint64{15};
    QTest::addRow("gelu") << Dims{3, 5} << "a:15 b:5" << qint64{15};
    QTest::addRow("layernorm") << Dims{3, 5} << "a:15 b:5 c:5" << qint64{15};
    QTest::addRow("triangle") << Dims{3, 5} << "a:45 b:45" << qint64{45};
    QTest::addRow("neighbor") << Dims{3, 5, 0} << "a:15 b:0 rowptr:4u indices:0u" << qint64{15};
}

void CatalogueTest::describesBuffers()
{
    QFETCH(Dims, dims);
    QStringList found;
    const auto &entry = operation(QTest::currentDataTag());
    for (const auto &buffer : inputBuffers(entry, dims)) {
        found << QString::fromStdString(buffer.name) + ":" + QString::number(buffer.elements) +
                     (buffer.type == ElementType::Uint32 ? "u" : "");
        QCOMPARE(buffer.bytes(), buffer.elements * 4);
        QCOMPARE(buffer.fileName(), buffer.name + ".bin");
    }
    QTEST(found.join(' '), "buffers");
    QTEST(qint64{outputElements(entry, dims)}, "output");
}

void CatalogueTest::refusesDims_data()
{
    constexpr auto maximum = std::numeric_limits<std::int64_t>::max();
    QTest::addColumn<QString>("id");
    QTest::addColumn<Dims>("dims");
    QTest::addColumn<QString>("said");
    QTest::addRow("too few") << "matmul" << Dims{1, 2} << "3 dimensions (m, n, k), not 2";
    QTest::addRow("too many") << "gelu" << Dims{1, 2, 3} << "2 dimensions (rows, width), not 3";
    QTest::addRow("zero") << "matmul" << Dims{1, 0, 1} << "n is 0, the smallest is 1";
    QTest::addRow("negative edges") << "neighbor" << Dims{1, 1, -1} << "edges is -1, the smallest is 0";
    QTest::addRow("no nodes") << "neighbor" << Dims{0, 1, 0} << "nodes is 0";
    QTest::addRow("product overflows") << "matmul" << Dims{maximum, 1, maximum} << "buffer a";
    QTest::addRow("only the output overflows") << "matmul" << Dims{1ll << 40, 1ll << 40, 1} << "buffer out";
    QTest::addRow("triple product") << "triangle" << Dims{1ll << 31, 2} << "buffer a";
    QTest::addRow("not addressable in FP64") << "gelu" << Dims{1, maximum / 4} << "width";
    QTest::addRow("edges beyond uint32") << "neighbor" << Dims{1, 1, 1ll << 32} << "32-bit";
    QTest::addRow("nodes beyond uint32") << "neighbor" << Dims{1ll << 32, 1, 1} << "nodes is 4294967296";
}

void CatalogueTest::refusesDims()
{
    QFETCH(QString, id);
    QFETCH(Dims, dims);
    QFETCH(QString, said);
    const auto problem = dimsProblem(operation(qPrintable(id)), dims);
    QVERIFY(problem);
    QVERIFY2(QString::fromStdString(*problem).contains(said), problem->c_str());
    QVERIFY2(QString::fromStdString(*problem).startsWith(id), problem->c_str());
}

void CatalogueTest::acceptsTheSmallestDims()
{
    for (const auto &entry : catalogue())
        QVERIFY(!dimsProblem(entry, entry.minimumDims));
    QCOMPARE(operation("neighbor").minimumDims, (Dims{1, 1, 0}));
}

void CatalogueTest::parsesDims_data()
{
    QTest::addColumn<Dims>("dims");
    QTest::addRow("512x512x512") << Dims{512, 512, 512};
    QTest::addRow("1") << Dims{1};
    QTest::addRow("4x0") << Dims{4, 0};
    QTest::addRow("9223372036854775807x1") << Dims{std::numeric_limits<std::int64_t>::max(), 1};
}

void CatalogueTest::parsesDims()
{
    QFETCH(Dims, dims);
    const auto parsed = parseDims(QTest::currentDataTag());
    QVERIFY(parsed);
    QCOMPARE(*parsed, dims);
    QCOMPARE(dimsText(dims), std::string(QTest::currentDataTag()));
}

void CatalogueTest::refusesDimsText_data()
{
    QTest::addColumn<QString>("text");
    for (const auto *text :
         {"", "x", "1x", "x1", "1xx2", "-1x2", "+1", "1 x2", "1.5", "0x10", "9223372036854775808", "1X2", "1x2\n"}) {
        if (QString(text) != "0x10") // that is two dims, 0 and 10
            QTest::addRow("'%s'", text) << text;
    }
}

void CatalogueTest::refusesDimsText()
{
    QFETCH(QString, text);
    QVERIFY(!parseDims(text.toStdString()));
}

QTEST_APPLESS_MAIN(CatalogueTest)
#include "tst_catalogue.moc"
