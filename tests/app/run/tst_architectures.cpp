// SPDX-License-Identifier: GPL-3.0-or-later
#include "architectures.h"

#include <QTest>

using namespace stagecraft;

class tst_Architectures : public QObject
{
    Q_OBJECT

private slots:
    void theyFollowFromAComputeCapabilityAndLeadBack()
    {
        QCOMPARE(run::architectureOf("9.0"), QStringLiteral("sm_90a"));
        QCOMPARE(run::architectureOf("8.9"), QStringLiteral("sm_89"));
        QCOMPARE(run::architectureOf("12.0"), QStringLiteral("sm_120"));
        QCOMPARE(run::architectureOf("fast"), QString());
        QCOMPARE(run::gpuFactsOf("sm_120")->computeMajor, 12);
        QCOMPARE(run::gpuFactsOf("sm_90a")->computeMinor, 0);
        QVERIFY(!run::gpuFactsOf("compute_90"));
    }
};

QTEST_APPLESS_MAIN(tst_Architectures)
#include "tst_architectures.moc"
