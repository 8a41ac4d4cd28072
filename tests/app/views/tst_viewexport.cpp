// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewexport.h"
#include "viewfixtures.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

// Files of views: names, sizes, and that what is in the evidence is in the file.
using namespace stagecraft;
using namespace stagecraft::views;

class TestViewExport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_request = {};
        m_request.directory = m_folder->filePath("new/figures");
        m_request.views.clear();
        for (const ViewInfo &view : viewCatalogue())
            m_request.views.append(view.id);
        m_request.formats = exportFormats();
    }

    void namesFollowViewLayoutAndFormat()
    {
        const evidence::Namespace run = fixtures::gpuRun();
        m_request.namespaces = {&run};
        m_request.layouts = {widgets::Layout::Desktop, widgets::Layout::Mobile};
        const ExportResult result = writeExport(m_request);
        QVERIFY2(result.errors.isEmpty(), qPrintable(result.errors.join('\n')));
        QStringList expected;
        for (const char *view : {"kernel-span", "kernel", "span", "launches", "samples", "progression", "resources",
                                 "limits", "roofline", "prediction", "verdicts", "compare"})
            for (const char *suffix :
                 {"-desktop.png", "-desktop.svg", "-mobile.png", "-mobile.svg", ".csv", ".md", ".html", ".json"})
                expected.append(QLatin1String(view) + QLatin1String(suffix));
        expected.append(QStringLiteral("report.html"));
        expected.sort();
        QStringList files = result.files;
        files.sort();
        QCOMPARE(files, expected);
        QCOMPARE(QDir(m_request.directory).entryList(QDir::Files, QDir::Name).size(), expected.size());
    }

    void severalNamespacesLendTheirNames()
    {
        const evidence::Namespace run = fixtures::gpuRun(), note = fixtures::note("mage-001");
        m_request.namespaces = {&run, &note};
        m_request.views = {ViewId::Span};
        m_request.formats = QStringList{"md", "png"};
        QStringList announced;
        const ExportResult result = writeExport(m_request, [&](const QString &file) { announced.append(file); });
        QCOMPARE(result.files, QStringList({"h200-fixture-span-desktop.png", "h200-fixture-span.md",
                                            "mage-001-span-desktop.png", "mage-001-span.md"}));
        QCOMPARE(announced, result.files);
    }

    void picturesHaveTwiceTheLayoutsWidth()
    {
        const evidence::Namespace note = fixtures::note("mage-003");
        m_request.namespaces = {&note};
        m_request.formats = QStringList{"png"};
        m_request.layouts = {widgets::Layout::Desktop, widgets::Layout::Mobile};
        QVERIFY(writeExport(m_request).errors.isEmpty());
        QCOMPARE(QImage(file("kernel-span-desktop.png")).width(), 3120);
        QCOMPARE(QImage(file("progression-desktop.png")).width(), 2440);
        QCOMPARE(QImage(file("progression-mobile.png")).width(), 730);
        for (const char *name : {"kernel-desktop.png", "resources-desktop.png", "prediction-desktop.png"})
            QCOMPARE(QImage(file(name)).width(), 1480);
        QCOMPARE(QImage(file("samples-desktop.png")).width(), 1480); // unavailable, and still a picture that says so
        QCOMPARE(QImage(file("launches-mobile.png")).width(), 730);
        QCOMPARE(QImage(file("span-desktop.png")).text("Namespace"), QStringLiteral("mage-003"));
    }

    void programsAndPeopleGetTheirOwnWords()
    {
        const evidence::Namespace run = fixtures::gpuRun();
        m_request.namespaces = {&run};
        m_request.views = {ViewId::Span};
        QVERIFY(writeExport(m_request).errors.isEmpty());
        const QByteArray csv = contents("span.csv"), markdown = contents("span.md");
        QVERIFY2(csv.contains("matmul,128x96x64,warm,cuda,matmul/tiled,fp32,22.5,22,23,22.5,event,10,ok,,"),
                 csv.constData());
        QVERIFY2(markdown.contains("| Matrix multiplication | 128 × 96 × 64 | CUDA |"), markdown.constData());
        QVERIFY(contents("span.json").contains("\"span_us\": 22.5"));
        QVERIFY(contents("span.html").contains("22.5"));
    }

    void oneSampleChangesTableAndPicture()
    {
        evidence::Namespace run = fixtures::gpuRun();
        m_request.namespaces = {&run};
        m_request.views = {ViewId::Span, ViewId::Samples};
        m_request.formats = QStringList{"png", "csv"};
        QVERIFY(writeExport(m_request).errors.isEmpty());
        const QByteArray spanCsv = contents("span.csv"), samplesCsv = contents("samples.csv");
        const QImage span(file("span-desktop.png")), samples(file("samples-desktop.png"));
        run.results[0].rounds[1].implementations["cuda"].samplesUs[2] += 5;
        QVERIFY(writeExport(m_request).errors.isEmpty());
        QVERIFY(contents("span.csv") != spanCsv);
        QVERIFY(contents("samples.csv") != samplesCsv);
        QVERIFY(QImage(file("span-desktop.png")) != span);
        QVERIFY(QImage(file("samples-desktop.png")) != samples);
    }

    void themesDiffer()
    {
        const evidence::Namespace run = fixtures::gpuRun();
        m_request.namespaces = {&run};
        m_request.views = {ViewId::Span};
        m_request.formats = QStringList{"png"};
        QVERIFY(writeExport(m_request).errors.isEmpty());
        const QImage page(file("span-desktop.png"));
        QCOMPARE(page.pixelColor(0, 0).alpha(), 0);
        QVERIFY(page.pixelColor(20, 20).lightness() > 240);
        m_request.theme = widgets::Theme::Dark;
        QVERIFY(writeExport(m_request).errors.isEmpty());
        QVERIFY(QImage(file("span-desktop.png")).pixelColor(0, 0).lightness() < 30);
    }

    void anyScale()
    {
        const evidence::Namespace run = fixtures::gpuRun();
        m_request.namespaces = {&run};
        m_request.views = {ViewId::Span};
        m_request.formats = QStringList{"png"};
        for (const double scale : {0.5, 3.0}) {
            m_request.scale = scale;
            QVERIFY(writeExport(m_request).errors.isEmpty());
            const QImage image(file("span-desktop.png"));
            QCOMPARE(image.width(), qRound(740 * scale));
            QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - 96 * scale) < 0.1);
        }
    }

    // Wherever a format has a place for it; CSV has none.
    void provenanceIsInEveryFormat()
    {
        evidence::Namespace run = fixtures::gpuRun();
        run.driver = QStringLiteral("580.95.05");
        m_request.namespaces = {&run};
        m_request.views = {ViewId::Kernel};
        m_request.options.programVersion = QStringLiteral("1.2.3");
        QVERIFY(writeExport(m_request).errors.isEmpty());
        const QStringList facts{run.name, run.gpu, run.driver, run.utc, "CUPTI", "Stagecraft 1.2.3"};
        const QImage image(file("kernel-desktop.png"));
        const QStringList keys{"Namespace", "GPU", "Driver", "Measured", "Instrument", "Software"};
        for (qsizetype i = 0; i < facts.size(); ++i)
            QVERIFY2(image.text(keys[i]).contains(facts[i]), qPrintable(keys[i]));
        QVERIFY(image.text("Instrument").contains("CUDA events"));
        for (const char *name : {"kernel-desktop.svg", "kernel.md", "kernel.html", "kernel.json", "report.html"}) {
            const QString text = QString::fromUtf8(contents(name));
            for (const QString &fact : facts)
                QVERIFY2(text.contains(fact), qPrintable(name + (' ' + fact)));
        }
        const QJsonObject json = QJsonDocument::fromJson(contents("kernel.json")).object();
        QCOMPARE(json["provenance"].toObject()["Driver"].toString(), run.driver);
        QVERIFY(!contents("kernel.csv").contains("580.95"));
    }

    void aFolderThatCannotBeCreatedIsNamed()
    {
        const evidence::Namespace run = fixtures::gpuRun();
        QFile obstacle(m_folder->filePath("new"));
        QVERIFY(obstacle.open(QIODevice::WriteOnly));
        m_request.namespaces = {&run};
        const ExportResult result = writeExport(m_request);
        QVERIFY(result.files.isEmpty());
        QCOMPARE(result.errors.size(), 1);
        QVERIFY(result.errors[0].contains("new/figures"));
    }

private:
    QString file(const char *name) const { return QDir(m_request.directory).filePath(QString::fromUtf8(name)); }

    QByteArray contents(const char *name) const
    {
        QFile found(file(name));
        return found.open(QIODevice::ReadOnly) ? found.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    ExportRequest m_request;
};

QTEST_MAIN(TestViewExport)
#include "tst_viewexport.moc"
