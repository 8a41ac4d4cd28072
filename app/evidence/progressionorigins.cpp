// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionorigins.h"

#include "evidencereader.h"
#include "filereaders.h"
#include "statistics.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <functional>

namespace stagecraft::evidence {

namespace {

// Progression values are written to two decimals by hand, so a rounding of the namespace's value must pass.
constexpr double tolerance = 0.05 + 1e-9;

// Finds the namespaces that a progression names and keeps their value rows.
class Origins
{
public:
    Origins(const Namespace &own, const QList<const Namespace *> &loaded) : m_own(own), m_loaded(loaded) {}

    // nullptr where there is no namespace of that name.
    const QList<ValueRow> *rows(const QString &name)
    {
        const auto known = m_rows.find(name);
        if (known != m_rows.end())
            return known->has_value() ? &known->value() : nullptr;
        const auto added = m_rows.insert(name, look(name));
        return added->has_value() ? &added->value() : nullptr;
    }

private:
    std::optional<QList<ValueRow>> look(const QString &name) const
    {
        // Its own name is that of its directory; the one that it was written under stands in the file.
        if (name == m_own.name || name == m_own.experimentId)
            return valueRows(m_own);
        for (const Namespace *other : m_loaded) {
            if (other && other->name == name)
                return valueRows(*other);
        }
        QString path = namespacePath(QFileInfo(m_own.directory).path(), name);
        if (path.isEmpty())
            path = bundledPath(name);
        return path.isEmpty() ? std::nullopt : std::optional(valueRows(readNamespaceFiles(path)));
    }

    const Namespace &m_own;
    const QList<const Namespace *> &m_loaded;
    QMap<QString, std::optional<QList<ValueRow>>> m_rows;
};

// The name comes from the file and becomes part of a path.
bool isPlainName(const QString &name)
{
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}\\z"));
    return plain.match(name).hasMatch();
}

// A value of the progression, or its range over several runs, where it stands, and how to recognise the same value in a
// namespace's rows.
struct Claim
{
    JsonNode node;
    QString origin, what;
    double low, high;
    Value ValueRow::*metric;
    std::function<bool(const ValueRow &)> matches;
};

void compare(const Claim &claim, const QList<ValueRow> &rows)
{
    std::optional<double> nearest;
    const auto distance = [&claim](double us) { return std::max({claim.low - us, us - claim.high, 0.0}); };
    for (const ValueRow &row : rows) {
        const Value &value = row.*claim.metric;
        if (!claim.matches(row) || !value.estimate)
            continue;
        if (!nearest || distance(value.estimate->mean) < distance(*nearest))
            nearest = value.estimate->mean;
    }
    if (!nearest)
        claim.node.contradiction(
            QStringLiteral("%1 has no such value of %2 to agree with.").arg(claim.origin, excerpt(claim.what)));
    else if (distance(*nearest) > tolerance)
        claim.node.contradiction(QStringLiteral("%1 µs stands here, %2 records %3 µs; they must agree within 0.05 µs.")
                                     .arg(claim.low == claim.high
                                              ? QString::number(claim.low)
                                              : QStringLiteral("%1 to %2").arg(claim.low).arg(claim.high))
                                     .arg(claim.origin)
                                     .arg(*nearest, 0, 'g', 8));
}

void check(const Claim &claim, Origins &origins)
{
    if (claim.origin == QLatin1String("documented"))
        return;
    if (!isPlainName(claim.origin)) {
        claim.node.contradiction(QStringLiteral("The origin %1 is no namespace's name.").arg(excerpt(claim.origin)));
        return;
    }
    if (const QList<ValueRow> *rows = origins.rows(claim.origin))
        compare(claim, *rows);
    else
        claim.node.log().note(
            claim.node.pointer(),
            QStringLiteral("Not checked: there is no namespace %1 loaded, beside this one or bundled.")
                .arg(claim.origin));
}

// The rows of a stage ("matmul/k64"), for these dims where the progression says which.
std::function<bool(const ValueRow &)> rowsOf(const QString &stage, const QList<qint64> &dims)
{
    return [=](const ValueRow &row) {
        return row.stage == stage && (dims.isEmpty() || row.dims.isEmpty() || row.dims == dims);
    };
}

void checkStage(const JsonNode &node, const OperationProgression &operation, const ProgressionStage &stage,
                Origins &origins)
{
    const QString id = operation.operation + QLatin1Char('/') + stage.id;
    const auto matches = rowsOf(id, operation.dims);
    const QString spanOrigin = node.text("span_origin");
    const auto checkValue = [&](const char *key, std::optional<double> us, const QString &origin,
                                Value ValueRow::*metric) {
        const JsonNode member = node.member(key);
        if (us && origin.isEmpty())
            node.log().note(member.pointer(), QStringLiteral("Not checked: no origin is named."));
        else if (us)
            check({member, origin, id, *us, *us, metric, matches}, origins);
    };
    checkValue("kernel_us", stage.kernelUs, stage.origin, &ValueRow::kernel);
    checkValue("span_us", stage.spanUs, spanOrigin.isEmpty() ? stage.origin : spanOrigin, &ValueRow::span);
}

// An attempt that is a stage file and was measured in a namespace, which its evidence then names.
void checkAttempt(const JsonNode &node, const OperationProgression &operation, const ProgressionAttempt &attempt,
                  Origins &origins)
{
    if (attempt.id.isEmpty() || attempt.state != State::Ok || !isPlainName(attempt.evidence))
        return;
    Value ValueRow::*const metric =
        attempt.metric == QLatin1String("kernel time") ? &ValueRow::kernel : &ValueRow::span;
    const QString id = operation.operation + QLatin1Char('/') + attempt.id;
    const JsonNode range = node.member("range");
    check({range.exists() ? range : node.member("value"), attempt.evidence, id, attempt.low, attempt.high, metric,
           rowsOf(id, operation.dims)},
          origins);
    if (const QString &other = attempt.comparedWithStage; attempt.valueOfThat && !other.isEmpty())
        check({node.member("value_of_that"), attempt.evidence, other, *attempt.valueOfThat, *attempt.valueOfThat,
               metric, rowsOf(other, operation.dims)},
              origins);
}

// Operations whose kernel stayed the same name the namespaces that their kernel times come from.
void checkUnchanged(const JsonNode &node, const QString &implementation, Origins &origins)
{
    if (!node.requireObject())
        return;
    const QString operation = node.requiredText("op");
    const auto matches = [operation, implementation](const ValueRow &row) {
        return row.operation == operation && row.implementation == implementation;
    };
    node.eachMember("kernel_us", [&](const QString &origin, const JsonNode &value) {
        if (const auto us = value.asAmount())
            check({value, origin, operation, *us, *us, &ValueRow::kernel, matches}, origins);
    });
}

} // namespace

void checkProgressionOrigins(Namespace &evidence, const QList<const Namespace *> &loaded)
{
    if (!evidence.progression)
        return;
    ProblemLog log(QLatin1String(progressionFile), &evidence.problems);
    const JsonNode root(&evidence.progressionDocument, {}, &log);
    Origins origins(evidence, loaded);
    const JsonNode operations = root.member("operations");
    for (qsizetype o = 0; o < evidence.progression->operations.size(); ++o) {
        const OperationProgression &operation = evidence.progression->operations[o];
        const JsonNode node = operations.element(static_cast<std::size_t>(o));
        const JsonNode stages = node.member("stages"), attempts = node.member("attempts");
        for (qsizetype s = 0; s < operation.stages.size(); ++s)
            checkStage(stages.element(static_cast<std::size_t>(s)), operation, operation.stages[s], origins);
        for (qsizetype a = 0; a < operation.attempts.size(); ++a)
            checkAttempt(attempts.element(static_cast<std::size_t>(a)), operation, operation.attempts[a], origins);
    }
    const QString implementation = root.text("implementation");
    root.eachElement("unchanged", [&](const JsonNode &node) { checkUnchanged(node, implementation, origins); });
}

} // namespace stagecraft::evidence
