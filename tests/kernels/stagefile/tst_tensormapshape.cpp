// SPDX-License-Identifier: GPL-3.0-or-later
#include "stagefit.h"
#include "tensormapshape.h"

#include <QTest>

using namespace stagecraft::stagefile;
using stagecraft::operations::Dims;

namespace {

Stage stageWith(const char *operation, const char *buffer, std::vector<std::int64_t> box, const char *swizzle)
{
    Stage stage;
    stage.operation = operation;
    stage.id = "tma";
    stage.tensorMaps = {{buffer, std::move(box), swizzle}};
    return stage;
}

} // namespace

class TestTensorMapShape : public QObject
{
    Q_OBJECT

private slots:
    void innermostComesFirst();
    void everyArrayHasItsDims_data();
    void everyArrayHasItsDims();
    void demandsOfTheDimsAreNamed();
    void arraysHaveTheirRank();
    void misfitsPassAStageOver();
};

void TestTensorMapShape::innermostComesFirst()
{
    const TensorMapShape shape = tensorMapShape(stageWith("triangle", "a", {16, 2, 8}, "32B"), 0, {128, 32});
    QVERIFY((shape.extents == std::vector<std::uint64_t>{32, 128, 128}));
    QVERIFY((shape.strides == std::vector<std::uint64_t>{128, 128 * 128}));
    QVERIFY((shape.box == std::vector<std::uint32_t>{8, 2, 16}));
}

void TestTensorMapShape::everyArrayHasItsDims_data()
{
    QTest::addColumn<QString>("operation");
    QTest::addColumn<QString>("buffer");
    QTest::addColumn<QList<qint64>>("dims");
    QTest::addColumn<QList<qint64>>("extents"); // innermost first
    const auto row = [](const char *operation, const char *buffer, QList<qint64> dims, QList<qint64> extents) {
        QTest::addRow("%s %s", operation, buffer) << operation << buffer << dims << extents;
    };
    const QList<qint64> matmul{4, 8, 12}; // m, n, k
    row("matmul", "a", matmul, {12, 4});
    row("matmul", "b", matmul, {8, 12});
    row("matmul", "out", matmul, {8, 4});
    row("gelu", "a", {3, 16}, {16, 3});
    row("gelu", "b", {3, 16}, {16});
    row("layernorm", "c", {3, 16}, {16});
    row("layernorm", "out", {3, 16}, {16, 3});
    row("triangle", "b", {5, 8}, {8, 5, 5});
    row("neighbor", "a", {7, 16, 20}, {16, 7});
    row("neighbor", "b", {7, 16, 20}, {20});
}

void TestTensorMapShape::everyArrayHasItsDims()
{
    QFETCH(QString, operation);
    QFETCH(QString, buffer);
    QFETCH(QList<qint64>, dims);
    QFETCH(QList<qint64>, extents);
    const std::vector<std::int64_t> box(static_cast<std::size_t>(extents.size()), 4);
    const auto shape =
        tensorMapShape(stageWith(operation.toUtf8(), buffer.toUtf8(), box, "none"), 0, Dims(dims.begin(), dims.end()));
    QCOMPARE(QList<qint64>(shape.extents.begin(), shape.extents.end()), extents);
}

void TestTensorMapShape::demandsOfTheDimsAreNamed()
{
    const Stage stage = stageWith("gelu", "a", {8, 32}, "128B");
    const auto problem = tensorMapMisfit(stage, {3, 65});
    QVERIFY(problem);
    QCOMPARE(QString::fromStdString(*problem),
             QString("gelu/tma: tensor map 0 (a, box [8, 32], swizzle 128B): the array's rows are 260 bytes apart, a "
                     "multiple of 16 below 2^40 is needed: the innermost dim must be a multiple of 4."));
}

void TestTensorMapShape::arraysHaveTheirRank()
{
    const auto rank = [](const char *operation, const char *buffer) {
        return arrayRank(*stagecraft::operations::findOperation(operation), buffer);
    };
    QCOMPARE(rank("matmul", "out"), 2u);
    QCOMPARE(rank("triangle", "b"), 3u);
    QCOMPARE(rank("neighbor", "b"), 1u);
    QCOMPARE(rank("neighbor", "rowptr"), 0u); // whole numbers
    QCOMPARE(rank("gelu", "c"), 0u);
    QVERIFY(!boxProblem({"a", {8, 32}, "128B"}, 2));
    QVERIFY(boxProblem({"a", {8, 32}, "64B"}, 2));
    QVERIFY(!boxProblem({"a", {8, 256}, "none"}, 2));
}

// So that cuda takes the stage before it, and says why.
void TestTensorMapShape::misfitsPassAStageOver()
{
    const Stage stage = stageWith("gelu", "a", {8, 32}, "128B");
    QVERIFY(!misfit(stage, {3, 64}, {9, 0, 132}));
    QVERIFY(misfit(stage, {3, 65}, {9, 0, 132}));
    const auto older = misfit(stage, {3, 64}, {8, 9, 128});
    QVERIFY(older);
    QCOMPARE(*older, std::string("gelu/tma: the GPU has compute capability 8.9, tensor maps need at least 9.0."));
}

QTEST_GUILESS_MAIN(TestTensorMapShape)
#include "tst_tensormapshape.moc"
