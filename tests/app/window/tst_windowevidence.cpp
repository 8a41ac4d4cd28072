// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidencereader.h"
#include "fakeworkers.h"
#include "logdock.h"
#include "provenancepanel.h"
#include "windowfixture.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QScrollBar>
#include <QSplitter>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

QString bundled(const QString &name)
{
    return QStringLiteral(STAGECRAFT_SOURCE_DIR "/resources/evidence/") + name;
}

// A results file with as many samples as it declares in its first round, and one less in its second.
QByteArray damagedResults()
{
    const auto samples = [](int count) {
        QStringList values;
        for (int i = 0; i < count; ++i)
            values.append(QString::number(80 + i % 3));
        return values.join(QLatin1Char(','));
    };
    const auto round = [&](int index, int count) {
        return QStringLiteral(R"({"index":%1,"order":["cuda"],"implementations":{"cuda":{"samples_us":[%2],
            "warmup":5,"iterations":20,"correctness":{"passed":true,"max_abs_error":1e-6,"rtol":1e-4,"atol":1e-4,
            "checked_elements":64}}}})")
            .arg(index)
            .arg(samples(count));
    };
    return QStringLiteral(R"({"format":1,"experiment_id":"damaged","utc":"2026-09-10T14:03:12Z","gpu":"NVIDIA H200",
        "rounds":2,"iterations_per_round":20,"warmup_per_round":5,"results":[{"op":"matmul","dims":[8,8,8],
        "rounds":[%1,%2]}]})")
        .arg(round(0, 20), round(1, 19))
        .toUtf8();
}

void writeFile(const QString &path, const QByteArray &text)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

void dropOn(MainWindow &window, const QString &path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &drop);
}

} // namespace

class tst_WindowEvidence : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_SOURCE_DIR "/resources"); }

    void bundledEvidenceOpensByItsName()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin({"mage-001"}));
        const auto shown = fixture.window.evidence()->shown();
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.first().evidence->name, QStringLiteral("mage-001"));
        QCOMPARE(shown.first().evidence->summary->rows.size(), 5);
        QVERIFY(!fixture.window.messages()->isVisible());
    }

    void firstStartShowsTheNotesFigures()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        QVERIFY(fixture.waitForPage());
        const FigurePage &page = fixture.window.figures()->page();
        QCOMPARE(page.figures.size(), 1);
        const QStringList texts = barTexts(page.figures.first());
        QCOMPARE(texts.size(), 30); // 5 operations × 3 implementations, kernel time and span
        QVERIFY(texts.contains("80.0"));
        QVERIFY(texts.contains("44.0"));
        QCOMPARE(page.values.rows.size(), 15);
        QVERIFY(fixture.window.evidence()->rowCount() >= 3);
        QVERIFY(fixture.window.figures()->figureViews().first()->hits().size() == 30);
    }

    void everyTabFillsOrSaysWhyNot()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        for (const views::ViewInfo &view : views::viewCatalogue()) {
            fixture.window.figures()->setView(view.id);
            QVERIFY(fixture.waitForPage());
            const FigurePage &page = fixture.window.figures()->page();
            QCOMPARE(page.view, view.id);
            for (const widgets::Figure &figure : page.figures)
                QVERIFY2(!figure.rows.isEmpty() || !figure.plots.isEmpty() || !figure.ladders.isEmpty() ||
                             !figure.unavailable.isEmpty(),
                         qPrintable(view.name));
            QVERIFY2(!page.values.rows.isEmpty() || !page.values.unavailable.isEmpty(), qPrintable(view.name));
        }
    }

    void everyTabKeepsItsPlace()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        fixture.window.resize(900, 600);
        QVERIFY(fixture.begin({bundled("mage-003")}));
        FigurePane *figures = fixture.window.figures();
        const auto bar = [figures] { return figures->figureViews().first()->verticalScrollBar(); };
        figures->setView(views::ViewId::Progression);
        QVERIFY(fixture.waitForPage());
        QVERIFY(bar()->maximum() > 20);
        bar()->setValue(20);
        figures->setView(views::ViewId::KernelSpan);
        QVERIFY(fixture.waitForPage());
        QVERIFY(bar()->maximum() > 0);
        QCOMPARE(bar()->value(), 0);
        figures->setView(views::ViewId::Progression);
        QVERIFY(fixture.waitForPage());
        QCOMPARE(bar()->value(), 20);
    }

    void verdictsAreAgainstWhatIsChosen()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin({bundled("h200-001")}));
        FigurePane *figures = fixture.window.figures();
        QVERIFY(!figures->reference()->isVisible());
        figures->setView(views::ViewId::Verdicts);
        QVERIFY(fixture.waitForPage());
        QComboBox *reference = figures->reference();
        QVERIFY(reference->isVisible());
        QCOMPARE(reference->count(), 3);
        QCOMPARE(reference->currentText(), QStringLiteral("this project's kernels"));
        QCOMPARE(figures->verdictReference(), QString()); // as an export without a choice
        const auto comparedWith = [&] {
            const widgets::ValueTable &values = figures->page().values;
            const auto column =
                std::ranges::find(values.columns, QStringLiteral("reference"), &widgets::ValueColumn::id);
            return column == values.columns.end() || values.rows.isEmpty()
                       ? QString()
                       : values.rows.first().at(column - values.columns.begin()).text;
        };
        QCOMPARE(comparedWith(), QStringLiteral("CUDA"));
        const QList<widgets::ValueColumn> columns = figures->page().values.columns;
        QCOMPARE(columns.at(4).id, QStringLiteral("verdict")); // where it is seen without scrolling
        reference->setCurrentIndex(reference->findData(QStringLiteral("cublas")));
        emit reference->activated(reference->currentIndex());
        QVERIFY(fixture.waitForPage());
        QTRY_COMPARE_WITH_TIMEOUT(comparedWith(), QStringLiteral("cuBLAS"), 30'000);
        QCOMPARE(figures->verdictReference(), QStringLiteral("cublas"));
        // Where it was not measured, the views choose; where it is back, so is the choice.
        const QList<EvidenceListModel::Entry> entries = fixture.window.evidence()->shown();
        figures->setEntries({});
        QCOMPARE(figures->verdictReference(), QString());
        figures->setEntries(entries);
        QCOMPARE(figures->verdictReference(), QStringLiteral("cublas"));
        figures->setView(views::ViewId::Kernel);
        QVERIFY(!reference->isVisible());
    }

    void commandLineNamespacesAreShownInsteadOfTheBundled()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin({bundled("mage-001.json")}));
        QVERIFY(fixture.waitForPage());
        QCOMPARE(fixture.window.evidence()->shown().size(), 1);
        QCOMPARE(fixture.window.evidence()->shown().first().evidence->name, QStringLiteral("mage-001"));
        QVERIFY(barTexts(fixture.window.figures()->page().figures.first()).contains("344.0"));
    }

    void droppingShowsTwoNamespacesWithNames()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        writeFile(fixture.path("other.json"),
                  R"({"gpu":"NVIDIA H200","rounds":3,"samples":300,"rows":[{"op":"matmul","label":"matmul",
                     "dims":[1024,1024,1024],"measurements":{"cuda":{"event":31.5,"event_min":31.0,"event_max":32.0,
                     "kernel":30.5,"launches":1}}}]})");
        dropOn(fixture.window, fixture.path("other.json"));
        QVERIFY(QTest::qWaitFor([&] { return fixture.window.evidence()->shown().size() == 2; }, 30'000));
        QVERIFY(fixture.waitForPage());
        const FigurePage &page = fixture.window.figures()->page();
        QCOMPARE(page.figures.size(), 2);
        QVERIFY(page.figures.at(0).title.startsWith("other"));
        QVERIFY(page.figures.at(1).title.startsWith("mage-003"));
        QVERIFY(barTexts(page.figures.at(0)).contains("30.5"));
        QVERIFY(!barTexts(page.figures.at(1)).contains("30.5"));
        QCOMPARE(page.values.columns.first().id, QStringLiteral("namespace"));
        // Each figure is there in its whole height; they scroll together.
        const auto whole = [&] {
            return std::ranges::all_of(fixture.window.figures()->figureViews(), [](const widgets::FigureView *view) {
                return view->isVisible() && view->verticalScrollBar()->maximum() == 0 && view->height() > 300;
            });
        };
        QVERIFY(QTest::qWaitFor(whole, 10'000));
        fixture.window.resize(1100, 700);
        QVERIFY(QTest::qWaitFor(whole, 10'000));
        QCOMPARE(page.values.rows.size(), 16);
        // different devices are said so.
        bool said = false;
        for (const MessageBar *bar : fixture.window.findChildren<MessageBar *>())
            said = said || (bar->isVisible() && bar->title().contains("different devices"));
        QVERIFY(said);
    }

    void damagedNamespaceShowsItsSoundPartAndListsProblems()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        writeFile(fixture.path("damaged/comparison-results.json"), damagedResults());
        // One of its files stands for the directory.
        QVERIFY(fixture.begin({fixture.path("damaged/comparison-results.json")}));
        QVERIFY(fixture.waitForPage());
        const auto shown = fixture.window.evidence()->shown();
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.first().evidence->name, QStringLiteral("damaged"));
        QVERIFY(shown.first().evidence->hasContradiction());
        QVERIFY(barTexts(fixture.window.figures()->page().figures.first()).join(' ').contains("8"));
        QVERIFY(fixture.window.messages()->isVisible());
        QVERIFY2(fixture.window.messages()->text().contains("/results/0/rounds/1"),
                 qPrintable(fixture.window.messages()->text()));
        QStringList problems;
        for (const QLabel *label : fixture.window.evidenceDock()->provenance()->findChildren<QLabel *>("problem"))
            problems.append(label->text());
        QVERIFY2(problems.join('\n').contains("comparison-results.json /results/0/rounds/1"),
                 qPrintable(problems.join('\n')));
    }

    void nothingToReadIsSaidAndNotListed()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(QDir().mkpath(fixture.path("empty")));
        QVERIFY(fixture.begin({fixture.path("empty")}));
        QVERIFY(fixture.window.messages()->isVisible());
        QVERIFY(fixture.window.messages()->title().contains("empty"));
        QVERIFY(fixture.window.evidence()->shown().isEmpty());
    }

    void copiesValues()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        QVERIFY(fixture.waitForPage());
        fixture.window.actions()->copyValues->trigger();
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.contains('\t') && text.count('\n') >= 15, qPrintable(text.left(200)));
        fixture.window.actions()->copyFigure->trigger();
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }

    void whileNamedEvidenceIsReadItIsSaid()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        fixture.window.show();
        fixture.window.begin({bundled("mage-001.json")});
        const auto says = [&](const QString &text) {
            const auto labels = fixture.window.figures()->findChildren<QLabel *>();
            return std::ranges::any_of(
                labels, [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
        };
        QVERIFY(says("Loading evidence"));
        QVERIFY(!says("Nothing is shown"));
        QVERIFY(QTest::qWaitFor([&] { return fixture.ready(); }, 60'000));
        QVERIFY(fixture.waitForPage());
        QVERIFY(!says("Loading evidence"));
        const int namespaces = static_cast<int>(evidence::bundledNames().size());
        QCOMPARE(fixture.window.evidence()->rowCount(), namespaces);
    }

    void provenanceIsOfWhatIsShown()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin({bundled("mage-001.json"), bundled("mage-003")}));
        EvidenceListModel *list = fixture.window.evidence();
        const auto name = [&] {
            const auto labels = fixture.window.evidenceDock()->provenance()->findChildren<QLabel *>("provenanceName");
            return labels.isEmpty() ? QString() : labels.last()->text();
        };
        const auto row = [&](const QString &title) {
            for (int i = 0; i < list->rowCount(); ++i) {
                if (list->at(i).title() == title)
                    return i;
            }
            return -1;
        };
        fixture.window.evidenceDock()->selectRow(row("mage-003"));
        QCOMPARE(name(), QStringLiteral("mage-003"));
        list->setShown(row("mage-003"), false);
        QCOMPARE(name(), QStringLiteral("mage-001"));
        list->setShown(row("mage-003"), true);
        QCOMPARE(name(), QStringLiteral("mage-003"));
    }

    void messagesShowHostileNamesAsTheyAre()
    {
        MessageBar bar;
        bar.showMessage(MessageBar::Severity::Info, QStringLiteral("a\u202Eb"), QStringLiteral("c\u2067d\ne"));
        QCOMPARE(bar.title(), QStringLiteral("a\uFFFDb"));
        QCOMPARE(bar.text(), QStringLiteral("c\uFFFDd\ne"));
    }

    void uncheckedEvidenceLeavesAHint()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        QVERIFY(fixture.waitForPage());
        QCOMPARE(fixture.window.evidence()->shown().size(), 1);
        fixture.window.evidence()->showOnly(-1);
        QVERIFY(QTest::qWaitFor([&] { return fixture.window.figures()->page().figures.isEmpty(); }, 30'000));
        bool hinted = false;
        for (const QLabel *label : fixture.window.figures()->findChildren<QLabel *>())
            hinted = hinted || (label->isVisible() && label->text().contains("Ctrl+O"));
        QVERIFY(hinted);
    }

    void layoutThemePlanAndProtocolAreRestored()
    {
        FakeWorkers workers;
        const QTemporaryDir directory;
        const QString file = directory.filePath("settings.ini");
        {
            WindowFixture first(file);
            QVERIFY(first.begin());
            first.window.resize(1111, 777);
            first.window.log()->hide();
            first.window.actions()->themeLight->trigger();
            PlanModel *plan = first.window.plan();
            QVERIFY(plan->setData(plan->index(0, PlanModel::DetailColumn), "64x32x16", Qt::EditRole));
            run::RunPlan protocol;
            protocol.rounds = 3;
            first.window.planDock()->protocol()->setProtocol(protocol);
            first.window.close();
        }
        WindowFixture second(file);
        QVERIFY(second.begin());
        QCOMPARE(second.window.size(), QSize(1111, 777));
        QVERIFY(!second.window.log()->isVisible());
        QVERIFY(second.window.planDock()->isVisible());
        QCOMPARE(second.window.figures()->theme(), widgets::Theme::Light);
        QCOMPARE(second.window.runDesk()->plan().operations.first().dims, QList<qint64>({64, 32, 16}));
        QCOMPARE(second.window.runDesk()->plan().rounds, 3);
        second.window.actions()->resetLayout->trigger();
        QVERIFY(second.window.log()->isVisible());
    }

    void everyControlHasANameForScreenReaders()
    {
        FakeWorkers workers;
        WindowFixture fixture;
        QVERIFY(fixture.begin());
        for (const QWidget *widget : fixture.window.findChildren<QWidget *>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || widget->focusProxy())
                continue;
            QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
            QVERIFY(accessible);
            // A spin box's own line edit, a scroll area's viewport and the like speak through their parents.
            const bool inner = qobject_cast<const QAbstractSpinBox *>(widget->parent()) ||
                               qobject_cast<const QAbstractScrollArea *>(widget->parent()) ||
                               qobject_cast<const QSplitter *>(widget);
            QVERIFY2(inner || !accessible->text(QAccessible::Name).isEmpty(),
                     qPrintable(QStringLiteral("%1 %2").arg(widget->metaObject()->className(), widget->objectName())));
        }
    }
};

QTEST_MAIN(tst_WindowEvidence)
#include "tst_windowevidence.moc"
