// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernelnames.h"

#include "valuetable.h"

#include <algorithm>
#include <cmath>

namespace stagecraft::views {

using evidence::KernelCount;

namespace {

constexpr qsizetype longestShortName = 64, longestFullName = 400, mostLines = 12;

QString cut(const QString &text, qsizetype length)
{
    return text.size() <= length ? text : text.left(length - 1).trimmed() + u'…';
}

// Drops what stands in angle brackets. "operator<" and "->" hold brackets that open nothing, but name no kernel.
QString withoutTemplateArguments(const QString &name)
{
    QString text;
    int depth = 0;
    for (const QChar c : name) {
        if (c == u'<')
            ++depth;
        else if (c == u'>')
            depth -= depth > 0;
        else if (depth == 0)
            text.append(c);
    }
    return text;
}

// "cuda::(anonymous namespace)::fill(int)" → without the scope in brackets, and without the parameters.
QString withoutParameters(QString name)
{
    name.remove(QStringLiteral("(anonymous namespace)::"));
    const qsizetype open = name.indexOf(u'(');
    return open > 0 ? name.left(open) : name;
}

QString withCount(const QString &name, const std::optional<double> &perIteration)
{
    if (!perIteration || *perIteration == 1)
        return name;
    const int decimals = *perIteration == std::floor(*perIteration) ? 0 : 2;
    return QStringLiteral("%1 × %2").arg(widgets::displayNumber(*perIteration, decimals), name);
}

} // namespace

QString shortKernelName(const QString &name)
{
    QString text = withoutParameters(withoutTemplateArguments(name)).simplified();
    text = text.mid(text.lastIndexOf(u' ') + 1); // behind a return type
    if (const qsizetype scope = text.lastIndexOf(QStringLiteral("::")); scope >= 0)
        text = text.mid(scope + 2);
    return cut(text.isEmpty() ? name.simplified() : text, longestShortName);
}

QStringList kernelWords(const QList<KernelCount> &kernels)
{
    QList<KernelCount> merged; // those whose names differ only in what is left out
    for (const KernelCount &kernel : kernels) {
        const QString name = shortKernelName(kernel.name);
        const auto same = std::find_if(merged.begin(), merged.end(),
                                       [&name](const KernelCount &other) { return other.name == name; });
        if (same == merged.end())
            merged.append({name, kernel.perIteration});
        else
            same->perIteration = same->perIteration && kernel.perIteration
                                     ? std::optional(*same->perIteration + *kernel.perIteration)
                                     : std::nullopt;
    }
    QStringList words;
    for (const KernelCount &kernel : merged)
        words.append(withCount(kernel.name, kernel.perIteration));
    return words;
}

QString kernelToolTip(const QList<KernelCount> &kernels)
{
    QStringList lines;
    for (const KernelCount &kernel : kernels.first(std::min(mostLines, kernels.size())))
        lines.append(withCount(cut(kernel.name, longestFullName), kernel.perIteration));
    if (kernels.size() > mostLines)
        lines.append(QStringLiteral("and %1 more").arg(kernels.size() - mostLines));
    return lines.join(QLatin1Char('\n'));
}

} // namespace stagecraft::views
