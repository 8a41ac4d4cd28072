// SPDX-License-Identifier: GPL-3.0-or-later
#include "figurepage.h"
#include "viewfixtures.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;
using views::ViewId;

namespace {

// A run beside the same one of another cache state.
evidence::Namespace runOf(const QString &otherState)
{
    evidence::Namespace run = fixtures::gpuRun();
    run.results.append(run.results[0]);
    run.results[1].cache = otherState;
    for (evidence::Capture capture : QList(run.captures)) {
        capture.cache = otherState;
        run.captures.append(capture);
    }
    return run;
}

QStringList shownColumns(ViewId view, const evidence::Namespace &run)
{
    const EvidenceListModel::Entry entry{NamespacePointer(new evidence::Namespace(run)), {}};
    return fixtures::columnIds(buildPage(view, {entry}).values);
}

} // namespace

class TestFigurePage : public QObject
{
    Q_OBJECT

private slots:
    // Rows that differ in it alone must be told apart in what is visible without scrolling.
    void theCacheStateStandsBesideTheOperation()
    {
        const evidence::Namespace both = runOf(QStringLiteral("cold"));
        for (const ViewId view : {ViewId::KernelSpan, ViewId::Kernel, ViewId::Span, ViewId::Verdicts})
            QCOMPARE(shownColumns(view, both).mid(0, 3), QStringList({"operation", "cache", "implementation"}));
    }

    void aPageThatNobodyWillSeeIsNotBuilt()
    {
        const EvidenceListModel::Entry entry{NamespacePointer(new evidence::Namespace(fixtures::gpuRun())), "/a"};
        EvidenceListModel::Entry other = entry;
        other.path = "/b";
        for (const ViewId view : {ViewId::Span, ViewId::Compare}) {
            QVERIFY(!buildPage(view, {entry, other}).figures.isEmpty());
            const FigurePage page = buildPage(view, {entry, other}, {}, {}, [] { return true; });
            QVERIFY(page.figures.isEmpty());
            QVERIFY(page.values.rows.isEmpty());
        }
    }

    void whereAllIsWarmItIsLeftOut()
    {
        for (const ViewId view : {ViewId::KernelSpan, ViewId::Verdicts})
            QCOMPARE(shownColumns(view, fixtures::gpuRun()).mid(0, 2), QStringList({"operation", "implementation"}));
    }
};

QTEST_GUILESS_MAIN(TestFigurePage)
#include "tst_figurepage.moc"
