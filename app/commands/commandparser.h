// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

namespace stagecraft::commands {

// What one command accepts: the source of its parser and of its help text alike.
struct CommandSyntax
{
    QString name;                            // "export"
    QStringList synopsis;                    // what may follow the name, one line each: "NAMESPACE… --output DIR"
    QString description;                     // paragraphs separated by an empty line
    QList<QCommandLineOption> options;       // a default value is shown in the help; --help is added
    QList<QPair<QString, QString>> sections; // further sections of the help: title, text (paragraphs)
    QStringList examples;                    // whole command lines
    QStringList lists = {};                  // options that may come again and add to what was given
};

// The help text, wrapped to 80 columns.
QString helpText(const CommandSyntax &syntax);

// QCommandLineParser for one command of a program that has several: it knows the command's name, answers --help with
// helpText() and reports wrong usage on standard error, naming near options for a mistyped one.
class CommandParser
{
public:
    explicit CommandParser(CommandSyntax syntax);

    // Reads the arguments after the command's name. A value is the exit status to end with at once (after --help or a
    // message about wrong usage); nullopt: go on. An option may come twice only where the syntax
    // says that it adds to a list.
    std::optional<int> parse(const QStringList &arguments);

    bool isSet(const QString &option) const { return m_parser.isSet(option); }
    QString value(const QString &option) const { return m_parser.value(option); }
    QStringList values(const QString &option) const { return m_parser.values(option); }
    QStringList list(const QString &option) const; // every value, split at commas, without empty parts
    QStringList positional() const { return m_parser.positionalArguments(); }

    // The option's value as a whole number within [least, most]; the option's default where it is not set. On anything
    // else says so on standard error and returns nullopt: end with ExitUsage.
    std::optional<int> integer(const QString &option, int least, int most) const;

    // Says on standard error what is wrong and where the help is; returns ExitUsage.
    int usageError(const QString &message) const;

private:
    QString repeatedOption() const; // given more than once, though it takes one value

    CommandSyntax m_syntax;
    QCommandLineParser m_parser;
};

} // namespace stagecraft::commands
