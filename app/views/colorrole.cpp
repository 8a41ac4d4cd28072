// SPDX-License-Identifier: GPL-3.0-or-later
#include "viewrows.h"

#include <numeric>

namespace stagecraft::views {

widgets::ColorRole colorRole(const QString &implementation)
{
    using widgets::ColorRole;
    if (isOwn(implementation))
        return {ColorRole::Own, 0};
    if (implementation == QLatin1String("pytorch") || implementation == QLatin1String("python"))
        return {ColorRole::PyTorch, 0};
    if (implementation == QLatin1String("triton"))
        return {ColorRole::Triton, 0};
    static const QStringList others{QStringLiteral("cublas"),          QStringLiteral("host"),
                                    QStringLiteral("cublaslt"),        QStringLiteral("cusparse"),
                                    QStringLiteral("pytorch-compile"), QStringLiteral("pytorch-cpu"),
                                    QStringLiteral("triton-tuned")};
    const auto index = static_cast<int>(others.indexOf(implementation));
    if (index >= 0)
        return {ColorRole::Other, index};
    // An external program keeps its colour from namespace to namespace, whatever stands beside it: one of the CPU's
    // two, which are never on one scale with a GPU's.
    const int sum = std::accumulate(implementation.begin(), implementation.end(), 0,
                                    [](int total, QChar c) { return total + c.unicode(); });
    const QString lender = sum % 2 == 0 ? QStringLiteral("host") : QStringLiteral("pytorch-cpu");
    return {ColorRole::Other, static_cast<int>(others.indexOf(lender))};
}

} // namespace stagecraft::views
