// SPDX-License-Identifier: GPL-3.0-or-later
#include "counterfixtures.h"
#include "figureexport.h"

#include <QRegularExpression>
#include <QSet>

// What a figure prints and what is said in place of it are the numbers of its table, rounded alike.
using namespace stagecraft;
using namespace stagecraft::views;

namespace {

QStringList numbersIn(const QString &text, const char *pattern)
{
    const QRegularExpression number(QString::fromUtf8(pattern));
    QStringList numbers;
    for (auto match = number.globalMatch(text); match.hasNext();)
        numbers.append(match.next().captured());
    return numbers;
}

QStringList decimals(const QString &text)
{
    return numbersIn(text, "(?<![\\w.])\\d+\\.\\d+(?![\\w.]*\\d)");
}

// How to read it, and what it comes to: not values of rows.
QStringList headings(const widgets::Figure &figure)
{
    QStringList texts{figure.subtitle};
    for (const widgets::FigureLadder &ladder : figure.ladders)
        texts.append(ladder.subtitle);
    texts.removeAll(QString());
    return texts;
}

QStringList printedValues(const widgets::Figure &figure)
{
    QStringList texts;
    for (const widgets::FigureRow &row : figure.rows)
        for (const widgets::FigurePanel &panel : row.panels)
            for (const widgets::FigureBar &bar : panel.bars)
                texts.append(bar.valueText);
    for (const widgets::FigureLadder &ladder : figure.ladders) {
        for (const widgets::LadderStep &step : ladder.steps)
            texts += {step.bar.valueText, step.thinText, step.factor};
        for (const widgets::FigureList &list : ladder.lists)
            for (const widgets::FigureEntry &entry : list.entries)
                texts.append(entry.valueText);
        for (const widgets::FigureDots &dots : ladder.dots)
            for (const widgets::FigureDotRow &row : dots.rows)
                texts.append(row.valueText);
    }
    for (const widgets::FigureDeltas &deltas : figure.deltas)
        for (const widgets::FigureDelta &row : deltas.rows)
            texts += {row.valueText, row.detail};
    for (const widgets::FigureTrend &trend : figure.trends)
        for (const widgets::FigureTrendLine &line : trend.lines)
            texts.append(line.valueText);
    for (const widgets::FigureScatter &scatter : figure.scatters)
        for (const widgets::FigureScatterItem &item : scatter.items)
            texts.append(item.valueText);
    QStringList numbers;
    for (const QString &text : texts)
        numbers += numbersIn(text, "\\d+(\\.\\d+)?");
    return numbers;
}

// What the kernels are short of, of all that were counted.
QStringList sentencesOf(const evidence::Namespace &evidence)
{
    ViewOptions options;
    options.audience = Audience::Programs;
    const widgets::ValueTable table = buildTable(ViewId::Limits, evidence, options);
    const auto column = std::ranges::find(table.columns, QStringLiteral("sentence"), &widgets::ValueColumn::id);
    QStringList sentences;
    if (column != table.columns.end())
        for (const QList<widgets::ValueCell> &row : table.rows)
            sentences.append(row[column - table.columns.begin()].text);
    return sentences;
}

} // namespace

class TestPublishedWords : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { fixtures::useSourceResources(); }

    void cases_data() const
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<ViewId>("view");
        QTest::addColumn<QStringList>("baselines");
        for (const char *name : {"mage-001", "mage-003", "h200-001", "h200-peers", "h200-kernels"})
            for (const ViewInfo &view : viewCatalogue())
                QTest::addRow("%s %s", name, qPrintable(view.name))
                    << QString::fromUtf8(name) << view.id << QStringList();
        for (const QString &counters : {fixtures::countedName, QStringLiteral("h200-counters")})
            for (const ViewId view : {ViewId::Limits, ViewId::Roofline, ViewId::Prediction})
                QTest::addRow("%s %s", qPrintable(counters), qPrintable(viewName(view)))
                    << counters << view << QStringList();
        const QString note = QStringLiteral("mage-003"), first = QStringLiteral("mage-001");
        QTest::newRow("change") << note << ViewId::Compare << QStringList{first};
        QTest::newRow("trend") << note << ViewId::Compare << QStringList{first, QStringLiteral("mage-002")};
    }

    void figureAndTableAgree_data() { cases_data(); }
    void figureAndTableAgree()
    {
        QFETCH(QString, name);
        QFETCH(ViewId, view);
        const evidence::Namespace &evidence = read(name);
        const ViewOptions options = against();
        const widgets::Figure figure = buildFigure(view, evidence, options);
        const QString table = QString::fromUtf8(widgets::toMarkdown(buildTable(view, evidence, options)));
        const QStringList list = numbersIn(table, "\\d+(\\.\\d+)?");
        const QSet<QString> known(list.begin(), list.end());
        const QStringList printed = printedValues(figure);
        QVERIFY(!printed.isEmpty() || !figure.unavailable.isEmpty() || !figure.plots.isEmpty() ||
                view == ViewId::Resources); // bars whose states say that no limit is known
        for (const QString &number : printed)
            QVERIFY2(known.contains(number), qPrintable(number));
    }

    void theWordsSayWhatTheTableSays_data() { cases_data(); }
    void theWordsSayWhatTheTableSays()
    {
        QFETCH(QString, name);
        QFETCH(ViewId, view);
        const evidence::Namespace &evidence = read(name);
        const ViewOptions options = against();
        const widgets::Figure figure = buildFigure(view, evidence, options);
        QVERIFY(!figure.altText.isEmpty());
        if (!figure.unavailable.isEmpty()) {
            QVERIFY(figure.altText.contains(figure.unavailable));
            return;
        }
        QVERIFY2(figure.altText.size() < 5000, qPrintable(QString::number(figure.altText.size())));
        QSet<double> known;
        for (const QString &number :
             decimals(QString::fromUtf8(widgets::toMarkdown(buildTable(view, evidence, options)))))
            known.insert(number.toDouble());
        QString words = figure.altText;
        for (const QString &heading : headings(figure))
            words.remove(heading);
        const QStringList said = decimals(words);
        QVERIFY(view == ViewId::Launches || view == ViewId::Resources || !said.isEmpty());
        for (const QString &number : said)
            QVERIFY2(known.contains(number.toDouble()), qPrintable(number + " in: " + words));
    }

    void figuresThatAreSaidToBeNearAre()
    {
        static const QRegularExpression pair(QStringLiteral(
            "\\((?:at )?([\\d.]+) %[^)]*\\) and [^(]*\\((?:at )?([\\d.]+) %[^)]*\\) are within ([\\d.]+) points"));
        const QStringList sentences = sentencesOf(read(QStringLiteral("h200-counters"))).filter("are within");
        QVERIFY(!sentences.isEmpty());
        for (const QString &sentence : sentences) {
            const auto match = pair.match(sentence);
            QVERIFY2(match.hasMatch(), qPrintable(sentence));
            const double apart = std::abs(match.captured(1).toDouble() - match.captured(2).toDouble()), rounding = 1e-9;
            QVERIFY2(apart <= match.captured(3).toDouble() + rounding, qPrintable(sentence));
        }
    }

private:
    ViewOptions against()
    {
        QFETCH(QStringList, baselines);
        ViewOptions options;
        for (const QString &name : baselines)
            options.baselines.append(&read(name));
        return options;
    }

    const evidence::Namespace &read(const QString &name)
    {
        if (!m_read.contains(name))
            m_read.insert(name,
                          name == fixtures::countedName ? fixtures::countedRun() : fixtures::note(qPrintable(name)));
        return m_read[name];
    }

    QMap<QString, evidence::Namespace> m_read;
};

QTEST_MAIN(TestPublishedWords)
#include "tst_publishedwords.moc"
