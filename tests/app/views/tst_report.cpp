// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"
#include "theme.h"
#include "viewfixtures.h"

#include <QRegularExpression>
#include <QStack>
#include <QXmlStreamReader>

// The report: one page that holds everything, asks for nothing outside, and lets no text of the evidence become markup.
using namespace stagecraft;
using namespace stagecraft::views;

namespace {

QList<ViewId> allViews()
{
    QList<ViewId> views;
    for (const ViewInfo &view : viewCatalogue())
        views.append(view.id);
    return views;
}

QString page(const evidence::Namespace &evidence, const ViewOptions &options = {})
{
    return QString::fromUtf8(reportPage(evidence, allViews(), options));
}

// The page is written so that each element that needs an end has one, and so can be read as XML but for the document
// type and for elements without content.
QString asXml(QString html)
{
    static const QRegularExpression empty(QStringLiteral("<(meta[^>]*)>"));
    html.remove(QStringLiteral("<!DOCTYPE html>"));
    html.replace(empty, QStringLiteral("<\\1/>"));
    html.replace(QStringLiteral("<html "), QStringLiteral("<html xmlns:xlink=\"http://www.w3.org/1999/xlink\" "));
    return html;
}

struct Element
{
    QString name, text;
    QXmlStreamAttributes attributes;
};

QList<Element> elements(const QString &html, QString *error)
{
    QList<Element> found;
    QStack<qsizetype> open;
    QXmlStreamReader xml(asXml(html));
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement()) {
            open.push(found.size());
            found.append({xml.name().toString(), QString(), xml.attributes()});
        } else if (xml.isEndElement()) {
            open.pop();
        } else if (xml.isCharacters() && !open.isEmpty()) {
            found[open.top()].text += xml.text();
        }
    }
    *error = xml.hasError() ? QStringLiteral("line %1: %2").arg(xml.lineNumber()).arg(xml.errorString()) : QString();
    return found;
}

QStringList texts(const QList<Element> &elements, const char *name)
{
    QStringList found;
    for (const Element &element : elements)
        if (element.name == QLatin1String(name))
            found.append(element.text.trimmed());
    return found;
}

evidence::Namespace hostile()
{
    evidence::Namespace run = fixtures::gpuRun();
    const QString markup = QStringLiteral("<script>alert('1')</script>\"&%1\u0001");
    run.name = markup;
    run.gpu = markup;
    run.driver = markup;
    run.timing = markup;
    run.excluded = {markup};
    run.problems.append({markup, markup, markup, false});
    for (evidence::Round &round : run.results[0].rounds) {
        round.implementations[markup] = round.implementations.value(QStringLiteral("cuda"));
        round.implementations[QStringLiteral("cublas")].note = markup;
    }
    for (evidence::Capture &capture : run.captures) {
        capture.kernelNames = {markup};
        for (evidence::KernelRecord &record : capture.records)
            record.kernelName = markup;
    }
    return run;
}

} // namespace

class TestReport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void theWholeNamespaceStandsOnThePage_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"mage-001", "mage-003", "h200-001"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }

    void theWholeNamespaceStandsOnThePage()
    {
        QFETCH(QString, name);
        const evidence::Namespace evidence = fixtures::note(qPrintable(name));
        QString error;
        const QList<Element> found = elements(page(evidence), &error);
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QCOMPARE(texts(found, "h1"), QStringList{name});
        QStringList sections;
        for (const Element &element : found)
            if (element.name == QLatin1String("section"))
                sections.append(element.attributes.value(QStringLiteral("id")).toString());
        qsizetype drawings = 0;
        for (const ViewInfo &view : viewCatalogue()) {
            QCOMPARE(sections.contains(view.name), view.id != ViewId::Compare); // nothing to compare with
            drawings += view.id != ViewId::Compare && buildFigure(view.id, evidence).unavailable.isEmpty();
        }
        QCOMPARE(texts(found, "figure").size(), drawings);
        QCOMPARE(texts(found, "svg").size(), 1 + 2 * drawings); // the outlines, and both layouts of each figure
        QVERIFY(sections.contains(QStringLiteral("method")) && sections.contains(QStringLiteral("known-limits")));
        QVERIFY(texts(found, "summary").contains(QStringLiteral("Read the plotted values")));
    }

    void everyPrintedValueOfTheTablesIsThere()
    {
        const evidence::Namespace note = fixtures::note("mage-003");
        QString error;
        const QStringList cells = texts(elements(page(note), &error), "td");
        for (const ViewId view : {ViewId::KernelSpan, ViewId::Progression}) {
            const widgets::ValueTable table = buildTable(view, note);
            for (qsizetype row = 0; row < table.rows.size(); ++row)
                for (const widgets::ValueColumn &column : table.columns) {
                    const QString text = fixtures::shown(table, row, qPrintable(column.id));
                    QVERIFY2(cells.contains(text.trimmed()), qPrintable(text));
                }
        }
    }

    void alternativeTextsAreThoseOfTheFigures()
    {
        const evidence::Namespace note = fixtures::note("mage-003");
        QString error;
        QStringList labels;
        for (const Element &element : elements(page(note), &error))
            if (element.attributes.value(QStringLiteral("role")) == u"img")
                labels.append(element.attributes.value(QStringLiteral("aria-label")).toString());
        for (const ViewId view : {ViewId::KernelSpan, ViewId::Launches, ViewId::Progression, ViewId::Prediction})
            QCOMPARE(labels.count(buildFigure(view, note).altText), 2);
    }

    void whatIsUnavailableIsALimit()
    {
        const evidence::Namespace note = fixtures::note("mage-003");
        QString error;
        const QStringList items = texts(elements(page(note), &error), "li");
        QVERIFY(
            items.contains(QStringLiteral("Samples: unavailable, ") + buildFigure(ViewId::Samples, note).unavailable));
        for (const QString &limit : note.progression->limits)
            QVERIFY2(items.contains(limit), qPrintable(limit));
    }

    void problemsAreNamedWithTheirPlace()
    {
        evidence::Namespace run = fixtures::gpuRun();
        run.excluded = {QStringLiteral("layernorm")};
        run.missing = {QStringLiteral("progression.json")};
        run.problems.append({QStringLiteral("comparison-results.json"), QStringLiteral("/results/0"),
                             QStringLiteral("four samples, five expected"), true});
        QString error;
        const QStringList items = texts(elements(page(run), &error), "li");
        QVERIFY(items.contains(QStringLiteral("comparison-results.json /results/0: four samples, five expected")));
        QVERIFY(items.contains(QStringLiteral("Excluded: layernorm")));
        QVERIFY(items.contains(QStringLiteral("Files that are not there: progression.json")));
    }

    void whatIsNotRecordedIsSaid()
    {
        const QStringList values = [] {
            QString error;
            return texts(elements(page(fixtures::cpuRun()), &error), "dd");
        }();
        QVERIFY(values.count(QStringLiteral("not recorded")) >= 2); // GPU and driver
    }

    void nothingRefersOutside()
    {
        for (const evidence::Namespace &evidence : {fixtures::note("mage-003"), hostile()}) {
            const QString html = page(evidence);
            QVERIFY(!html.contains(QStringLiteral("http")) ||
                    html.count(QStringLiteral("http")) == html.count(QStringLiteral("http-equiv")));
            QVERIFY(!html.contains(QStringLiteral("@import")) && !html.contains(QStringLiteral("url(//")));
            QVERIFY(!html.contains(QStringLiteral("<script")) && !html.contains(QStringLiteral("<link")));
            QString error;
            for (const Element &element : elements(html, &error))
                for (const QXmlStreamAttribute &attribute : element.attributes) {
                    QVERIFY2(!attribute.name().startsWith(u"on") && attribute.name() != u"src",
                             qPrintable(element.name));
                    if (attribute.name() == u"href")
                        QVERIFY2(attribute.value().startsWith(u'#'), qPrintable(attribute.value().toString()));
                }
            QVERIFY2(error.isEmpty(), qPrintable(error));
        }
    }

    void textOfTheEvidenceIsNeverMarkup()
    {
        const evidence::Namespace run = hostile();
        const QString html = page(run);
        QString error;
        const QList<Element> found = elements(html, &error);
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QCOMPARE(texts(found, "h1"), QStringList{QStringLiteral("<script>alert('1')</script>\"&%1\ufffd")});
        QVERIFY(!html.contains(QChar(1)));
    }

    void referencesHaveTheirTargets()
    {
        QString error;
        QSet<QString> ids;
        QStringList references;
        for (const Element &element : elements(page(fixtures::note("h200-001")), &error))
            for (const QXmlStreamAttribute &attribute : element.attributes) {
                if (attribute.name() == u"href")
                    references.append(attribute.value().mid(1).toString());
                if (attribute.name() != u"id")
                    continue;
                QVERIFY2(!ids.contains(attribute.value().toString()), qPrintable(attribute.value().toString()));
                ids.insert(attribute.value().toString());
            }
        QVERIFY(references.size() > 1000); // glyphs
        for (const QString &reference : references)
            QVERIFY2(ids.contains(reference), qPrintable(reference));
    }

    // Every colour of the figures is the page's to decide, and the page has it for light and for dark.
    void figuresFollowThePagesColours()
    {
        const QString html = page(fixtures::note("mage-003"));
        const QString dark = html.mid(html.indexOf(QStringLiteral("prefers-color-scheme:dark")));
        static const QRegularExpression attribute(QStringLiteral("(?:fill|stroke)=\"(?!none)([^\"]*)\""));
        static const QRegularExpression variable(QStringLiteral("^var\\((--c[0-9a-f]{6})\\)$"));
        for (auto match = attribute.globalMatch(html); match.hasNext();) {
            const QString value = match.next().captured(1);
            if (value == QLatin1String("evenodd"))
                continue;
            const QString name = variable.match(value).captured(1);
            QVERIFY2(!name.isEmpty() && dark.contains(name + QLatin1Char(':')), qPrintable(value));
        }
        using namespace widgets;
        for (const ColorRole::Kind kind : {ColorRole::PyTorch, ColorRole::Triton, ColorRole::Own}) {
            const QString light = roleColor({kind, 0}, Theme::Light).name().mid(1);
            QVERIFY(dark.contains("--c" + light + ":" + roleColor({kind, 0}, Theme::Dark).name()));
        }
    }

    // A variable is named by the light colour, so one light colour must have one dark one.
    void lightColoursHaveOneDarkPartner()
    {
        using namespace widgets;
        QMap<QRgb, QRgb> partners;
        const auto add = [&](const QColor &light, const QColor &dark) {
            QVERIFY2(partners.value(light.rgb(), dark.rgb()) == dark.rgb(), qPrintable(light.name()));
            partners.insert(light.rgb(), dark.rgb());
        };
        const ThemeColors &light = themeColors(Theme::Light), &dark = themeColors(Theme::Dark);
        for (const auto color :
             {&ThemeColors::ground, &ThemeColors::raised, &ThemeColors::ink, &ThemeColors::muted, &ThemeColors::rule,
              &ThemeColors::axis, &ThemeColors::attention, &ThemeColors::danger, &ThemeColors::accent})
            add(light.*color, dark.*color);
        for (const ColorRole::Kind kind : {ColorRole::PyTorch, ColorRole::Triton, ColorRole::Own})
            add(roleColor({kind, 0}, Theme::Light), roleColor({kind, 0}, Theme::Dark));
        for (int i = 0; i < otherRoleCount(); ++i)
            add(roleColor({ColorRole::Other, i}, Theme::Light), roleColor({ColorRole::Other, i}, Theme::Dark));
    }

    void comparesWhereThereIsABaseline()
    {
        const evidence::Namespace base = fixtures::note("mage-001"), now = fixtures::note("mage-003");
        ViewOptions options;
        options.baselines = {&base};
        QVERIFY(page(now, options).contains(QStringLiteral("<section id=\"compare\">")));
        QVERIFY(!page(now).contains(QStringLiteral("<section id=\"compare\">")));
    }
};

QTEST_MAIN(TestReport)
#include "tst_report.moc"
