// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencelistmodel.h"
#include "provenance.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;
using Origin = EvidenceListModel::Origin;

namespace {

NamespacePointer named(const QString &name, const QString &gpu, int faults = 0)
{
    auto *evidence = new evidence::Namespace;
    evidence->name = name;
    evidence->directory = QStringLiteral("/evidence/") + name;
    evidence->gpu = gpu;
    evidence->utc = QStringLiteral("2026-09-10T14:03:12Z");
    for (int i = 0; i < faults; ++i)
        evidence->problems.append({QStringLiteral("comparison-results.json"), QStringLiteral("/results/%1").arg(i),
                                   QStringLiteral("299 samples, 300 are declared"), true});
    return NamespacePointer(evidence);
}

QString valueOf(const QList<ProvenanceFact> &facts, const QString &label)
{
    for (const ProvenanceFact &fact : facts) {
        if (fact.label == label)
            return fact.value;
    }
    return {};
}

} // namespace

class tst_EvidenceListModel : public QObject
{
    Q_OBJECT

private slots:
    void showsNameGpuAndDate()
    {
        EvidenceListModel model;
        const QAbstractItemModelTester tester(&model);
        model.put(named("mage-003", "NVIDIA GeForce RTX 4090"), "/evidence/mage-003", Origin::Bundled, true);
        const QModelIndex index = model.index(0);
        QCOMPARE(index.data().toString(), QStringLiteral("mage-003"));
        QCOMPARE(index.data(EvidenceListModel::SubtitleRole).toString(),
                 QStringLiteral("NVIDIA GeForce RTX 4090 · 2026-09-10"));
        QCOMPARE(index.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
    }

    void theRunStandsFirstAndKeepsItsPlace()
    {
        EvidenceListModel model;
        const QAbstractItemModelTester tester(&model);
        model.put(named("mage-003", "RTX 4090"), "/evidence/mage-003", Origin::Bundled, true);
        const QSignalSpy shown(&model, &EvidenceListModel::shownChanged);
        model.putRunning(named("run-1", "H200"));
        QCOMPARE(model.at(0).title(), QStringLiteral("this run"));
        model.putRunning(named("run-1", "H200"));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(shown.size(), 2);
        model.finishRunning();
        QCOMPARE(model.runningRow(), -1);
        QCOMPARE(model.at(0).title(), QStringLiteral("run-1"));
        model.putRunning(named("run-2", "H200"));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.at(0).evidence->name, QStringLiteral("run-2"));
    }

    void hostileNamesTurnNothingRound()
    {
        EvidenceListModel model;
        const QString hostile = QStringLiteral("a\u202Egnp\u2066\u0007<b>x");
        const QString harmless = QStringLiteral("a\uFFFDgnp\uFFFD\uFFFD<b>x");
        model.put(named(hostile, hostile), "/evidence/a", Origin::Opened, true);
        QCOMPARE(model.at(0).title(), harmless);
        const QModelIndex index = model.index(0);
        QVERIFY(index.data(EvidenceListModel::SubtitleRole).toString().startsWith(harmless));
        QVERIFY(index.data(Qt::ToolTipRole).toString().contains(harmless.toHtmlEscaped()));
        QCOMPARE(valueOf(provenanceFacts(*model.at(0).evidence), "GPU"), harmless);
        QCOMPARE(problemText({QStringLiteral("x.json"), {}, hostile, true}), QStringLiteral("x.json: ") + harmless);
    }

    void oneDirectoryIsListedOnce()
    {
        EvidenceListModel model;
        model.put(named("a", "H200"), "/evidence/a", Origin::Opened, false);
        model.put(named("a", "H200", 1), "/evidence/a", Origin::Opened, true);
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(model.at(0).shown);
        QCOMPARE(model.index(0).data(EvidenceListModel::ProblemCountRole).toInt(), 1);
    }

    void summariesOfOneDirectoryAreApartAndSorted()
    {
        EvidenceListModel model;
        const QAbstractItemModelTester tester(&model);
        for (const QString &name : QStringList{"mage-003", "mage-001", "mage-002"}) {
            auto *evidence = new evidence::Namespace(*named(name, "RTX 4090"));
            evidence->directory = "/evidence";
            model.put(NamespacePointer(evidence), "/evidence/" + name + ".json", Origin::Bundled, false);
        }
        model.put(named("mine", "H200"), "/evidence/mine", Origin::Opened, false);
        QStringList names;
        for (int row = 0; row < model.rowCount(); ++row)
            names.append(model.at(row).title());
        QCOMPARE(names, QStringList({"mine", "mage-001", "mage-002", "mage-003"}));
    }

    void differentGpusAreNoticed()
    {
        EvidenceListModel model;
        const QAbstractItemModelTester tester(&model);
        model.put(named("a", "RTX 4090"), "/evidence/a", Origin::Opened, true);
        model.put(named("b", "H200"), "/evidence/b", Origin::Opened, false);
        QVERIFY(!model.mixesGpus());
        QVERIFY(model.setData(model.index(1), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(model.mixesGpus());
        QCOMPARE(model.shown().size(), 2);
        model.removeAt(0);
        QVERIFY(!model.mixesGpus());
    }

    void provenanceSaysWhatIsNotRecorded()
    {
        const NamespacePointer evidence = named("a", "NVIDIA H200");
        const QList<ProvenanceFact> facts = provenanceFacts(*evidence);
        QCOMPARE(valueOf(facts, "GPU"), QStringLiteral("NVIDIA H200"));
        QCOMPARE(valueOf(facts, "Measured"), QStringLiteral("2026-09-10 14:03 UTC"));
        QCOMPARE(valueOf(facts, "Driver"), QStringLiteral("not recorded"));
        QVERIFY(!facts.at(1).recorded);
        evidence::Namespace summary = *evidence;
        summary.driver = "unknown"; // as mage's summaries write it
        QCOMPARE(valueOf(provenanceFacts(summary), "Driver"), QStringLiteral("not recorded"));
    }

    void aProblemNamesFilePointerAndCause()
    {
        QCOMPARE(problemText(named("a", "H200", 1)->problems.first()),
                 QStringLiteral("comparison-results.json /results/0: 299 samples, 300 are declared"));
    }
};

QTEST_GUILESS_MAIN(tst_EvidenceListModel)
#include "tst_evidencelistmodel.moc"
