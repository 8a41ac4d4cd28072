// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandparser.h"
#include "comparison.h"

namespace stagecraft::commands {

enum class CompareFormat
{
    Text,
    Markdown,
    Csv,
    Json
};

struct CompareOptions
{
    QStringList namespaces; // base first, new last
    evidence::ComparisonOptions comparison;
    CompareFormat format = CompareFormat::Text;
    int decimals = -1;                 // −1: the view's own
    std::optional<double> gatePercent; // --fail-above
};

// The command's name, options, sections and examples, as --help and the manual page have them.
CommandSyntax compareSyntax();

// What the parser read; nullopt after a message about what is wrong: end with ExitUsage.
std::optional<CompareOptions> readCompareOptions(const CommandParser &parser);

// --pair BASE=NEW,… and --unchanged OP,…|none of any command that has them; nullopt after a message.
QList<QCommandLineOption> comparisonOptionList();
std::optional<evidence::ComparisonOptions> readComparisonOptions(const CommandParser &parser);

// A word of the options that none of the namespaces has: a mistyped one would silently compare less than was asked for.
QString comparisonProblem(const QList<const evidence::Namespace *> &namespaces,
                          const evidence::ComparisonOptions &options);

} // namespace stagecraft::commands
