// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewexport.h"

#include "captions.h"
#include "figureexport.h"
#include "report.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace stagecraft::views {

namespace {

using TableWriter = QString (*)(const widgets::ValueTable &, const QString &);

struct TableFormat
{
    QString name;
    TableWriter write;
    Audience audience;
};

const QList<TableFormat> &tableFormats()
{
    static const QList<TableFormat> formats{{QStringLiteral("csv"), widgets::exportCsv, Audience::Programs},
                                            {QStringLiteral("md"), widgets::exportMarkdown, Audience::People},
                                            {QStringLiteral("html"), widgets::exportHtml, Audience::People},
                                            {QStringLiteral("json"), widgets::exportJson, Audience::Programs}};
    return formats;
}

class ViewWriter
{
public:
    ViewWriter(const ExportRequest &request, const std::function<void(const QString &)> &written)
        : m_request(request), m_written(written)
    {
    }

    void write(const evidence::Namespace &evidence, const ViewInfo &view)
    {
        m_stem = prefix(evidence) + view.name;
        if (std::any_of(m_request.formats.begin(), m_request.formats.end(), isFigureFormat))
            writeFigures(buildFigure(view.id, evidence, m_request.options));
        for (const TableFormat &format : tableFormats())
            if (m_request.formats.contains(format.name))
                writeTable(format, evidence, view.id);
    }

    void writeReport(const evidence::Namespace &evidence)
    {
        const QString name = prefix(evidence) + QStringLiteral("report.html");
        note(name, widgets::writeFile(path(name), reportPage(evidence, m_request.views, m_request.options)));
    }

    ExportResult take() { return std::move(m_result); }

private:
    QString prefix(const evidence::Namespace &evidence) const
    {
        return m_request.namespaces.size() > 1 || m_request.isOneOfSeveral ? evidence.name + QLatin1Char('-')
                                                                           : QString();
    }

    void writeFigures(const widgets::Figure &figure)
    {
        using widgets::Layout;
        for (const Layout layout : m_request.layouts) {
            const QString stem =
                m_stem + (layout == Layout::Desktop ? QStringLiteral("-desktop") : QStringLiteral("-mobile"));
            if (m_request.formats.contains(QStringLiteral("png"))) {
                const QString name = stem + QStringLiteral(".png");
                note(name, widgets::exportPng(figure, layout, m_request.theme, m_request.scale, path(name)));
            }
            if (m_request.formats.contains(QStringLiteral("svg"))) {
                const QString name = stem + QStringLiteral(".svg");
                note(name, widgets::exportSvg(figure, layout, m_request.theme, path(name)));
            }
        }
    }

    void writeTable(const TableFormat &format, const evidence::Namespace &evidence, ViewId view)
    {
        ViewOptions options = m_request.options;
        options.audience = format.audience;
        const QString name = m_stem + QLatin1Char('.') + format.name;
        if (isSource(name)) {
            note(name,
                 QStringLiteral("%1: this is the evidence itself, which is never overwritten; export into another "
                                "directory")
                     .arg(path(name)));
            return;
        }
        widgets::ValueTable table = buildTable(view, evidence, options);
        table.metadata = provenance(evidence, viewName(view), options);
        note(name, format.write(table, path(name)));
    }

    // A table may have the name of a file that is read: progression.json, or that of a lone summary.
    bool isSource(const QString &name) const
    {
        static const QStringList evidenceFiles{
            QStringLiteral("comparison-results.json"), QStringLiteral("comparison-profiles.json"),
            QStringLiteral("summary.json"), QStringLiteral("progression.json"), QStringLiteral("floors.json")};
        const QString place = QFileInfo(m_request.directory).canonicalFilePath();
        const QList<const evidence::Namespace *> sources = m_request.namespaces + m_request.options.baselines;
        return QFileInfo::exists(path(name)) &&
               std::any_of(sources.begin(), sources.end(), [&](const evidence::Namespace *source) {
                   return QFileInfo(source->directory).canonicalFilePath() == place &&
                          (evidenceFiles.contains(name) || name == source->name + QStringLiteral(".json"));
               });
    }

    QString path(const QString &name) const { return QDir(m_request.directory).filePath(name); }

    void note(const QString &name, const QString &error)
    {
        if (!error.isEmpty()) {
            m_result.errors.append(error);
            return;
        }
        m_result.files.append(name);
        if (m_written)
            m_written(name);
    }

    const ExportRequest &m_request;
    const std::function<void(const QString &)> &m_written;
    QString m_stem;
    ExportResult m_result;
};

} // namespace

const QStringList &exportFormats()
{
    static const QStringList formats{QStringLiteral("png"),   QStringLiteral("svg"),  QStringLiteral("csv"),
                                     QStringLiteral("md"),    QStringLiteral("html"), QStringLiteral("json"),
                                     QStringLiteral("report")};
    return formats;
}

bool isFigureFormat(const QString &format)
{
    return format == QLatin1String("png") || format == QLatin1String("svg");
}

ExportResult writeExport(const ExportRequest &request, const std::function<void(const QString &)> &written)
{
    if (!QDir().mkpath(request.directory))
        return {{},
                {QStringLiteral("%1: the directory cannot be created; check the path and its permissions")
                     .arg(request.directory)}};
    ViewWriter writer(request, written);
    for (const evidence::Namespace *evidence : request.namespaces) {
        for (const ViewInfo &view : viewCatalogue())
            if (request.views.contains(view.id))
                writer.write(*evidence, view);
        if (request.formats.contains(QStringLiteral("report")))
            writer.writeReport(*evidence);
    }
    return writer.take();
}

} // namespace stagecraft::views
