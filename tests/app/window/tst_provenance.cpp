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

    void howEachImplementationComputesIsSaid()
    {
        const QString longNote = QStringLiteral("TF32 off, ").repeated(20) + QStringLiteral("deterministic");
        evidence::Round round;
        round.implementations["cublas"].note = QStringLiteral("workspace 32 MiB");
        round.implementations["pytorch"].note = longNote;
        round.implementations["cuda"].note = QString();
        evidence::OperationResult result;
        result.rounds = {round, round};
        evidence::Namespace evidence;
        evidence.results = {result};
        const QList<ProvenanceFact> facts = provenanceFacts(evidence);
        const ProvenanceFact pytorch = facts.at(facts.size() - 2), cublas = facts.last();
        QCOMPARE(cublas.label, QStringLiteral("cuBLAS"));
        QCOMPARE(cublas.value, QStringLiteral("workspace 32 MiB"));
        QVERIFY(cublas.whole.isEmpty());
        QCOMPARE(pytorch.label, QStringLiteral("PyTorch"));
        QVERIFY(pytorch.value.endsWith(u'…') && longNote.startsWith(pytorch.value.chopped(1)));
        QCOMPARE(pytorch.whole, longNote);
    }
};

QTEST_APPLESS_MAIN(tst_Provenance)
#include "tst_provenance.moc"
