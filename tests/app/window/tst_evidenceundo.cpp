// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonchoices.h"
#include "evidencecommands.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace stagecraft;
using namespace stagecraft::window;
using Entry = EvidenceListModel::Entry;
using Origin = EvidenceListModel::Origin;

namespace {

NamespacePointer named(const QString &name, const QString &utc = {})
{
    auto *evidence = new evidence::Namespace;
    evidence->name = name;
    evidence->directory = QStringLiteral("/evidence/") + name;
    evidence->utc = utc;
    return NamespacePointer(evidence);
}

Entry entry(const QString &name, Origin origin = Origin::Opened, bool shown = true)
{
    return {named(name), QStringLiteral("/evidence/") + name, origin, shown, false};
}

// "run [a] b": shown ones in brackets
QString list(const EvidenceListModel &model)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row) {
        const Entry &at = model.at(row);
        names.append(at.shown ? QStringLiteral("[%1]").arg(at.title()) : at.title());
    }
    return names.join(QLatin1Char(' '));
}

struct Fixture
{
    Fixture() : tester(&model) { model.setUndoStack(&stack); }

    EvidenceListModel model;
    QUndoStack stack;
    QAbstractItemModelTester tester;
};

// Everything back, and again, with the list compared at each step.
void roundTrip(Fixture &fixture)
{
    const int count = fixture.stack.index();
    QStringList states(count + 1);
    states[count] = list(fixture.model);
    for (int i = count; i > 0; --i) {
        fixture.stack.undo();
        states[i - 1] = list(fixture.model);
    }
    for (int i = 1; i <= count; ++i) {
        fixture.stack.redo();
        QCOMPARE(list(fixture.model), states.at(i));
    }
    for (int i = count; i > 0; --i) {
        fixture.stack.undo();
        QCOMPARE(list(fixture.model), states.at(i - 1));
    }
}

} // namespace

class tst_EvidenceUndo : public QObject
{
    Q_OBJECT

private slots:
    void openingRemovingAndShowingGoBackAndForth()
    {
        Fixture f;
        f.model.put(named("mage-003"), "/evidence/mage-003", Origin::Bundled, true);
        f.stack.push(new OpenEvidence(f.model, entry("a"), 1));
        f.stack.push(new OpenEvidence(f.model, entry("b"), 2));
        QCOMPARE(list(f.model), QStringLiteral("[a] [b] [mage-003]"));
        QVERIFY(f.model.setData(f.model.index(1), Qt::Unchecked, Qt::CheckStateRole));
        QCOMPARE(f.stack.undoText(), QStringLiteral("hide b"));
        f.stack.push(new ShowEvidence(
            f.model, {{"/evidence/a", false}, {"/evidence/b", true}, {"/evidence/mage-003", false}}, "show only b"));
        QCOMPARE(list(f.model), QStringLiteral("a [b] mage-003"));
        f.stack.push(new RemoveEvidence(f.model, {"/evidence/b"}));
        QCOMPARE(f.stack.undoText(), QStringLiteral("remove b"));
        QCOMPARE(list(f.model), QStringLiteral("a mage-003"));
        f.stack.undo();
        QCOMPARE(list(f.model), QStringLiteral("a [b] mage-003"));
        f.stack.redo();
        roundTrip(f);
        QCOMPARE(list(f.model), QStringLiteral("[mage-003]"));
    }

    void whatIsOpenedTogetherIsUndoneTogether()
    {
        Fixture f;
        for (const QString &name : QStringList{"a", "b", "c"})
            f.stack.push(new OpenEvidence(f.model, entry(name), 7));
        QCOMPARE(f.stack.count(), 1);
        QCOMPARE(f.stack.undoText(), QStringLiteral("open 3 namespaces"));
        f.stack.push(new OpenEvidence(f.model, entry("d", Origin::Imported), 8));
        QCOMPARE(f.stack.undoText(), QStringLiteral("import d"));
        f.stack.undo();
        f.stack.undo();
        QCOMPARE(f.model.rowCount(), 0);
        f.stack.redo();
        QCOMPARE(list(f.model), QStringLiteral("[a] [b] [c]"));
    }

    void severalAreRemovedAtOnceAndComeBackInTheirPlaces()
    {
        Fixture f;
        for (const QString &name : QStringList{"a", "b", "c", "d"})
            f.model.put(named(name), "/evidence/" + name, Origin::Opened, name == "b");
        f.stack.push(new RemoveEvidence(f.model, {"/evidence/b", "/evidence/c", "/evidence/d"}));
        QCOMPARE(f.stack.undoText(), QStringLiteral("remove 3 namespaces"));
        QCOMPARE(list(f.model), QStringLiteral("a"));
        f.stack.undo();
        QCOMPARE(list(f.model), QStringLiteral("a [b] c d"));
    }

    void openingAnewBringsTheEarlierValuesBack()
    {
        Fixture f;
        const NamespacePointer before = named("a"), now = named("a");
        f.model.put(before, "/evidence/a", Origin::Opened, false);
        f.stack.push(new OpenEvidence(f.model, {now, "/evidence/a", Origin::Opened, true, false}, 1));
        QCOMPARE(f.model.at(0).evidence, now);
        QVERIFY(f.model.at(0).shown);
        f.stack.undo();
        QCOMPARE(f.model.rowCount(), 1);
        QCOMPARE(f.model.at(0).evidence, before);
        QVERIFY(!f.model.at(0).shown);
    }

    void noRunIsLost()
    {
        Fixture f;
        f.stack.push(new OpenEvidence(f.model, entry("a"), 1));
        f.stack.push(new OpenEvidence(f.model, entry("b"), 2));
        f.stack.push(new RemoveEvidence(f.model, {"/evidence/a"}));
        const int row = f.model.putRunning(named("run-1"));
        f.model.showOnly(row);
        f.stack.push(new RemoveEvidence(f.model, {"/evidence/run-1"})); // it goes: it stays
        QCOMPARE(f.model.runningRow(), 0);
        while (f.stack.canUndo())
            f.stack.undo();
        QCOMPARE(list(f.model), QStringLiteral("[this run]"));
        f.model.finishRunning();
        while (f.stack.canRedo())
            f.stack.redo();
        while (f.stack.canUndo())
            f.stack.undo();
        QCOMPARE(list(f.model), QStringLiteral("[run-1]"));
        f.stack.push(new RemoveEvidence(f.model, {"/evidence/run-1"}));
        QCOMPARE(f.model.rowCount(), 0);
        f.stack.undo();
        QCOMPARE(list(f.model), QStringLiteral("[run-1]"));
    }

    void aRemovedSessionThatCameBackIsNotListedTwice()
    {
        Fixture f;
        f.model.put(named("stages"), "/runs/stages", Origin::ThisRun, true);
        f.stack.push(new RemoveEvidence(f.model, {"/runs/stages"}));
        f.model.put(named("stages"), "/runs/stages", Origin::ThisRun, true);
        f.stack.undo();
        QCOMPARE(f.model.rowCount(), 1);
    }

    void theFiguresAreToldOncePerStep()
    {
        Fixture f;
        for (const QString &name : QStringList{"a", "b", "c"})
            f.model.put(named(name), "/evidence/" + name, Origin::Opened, true);
        const QSignalSpy shown(&f.model, &EvidenceListModel::shownChanged);
        f.stack.push(new ShowEvidence(f.model, {{"/evidence/a", false}, {"/evidence/b", false}}, "show only c"));
        QCOMPARE(shown.size(), 1);
        f.stack.undo();
        QCOMPARE(shown.size(), 2);
        QCOMPARE(list(f.model), QStringLiteral("[a] [b] [c]"));
    }

    void savedImportsAreNoLongerUnsaved()
    {
        Fixture f;
        f.stack.push(new OpenEvidence(f.model, entry("bench", Origin::Imported), 1));
        QVERIFY(f.model.index(0).data(EvidenceListModel::UnsavedRole).toBool());
        QVERIFY(f.model.index(0).data(EvidenceListModel::SubtitleRole).toString().startsWith("not saved"));
        f.model.markSaved(f.model.at(0).evidence);
        QVERIFY(!f.model.index(0).data(EvidenceListModel::UnsavedRole).toBool());
        f.stack.undo();
        f.stack.redo();
        QVERIFY(!f.model.index(0).data(EvidenceListModel::UnsavedRole).toBool());
    }

    void theEarliestIsTheBaseUntilOneIsChosen()
    {
        const QList<Entry> shown{{named("new", "2026-11-02T00:00:00Z"), "/new", Origin::Opened, true, false},
                                 {named("old", "2026-03-01T00:00:00Z"), "/old", Origin::Opened, true, false},
                                 {named("mid", "2026-06-01T00:00:00Z"), "/mid", Origin::Opened, true, false}};
        QVERIFY(!comparisonPlan(shown.first(1), {}));
        auto plan = comparisonPlan(shown, {});
        QVERIFY(plan.has_value());
        QCOMPARE(plan->base.title(), QStringLiteral("old"));
        QCOMPARE(plan->others.first().title(), QStringLiteral("mid"));
        QCOMPARE(plan->others.last().title(), QStringLiteral("new"));
        ComparisonState state;
        state.base = "/new";
        plan = comparisonPlan(shown, state);
        QCOMPARE(plan->base.title(), QStringLiteral("new"));
        state.base = "/gone";
        QCOMPARE(comparisonPlan(shown, state)->base.title(), QStringLiteral("old"));
    }

    void comparisonChoicesAreUndone()
    {
        auto *first = new evidence::Namespace(*named("a", "2026-01-01T00:00:00Z"));
        auto *second = new evidence::Namespace(*named("b", "2026-02-01T00:00:00Z"));
        evidence::OperationResult result;
        result.operation = "gelu";
        result.rounds.append(evidence::Round());
        result.rounds.first().implementations.insert("rust", {});
        first->results.append(result);
        result.rounds.first().implementations = {{"cuda", {}}};
        second->results.append(result);
        const QList<Entry> shown{{NamespacePointer(first), "/a", Origin::Opened, true, false},
                                 {NamespacePointer(second), "/b", Origin::Opened, true, false}};
        ComparisonChoices choices;
        QUndoStack stack;
        const QSignalSpy changed(&choices, &ComparisonChoices::changed);
        const auto plan = [&] { return *comparisonPlan(shown, choices.state()); };
        stack.push(new ChangeComparison(choices, withPairs(choices.state(), plan(), {{"rust", "cuda"}}), "pair"));
        QCOMPARE(plan().pairs, (QList<evidence::ImplementationPair>{{"rust", "cuda"}}));
        stack.push(
            new ChangeComparison(choices, withUnchanged(choices.state(), plan(), QStringList{"gelu"}), "correct"));
        QCOMPARE(plan().unchanged, QStringList{"gelu"});
        // A correction is of these namespaces only; with the base swapped the pair holds the other way round.
        ComparisonState swapped = choices.state();
        swapped.base = "/b";
        stack.push(new ChangeComparison(choices, swapped, "against b"));
        QCOMPARE(plan().pairs, (QList<evidence::ImplementationPair>{{"cuda", "rust"}}));
        QCOMPARE(plan().unchanged, QStringList{"gelu"});
        QVERIFY(!comparisonPlan(shown + QList<Entry>{entry("c")}, choices.state())->unchanged);
        stack.push(new ChangeComparison(choices, withPairs(choices.state(), plan(), {}), "unpair"));
        QVERIFY(plan().pairs.isEmpty());
        QCOMPARE(changed.size(), 4);
        while (stack.canUndo())
            stack.undo();
        QCOMPARE(choices.state(), ComparisonState());
    }
};

QTEST_GUILESS_MAIN(tst_EvidenceUndo)
#include "tst_evidenceundo.moc"
