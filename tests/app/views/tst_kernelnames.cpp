// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernelnames.h"

#include <QTest>

using namespace stagecraft::views;
using stagecraft::evidence::KernelCount;

class TestKernelNames : public QObject
{
    Q_OBJECT

private slots:
    void shortNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const char *expected) {
            QTest::newRow(expected) << QString::fromUtf8(name) << QString::fromUtf8(expected);
        };
        row("matmul_tiled", "matmul_tiled");
        row("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
            "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>)",
            "vectorized_elementwise_kernel");
        row("void cublasLt::splitKreduce_kernel<32, 16, int, float>(cublasLt::cublasSplitKParams<float>, float const*)",
            "splitKreduce_kernel");
        row("at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float)",
            "vectorized_layer_norm_kernel");
        row("fill(float*, int)", "fill");
        row("  spaced   name ", "name");
        row("<<<", "<<<"); // nothing is left: the name itself
        row("(nothing)", "(nothing)");
    }
    void shortNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(shortKernelName(name), expected);
    }

    void namesOfAnyLengthAreCut()
    {
        const QString endless = QStringLiteral("triton_poi_fused_") + QString(20'000, u'a');
        QCOMPARE(shortKernelName(endless).size(), 64);
        QVERIFY(shortKernelName(endless).endsWith(u'…'));
        const QString nested = QString(20'000, u'<') + QStringLiteral("x") + QString(20'000, u'>');
        QVERIFY(shortKernelName(QStringLiteral("kernel") + nested) == QStringLiteral("kernel"));
        QList<KernelCount> kernels;
        for (int i = 0; i < 500; ++i)
            kernels.append({endless + QString::number(i), 1.0});
        const QString toolTip = kernelToolTip(kernels);
        QVERIFY(toolTip.size() < 6000);
        QVERIFY(toolTip.endsWith(QStringLiteral("and 488 more")));
    }

    void countsStandBeforeTheName()
    {
        QCOMPARE(kernelWords({{"copy<float>(int)", 1.0}, {"gemm", 1.0}, {"copy<int>(int)", 1.0}}),
                 QStringList({"2 × copy", "gemm"}));
        QCOMPARE(kernelWords({{"gemm", 1.1}}), QStringList({"1.10 × gemm"}));
        QCOMPARE(kernelWords({{"gemm", std::nullopt}, {"fill", 3.0}}), QStringList({"gemm", "3 × fill"}));
        QCOMPARE(kernelToolTip({{"copy<float>(int)", 2.0}, {"gemm", 1.0}}), QString("2 × copy<float>(int)\ngemm"));
    }
};

QTEST_GUILESS_MAIN(TestKernelNames)
#include "tst_kernelnames.moc"
