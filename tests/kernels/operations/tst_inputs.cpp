// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputs.h"
#include "sha256.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QTest>

using namespace stagecraft::operations;

namespace {

InputSet make(const char *operation, const Dims &dims, std::uint64_t seed = defaultSeed)
{
    return generateInputs(*findOperation(operation), dims, seed);
}

struct Moments
{
    double mean = 0, deviation = 0, kurtosis = 0, largest = 0;
};

Moments momentsOf(const std::vector<float> &values)
{
    const auto count = static_cast<double>(values.size());
    Moments moments;
    moments.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double second = 0, fourth = 0;
    for (const double value : values) {
        const double square = (value - moments.mean) * (value - moments.mean);
        second += square / count;
        fourth += square * square / count;
        moments.largest = std::max(moments.largest, std::abs(value));
    }
    moments.deviation = std::sqrt(second);
    moments.kurtosis = fourth / (second * second);
    return moments;
}

double correlation(const std::vector<float> &a, const std::vector<float> &b)
{
    return std::inner_product(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(b.size()), b.begin(), 0.0) /
           (static_cast<double>(b.size()) * inputSigma * inputSigma);
}

} // namespace

class InputsTest : public QObject
{
    Q_OBJECT

private slots:
    void hashesKnownText();
    void hasGoldenHashes_data();
    void hasGoldenHashes();
    void isNearNormal();
    void streamsAndSeedsAreIndependent();
    void aBufferIsTheStartOfALongerOne();
    void neighborRowsVary();
    void neighborWithoutEdges();
    void bytesNamesBuffers();
};

void InputsTest::hashesKnownText()
{
    const std::string text = "abc"; // the first example of FIPS 180-2, appendix B
    QCOMPARE(sha256(std::as_bytes(std::span(text))),
             std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

void InputsTest::hasGoldenHashes_data()
{
    QTest::addColumn<QString>("operation");
    QTest::addColumn<Dims>("dims");
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<QString>("expected"); // "name=first 16 digits", in the order of names
    const auto row = [](const char *operation, const Dims &dims, quint64 seed, const char *expected) {
        QTest::addRow("%s %s %llu", operation, dimsText(dims).c_str(), static_cast<unsigned long long>(seed))
            << operation << dims << seed << expected;
    };
    row("matmul", {1024, 1024, 1024}, 20260910u, "a.bin=d315a47bfe19af8d b.bin=b1b5b04d52593321");
    row("gelu", {4096, 768}, 20260910u, "a.bin=1790c1ccd0324b55 b.bin=8ceef855417edd21");
    row("layernorm", {4096, 768}, 20260910u, "a.bin=1790c1ccd0324b55 b.bin=8ceef855417edd21 c.bin=98e22b6d2671e66d");
    row("triangle", {128, 32}, 20260910u, "a.bin=77af9c9f55cfc939 b.bin=7da53cca09ca8fcc");
    row("neighbor", {4096, 64, 65536}, 20260910u,
        "a.bin=926e06954705675b b.bin=99da5e5453f5d95b indices.bin=aac752c8c895954e rowptr.bin=dc1023c3eac769dd");
    row("matmul", {1, 1, 1}, 20260910u, "a.bin=6b3c637e44046865 b.bin=065e936ac2155989");
    row("matmul", {127, 65, 33}, 20260910u, "a.bin=e33184e287de573f b.bin=088180cfbc85b551");
    row("gelu", {1, 7}, 0u, "a.bin=47e5717a706cdc34 b.bin=035c8034fddd453e");
    row("layernorm", {3, 257}, 1u, "a.bin=2b73d7515675556d b.bin=a83ad7e90868de07 c.bin=9687bac58a0df61a");
    row("triangle", {5, 3}, 18446744073709551615u, "a.bin=114834d6d752a199 b.bin=755b0f3e7361855e");
    row("neighbor", {17, 3, 101}, 20260910u,
        "a.bin=004001f83ccc73b0 b.bin=9497eaed11cc42f1 indices.bin=6d0ca593754449fe rowptr.bin=1db520d9624430bd");
    row("neighbor", {3, 5, 0}, 20260910u,
        "a.bin=2c38e85bdb376672 b.bin=e3b0c44298fc1c14 indices.bin=e3b0c44298fc1c14 rowptr.bin=374708fff7719dd5");
}

void InputsTest::hasGoldenHashes()
{
    QFETCH(QString, operation);
    QFETCH(Dims, dims);
    QFETCH(quint64, seed);
    QStringList found;
    for (const auto &[file, hash] : hashes(make(qPrintable(operation), dims, seed)))
        found << QString::fromStdString(file + "=" + hash.substr(0, 16));
    QTEST(found.join(' '), "expected");
}

void InputsTest::isNearNormal()
{
    const auto moments = momentsOf(make("matmul", {1024, 1, 1024}).a);
    QVERIFY2(std::abs(moments.mean) < 0.001, qPrintable(QString::number(moments.mean)));
    QVERIFY2(std::abs(moments.deviation - inputSigma) < 0.001, qPrintable(QString::number(moments.deviation)));
    // Of a sum of eight uniform variables: 3 − 1.2 / 8.
    QVERIFY2(std::abs(moments.kurtosis - 2.85) < 0.02, qPrintable(QString::number(moments.kurtosis)));
    QVERIFY2(moments.largest > 4 * inputSigma && moments.largest < 4.9 * inputSigma,
             qPrintable(QString::number(moments.largest)));
}

void InputsTest::streamsAndSeedsAreIndependent()
{
    const auto first = make("layernorm", {64, 1024});
    const auto other = make("layernorm", {64, 1024}, defaultSeed + 1);
    QVERIFY(std::abs(correlation(first.a, first.b)) < 0.15);
    QVERIFY(std::abs(correlation(first.b, first.c)) < 0.15);
    QVERIFY(std::abs(correlation(first.a, other.a)) < 0.02);
    QVERIFY(std::abs(correlation(first.a, {first.a.begin() + 1, first.a.begin() + 60001})) < 0.02);
}

void InputsTest::aBufferIsTheStartOfALongerOne()
{
    const auto small = make("gelu", {3, 7});
    const auto large = make("gelu", {30, 7});
    QVERIFY(std::equal(small.a.begin(), small.a.end(), large.a.begin()));
    QCOMPARE(small.b, large.b);
}

void InputsTest::neighborRowsVary()
{
    const auto inputs = make("neighbor", {4096, 1, 65536});
    QCOMPARE(inputs.rowptr.front(), 0u);
    QCOMPARE(inputs.rowptr.back(), 65536u);
    QVERIFY(std::ranges::is_sorted(inputs.rowptr));
    QVERIFY(std::ranges::max(inputs.indices) < 4096);
    // Degrees of a random graph: mean 16, variance near the mean.
    double variance = 0;
    for (std::size_t node = 0; node < 4096; ++node) {
        const double degree = inputs.rowptr[node + 1] - inputs.rowptr[node];
        variance += (degree - 16) * (degree - 16) / 4096;
    }
    QVERIFY2(std::abs(variance - 16) < 1.5, qPrintable(QString::number(variance)));
}

void InputsTest::neighborWithoutEdges()
{
    const auto inputs = make("neighbor", {3, 2, 0});
    QCOMPARE(inputs.rowptr, (std::vector<std::uint32_t>{0, 0, 0, 0}));
    QVERIFY(inputs.indices.empty());
    QVERIFY(inputs.b.empty());
    QCOMPARE(inputs.a.size(), std::size_t{6});
}

void InputsTest::bytesNamesBuffers()
{
    const auto inputs = make("neighbor", {3, 2, 5});
    QCOMPARE(inputs.bytes("rowptr").size(), std::size_t{16});
    QCOMPARE(inputs.bytes("indices").size(), std::size_t{20});
    QCOMPARE(static_cast<const void *>(inputs.bytes("b").data()), static_cast<const void *>(inputs.b.data()));
    QVERIFY_EXCEPTION_THROWN(inputs.bytes("d"), std::invalid_argument);
}

QTEST_APPLESS_MAIN(InputsTest)
#include "tst_inputs.moc"
