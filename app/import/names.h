// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSet>
#include <QStringList>

// Kernel names as compilers and tools write them, and the names that evidence gives to what they do.
namespace stagecraft::import {

// "_Z4fillPfi" → "fill(float*, int)"; the name itself where it is not mangled, by rules that are unknown here, or so
// entangled that its text could be of any size.
QString demangled(const QString &name);

// "elementwise_kernel" of "void at::native::elementwise_kernel<128, 4, …>(int, …)": without return type, scopes,
// template arguments and parameters. What nsys calls the short name. The name itself where nothing would be left.
QString baseName(const QString &demangledName);

// Names that are all different, in one step each, however many are alike.
class UniqueNames
{
public:
    // `wanted`, or `wanted-2`, `wanted-3`… : the first that was not given, at most `longest` characters.
    QString of(const QString &wanted, qsizetype longest);

private:
    QSet<QString> m_taken;
    QHash<QString, int> m_numbers; // the last one given, by what stands before it
};

// Operations' names in evidence: up to 64 letters, digits, '.', '_' and '-'. The same text has the same name, two texts
// never have one name.
class OperationNames
{
public:
    // `privateWords` as in publicText(); the same ones at each call.
    QString name(const QString &text, const QStringList &privateWords = {});

private:
    QHash<QString, QString> m_names;
    UniqueNames m_unique;
};

// One text for all that are equal: launches by the million have few grids, blocks and names.
class SharedTexts
{
public:
    QString of(const QString &text) { return *m_texts.insert(text); }

private:
    QSet<QString> m_texts;
};

} // namespace stagecraft::import
