// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparisonbar.h"
#include "comparisondesk.h"
#include "fakeworkers.h"
#include "pairdialog.h"
#include "windowfixture.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

QString bundled(const QString &name)
{
    return QStringLiteral(STAGECRAFT_SOURCE_DIR "/resources/evidence/") + name;
}

const evidence::Namespace &evidenceOf(const MainWindow &window, const QString &name)
{
    for (int row = 0; row < const_cast<MainWindow &>(window).evidence()->rowCount(); ++row) {
        const auto &entry = window.evidence()->at(row);
        if (entry.title() == name)
            return *entry.evidence;
    }
    qFatal("no %s", qPrintable(name));
}

// A window that shows these, on the Compare page.
struct Compared
{
    explicit Compared(const QStringList &names)
    {
        QStringList paths;
        for (const QString &name : names)
            paths.append(bundled(name));
        ready = fixture.begin(paths);
        fixture.window.figures()->setView(views::ViewId::Compare);
    }

    bool waitFor(const std::function<bool(const FigurePage &)> &condition)
    {
        return QTest::qWaitFor(
            [&] {
                const FigurePage &page = fixture.window.figures()->page();
                return page.view == views::ViewId::Compare && condition(page);
            },
            30'000);
    }
    bool waitForBase(const QString &name)
    {
        return waitFor(
            [&](const FigurePage &page) { return page.comparison && page.comparison->plan.base.title() == name; });
    }
    ComparisonBar *bar() { return fixture.window.figures()->comparisonBar(); }
    QAction *undo() { return fixture.window.actions()->undo; }

    FakeWorkers workers;
    WindowFixture fixture;
    bool ready = false;
};

// The texts that the page's table has in a column, by row.
QStringList column(const widgets::ValueTable &table, const QString &id)
{
    QStringList texts;
    const auto found = std::ranges::find(table.columns, id, &widgets::ValueColumn::id);
    if (found == table.columns.end())
        return texts;
    for (const QList<widgets::ValueCell> &row : table.rows) {
        const widgets::ValueCell &cell = row.at(found - table.columns.begin());
        texts.append(cell.number ? widgets::storedNumber(*cell.number) : cell.text);
    }
    return texts;
}

} // namespace

class tst_WindowCompare : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources"); }

    void oneNamespaceLeadsToTheSecond()
    {
        Compared c({"mage-003"});
        QVERIFY(c.ready);
        QVERIFY(c.waitFor([](const FigurePage &page) { return page.hint.contains("mage-003"); }));
        QVERIFY(!c.bar()->isVisible());
        bool hinted = false;
        for (const QLabel *label : c.fixture.window.figures()->findChildren<QLabel *>())
            hinted = hinted || (label->isVisible() && label->text().contains("Check a second namespace"));
        QVERIFY(hinted);
        // The list's own check box brings it.
        EvidenceListModel *list = c.fixture.window.evidence();
        const int row = list->rowOf(QFileInfo(bundled("mage-001.json")).canonicalFilePath());
        QVERIFY(row >= 0);
        QVERIFY(list->setData(list->index(row), Qt::Checked, Qt::CheckStateRole));
        QVERIFY(c.waitForBase("mage-001"));
        QVERIFY(c.bar()->isVisible());
        QCOMPARE(c.undo()->text(), QStringLiteral("&Undo show mage-001"));
        c.undo()->trigger();
        QVERIFY(c.waitFor([](const FigurePage &page) { return !page.hint.isEmpty(); }));
    }

    void theTableIsWhatTheComparisonSays()
    {
        Compared c({"mage-001.json", "mage-003"});
        QVERIFY(c.ready);
        QVERIFY(c.waitForBase("mage-001"));
        const evidence::Comparison expected =
            evidence::compare(evidenceOf(c.fixture.window, "mage-001"), evidenceOf(c.fixture.window, "mage-003"));
        const FigurePage &page = c.fixture.window.figures()->page();
        QCOMPARE(page.figures.size(), 1);
        QVERIFY2(page.figures.first().unavailable.isEmpty(), qPrintable(page.figures.first().unavailable));
        QVERIFY(page.values.rows.size() >= expected.rows.size());
        // In the comparison's own order, whatever the columns are called: each change stands in its row.
        for (qsizetype i = 0; i < expected.rows.size(); ++i) {
            QVERIFY(expected.rows.at(i).kernel.percent.has_value());
            const double percent = *expected.rows.at(i).kernel.percent;
            QVERIFY2(std::ranges::any_of(page.values.rows.at(i),
                                         [&](const widgets::ValueCell &cell) {
                                             return cell.number && std::abs(*cell.number - percent) < 1e-9;
                                         }),
                     qPrintable(QString::number(i)));
        }
        QVERIFY2(c.bar()->words().contains("as the evidence says"), qPrintable(c.bar()->words()));
    }

    void theBaseIsChosenAndUndone()
    {
        Compared c({"mage-001.json", "mage-003"});
        QVERIFY(c.ready);
        QVERIFY(c.waitForBase("mage-001"));
        QComboBox *base = c.bar()->base();
        QCOMPARE(base->count(), 2);
        base->setCurrentIndex(base->findText("mage-003"));
        emit base->activated(base->currentIndex());
        QVERIFY(c.waitForBase("mage-003"));
        QCOMPARE(c.undo()->text(), QStringLiteral("&Undo compare against mage-003"));
        c.undo()->trigger();
        QVERIFY(c.waitForBase("mage-001"));
        QCOMPARE(base->currentText(), QStringLiteral("mage-001"));
        c.fixture.window.actions()->redo->trigger();
        QVERIFY(c.waitForBase("mage-003"));
    }

    void implementationsArePairedByHand()
    {
        Compared c({"mage-001.json", "h200-001"});
        QVERIFY(c.ready);
        QVERIFY(c.waitForBase("mage-001"));
        // Another GPU: the reader is told before any number.
        QVERIFY(c.bar()->differences()->isVisible());
        QVERIFY2(c.bar()->differences()->text().contains("GPU"), qPrintable(c.bar()->differences()->text()));
        // In one line; all of it at a click.
        const MessageBar *differences = c.bar()->differences();
        const int folded = differences->sizeHint().height();
        auto *show = differences->findChild<QPushButton *>();
        QVERIFY(show && show->isVisible());
        QCOMPARE(show->text(), QStringLiteral("Show"));
        const auto says = [&](const QString &text) {
            const auto labels = differences->findChildren<QLabel *>();
            return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text().contains(text); });
        };
        QVERIFY(says("differs in GPU") && !says("NVIDIA H200"));
        show->click();
        QCOMPARE(show->text(), QStringLiteral("Hide"));
        QVERIFY(says("NVIDIA H200"));
        QVERIFY(differences->sizeHint().height() > folded);
        // Who is likely the same under two names is proposed.
        c.bar()->pairButton()->click();
        auto *dialog = c.fixture.window.findChild<PairDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->pairs(), (QList<evidence::ImplementationPair>{{"rust", "cuda"}}));
        dialog->accept();
        const auto isPaired = [](const FigurePage &page) {
            return page.comparison && page.comparison->plan.pairs.size() == 1;
        };
        QVERIFY(c.waitFor(isPaired));
        QVERIFY2(c.bar()->words().contains("Paired by hand: Rust ↔ CUDA"), qPrintable(c.bar()->words()));
        const evidence::Namespace &mage = evidenceOf(c.fixture.window, "mage-001");
        const evidence::Namespace &h200 = evidenceOf(c.fixture.window, "h200-001");
        evidence::ComparisonOptions options;
        options.pairs = {{"rust", "cuda"}};
        QVERIFY(evidence::compare(mage, h200, options).rows.size() > evidence::compare(mage, h200).rows.size());
        QVERIFY(c.fixture.window.figures()->page().values.rows.size() >=
                evidence::compare(mage, h200, options).rows.size());
        QCOMPARE(c.undo()->text(), QStringLiteral("&Undo pair Rust ↔ CUDA"));
        c.undo()->trigger();
        QVERIFY(c.waitFor([&](const FigurePage &page) { return !isPaired(page); }));
        c.fixture.window.actions()->redo->trigger();
        QVERIFY(c.waitFor(isPaired));
        // It is remembered while other pages and other namespaces are looked at.
        c.fixture.window.figures()->setView(views::ViewId::Kernel);
        QVERIFY(c.fixture.waitForPage());
        c.fixture.window.figures()->setView(views::ViewId::Compare);
        QVERIFY(c.waitFor(isPaired));
    }

    void aPairIsRefusedTwice()
    {
        Compared c({"mage-001.json", "h200-001"});
        QVERIFY(c.ready);
        QVERIFY(c.waitForBase("mage-001"));
        PairDialog dialog(*c.bar()->facts());
        QCOMPARE(dialog.pairs(), (QList<evidence::ImplementationPair>{{"rust", "cuda"}}));
        const auto *accept = dialog.findChild<QPushButton *>("primaryButton");
        QVERIFY(accept && accept->isEnabled());
        dialog.addPair({"rust", "cublas"});
        QVERIFY(!accept->isEnabled());
        QList<QToolButton *> removes = dialog.findChildren<QToolButton *>();
        removes.last()->click();
        QVERIFY(accept->isEnabled());
        dialog.addPair({});
        QVERIFY(!accept->isEnabled());
    }

    void whatIsUnchangedIsCorrectedAndGoesBackToTheEvidence()
    {
        Compared c({"mage-001.json", "mage-003"});
        QVERIFY(c.ready);
        QVERIFY(c.waitForBase("mage-001"));
        const QStringList found = c.bar()->facts()->unchanged;
        QVERIFY(!found.isEmpty());
        const auto actionFor = [&](const QString &operation) {
            for (QAction *action : c.bar()->unchangedMenu()->actions()) {
                if (action->data().toString() == operation)
                    return action;
            }
            return static_cast<QAction *>(nullptr);
        };
        QAction *gelu = actionFor("gelu");
        QVERIFY(gelu);
        QCOMPARE(gelu->isChecked(), found.contains("gelu"));
        const QStringList before = column(c.fixture.window.figures()->page().values, "drift_bound_percent");
        gelu->trigger();
        QVERIFY(c.waitFor([](const FigurePage &page) { return page.comparison && page.comparison->plan.unchanged; }));
        QStringList expected = found;
        if (!expected.removeOne("gelu"))
            expected.append("gelu");
        QCOMPARE(QSet<QString>(expected.begin(), expected.end()),
                 QSet<QString>(c.bar()->facts()->unchanged.begin(), c.bar()->facts()->unchanged.end()));
        QVERIFY2(c.bar()->words().contains("as you said"), qPrintable(c.bar()->words()));
        QCOMPARE(c.undo()->text(), QStringLiteral("&Undo correct what is unchanged"));
        c.bar()->unchangedMenu()->actions().first()->trigger(); // as the evidence says
        QVERIFY(c.waitFor([](const FigurePage &page) { return page.comparison && !page.comparison->plan.unchanged; }));
        QCOMPARE(column(c.fixture.window.figures()->page().values, "drift_bound_percent"), before);
        c.undo()->trigger();
        QVERIFY(c.waitFor([](const FigurePage &page) { return page.comparison && page.comparison->plan.unchanged; }));
    }

    void moreThanTwoAreATrend()
    {
        Compared c({"mage-001.json", "mage-002.json", "mage-003"});
        QVERIFY(c.ready);
        QVERIFY(c.waitForBase("mage-001"));
        const FigurePage &page = c.fixture.window.figures()->page();
        QCOMPARE(page.figures.size(), 1);
        QVERIFY2(page.figures.first().unavailable.isEmpty(), qPrintable(page.figures.first().unavailable));
        QCOMPARE(page.comparison->plan.others.size(), 2);
        QVERIFY(page.values.rows.size() >= 15);
    }
};

QTEST_MAIN(tst_WindowCompare)
#include "tst_windowcompare.moc"
