// SPDX-License-Identifier: GPL-3.0-or-later
#include "filereaders.h"

namespace stagecraft::evidence {

RecordedState readState(const JsonNode &node, const char *stateKey, const char *reasonKey)
{
    RecordedState recorded;
    if (node.log().stoppedInside(node.pointer()))
        return {State::Invalid, QStringLiteral("the file stops inside this entry")};
    recorded.reason = node.text(reasonKey);
    const QString name = node.text(stateKey);
    if (name.isEmpty())
        return recorded;
    const std::optional<State> state = stateFromName(name);
    recorded.state = state.value_or(State::Invalid);
    if (!state) {
        node.contradiction(stateKey, QStringLiteral("%1 is no state.").arg(excerpt(name)));
    } else if (*state != State::Ok && *state != State::NotRun && recorded.reason.isEmpty()) {
        node.contradiction(reasonKey, QStringLiteral("The state is %1; a reason is expected beside it.").arg(name));
    } else if (*state != State::Ok) {
        const JsonNode at = node.member(stateKey);
        at.log().note(at.pointer(), recorded.reason.isEmpty() ? name : name + QStringLiteral(": ") + recorded.reason);
    }
    return recorded;
}

QList<qint64> readDims(const JsonNode &node)
{
    return node.counts("dims");
}

void readText(const JsonNode &node, const char *key, QString &target)
{
    if (const QString text = node.text(key); !text.isEmpty())
        target = text;
}

} // namespace stagecraft::evidence
