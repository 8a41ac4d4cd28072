// SPDX-License-Identifier: GPL-3.0-or-later
#include "names.h"

#include "privacy.h"

#include <QRegularExpression>

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace stagecraft::import {

namespace {

constexpr qsizetype longestOperation = 64;
// What is demangled at most. Each reference to an earlier part of a name may double its text, so that a hostile name of
// few bytes would fill any memory.
constexpr qsizetype longestMangled = 8 * 1024, mostReferences = 24;

// The opening bracket that the closing one at `close` belongs to, or -1. In parentheses, angle brackets compare.
qsizetype opening(QStringView text, qsizetype close, QChar open)
{
    int depth = 0, parentheses = 0;
    for (qsizetype i = close; i >= 0; --i) {
        if (open == u'<') {
            parentheses += (text[i] == u')') - (text[i] == u'(');
            if (parentheses > 0)
                continue;
        }
        if (text[i] == text[close])
            ++depth;
        else if (text[i] == open && --depth == 0)
            return i;
    }
    return -1;
}

// Without "[clone .isra.0]" and "[with T = float]" behind the name, and without const.
QStringView withoutNotes(QStringView name)
{
    name = name.trimmed();
    while (name.endsWith(u']')) {
        const qsizetype open = opening(name, name.size() - 1, u'[');
        if (open <= 0)
            break;
        name = name.first(open).trimmed();
    }
    if (name.endsWith(QLatin1String(" const")))
        name = name.chopped(6).trimmed();
    return name;
}

// "f(int)" → "f"; "operator()(int)" → "operator()"; "(anonymous namespace)" is a scope, no parameters.
QStringView withoutParameters(QStringView name)
{
    if (!name.endsWith(u')'))
        return name;
    const qsizetype open = opening(name, name.size() - 1, u'(');
    return open > 0 && !name.first(open).endsWith(QLatin1String("operator")) ? name.first(open).trimmed() : name;
}

QStringView withoutTemplateArguments(QStringView name)
{
    const bool isOperator = name.contains(QLatin1String("operator"));
    if (!name.endsWith(u'>') || (isOperator && !name.contains(u'<')))
        return name;
    const qsizetype open = opening(name, name.size() - 1, u'<');
    return open > 0 && !name.first(open).endsWith(QLatin1String("operator")) ? name.first(open).trimmed() : name;
}

// Behind the last "::" or space that no bracket encloses.
QStringView lastComponent(QStringView name)
{
    int depth = 0;
    for (qsizetype i = name.size() - 1; i >= 0; --i) {
        const QChar c = name[i];
        if (c == u')' || c == u'>' || c == u'}' || c == u']')
            ++depth;
        else if (c == u'(' || c == u'<' || c == u'{' || c == u'[')
            --depth;
        else if (depth <= 0 && (c == u' ' || c == u':' || c == u'*' || c == u'&'))
            return name.sliced(i + 1);
    }
    return name;
}

} // namespace

QString demangled(const QString &name)
{
    static const QRegularExpression reference(QStringLiteral("[ST][0-9A-Z]*_"));
    if (!name.startsWith(QLatin1String("_Z")) || name.size() > longestMangled || name.count(reference) > mostReferences)
        return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.toLatin1().constData(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? QString::fromUtf8(text.get()) : name;
}

QString baseName(const QString &demangledName)
{
    const QStringView name =
        lastComponent(withoutTemplateArguments(withoutParameters(withoutNotes(demangledName)))).trimmed();
    return name.isEmpty() ? demangledName.trimmed() : name.toString();
}

QString UniqueNames::of(const QString &wanted, qsizetype longest)
{
    constexpr qsizetype longestSuffix = 8;
    QString name = wanted;
    // Long ones share what a number leaves of them, and its count, too.
    for (int &number = m_numbers[wanted.left(longest - longestSuffix)]; m_taken.contains(name);) {
        number = std::max(number, 1) + 1;
        const QString suffix = QStringLiteral("-%1").arg(number);
        name = wanted.left(longest - suffix.size()) + suffix;
    }
    m_taken.insert(name);
    return name;
}

QString OperationNames::name(const QString &text, const QStringList &privateWords)
{
    const auto known = m_names.constFind(text);
    if (known != m_names.constEnd())
        return *known;
    static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9._-]+"));
    static const QRegularExpression edges(QStringLiteral("\\A[^A-Za-z0-9]+|[.-]+\\z"));
    QString plain = publicText(text, privateWords);
    plain.replace(QStringLiteral("::"), QStringLiteral("."));
    plain = plain.replace(other, QStringLiteral("-")).remove(edges).left(longestOperation);
    if (plain.isEmpty())
        plain = QStringLiteral("unnamed");
    return *m_names.insert(text, m_unique.of(plain, longestOperation));
}

} // namespace stagecraft::import
