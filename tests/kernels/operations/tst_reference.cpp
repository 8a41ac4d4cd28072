// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference.h"

#include <cmath>
#include <limits>
#include <QTest>

using namespace stagecraft::operations;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// The formulas of the catalogue, written out element by element: what the optimised reference has to equal.
std::vector<double> plain(const InputSet &in)
{
    const auto d = [&in](std::size_t i) { return static_cast<std::size_t>(in.dims[i]); };
    std::vector<double> out;
    if (in.operation == "matmul") {
        for (std::size_t i = 0; i < d(0); ++i) {
            for (std::size_t j = 0; j < d(1); ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < d(2); ++k)
                    sum += double{in.a[i * d(2) + k]} * double{in.b[k * d(1) + j]};
                out.push_back(sum);
            }
        }
    } else if (in.operation == "gelu") {
        for (std::size_t i = 0; i < in.a.size(); ++i) {
            const double x = double{in.a[i]} + double{in.b[i % d(1)]};
            out.push_back(0.5 * x * (1 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x))));
        }
    } else if (in.operation == "layernorm") {
        for (std::size_t i = 0; i < d(0); ++i) {
            double mean = 0, variance = 0;
            for (std::size_t j = 0; j < d(1); ++j)
                mean += double{in.a[i * d(1) + j]} / static_cast<double>(d(1));
            for (std::size_t j = 0; j < d(1); ++j)
                variance += std::pow(double{in.a[i * d(1) + j]} - mean, 2) / static_cast<double>(d(1));
            for (std::size_t j = 0; j < d(1); ++j)
                out.push_back((double{in.a[i * d(1) + j]} - mean) / std::sqrt(variance + 1e-5) * double{in.b[j]} +
                              double{in.c[j]});
        }
    } else if (in.operation == "triangle") {
        for (std::size_t i = 0; i < d(0); ++i) {
            for (std::size_t j = 0; j < d(0); ++j) {
                for (std::size_t c = 0; c < d(1); ++c) {
                    double sum = 0;
                    for (std::size_t k = 0; k < d(0); ++k)
                        sum += double{in.a[(i * d(0) + k) * d(1) + c]} * double{in.b[(j * d(0) + k) * d(1) + c]};
                    out.push_back(sum);
                }
            }
        }
    } else {
        for (std::size_t i = 0; i < d(0); ++i) {
            for (std::size_t j = 0; j < d(1); ++j) {
                double sum = 0;
                for (auto e = in.rowptr[i]; e < in.rowptr[i + 1]; ++e)
                    sum += double{in.b[e]} * double{in.a[in.indices[e] * d(1) + j]};
                out.push_back(sum);
            }
        }
    }
    return out;
}

} // namespace

class ReferenceTest : public QObject
{
    Q_OBJECT

private slots:
    void equalsTheFormula_data();
    void equalsTheFormula();
    void equalsNumbersByHand();
    void duplicateEdgesAddUp();
    void passesWithinTolerance();
    void failsBeyondTolerance();
    void failsWhereNotFinite_data();
    void failsWhereNotFinite();
    void reportsErrors();
    void comparesZeroReferences();
    void refusesOtherLengths();
};

void ReferenceTest::equalsTheFormula_data()
{
    QTest::addColumn<QString>("operation");
    QTest::addColumn<Dims>("dims");
    const auto row = [](const char *operation, const Dims &dims) {
        QTest::addRow("%s %s", operation, dimsText(dims).c_str()) << operation << dims;
    };
    row("matmul", {1, 1, 1});
    row("matmul", {37, 19, 53});
    row("matmul", {1, 40, 3});
    row("gelu", {1, 1});
    row("gelu", {5, 131});
    row("layernorm", {1, 1});
    row("layernorm", {3, 769});
    row("triangle", {1, 1});
    row("triangle", {11, 3});
    row("neighbor", {1, 1, 0});
    row("neighbor", {7, 5, 0});
    row("neighbor", {29, 3, 211});
}

void ReferenceTest::equalsTheFormula()
{
    QFETCH(QString, operation);
    QFETCH(Dims, dims);
    const auto inputs = generateInputs(*findOperation(operation.toStdString()), dims, 7);
    const auto found = reference(inputs);
    const auto expected = plain(inputs);
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY2(std::abs(found[i] - expected[i]) <= 1e-13, qPrintable(QString::number(i)));
}

void ReferenceTest::equalsNumbersByHand()
{
    const InputSet matmul{"matmul", {2, 2, 2}, 0, {1, 2, 3, 4}, {5, 6, 7, 8}, {}, {}, {}};
    QCOMPARE(reference(matmul), (std::vector<double>{19, 22, 43, 50}));
    // out[i,j] = Σk a[i,k]·b[j,k] with one channel
    const InputSet triangle{"triangle", {2, 1}, 0, {1, 2, 3, 4}, {5, 6, 7, 8}, {}, {}, {}};
    QCOMPARE(reference(triangle), (std::vector<double>{17, 23, 39, 53}));
    const InputSet layernorm{"layernorm", {1, 2}, 0, {4, 4}, {9, 9}, {0.5, -0.5}, {}, {}};
    QCOMPARE(reference(layernorm), (std::vector<double>{0.5, -0.5}));
}

void ReferenceTest::duplicateEdgesAddUp()
{
    const InputSet inputs{"neighbor", {2, 1, 3}, 0, {10, 100}, {1, 2, 3}, {}, {0, 3, 3}, {1, 1, 0}};
    QCOMPARE(reference(inputs), (std::vector<double>{330, 0}));
}

void ReferenceTest::passesWithinTolerance()
{
    const std::vector<float> out{1.0F, 1000.05F, 0.00005F};
    const auto result = compare(out, std::vector<double>{1, 1000, 0});
    QVERIFY(result.passed);
    QCOMPARE(result.badElements, 0);
    QVERIFY(!result.firstBad);
    QCOMPARE(result.checkedElements, 3);
    QCOMPARE(result.rtol, 1e-4);
    QCOMPARE(result.atol, 1e-4);
}

void ReferenceTest::failsBeyondTolerance()
{
    const std::vector<float> out{1.0F, 1.5F, 3.0F, 5.0F};
    const auto result = compare(out, std::vector<double>{1, 1, 3, 4});
    QVERIFY(!result.passed);
    QCOMPARE(result.badElements, 2);
    QCOMPARE(result.firstBad.value(), 1);
    QCOMPARE(result.firstBadValue, 1.5F);
    QCOMPARE(result.firstBadReference, 1.0);
}

void ReferenceTest::failsWhereNotFinite_data()
{
    QTest::addColumn<float>("value");
    QTest::addRow("NaN") << notANumber;
    QTest::addRow("infinity") << infinity;
    QTest::addRow("minus infinity") << -infinity;
}

void ReferenceTest::failsWhereNotFinite()
{
    QFETCH(float, value);
    const auto result = compare(std::vector<float>{1, value}, std::vector<double>{1, 2}, 1e30, 1e30);
    QVERIFY(!result.passed);
    QCOMPARE(result.badElements, 1);
    QCOMPARE(result.firstBad.value(), 1);
    QCOMPARE(result.finiteElements, 1);
    QVERIFY(std::isnan(result.relError));
    QCOMPARE(result.maxAbsError, 0.0);
}

void ReferenceTest::reportsErrors()
{
    const auto result = compare(std::vector<float>{3, 5}, std::vector<double>{3, 4});
    QCOMPARE(result.maxAbsError, 1.0);
    QCOMPARE(result.relError, 1.0 / 5.0);
}

void ReferenceTest::comparesZeroReferences()
{
    QCOMPARE(compare(std::vector<float>{0, 0}, std::vector<double>{0, 0}).relError, 0.0);
    QVERIFY(std::isinf(compare(std::vector<float>{0, 1}, std::vector<double>{0, 0}).relError));
    QVERIFY(compare({}, {}).passed);
}

void ReferenceTest::refusesOtherLengths()
{
    QVERIFY_EXCEPTION_THROWN(compare(std::vector<float>{1}, std::vector<double>{1, 2}), std::invalid_argument);
}

QTEST_APPLESS_MAIN(ReferenceTest)
#include "tst_reference.moc"
