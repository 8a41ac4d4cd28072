// SPDX-License-Identifier: GPL-3.0-or-later
#include "statistics.h"

#include <QTest>

using namespace stagecraft::evidence;

// Ids and states as people read them, and their order.
class TestLabels : public QObject
{
    Q_OBJECT

private slots:
    void implementationsPeersFirst()
    {
        QCOMPARE(implementationOrder(
                     {"my-kernel", "cuda/tiled", "cuda", "host", "cublas", "triton", "pytorch", "rust", "cuda"}),
                 QStringList({"pytorch", "triton", "cublas", "host", "rust", "cuda", "cuda/tiled", "my-kernel"}));
    }

    void labels()
    {
        QCOMPARE(implementationLabel("python"), QStringLiteral("PyTorch"));
        QCOMPARE(implementationLabel("cublas"), QStringLiteral("cuBLAS"));
        QCOMPARE(implementationLabel("cuda/tiled"), QStringLiteral("CUDA · tiled"));
        QCOMPARE(implementationLabel("mine"), QStringLiteral("mine"));
        QCOMPARE(operationLabel("matmul"), QStringLiteral("Matrix multiplication"));
        QCOMPARE(operationLabel("fft"), QStringLiteral("fft"));
    }

    void statesHaveNamesBothWays()
    {
        for (State state : {State::Ok, State::Failed, State::Invalid, State::Throttled, State::Unavailable,
                            State::Undecided, State::NotRun})
            QCOMPARE(stateFromName(stateName(state)).value(), state);
        QVERIFY(!stateFromName("fine"));
    }
};

QTEST_GUILESS_MAIN(TestLabels)
#include "tst_labels.moc"
