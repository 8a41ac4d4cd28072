// SPDX-License-Identifier: GPL-3.0-or-later
#include "compareoptions.h"

#include "console.h"

#include <QLocale>

#include <cmath>

namespace stagecraft::commands {

namespace {

const QString none = QStringLiteral("none");

const QStringList &formatNames()
{
    static const QStringList names{QStringLiteral("text"), QStringLiteral("md"), QStringLiteral("csv"),
                                   QStringLiteral("json")}; // in the order of CompareFormat
    return names;
}

std::optional<QList<evidence::ImplementationPair>> readPairs(const CommandParser &parser)
{
    QList<evidence::ImplementationPair> pairs;
    for (const QString &text : parser.list(QStringLiteral("pair"))) {
        const QStringList sides = text.split(QLatin1Char('='));
        if (sides.size() != 2 || sides.contains(QString())) {
            parser.usageError(QStringLiteral("--pair takes BASE=NEW, not '%1'").arg(text));
            return std::nullopt;
        }
        const evidence::ImplementationPair pair{sides.first(), sides.last()};
        if (!pairs.contains(pair))
            pairs.append(pair);
    }
    return pairs;
}

// What any of them measured, by `part` of its rows.
QStringList known(const QList<const evidence::Namespace *> &namespaces, QString evidence::ValueRow::*part)
{
    QStringList words;
    for (const evidence::Namespace *evidence : namespaces)
        for (const evidence::ValueRow &row : evidence::valueRows(*evidence))
            words.append(row.*part);
    words.removeDuplicates();
    return words;
}

QString unknownWord(const QString &option, const QStringList &wanted, const QStringList &present)
{
    for (const QString &word : wanted)
        if (!present.contains(word))
            return QStringLiteral("%1: no namespace has '%2'%3; there are %4")
                .arg(option, word, didYouMean(word, present), present.join(QStringLiteral(", ")));
    return {};
}

bool readFormat(const CommandParser &parser, CompareOptions &options)
{
    const QString name = parser.value(QStringLiteral("format"));
    const qsizetype index = formatNames().indexOf(name);
    if (index < 0) {
        parser.usageError(QStringLiteral("--format does not know '%1'%2; there are %3")
                              .arg(name, didYouMean(name, formatNames()), formatNames().join(QStringLiteral(", "))));
        return false;
    }
    options.format = static_cast<CompareFormat>(index);
    return true;
}

bool readGate(const CommandParser &parser, CompareOptions &options)
{
    if (!parser.isSet(QStringLiteral("fail-above")))
        return true;
    QString text = parser.value(QStringLiteral("fail-above"));
    if (text.endsWith(QLatin1Char('%')))
        text.chop(1);
    bool isNumber = false;
    const double percent = QLocale::c().toDouble(text, &isNumber);
    if (!isNumber || !std::isfinite(percent) || percent < 0) {
        parser.usageError(QStringLiteral("--fail-above takes a percentage of 0 or more, such as 3, not '%1'")
                              .arg(parser.value(QStringLiteral("fail-above"))));
        return false;
    }
    options.gatePercent = percent;
    return true;
}

bool readDecimals(const CommandParser &parser, CompareOptions &options)
{
    if (!parser.isSet(QStringLiteral("precision")))
        return true;
    const std::optional<int> decimals = parser.integer(QStringLiteral("precision"), 0, 9);
    options.decimals = decimals.value_or(-1);
    return decimals.has_value();
}

QList<QPair<QString, QString>> sections()
{
    return {
        {QStringLiteral("Drift"),
         QStringLiteral(
             "An operation is unchanged where its dims, cache state, arithmetic and stage source are the same in both; "
             "without hashes the same stage, else the same kernel names and resources. What moved there is the "
             "machine: the drift bound of an operation is the largest change of kernel time among the other unchanged "
             "operations of the implementation. cuda/ID are stages of the implementation cuda.\n\n"
             "Values of two GPUs are never one series: their percentages are shown, and none is drift.")},
        {QStringLiteral("Several namespaces"),
         QStringLiteral(
             "More than two print a trend, in the given order. Base is the first, new the last: change, drift "
             "and gate are of these two.")},
        {QStringLiteral("Gate"),
         QStringLiteral(
             "With --fail-above the exit status is 1, and the lines that start with 'gate:' say why, where an "
             "operation "
             "became slower by more than PERCENT and beyond drift; where its bound is unknown, by the percentage "
             "alone. "
             "Kernel time decides; where the base has none, the span, where the "
             "ranges of its rounds do not overlap. It is 1 as well where the new namespace lost "
             "what the base has a value of: no longer measured, failed, unavailable, of another arithmetic or "
             "instrument; where the two GPUs differ; and where nothing was compared. What only the new one has "
             "passes.")},
        {QStringLiteral("Exit status"),
         QStringLiteral("0: compared, and the gate passed where there is one. 1: the gate failed, or the evidence "
                        "contradicts itself (what is sound is compared). 2: wrong usage.")}};
}

} // namespace

QList<QCommandLineOption> comparisonOptionList()
{
    return {
        {QStringLiteral("pair"),
         QStringLiteral("Implementations to compare where ids differ: rust=cuda compares the base's rust with the "
                        "new cuda."),
         QStringLiteral("BASE=NEW,…")},
        {QStringLiteral("unchanged"),
         QStringLiteral("Exactly these operations are unchanged, whatever the evidence says; none: no operation is."),
         QStringLiteral("OP,…")}};
}

CommandSyntax compareSyntax()
{
    CommandSyntax syntax;
    syntax.name = QStringLiteral("compare");
    syntax.synopsis = {QStringLiteral("BASE NEW [OPTION…]"), QStringLiteral("FIRST NEXT… LAST [OPTION…]")};
    syntax.description = QStringLiteral(
        "Compares namespaces: directories of evidence, summary files, or names of bundled evidence. Prints what "
        "differs "
        "besides the values, then every change of kernel time and span, largest first, and whether it is within what "
        "the machine itself drifted, then what only one of them has.");
    syntax.options = {
        {QStringLiteral("implementation"), QStringLiteral("Only these implementations."), QStringLiteral("ID,…")}};
    syntax.options += comparisonOptionList();
    syntax.options +=
        {{QStringLiteral("precision"),
          QStringLiteral("Digits after the point in text and md (0 to 9). csv and json carry the stored precision."),
          QStringLiteral("N")},
         {QStringLiteral("format"), QStringLiteral("text, md, csv or json."), QStringLiteral("NAME"),
          QStringLiteral("text")},
         {QStringLiteral("fail-above"),
          QStringLiteral("Serve as a gate: exit with 1 where an operation became slower by more than this."),
          QStringLiteral("PERCENT")}};
    syntax.lists = {QStringLiteral("implementation"), QStringLiteral("pair"), QStringLiteral("unchanged")};
    syntax.sections = sections();
    syntax.examples = {QStringLiteral("stagecraft compare mage-001 mage-003 --implementation rust"),
                       QStringLiteral("stagecraft compare baseline out/new --implementation cuda --fail-above 3"),
                       QStringLiteral("stagecraft compare mage-001 mage-002 mage-003 --format md")};
    return syntax;
}

std::optional<evidence::ComparisonOptions> readComparisonOptions(const CommandParser &parser)
{
    evidence::ComparisonOptions options;
    options.implementations = parser.list(QStringLiteral("implementation"));
    const auto pairs = readPairs(parser);
    if (!pairs)
        return std::nullopt;
    options.pairs = *pairs;
    if (!parser.isSet(QStringLiteral("unchanged")))
        return options;
    const QStringList operations = parser.list(QStringLiteral("unchanged"));
    if (operations.isEmpty() || (operations.contains(none) && operations.size() > 1)) {
        parser.usageError(QStringLiteral("--unchanged takes operations, or none alone"));
        return std::nullopt;
    }
    options.unchanged = operations.contains(none) ? QStringList() : operations;
    return options;
}

QString comparisonProblem(const QList<const evidence::Namespace *> &namespaces,
                          const evidence::ComparisonOptions &options)
{
    const QStringList ids = evidence::implementationOrder(known(namespaces, &evidence::ValueRow::implementation));
    const QStringList operations = known(namespaces, &evidence::ValueRow::operation);
    QStringList paired;
    for (const evidence::ImplementationPair &pair : options.pairs)
        paired += {pair.base, pair.now};
    for (const QString &problem :
         {unknownWord(QStringLiteral("--implementation"), options.implementations, ids),
          unknownWord(QStringLiteral("--pair"), paired, ids),
          unknownWord(QStringLiteral("--unchanged"), options.unchanged.value_or(QStringList()), operations)})
        if (!problem.isEmpty())
            return problem;
    return {};
}

std::optional<CompareOptions> readCompareOptions(const CommandParser &parser)
{
    CompareOptions options;
    options.namespaces = parser.positional();
    if (options.namespaces.size() < 2) {
        parser.usageError(QStringLiteral("name two namespaces, BASE and NEW"));
        return std::nullopt;
    }
    const auto comparison = readComparisonOptions(parser);
    if (!comparison || !readFormat(parser, options) || !readDecimals(parser, options) || !readGate(parser, options))
        return std::nullopt;
    options.comparison = *comparison;
    return options;
}

} // namespace stagecraft::commands
