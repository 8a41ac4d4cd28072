// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowoptions.h"

#include "planmodel.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

namespace stagecraft::window {

namespace {

void declare(QCommandLineParser &parser)
{
    parser.addPositionalArgument(
        QStringLiteral("NAMESPACE"),
        QObject::tr(
            "Directories of evidence (or of such directories), summary files, or files of other tools to show."),
        QStringLiteral("[NAMESPACE…]"));
    parser.addOptions({
        {{QStringLiteral("h"), QStringLiteral("help")}, QObject::tr("Show this help.")},
        {QStringLiteral("theme"), QObject::tr("dark, light or system, for this start."), QStringLiteral("THEME")},
        {QStringLiteral("size"), QObject::tr("Size of the window in pixels, for example 1280x800."),
         QStringLiteral("WxH")},
        {QStringLiteral("stages-dir"),
         QObject::tr("The folder of your own stages, for this start: DIR/OPERATION/ID.cu. They are compiled and run."),
         QStringLiteral("DIR")},
        {QStringLiteral("screenshot"), QObject::tr("Save pictures of the window into DIR and end; needs no display."),
         QStringLiteral("DIR")},
        {QStringLiteral("run"), QObject::tr("With --screenshot: run the plan, limited to what is available, and take "
                                            "pictures before, in the middle of and after it.")},
        {QStringLiteral("operations"), QObject::tr("With --run: operations, separated by commas."),
         QStringLiteral("LIST")},
        {QStringLiteral("implementations"), QObject::tr("With --run: implementations, separated by commas."),
         QStringLiteral("LIST")},
        {QStringLiteral("dims"), QObject::tr("With --run: OPERATION=AxBxC, separated by commas."),
         QStringLiteral("LIST")},
        {QStringLiteral("rounds"), QObject::tr("With --run: number of rounds."), QStringLiteral("N")},
        {QStringLiteral("iterations"), QObject::tr("With --run: spans per round."), QStringLiteral("N")},
    });
}

QStringList listOf(const QCommandLineParser &parser, const QString &option)
{
    QStringList items;
    for (const QString &value : parser.values(option))
        items += value.split(QLatin1Char(','), Qt::SkipEmptyParts);
    return items;
}

QString readTheme(const QString &text, WindowOptions &options)
{
    static const QMap<QString, ThemeChoice> choices{{QStringLiteral("dark"), ThemeChoice::Dark},
                                                    {QStringLiteral("light"), ThemeChoice::Light},
                                                    {QStringLiteral("system"), ThemeChoice::System}};
    if (!choices.contains(text))
        return QObject::tr("--theme %1: choose among %2").arg(text, choices.keys().join(QStringLiteral(", ")));
    options.theme = choices.value(text);
    return {};
}

QString readSize(const QString &text, WindowOptions &options)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$"));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return QObject::tr("--size %1: write width x height in pixels, for example 1280x800").arg(text);
    options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    return {};
}

QString readOperations(const QStringList &operations)
{
    for (const QString &id : operations) {
        if (operations::findOperation(id.toStdString()))
            continue;
        QStringList known;
        for (const operations::Operation &operation : operations::catalogue())
            known.append(QString::fromStdString(operation.id));
        return QObject::tr("--operations %1: choose among %2").arg(id, known.join(QStringLiteral(", ")));
    }
    return {};
}

QString readDims(const QStringList &entries, WindowOptions &options)
{
    for (const QString &entry : entries) {
        const QString id = entry.section(QLatin1Char('='), 0, 0);
        const QString dims = entry.section(QLatin1Char('='), 1);
        const operations::Operation *operation = operations::findOperation(id.toStdString());
        if (!operation)
            return QObject::tr("--dims %1: write OPERATION=AxBxC, for example matmul=512x512x512").arg(entry);
        const QString problem = PlanModel::dimsProblem(*operation, dims);
        if (!problem.isEmpty())
            return QObject::tr("--dims %1: %2").arg(entry, problem);
        options.dims.insert(id, dims);
    }
    return {};
}

QString readCount(const QCommandLineParser &parser, const QString &option, int &count)
{
    if (!parser.isSet(option))
        return {};
    bool valid = false;
    count = parser.value(option).toInt(&valid);
    return valid && count > 0
               ? QString()
               : QObject::tr("--%1 %2: write a whole number of at least 1").arg(option, parser.value(option));
}

QString firstOf(std::initializer_list<QString> problems)
{
    const auto found = std::ranges::find_if(problems, [](const QString &problem) { return !problem.isEmpty(); });
    return found == problems.end() ? QString() : *found;
}

} // namespace

WindowOptions parseWindowOptions(const QStringList &arguments, QString *error)
{
    QCommandLineParser parser;
    declare(parser);
    WindowOptions options;
    if (!parser.parse(QStringList{QStringLiteral("stagecraft")} + arguments)) {
        *error = parser.errorText();
        return options;
    }
    options.help = parser.isSet(QStringLiteral("help"));
    options.namespaces = parser.positionalArguments();
    options.stagesDirectory = parser.value(QStringLiteral("stages-dir"));
    options.screenshots = parser.value(QStringLiteral("screenshot"));
    options.run = parser.isSet(QStringLiteral("run"));
    options.operations = listOf(parser, QStringLiteral("operations"));
    options.implementations = listOf(parser, QStringLiteral("implementations"));
    *error = firstOf(
        {parser.isSet(QStringLiteral("theme")) ? readTheme(parser.value(QStringLiteral("theme")), options) : QString(),
         parser.isSet(QStringLiteral("size")) ? readSize(parser.value(QStringLiteral("size")), options) : QString(),
         parser.isSet(QStringLiteral("stages-dir")) && !QFileInfo(options.stagesDirectory).isDir()
             ? QObject::tr("--stages-dir %1: there is no such folder; create it, or name another")
                   .arg(options.stagesDirectory)
             : QString(),
         options.run && options.screenshots.isEmpty() ? QObject::tr("--run belongs to --screenshot DIR") : QString(),
         readOperations(options.operations), readDims(listOf(parser, QStringLiteral("dims")), options),
         readCount(parser, QStringLiteral("rounds"), options.rounds),
         readCount(parser, QStringLiteral("iterations"), options.iterations)});
    return options;
}

QString windowOptionsHelp()
{
    QCommandLineParser parser;
    declare(parser);
    return parser.helpText();
}

} // namespace stagecraft::window
