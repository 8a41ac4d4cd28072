// SPDX-License-Identifier: GPL-3.0-or-later
#include "exportjob.h"

#include "figureexport.h"

#include <QCoreApplication>
#include <QDir>

namespace stagecraft::window {

namespace {

constexpr double pngScale = 2;

using TableWriter = QString (*)(const widgets::ValueTable &, const QString &);

TableWriter tableWriter(const QString &format)
{
    if (format == QLatin1String("csv"))
        return widgets::exportCsv;
    if (format == QLatin1String("md"))
        return widgets::exportMarkdown;
    if (format == QLatin1String("html"))
        return widgets::exportHtml;
    return format == QLatin1String("json") ? widgets::exportJson : nullptr;
}

class Writer
{
public:
    Writer(const ExportRequest &request, ExportResult &result) : m_request(request), m_result(result) {}

    void write(const evidence::Namespace &evidence)
    {
        m_prefix = m_request.namespaces.size() > 1 ? evidence.name + QLatin1Char('-') : QString();
        m_options.programVersion = QCoreApplication::applicationVersion();
        for (const views::ViewId view : m_request.views) {
            const auto info = std::ranges::find(views::viewCatalogue(), view, &views::ViewInfo::id);
            for (const QString &format : m_request.formats) {
                if (const TableWriter writer = tableWriter(format))
                    writeTable(writer, format, *info, evidence);
                else if (info->hasFigure)
                    writeFigures(format, *info, evidence);
            }
        }
    }

private:
    void writeTable(TableWriter writer, const QString &format, const views::ViewInfo &view,
                    const evidence::Namespace &evidence)
    {
        const QString name = QStringLiteral("%1%2.%3").arg(m_prefix, view.name, format);
        const bool programs = format == QLatin1String("csv") || format == QLatin1String("json");
        m_options.audience = programs ? views::Audience::Programs : views::Audience::People;
        note(name, writer(views::buildTable(view.id, evidence, m_options), path(name)));
    }

    void writeFigures(const QString &format, const views::ViewInfo &view, const evidence::Namespace &evidence)
    {
        const widgets::Figure figure = views::buildFigure(view.id, evidence, m_options);
        for (const widgets::Layout layout : m_request.layouts) {
            const QString suffix =
                layout == widgets::Layout::Desktop ? QStringLiteral("desktop") : QStringLiteral("mobile");
            const QString name = QStringLiteral("%1%2-%3.%4").arg(m_prefix, view.name, suffix, format);
            note(name, format == QLatin1String("svg")
                           ? widgets::exportSvg(figure, layout, m_request.theme, path(name))
                           : widgets::exportPng(figure, layout, m_request.theme, pngScale, path(name)));
        }
    }

    QString path(const QString &name) const { return QDir(m_request.directory).filePath(name); }

    void note(const QString &name, const QString &error)
    {
        if (error.isEmpty())
            m_result.files.append(name);
        else
            m_result.errors.append(error);
    }

    const ExportRequest &m_request;
    ExportResult &m_result;
    QString m_prefix;
    views::ViewOptions m_options;
};

} // namespace

const QStringList &exportFormats()
{
    static const QStringList formats{QStringLiteral("png"), QStringLiteral("svg"),  QStringLiteral("csv"),
                                     QStringLiteral("md"),  QStringLiteral("html"), QStringLiteral("json")};
    return formats;
}

ExportResult writeExport(const ExportRequest &request)
{
    ExportResult result;
    if (!QDir().mkpath(request.directory)) {
        result.errors.append(QObject::tr("%1 cannot be created: check the path and its permissions")
                                 .arg(QDir::toNativeSeparators(request.directory)));
        return result;
    }
    Writer writer(request, result);
    for (const NamespacePointer &evidence : request.namespaces)
        writer.write(*evidence);
    return result;
}

} // namespace stagecraft::window
