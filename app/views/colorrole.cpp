// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme.h"
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
    // An external program keeps its colour from namespace to namespace, whatever stands beside it: one of those that
    // none of the above has. Labels tell two apart that share one.
    const int sum = std::accumulate(implementation.begin(), implementation.end(), 0,
                                    [](int total, QChar c) { return (total * 31 + c.unicode()) % 65'521; });
    const int taken = static_cast<int>(others.size());
    return {ColorRole::Other, taken + sum % (widgets::otherRoleCount() - taken)};
}

} // namespace stagecraft::views
