// SPDX-License-Identifier: GPL-3.0-or-later
#include "figureexport.h"
#include "figurepainter.h"
#include "pngchunks.h"
#include "samplefigures.h"
#include "theme.h"

#include <QImageReader>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <csignal>
#include <memory>
#include <sys/resource.h>
#include <thread>

using namespace stagecraft::widgets;

Q_DECLARE_METATYPE(stagecraft::widgets::Theme)

namespace {

bool near(QRgb pixel, const QColor &color)
{
    return std::abs(qRed(pixel) - color.red()) + std::abs(qGreen(pixel) - color.green()) +
               std::abs(qBlue(pixel) - color.blue()) <
           12;
}

// The drawn length of a bar: pixels of its colour in its middle line.
int drawnLength(const QImage &image, const FigureHit &hit, const QColor &color, double scale)
{
    const int y = qRound(hit.area.center().y() * scale);
    int count = 0;
    for (int x = qRound(hit.area.left() * scale); x < qRound(hit.area.right() * scale); ++x)
        count += near(image.pixel(x, y), color);
    return count;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<Figure> publishedFigures()
{
    return {samples::noteFigure(), samples::sampleFigure({samples::series("a", 0, 200, 50)})};
}

QImage onWhite(const QImage &image)
{
    QImage page(image.size(), QImage::Format_RGB32);
    page.fill(Qt::white);
    QPainter(&page).drawImage(0, 0, image);
    return page;
}

int largestDifference(const QImage &a, const QImage &b)
{
    int largest = a.size() == b.size() ? 0 : 255;
    for (int y = 0; y < std::min(a.height(), b.height()); ++y)
        for (int x = 0; x < std::min(a.width(), b.width()); ++x) {
            const QRgb first = a.pixel(x, y), second = b.pixel(x, y);
            largest = std::max({largest, std::abs(qRed(first) - qRed(second)), std::abs(qGreen(first) - qGreen(second)),
                                std::abs(qBlue(first) - qBlue(second))});
        }
    return largest;
}

double meanDifference(const QImage &first, const QImage &second)
{
    double sum = 0;
    for (int y = 0; y < first.height(); ++y)
        for (int x = 0; x < first.width(); ++x)
            sum += std::abs(qGray(first.pixel(x, y)) - qGray(second.pixel(x, y)));
    return sum / first.width() / first.height();
}

} // namespace

class FigureExportTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }
    void pngHasTheLayoutsWidth();
    void pngCarriesResolutionAndMetadata();
    void pngTextIsWhatOtherReadersFind();
    void theResolutionFollowsTheScale_data();
    void theResolutionFollowsTheScale();
    void thePageThemeIsASheet();
    void pixelLengthsAreProportional();
    void editingAValueChangesThePixels();
    void groundAndInkFollowTheTheme();
    void samplesAreDrawn();
    void textIsDrawn();
    void svgIsWellFormedAndNeedsNoFont();
    void svgCarriesTitleDescriptionAndMetadata();
    void svgLooksLikeThePng();
    void svgLooksTheSameInAnotherRenderer_data() { themes(); }
    void svgLooksTheSameInAnotherRenderer();
    void svgDefinesEachGlyphOnce();
    void clipboardHasPictureAndDrawing();
    void exportsOnAnotherThread();
    void longImagesArePaintedInBands();
    void refusesAnImageThatIsTooLarge();
    void namesTheFileThatCannotBeWritten();
    void failureKeepsTheOldFile();
    void fullDiskIsAnErrorAndLeavesNoFile();
    void endlessTextsAreCut();
    void unprintableCharactersAreReplaced();

private:
    QString path(const QString &name) const { return m_directory->filePath(name); }
    QImage png(const Figure &figure, Layout layout = Layout::Desktop, Theme theme = Theme::Dark) const
    {
        const QString file = path(QStringLiteral("figure.png"));
        return exportPng(figure, layout, theme, 2, file).isEmpty() ? QImage(file) : QImage();
    }

    static void themes()
    {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("dark") << Theme::Dark;
        QTest::newRow("light") << Theme::Light;
        QTest::newRow("page") << Theme::Page;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void FigureExportTest::pngHasTheLayoutsWidth()
{
    const Figure figure = samples::noteFigure();
    QCOMPARE(png(figure, Layout::Desktop).width(), 2 * 740);
    QCOMPARE(png(figure, Layout::Mobile).width(), 2 * 365);
    QCOMPARE(figureImage(figure, Layout::Desktop, Theme::Dark, 1.5).width(), 1110);
    QCOMPARE(png(figure).height(), qRound(2 * layoutFigure(figure, Layout::Desktop).size.height()));
}

void FigureExportTest::pngCarriesResolutionAndMetadata()
{
    Figure figure = samples::noteFigure();
    figure.metadata = {{QStringLiteral("GPU"), QStringLiteral("RTX 4090")}};
    QCOMPARE(exportPng(figure, Layout::Desktop, Theme::Dark, 2, path(QStringLiteral("a.png"))), QString());
    QImageReader reader(path(QStringLiteral("a.png")));
    QCOMPARE(reader.text(QStringLiteral("GPU")), QStringLiteral("RTX 4090"));
    QCOMPARE(reader.text(QStringLiteral("Title")), QStringLiteral("Kernel time"));
    QCOMPARE(reader.text(QStringLiteral("Description")), QStringLiteral("matmul: PyTorch 44.0 µs"));
    const QImage image = reader.read();
    QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - 192) < 0.1);
}

// Read by the PNG specification, not by what wrote it.
void FigureExportTest::pngTextIsWhatOtherReadersFind()
{
    Figure figure = samples::noteFigure();
    figure.altText = QString(90, u'µ') + QStringLiteral(" × Ж");
    figure.metadata = {{QStringLiteral("GPU"), QStringLiteral("RTX 4090")},
                       {QStringLiteral("Platform"), QStringLiteral("Linux, 日本")},
                       {QStringLiteral("Baseline"), QStringLiteral("one")},
                       {QStringLiteral("Baseline"), QStringLiteral("two")}};
    QCOMPARE(exportPng(figure, Layout::Desktop, Theme::Page, 2, path(QStringLiteral("a.png"))), QString());
    const QMap<QString, PngText> texts = pngTexts(pngChunks(contentOf(path(QStringLiteral("a.png")))));
    QCOMPARE(texts[QStringLiteral("GPU")].text, QStringLiteral("RTX 4090"));
    QCOMPARE(texts[QStringLiteral("Platform")].text, QStringLiteral("Linux, 日本"));
    QCOMPARE(texts[QStringLiteral("Platform")].chunk, QByteArray("iTXt"));
    QCOMPARE(texts[QStringLiteral("Description")].text, figure.altText);
    QCOMPARE(texts[QStringLiteral("Title")].text, figure.title);
    QCOMPARE(texts[QStringLiteral("Baseline")].text, QStringLiteral("one; two"));
}

void FigureExportTest::theResolutionFollowsTheScale_data()
{
    QTest::addColumn<double>("scale");
    for (const double scale : {0.5, 1.0, 1.25, 2.0, 8.0})
        QTest::addRow("%g", scale) << scale;
}

void FigureExportTest::theResolutionFollowsTheScale()
{
    QFETCH(double, scale);
    QCOMPARE(exportPng(samples::noteFigure(), Layout::Mobile, Theme::Page, scale, path(QStringLiteral("a.png"))),
             QString());
    const QList<PngChunk> chunks = pngChunks(contentOf(path(QStringLiteral("a.png"))));
    const QByteArray resolution = chunkOf(chunks, "pHYs"), header = chunkOf(chunks, "IHDR");
    QCOMPARE(resolution.size(), 9);
    QCOMPARE(bigEndian(resolution, 0), static_cast<quint32>(qRound(96 * scale / 0.0254)));
    QCOMPARE(bigEndian(resolution, 4), bigEndian(resolution, 0));
    QCOMPARE(resolution[8], 1); // per metre
    QCOMPARE(bigEndian(header, 0), static_cast<quint32>(qRound(365 * scale)));
}

// Opaque but for its corners, with an edge all around.
void FigureExportTest::thePageThemeIsASheet()
{
    const QImage image = png(samples::noteFigure(), Layout::Desktop, Theme::Page);
    const ThemeColors &colors = themeColors(Theme::Page);
    const int right = image.width() - 1, bottom = image.height() - 1;
    for (const QPoint &corner : {QPoint(0, 0), QPoint(right, 0), QPoint(0, bottom), QPoint(right, bottom)})
        QCOMPARE(image.pixelColor(corner).alpha(), 0);
    for (const QPoint &edge :
         {QPoint(right / 2, 0), QPoint(right / 2, bottom), QPoint(0, bottom / 2), QPoint(right, bottom / 2)})
        QVERIFY(near(image.pixel(edge), colors.rule) && image.pixelColor(edge).alpha() == 255);
    for (int x = 40; x < right - 40; ++x)
        QCOMPARE(image.pixelColor(x, 8), colors.ground);
    for (int y = 40; y < bottom - 40; ++y)
        for (int x = 2; x < right - 2; x += 7)
            QCOMPARE(qAlpha(image.pixel(x, y)), 255);
}

void FigureExportTest::pixelLengthsAreProportional()
{
    const Figure figure = samples::noteFigure();
    for (const Theme theme : {Theme::Dark, Theme::Light, Theme::Page})
        for (const Layout layout : {Layout::Desktop, Layout::Mobile}) {
            const QImage image = png(figure, layout, theme);
            const FigureGeometry geometry = layoutFigure(figure, layout);
            for (const FigureHit &hit : geometry.hits) {
                const QList<FigureBar> &bars = figure.rows[0].panels[hit.panelIndex].bars;
                const FigureHit &first = geometry.hits[hit.panelIndex * 3];
                const double unit = drawnLength(image, first, roleColor(bars[0].color, theme), 2) / *bars[0].value;
                const int length = drawnLength(image, hit, roleColor(bars[hit.barIndex].color, theme), 2);
                QVERIFY(length > 20);
                QVERIFY(std::abs(length - unit * *bars[hit.barIndex].value) <= 3); // edges of both bars
            }
        }
}

void FigureExportTest::editingAValueChangesThePixels()
{
    Figure figure = samples::noteFigure();
    const QImage before = png(figure);
    figure.rows[0].panels[0].bars[0].value = 45.5;
    QVERIFY(before != png(figure));
    figure = samples::noteFigure();
    figure.rows[0].panels[0].bars[0].valueText = QStringLiteral("44.1");
    QVERIFY(before != png(figure));
}

void FigureExportTest::groundAndInkFollowTheTheme()
{
    for (const Theme theme : {Theme::Dark, Theme::Light}) {
        const QImage image = png(samples::noteFigure(), Layout::Desktop, theme);
        QCOMPARE(image.pixelColor(0, 0), themeColors(theme).ground);
        QCOMPARE(image.pixelColor(image.width() - 1, image.height() - 1), themeColors(theme).ground);
    }
}

void FigureExportTest::samplesAreDrawn()
{
    const Figure figure = samples::sampleFigure({samples::series("a", 0, 300, 50), samples::series("b", 1, 300, 20)});
    const QImage image = png(figure);
    for (const int role : {0, 1}) {
        qsizetype count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += near(image.pixel(x, y), roleColor({ColorRole::Other, role}, Theme::Dark));
        QVERIFY2(count > 1000, qPrintable(QString::number(count)));
    }
}

// In the place that layoutFigure names for a text stand pixels of its colour.
void FigureExportTest::textIsDrawn()
{
    const Figure figure = samples::noteFigure();
    const QImage image = png(figure);
    for (const FigureText &text : layoutFigure(figure, Layout::Desktop).texts) {
        int count = 0;
        for (int y = qRound(2 * text.area.top()); y < qRound(2 * text.area.bottom()); ++y)
            for (int x = qRound(2 * text.area.left()); x < qRound(2 * text.area.right()); ++x)
                count += qGray(image.pixel(x, y)) > 100;
        QVERIFY2(count > 10, qPrintable(text.text));
    }
}

void FigureExportTest::svgIsWellFormedAndNeedsNoFont()
{
    QCOMPARE(exportSvg(samples::noteFigure(), Layout::Desktop, Theme::Dark, path(QStringLiteral("a.svg"))), QString());
    QXmlStreamReader xml(contentOf(path(QStringLiteral("a.svg"))));
    int paths = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        QVERIFY(xml.name() != u"text" && xml.name() != u"image");
        for (const QXmlStreamAttribute &attribute : xml.attributes())
            QVERIFY2(!attribute.name().startsWith(u"font"), qPrintable(attribute.name().toString()));
        paths += xml.name() == u"path" || xml.name() == u"use";
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QVERIFY(paths >= layoutFigure(samples::noteFigure(), Layout::Desktop).texts.size());
}

void FigureExportTest::svgCarriesTitleDescriptionAndMetadata()
{
    Figure figure = samples::noteFigure();
    figure.title = QStringLiteral("a < b & c");
    figure.altText = QStringLiteral("\"<desc>\"");
    figure.metadata = {{QStringLiteral("GPU \"one\""), QStringLiteral("<RTX> & 4090")}};
    QCOMPARE(exportSvg(figure, Layout::Mobile, Theme::Light, path(QStringLiteral("a.svg"))), QString());
    QXmlStreamReader xml(contentOf(path(QStringLiteral("a.svg"))));
    QMap<QString, QString> found;
    bool inMetadata = false;
    while (!xml.atEnd()) {
        xml.readNext();
        inMetadata = inMetadata || (xml.isStartElement() && xml.qualifiedName() == u"metadata");
        if (xml.isStartElement() && xml.name() == u"entry" && inMetadata) {
            const QString name = xml.attributes().value(QStringLiteral("name")).toString();
            found[name] = xml.readElementText();
        } else if (xml.isStartElement() && (xml.name() == u"title" || xml.name() == u"desc")) {
            const QString name = xml.name().toString();
            found[name] = xml.readElementText();
        }
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(found[QStringLiteral("title")], figure.title);
    QCOMPARE(found[QStringLiteral("desc")], figure.altText);
    QCOMPARE(found[QStringLiteral("GPU \"one\"")], QStringLiteral("<RTX> & 4090"));
}

void FigureExportTest::svgLooksLikeThePng()
{
    for (const Figure &figure : publishedFigures()) {
        QCOMPARE(exportSvg(figure, Layout::Desktop, Theme::Dark, path(QStringLiteral("a.svg"))), QString());
        QSvgRenderer renderer(path(QStringLiteral("a.svg")));
        QVERIFY(renderer.isValid());
        const QImage drawn = png(figure);
        QImage image(drawn.size(), QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        const double difference = meanDifference(drawn, image);
        QVERIFY2(difference < 1.0, qPrintable(QString::number(difference)));
    }
}

// What a browser's or an editor's renderer makes of it, without Qt and without the fonts' names.
void FigureExportTest::svgLooksTheSameInAnotherRenderer()
{
    QFETCH(Theme, theme);
    const QString renderer = QStandardPaths::findExecutable(QStringLiteral("rsvg-convert"));
    // Set where every tool of the tests was installed: one that is not there is a fault then.
    QVERIFY(!renderer.isEmpty() || !qEnvironmentVariableIsSet("STAGECRAFT_ALL_TOOLS"));
    if (renderer.isEmpty())
        QSKIP("rsvg-convert is not installed");
    for (const Figure &figure : publishedFigures()) {
        const QString svg = path(QStringLiteral("a.svg")), drawn = path(QStringLiteral("drawn.png"));
        QCOMPARE(exportSvg(figure, Layout::Desktop, theme, svg), QString());
        QCOMPARE(QProcess::execute(renderer, {QStringLiteral("--zoom=2"), QStringLiteral("--output"), drawn, svg}), 0);
        const QImage ours = onWhite(png(figure, Layout::Desktop, theme)), theirs = onWhite(QImage(drawn));
        QCOMPARE(theirs.size(), ours.size());
        const double difference = meanDifference(ours, theirs);
        QVERIFY2(difference < 1.5, qPrintable(QString::number(difference)));
    }
}

// "0" of the ticks' size stands in the figure many times, and its outline once.
void FigureExportTest::svgDefinesEachGlyphOnce()
{
    QCOMPARE(exportSvg(samples::noteFigure(), Layout::Desktop, Theme::Page, path(QStringLiteral("a.svg"))), QString());
    const QByteArray svg = contentOf(path(QStringLiteral("a.svg")));
    QXmlStreamReader xml(svg);
    QHash<QString, int> outlines;
    int uses = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == u"path" && xml.attributes().hasAttribute(QStringLiteral("id")))
            ++outlines[xml.attributes().value(QStringLiteral("d")).toString()];
        uses += xml.isStartElement() && xml.name() == u"use";
    }
    QVERIFY(uses > outlines.size());
    for (const int count : outlines)
        QCOMPARE(count, 1);
    QVERIFY2(svg.size() < 40'000, qPrintable(QString::number(svg.size())));
}

void FigureExportTest::clipboardHasPictureAndDrawing()
{
    const auto content = figureMimeData(samples::noteFigure(), Layout::Desktop, Theme::Light, 2);
    QCOMPARE(content->imageData().value<QImage>().width(), 1480);
    QVERIFY(QSvgRenderer(content->data(QStringLiteral("image/svg+xml"))).isValid());
}

void FigureExportTest::exportsOnAnotherThread()
{
    const QImage here = figureImage(samples::noteFigure(), Layout::Desktop, Theme::Dark, 2);
    QImage there;
    std::thread([&] { there = figureImage(samples::noteFigure(), Layout::Desktop, Theme::Dark, 2); }).join();
    QCOMPARE(there, here);
}

// Longer than a painter draws at once; across the seam of two bands and at the end as a painter draws there alone.
void FigureExportTest::longImagesArePaintedInBands()
{
    QList<FigureBar> bars;
    for (int i = 0; i < 1000; ++i)
        bars.append(samples::bar(QStringLiteral("bar %1").arg(i), 1 + i % 97));
    const Figure figure = samples::oneRow(
        {{.title = QStringLiteral("long"), .subtitle = {}, .unit = QStringLiteral("µs"), .bars = bars}});
    const QImage image = figureImage(figure, Layout::Mobile, Theme::Dark, 2);
    QVERIFY2(image.height() > 32767, qPrintable(QString::number(image.height())));
    for (const int top : {16384 - 200, 32768 - 200, image.height() - 400}) {
        QImage part(image.width(), 400, image.format());
        part.fill(themeColors(Theme::Dark).ground);
        QPainter painter(&part);
        painter.translate(0, -top);
        painter.scale(2, 2);
        paintFigure(painter, figure, Layout::Mobile, Theme::Dark);
        painter.end();
        QVERIFY(largestDifference(image.copy(0, top, image.width(), 400), part) <= 1); // soft edges round
    }
    const QString file = path(QStringLiteral("long.png"));
    QCOMPARE(exportPng(figure, Layout::Mobile, Theme::Dark, 2, file), QString());
    QCOMPARE(QImageReader(file).size(), image.size());
}

void FigureExportTest::refusesAnImageThatIsTooLarge()
{
    const QString error =
        exportPng(samples::noteFigure(), Layout::Desktop, Theme::Dark, 1000, path(QStringLiteral("a.png")));
    QVERIFY2(error.contains(QStringLiteral("740000 × ")), qPrintable(error));
    QVERIFY(!QFile::exists(path(QStringLiteral("a.png"))));
}

void FigureExportTest::namesTheFileThatCannotBeWritten()
{
    const QString missing = path(QStringLiteral("missing/a.png"));
    const QString error = exportPng(samples::noteFigure(), Layout::Desktop, Theme::Dark, 1, missing);
    QVERIFY2(error.startsWith(missing + QStringLiteral(": cannot be written: ")), qPrintable(error));
    QVERIFY(!exportSvg(samples::noteFigure(), Layout::Desktop, Theme::Dark, missing).isEmpty());
}

void FigureExportTest::failureKeepsTheOldFile()
{
    const QString file = path(QStringLiteral("a.png"));
    QCOMPARE(exportPng(samples::noteFigure(), Layout::Mobile, Theme::Dark, 1, file), QString());
    const QByteArray before = contentOf(file);
    QVERIFY(!exportPng(samples::noteFigure(), Layout::Mobile, Theme::Dark, 1000, file).isEmpty());
    QCOMPARE(contentOf(file), before);
}

// A limit of the file size stands for a disk without room: the write fails as late as it would there.
void FigureExportTest::fullDiskIsAnErrorAndLeavesNoFile()
{
    ValueTable table;
    table.columns.resize(1);
    table.columns.first().title = QStringLiteral("A column");
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    QStringList errors;
    for (const auto write : {exportCsv, exportMarkdown, exportHtml, exportJson})
        errors << write(table, path(QStringLiteral("a.txt")));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    for (const QString &error : errors)
        QVERIFY2(error.contains(QStringLiteral("a.txt: cannot be written: ")), qPrintable(error));
    QCOMPARE(QDir(m_directory->path()).entryList(QDir::Files | QDir::Hidden), QStringList());
}

// Measuring every prefix of such a text would outlast the test's limit.
void FigureExportTest::endlessTextsAreCut()
{
    Figure figure = samples::noteFigure();
    figure.rows[0].panels[0].bars[0].label = QString(20'000, u'x');
    figure.footer = {QString(100'000, u'g')};
    QCOMPARE(exportSvg(figure, Layout::Desktop, Theme::Dark, path(QStringLiteral("a.svg"))), QString());
    QVERIFY(png(figure).height() < 4 * png(samples::noteFigure()).height());
    const QList<FigureText> texts = layoutFigure(figure, Layout::Desktop).texts;
    QVERIFY(
        std::ranges::any_of(texts, [](const FigureText &text) { return text.text.endsWith(QStringLiteral("x…")); }));
    QVERIFY(std::ranges::all_of(texts, [](const FigureText &text) { return text.full.size() <= 2001; }));
}

void FigureExportTest::unprintableCharactersAreReplaced()
{
    Figure figure = samples::noteFigure();
    const QString hostile = QStringLiteral("a\u0001b\u001b[31m\u202ec\uffff");
    figure.title = hostile;
    figure.altText = hostile;
    figure.rows[0].panels[0].bars[0].label = hostile;
    figure.metadata = {{hostile, hostile}};
    QCOMPARE(exportSvg(figure, Layout::Desktop, Theme::Dark, path(QStringLiteral("a.svg"))), QString());
    const QByteArray svg = contentOf(path(QStringLiteral("a.svg")));
    QXmlStreamReader xml(svg);
    while (!xml.atEnd())
        xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    const QString clean = QStringLiteral("a\ufffdb\ufffd[31m\ufffdc\ufffd");
    QCOMPARE(svg.count(clean.toUtf8()), 6); // title and description, both in Dublin Core too, a name and its value
    QVERIFY(std::ranges::any_of(layoutFigure(figure, Layout::Desktop).texts,
                                [&](const FigureText &text) { return text.full == clean; }));
}

QTEST_MAIN(FigureExportTest)
#include "tst_figureexport.moc"
