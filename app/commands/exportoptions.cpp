// SPDX-License-Identifier: GPL-3.0-or-later
#include "exportoptions.h"

#include "compareoptions.h"
#include "console.h"

#include <QRegularExpression>

#include <algorithm>

namespace stagecraft::commands {
namespace {

const QString all = QStringLiteral("all");
const QString mage = QStringLiteral("mage");

QStringList viewNames()
{
    QStringList names;
    for (const views::ViewInfo &view : views::viewCatalogue())
        names.append(view.name);
    return names;
}

QCommandLineOption option(const char *name, const char *value, const QString &description, const QString &standard = {})
{
    return {QString::fromUtf8(name), description, QString::fromUtf8(value), standard};
}

QString viewHelp()
{
    QStringList lines;
    for (const views::ViewInfo &view : views::viewCatalogue())
        lines.append(QStringLiteral("%1: %2.").arg(view.name, view.toolTip));
    return lines.join(QStringLiteral("\n\n"));
}

// Reads the options one after another; the first that is wrong ends it with a message.
class OptionsReader
{
public:
    explicit OptionsReader(const CommandParser &parser) : m_parser(parser) {}

    std::optional<ExportOptions> read()
    {
        const bool good = readPlaces() && readFormats() && readViews() && readLayout() && readTheme() && readScale() &&
                          readPrecision() && readMap() && readComparison();
        return good ? std::optional(m_options) : std::nullopt;
    }

private:
    bool wrong(const QString &message) const
    {
        m_parser.usageError(message);
        return false;
    }

    // Whether every word is known; says which is not, and what it may have meant.
    bool known(const char *option, const QStringList &words, const QStringList &allowed) const
    {
        for (const QString &word : words)
            if (!allowed.contains(word))
                return wrong(QStringLiteral("--%1 does not know '%2'%3; there are %4")
                                 .arg(QString::fromUtf8(option), word, didYouMean(word, allowed),
                                      allowed.join(QStringLiteral(", "))));
        return !words.isEmpty() || wrong(QStringLiteral("--%1 is empty").arg(QString::fromUtf8(option)));
    }

    bool readPlaces()
    {
        m_options.namespaces = m_parser.positional();
        m_options.baselines = m_parser.list(QStringLiteral("baseline"));
        m_options.request.options.implementations = m_parser.list(QStringLiteral("implementation"));
        m_options.request.options.reference = m_parser.value(QStringLiteral("reference"));
        m_options.request.directory = m_parser.value(QStringLiteral("output"));
        if (m_parser.isSet(QStringLiteral("reference")) && m_options.request.options.reference.isEmpty())
            return wrong(QStringLiteral("--reference names no implementation"));
        if (m_options.namespaces.isEmpty())
            return wrong(QStringLiteral("name at least one NAMESPACE"));
        return !m_options.request.directory.isEmpty() || wrong(QStringLiteral("--output DIR is missing"));
    }

    bool readFormats()
    {
        QStringList formats = m_parser.list(QStringLiteral("format"));
        if (!known("format", formats, views::exportFormats() + QStringList{mage}))
            return false;
        m_options.mage = formats.removeAll(mage) > 0;
        m_options.request.formats = formats;
        return true;
    }

    bool readViews()
    {
        const QStringList names = m_parser.list(QStringLiteral("view"));
        if (!known("view", names, viewNames() + QStringList{all}))
            return false;
        for (const views::ViewInfo &view : views::viewCatalogue()) {
            if (names.contains(view.name) || names.contains(all))
                m_options.request.views.append(view.id);
        }
        return true;
    }

    bool readLayout()
    {
        const QString name = m_parser.value(QStringLiteral("layout"));
        if (!known("layout", {name}, {QStringLiteral("desktop"), QStringLiteral("mobile"), QStringLiteral("both")}))
            return false;
        using widgets::Layout;
        if (name == QLatin1String("mobile"))
            m_options.request.layouts = {Layout::Mobile};
        else if (name == QLatin1String("both"))
            m_options.request.layouts = {Layout::Desktop, Layout::Mobile};
        return true;
    }

    bool readTheme()
    {
        using widgets::Theme;
        static const QMap<QString, Theme> themes{{QStringLiteral("page"), Theme::Page},
                                                 {QStringLiteral("dark"), Theme::Dark},
                                                 {QStringLiteral("light"), Theme::Light}};
        const QString name = m_parser.value(QStringLiteral("theme"));
        m_options.request.theme = themes.value(name);
        return known("theme", {name}, {QStringLiteral("page"), QStringLiteral("dark"), QStringLiteral("light")});
    }

    bool readScale()
    {
        const QString text = m_parser.value(QStringLiteral("scale"));
        bool isNumber = false;
        const double scale = text.toDouble(&isNumber);
        m_options.request.scale = scale;
        return (isNumber && scale >= views::leastExportScale && scale <= views::mostExportScale) ||
               wrong(QStringLiteral("--scale takes a number from %1 to %2, not '%3'")
                         .arg(views::leastExportScale)
                         .arg(views::mostExportScale)
                         .arg(text));
    }

    bool readPrecision()
    {
        if (!m_parser.isSet(QStringLiteral("precision")))
            return true;
        const std::optional<int> decimals = m_parser.integer(QStringLiteral("precision"), 0, 9);
        m_options.request.options.decimals = decimals.value_or(-1);
        return decimals.has_value();
    }

    bool readMap()
    {
        static const QRegularExpression plainName(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._-]*\\z"));
        const QStringList pairs = m_parser.list(QStringLiteral("map"));
        if (!pairs.isEmpty() && !m_options.mage)
            return wrong(QStringLiteral("--map renames implementations for --format mage, which is not asked for"));
        for (const QString &pair : pairs) {
            const QStringList sides = pair.split(QLatin1Char('='));
            if (sides.size() != 2 || sides.contains(QString()))
                return wrong(QStringLiteral("--map takes FROM=TO, not '%1'").arg(pair));
            if (!plainName.match(sides.last()).hasMatch())
                return wrong(QStringLiteral("--map: '%1' is no name of an implementation: letters, digits, '-', '_' "
                                            "and '.', the first a letter or digit")
                                 .arg(sides.last()));
            if (m_options.map.contains(sides.first()))
                return wrong(QStringLiteral("--map names %1 twice").arg(sides.first()));
            m_options.map.insert(sides.first(), sides.last());
        }
        return true;
    }

    bool readComparison()
    {
        const auto comparison = readComparisonOptions(m_parser);
        if (!comparison)
            return false;
        m_options.request.options.pairs = comparison->pairs;
        m_options.request.options.unchanged = comparison->unchanged;
        return true;
    }

    const CommandParser &m_parser;
    ExportOptions m_options;
};

} // namespace

CommandSyntax exportSyntax()
{
    CommandSyntax syntax;
    syntax.name = QStringLiteral("export");
    syntax.synopsis = {QStringLiteral("NAMESPACE… --output DIR [OPTION…]")};
    syntax.description = QStringLiteral(
        "Writes figures and value tables of each NAMESPACE: a directory of evidence, a summary file, or the name of "
        "bundled evidence. A view that the evidence cannot fill is still written; it says unavailable and why.");
    syntax.options = {
        option("output", "DIR", QStringLiteral("Where the files go; created where it does not exist.")),
        option("view", "NAME,…", QStringLiteral("Which views, or all."), all),
        option(
            "format", "NAME,…",
            QStringLiteral("png, svg (figures), csv, md, html, json (tables), report (one HTML page of all these "
                           "views, which needs no network), mage (a namespace that mage's own scripts accept; not of a "
                           "summary, which holds no samples)."),
            QStringLiteral("png,svg,csv")),
        option("layout", "NAME", QStringLiteral("desktop, mobile (365 px wide) or both."), QStringLiteral("desktop")),
        option("theme", "NAME",
               QStringLiteral("page (a sheet of its own, legible on white and on dark pages), dark or light."),
               QStringLiteral("page")),
        option("scale", "N",
               QStringLiteral("Pixels of a png per pixel of its layout, 0.5 to 8; the file says N × 96 dots per inch."),
               QStringLiteral("2")),
        option("implementation", "ID,…", QStringLiteral("Only these implementations.")),
        option("reference", "ID",
               QStringLiteral("Of the view verdicts: the implementation that the others are compared with. By default "
                              "cuda (rust in mage's files), else the first that was measured.")),
        option("baseline", "NAMESPACE,…",
               QStringLiteral("Earlier namespaces: the tables get a column with each one's kernel time, and the view "
                              "compare says what changed since; with several it is a trend over them.")),
        option("precision", "N",
               QStringLiteral("Digits after the point in figures, md and html (0 to 9; without it 1, progression 2). "
                              "csv and json carry the stored precision.")),
        option("map", "FROM=TO,…",
               QStringLiteral("Rename implementations in --format mage: cuda=rust,pytorch=python."))};
    syntax.options += comparisonOptionList();
    syntax.lists = {QStringLiteral("view"),     QStringLiteral("format"), QStringLiteral("implementation"),
                    QStringLiteral("baseline"), QStringLiteral("map"),    QStringLiteral("pair"),
                    QStringLiteral("unchanged")};
    syntax.sections = {
        {QStringLiteral("Views"), viewHelp()},
        {QStringLiteral("Files"),
         QStringLiteral("VIEW-LAYOUT.png, VIEW-LAYOUT.svg, VIEW.csv and so on, and report.html; with several "
                        "namespaces each name starts "
                        "with its namespace's. --format mage writes the directory DIR/NAMESPACE. The written files are "
                        "listed on standard output.")},
        {QStringLiteral("Exit status"),
         QStringLiteral(
             "0: all is written. 1: a file could not be written, or the evidence contradicts itself (what is "
             "sound is written and says so). 2: wrong usage.")}};
    syntax.examples = {QStringLiteral("stagecraft export mage-003 --output figures"),
                       QStringLiteral("stagecraft export out/h --view span,samples --format svg,md --output figures"),
                       QStringLiteral("stagecraft export mage-003 --format report --output report"),
                       QStringLiteral("stagecraft export mage-003 --view kernel-span --implementation rust \\\n"
                                      "      --baseline mage-001,mage-002 --format md --output tables")};
    return syntax;
}

std::optional<ExportOptions> readExportOptions(const CommandParser &parser)
{
    return OptionsReader(parser).read();
}

} // namespace stagecraft::commands
