// SPDX-License-Identifier: GPL-3.0-or-later
#include "declarationchecks.h"

#include "statistics.h"

#include <QStringList>

namespace stagecraft::evidence {

namespace {

void checkFloor(const JsonNode &node, const Namespace &evidence)
{
    if (!node.isObject())
        return;
    const QString operation = stringAt(node.member("operation"));
    checkOperationName(node, "operation");
    checkWord(node.member("cache"), "warm", "cold");
    if (node.member("dims").exists())
        checkDimsCount(node, operation);
    else if (const qsizetype measured = measuredDims(evidence, operation).size(); measured > 1)
        node.log().note(node.pointer(), QStringLiteral("This floor names no dims, but the namespace holds %1 sets of "
                                                       "those of %2: it is not used.")
                                            .arg(measured)
                                            .arg(operation));
    if (const JsonNode us = node.member("us"); us.isNumber() && us.value()->get<double>() == 0)
        us.contradiction(QStringLiteral("A floor of 0 µs is none: leave it out where it is unknown."));
}

} // namespace

void checkFloorDeclarations(const JsonNode &root, Namespace &evidence)
{
    const auto check = [&evidence](const JsonNode &node) { checkFloor(node, evidence); };
    if (root.isArray()) {
        for (std::size_t i = 0; i < root.size(); ++i)
            check(root.element(i));
    } else if (root.member("floors").isArray()) {
        root.eachElement("floors", check);
    }
}

} // namespace stagecraft::evidence
