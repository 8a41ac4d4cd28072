// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"

#include "captions.h"
#include "figureexport.h"
#include "figuresvg.h"
#include "reporthtml.h"
#include "reportstyle.h"
#include "reportwords.h"

#include <algorithm>

namespace stagecraft::views {

namespace {

using evidence::Namespace;
using widgets::Figure;
using widgets::Layout;
using widgets::ValueTable;

constexpr int wideFigure = 1000; // from this width on a figure needs a wide window

class Report
{
public:
    Report(const Namespace &evidence, const QList<ViewId> &views, const ViewOptions &options)
        : m_evidence(evidence), m_options(options), m_common(originLines(evidence, options))
    {
        for (const ViewInfo &view : viewCatalogue())
            if (views.contains(view.id) && (view.id != ViewId::Compare || !options.baselines.isEmpty()))
                m_views.append(view);
    }

    QByteArray page()
    {
        // The sections of the views first: they collect the outlines and what is unavailable, which stand elsewhere.
        const QString views = viewSections();
        const QString body = header() + views + methodSection() + limitsSection() + footer();
        const QString outlines = QString::fromLatin1(m_glyphs.definitions());
        return (QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                               "'unsafe-inline'\">\n<meta name=\"generator\" "
                               "content=\"%1\">\n<title>%2</title>\n<style>%3</style>\n"
                               "</head>\n<body>\n")
                    .arg(html::text(program()), html::text(m_evidence.name + QStringLiteral(": report")),
                         reportStyle()) +
                QStringLiteral(
                    "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\n") +
                outlines + QStringLiteral("</defs></svg>\n") + body + QStringLiteral("</body>\n</html>\n"))
            .toUtf8();
    }

private:
    QString program() const
    {
        return m_options.programVersion.isEmpty() ? QStringLiteral("Stagecraft")
                                                  : QStringLiteral("Stagecraft ") + m_options.programVersion;
    }

    QString header() const
    {
        QStringList lead{gpuText(m_evidence),
                         m_evidence.utc.isEmpty() ? QStringLiteral("date not recorded") : m_evidence.utc};
        QString links;
        for (const ViewInfo &view : m_views)
            links += QStringLiteral("<a href=\"#%1\">%2</a>\n").arg(view.name, html::text(view.title));
        links += QStringLiteral("<a href=\"#method\">Method</a>\n<a href=\"#known-limits\">Known limits</a>\n");
        return QStringLiteral("<header>\n<h1>%1</h1>\n<p class=\"lead\">%2</p>\n</header>\n%3<nav "
                              "aria-label=\"Contents\">\n%4</nav>\n<main>\n")
            .arg(html::text(m_evidence.name), html::text(lead.join(QStringLiteral(" · "))),
                 html::facts(reportFacts(m_evidence, m_options)), links);
    }

    QString viewSections()
    {
        QString sections;
        for (const ViewInfo &view : m_views)
            sections += viewSection(view);
        return sections;
    }

    QString viewSection(const ViewInfo &view)
    {
        const Figure figure = buildFigure(view.id, m_evidence, m_options);
        QString body;
        if (figure.unavailable.isEmpty()) {
            body = figureElement(figure) +
                   html::details(QStringLiteral("The figure in words"), html::paragraph(figure.altText));
        } else {
            body = QStringLiteral("<p class=\"state\">Unavailable: %1</p>\n").arg(html::text(figure.unavailable));
            m_unavailable.append(QStringLiteral("%1: unavailable, %2").arg(view.title, figure.unavailable));
        }
        return QStringLiteral("<section id=\"%1\">\n<h2>%2</h2>\n%3%4</section>\n")
            .arg(view.name, html::text(figure.title), body, values(view.id));
    }

    // What the page says in words need not be drawn once more.
    QString figureElement(const Figure &figure)
    {
        Figure drawn = figure;
        drawn.title.clear();
        drawn.footer.clear();
        QString caption;
        for (const QString &line : figure.footer)
            if (!m_common.contains(line))
                caption += html::paragraph(line);
        return QStringLiteral("<figure%1>\n%2%3<figcaption>\n%4</figcaption>\n</figure>\n")
            .arg(figure.desktopWidth >= wideFigure ? QStringLiteral(" class=\"wide\"") : QString(),
                 drawing(drawn, Layout::Desktop, QStringLiteral("desktop")),
                 drawing(drawn, Layout::Mobile, QStringLiteral("mobile")), caption);
    }

    QString drawing(const Figure &figure, Layout layout, const QString &name)
    {
        QString svg =
            QString::fromUtf8(widgets::inlineFigureSvg(figure, layout, widgets::Theme::Light, m_glyphs, reportInk));
        return svg.replace(QStringLiteral("<svg "), QStringLiteral("<svg class=\"%1\" ").arg(name)) + QLatin1Char('\n');
    }

    QString values(ViewId view) const
    {
        const ValueTable table = buildTable(view, m_evidence, m_options);
        if (!table.unavailable.isEmpty())
            return {};
        return html::details(
            QStringLiteral("Read the plotted values"),
            QStringLiteral("<div class=\"table\">\n%1</div>\n").arg(QString::fromUtf8(widgets::toHtmlTable(table))));
    }

    QString methodSection() const
    {
        const QStringList items = reportMethod(m_evidence, evidence::valueRows(m_evidence));
        return QStringLiteral("<section id=\"method\" class=\"words\">\n<h2>Method</h2>\n%1</section>\n")
            .arg(items.isEmpty() ? html::paragraph(QStringLiteral("How this was measured is not recorded."))
                                 : html::list(items));
    }

    QString limitsSection() const
    {
        const QStringList items = reportLimits(m_evidence) + m_unavailable, problems = reportProblems(m_evidence);
        QString body =
            items.isEmpty() ? html::paragraph(QStringLiteral("The evidence names no limits.")) : html::list(items);
        if (!problems.isEmpty())
            body += QStringLiteral("<h3>Found in its files</h3>\n") + html::list(problems);
        return QStringLiteral("<section id=\"known-limits\" class=\"words\">\n<h2>Known limits</h2>\n%1</section>\n")
            .arg(body);
    }

    QString footer() const
    {
        QString lines;
        for (const QString &line : m_common)
            lines += html::paragraph(line);
        return QStringLiteral("</main>\n<footer>\n%1</footer>\n").arg(lines);
    }

    const Namespace &m_evidence;
    const ViewOptions &m_options;
    const QStringList m_common; // that every figure's footer ends with, and the page once
    QList<ViewInfo> m_views;
    QStringList m_unavailable;
    widgets::SvgGlyphs m_glyphs;
};

} // namespace

QByteArray reportPage(const Namespace &evidence, const QList<ViewId> &views, const ViewOptions &options)
{
    return Report(evidence, views, options).page();
}

} // namespace stagecraft::views
