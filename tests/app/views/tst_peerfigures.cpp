// SPDX-License-Identifier: GPL-3.0-or-later
#include "../../widgets/geometrychecks.h"
#include "peerfixtures.h"
#include "theme.h"

#include <QSet>

using namespace stagecraft;
using namespace stagecraft::views;
using widgets::Figure;
using widgets::FigureBar;
using widgets::FigureGeometry;
using widgets::Layout;

namespace {

const QString longName = QStringLiteral("a-very-long-external-program-name-that-has-exactly-sixty-four-ch");

// Every state, a name as long as one may be, kernels with names of thousands of characters.
evidence::Namespace troubledRun()
{
    evidence::Namespace evidence = fixtures::peersRun();
    const fixtures::PeerCase matmul = fixtures::peerCases().first();
    const QByteArray name = longName.toUtf8();
    const fixtures::Peer external{name.constData(), 60.5, {QStringLiteral("ext_") + QString(3000, u'k')}};
    for (evidence::Round &round : evidence.results[0].rounds) {
        round.implementations["cublaslt"] =
            fixtures::stateOnly(evidence::State::Failed, "the result is wrong: 12 of 1048576 elements are beyond 1e-4");
        round.implementations["triton-tuned"] =
            fixtures::stateOnly(evidence::State::Unavailable, "triton is not installed in this Python");
        fixtures::addPeer(evidence, round, matmul, external);
    }
    evidence.captures.removeIf([](const evidence::Capture &capture) {
        return capture.operation == QLatin1String("matmul") &&
               (capture.language == QLatin1String("cublaslt") || capture.language == QLatin1String("triton-tuned"));
    });
    return evidence;
}

} // namespace

class TestPeerFigures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void nothingOverlapsOrLeavesTheFigure_data()
    {
        QTest::addColumn<ViewId>("view");
        QTest::addColumn<bool>("isTroubled");
        for (const ViewInfo &view : viewCatalogue())
            for (const bool isTroubled : {false, true})
                QTest::addRow("%s%s", qPrintable(view.name), isTroubled ? ", troubled" : "") << view.id << isTroubled;
    }
    void nothingOverlapsOrLeavesTheFigure()
    {
        QFETCH(ViewId, view);
        QFETCH(bool, isTroubled);
        const Figure figure = buildFigure(view, isTroubled ? troubledRun() : fixtures::peersRun());
        for (const Layout layout : {Layout::Desktop, Layout::Mobile})
            QCOMPARE(checks::misplaced(widgets::layoutFigure(figure, layout)), QString());
    }

    // One column per operation, and every label in full.
    void theOverviewHasAColumnPerOperation()
    {
        const Figure figure = buildFigure(ViewId::KernelSpan, fixtures::peersRun());
        const FigureGeometry geometry = widgets::layoutFigure(figure, Layout::Desktop);
        QSet<double> tops;
        for (const widgets::FigurePanel &panel : figure.rows[0].panels)
            tops.insert(checks::areaOf(geometry, panel.title).top());
        QCOMPARE(tops.size(), 1);
        for (const char *label :
             {"PyTorch", "PyTorch, compiled", "Triton", "Triton, tuned", "cuBLAS", "cuBLASLt", "cuSPARSE", "CUDA"})
            QVERIFY2(checks::drawnTexts(geometry).contains(QLatin1String(label)), label);
        QVERIFY(!checks::drawnTexts(geometry).join(' ').contains(u'…'));
    }

    void implementationsStandInOneOrder()
    {
        const Figure figure = buildFigure(ViewId::Kernel, fixtures::peersRun());
        const QStringList order{"PyTorch", "PyTorch, compiled", "Triton",   "Triton, tuned",
                                "cuBLAS",  "cuBLASLt",          "cuSPARSE", "CUDA"};
        for (const widgets::FigurePanel &panel : figure.rows[0].panels) {
            QStringList expected = order;
            const QStringList labels = fixtures::barLabels(panel);
            expected.removeIf([&](const QString &label) { return !labels.contains(label); });
            QCOMPARE(labels, expected);
        }
    }

    void everyImplementationHasAColour()
    {
        for (const widgets::Theme theme : {widgets::Theme::Dark, widgets::Theme::Light}) {
            QSet<QRgb> colors;
            for (const char *id :
                 {"cuda", "cublas", "cublaslt", "cusparse", "pytorch", "pytorch-compile", "triton", "triton-tuned"})
                colors.insert(widgets::roleColor(colorRole(QLatin1String(id)), theme).rgb());
            QCOMPARE(colors.size(), 8);
            for (const char *id : {"host", "pytorch-cpu"})
                colors.insert(widgets::roleColor(colorRole(QLatin1String(id)), theme).rgb());
            QCOMPARE(colors.size(), 10);
            // A program of somebody else takes none of them, and keeps its own.
            for (const char *id : {"mine", "a", "b", "zig"}) {
                const QRgb own = widgets::roleColor(colorRole(QLatin1String(id)), theme).rgb();
                QVERIFY2(!colors.contains(own), id);
                QCOMPARE(widgets::roleColor(colorRole(QLatin1String(id)), theme).rgb(), own);
            }
        }
    }

    void anExternalRustIsTheNotesOwn()
    {
        QCOMPARE(colorRole("rust").kind, widgets::ColorRole::Own);
        QCOMPARE(evidence::implementationLabel("rust"), QString("Rust"));
    }

    void launchesNameTheirKernels()
    {
        const Figure figure = buildFigure(ViewId::Launches, fixtures::peersRun());
        const widgets::FigurePanel &triangle = figure.rows[0].panels[3];
        const FigureBar &pytorch = fixtures::barOf(triangle, "PyTorch");
        QCOMPARE(pytorch.valueText, QString("3"));
        QCOMPARE(pytorch.details.size(), 1);
        QVERIFY2(pytorch.details[0].startsWith("2 × elementwise_kernel, sm80_xmma_gemm"),
                 qPrintable(pytorch.details[0]));
        QVERIFY(pytorch.toolTip.contains("2 × void at::native::elementwise_kernel<128, 2"));
        const widgets::ValueTable table = buildTable(ViewId::Launches, fixtures::peersRun());
        QVERIFY(fixtures::shown(table, 0, "kernels").startsWith("sm80_xmma_gemm"));
    }

    void programsGetFullNamesCountsAndNotes()
    {
        ViewOptions options;
        options.audience = Audience::Programs;
        const widgets::ValueTable table = buildTable(ViewId::Launches, fixtures::peersRun(), options);
        qsizetype row = 0;
        while (fixtures::shown(table, row, "operation") != "triangle" ||
               fixtures::shown(table, row, "implementation") != "cublas")
            ++row;
        QVERIFY(fixtures::shown(table, row, "kernels").endsWith("5x_cublas; transpose_out"));
        QCOMPARE(fixtures::shown(table, row, "kernel_launches"), QString("2; 1; 1"));
        QCOMPARE(fixtures::shown(table, row, "note"), QString("how cublas computes"));
        const widgets::ValueTable people = buildTable(ViewId::Launches, fixtures::peersRun());
        QVERIFY(!fixtures::columnIds(people).contains("note"));
        QCOMPARE(fixtures::cell(people, row, "implementation").toolTip, QString("how cublas computes"));
    }

    void picturesCarryTheNotes()
    {
        const Figure figure = buildFigure(ViewId::Kernel, fixtures::peersRun());
        QString notes;
        for (const auto &[key, value] : figure.metadata)
            notes += key == QLatin1String("Implementations") ? value : QString();
        QVERIFY2(notes.startsWith("cublas: how cublas computes | cublaslt: how cublaslt computes"), qPrintable(notes));
    }

    void resourcesHaveARowPerKernelOfALibrary()
    {
        const Figure figure = buildFigure(ViewId::Resources, fixtures::peersRun());
        const FigureBar &helper = fixtures::barOf(figure.rows[0].panels[3], "cuBLAS, launch 1");
        QCOMPARE(helper.details.first(), QString("transpose_in"));
        QCOMPARE(fixtures::barOf(figure.rows[0].panels[3], "cuBLAS, launch 3").details.first(),
                 QString("transpose_out"));
    }

    void timestampModesOfAllProcessesAreNamed()
    {
        evidence::Namespace evidence = fixtures::peersRun();
        for (evidence::Capture &capture : evidence.captures)
            capture.timestampMode =
                capture.language == QLatin1String("cuda") ? QStringLiteral("hardware") : QStringLiteral("reduced");
        const QString footer = buildFigure(ViewId::Kernel, evidence).footer.join(' ');
        QVERIFY2(footer.contains("timestamp mode: reduced; hardware"), qPrintable(footer));
    }
};

QTEST_MAIN(TestPeerFigures)
#include "tst_peerfigures.moc"
