// SPDX-License-Identifier: GPL-3.0-or-later
#include "provenance.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

QString contentsOf(const evidence::Namespace &evidence)
{
    for (const ProvenanceFact &fact : provenanceFacts(evidence)) {
        if (fact.label == QLatin1String("Contents"))
            return fact.value;
    }
    return {};
}

} // namespace

class tst_Provenance : public QObject
{
    Q_OBJECT

private slots:
    void contentsAreWhatThereIs()
    {
        evidence::Namespace stages;
        stages.progression = evidence::Progression();
        QCOMPARE(contentsOf(stages), QStringLiteral("stages, without samples"));
        evidence::Namespace summary = stages;
        summary.summary = evidence::Summary();
        QCOMPARE(contentsOf(summary), QStringLiteral("summary, without samples"));
        evidence::Namespace whole = summary;
        whole.results.append(evidence::OperationResult());
        QCOMPARE(contentsOf(whole), QStringLiteral("all samples and kernel records"));
    }
};

QTEST_APPLESS_MAIN(tst_Provenance)
#include "tst_provenance.moc"
