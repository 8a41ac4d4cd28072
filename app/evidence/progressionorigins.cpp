// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressionorigins.h"

#include "evidencereader.h"
#include "filereaders.h"
#include "progressionchecks.h"
#include "statistics.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>

namespace stagecraft::evidence {

namespace {

// Progression values are written to two decimals by hand, so a rounding of the namespace's value must pass.
constexpr double tolerance = 0.05 + 1e-9;

// What a namespace can be compared with.
struct Measured
{
    QList<ValueRow> rows;
    int roundsPerRun = 0; // 0: the protocol was not repeated

    explicit Measured(const Namespace &evidence)
        : rows(valueRows(evidence)), roundsPerRun(evidence.runs.value_or(1) > 1 ? evidence.roundsPerRun.value_or(0) : 0)
    {
    }
};

// Finds the namespaces that a progression names and keeps their values.
class Origins
{
public:
    Origins(const Namespace &own, const QList<const Namespace *> &loaded) : m_own(own), m_loaded(loaded) {}

    // nullptr where there is no namespace of that name.
    const Measured *measured(const QString &name)
    {
        const auto known = m_measured.find(name);
        if (known != m_measured.end())
            return known->has_value() ? &known->value() : nullptr;
        const auto added = m_measured.insert(name, look(name));
        return added->has_value() ? &added->value() : nullptr;
    }

private:
    std::optional<Measured> look(const QString &name) const
    {
        // Its own name is that of its directory; the one that it was written under stands in the file.
        if (name == m_own.name || name == m_own.experimentId)
            return Measured(m_own);
        for (const Namespace *other : m_loaded) {
            if (other && other->name == name)
                return Measured(*other);
        }
        QString path = namespacePath(QFileInfo(m_own.directory).path(), name);
        if (path.isEmpty())
            path = bundledPath(name);
        return path.isEmpty() ? std::nullopt : std::optional(Measured(readNamespaceFiles(path)));
    }

    const Namespace &m_own;
    const QList<const Namespace *> &m_loaded;
    QMap<QString, std::optional<Measured>> m_measured;
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

// A row's value, or the range of its runs' means where it has several.
struct Record
{
    double low, high;
};

QString rangeText(double low, double high, int digits)
{
    const QString lowText = QString::number(low, 'g', digits);
    return low == high ? lowText : QStringLiteral("%1 to %2").arg(lowText, QString::number(high, 'g', digits));
}

Record recordOf(const Claim &claim, const Estimate &estimate, int roundsPerRun)
{
    const QList<double> means = runMeans(estimate, roundsPerRun).values();
    if (claim.low == claim.high || means.size() < 2)
        return {estimate.mean, estimate.mean};
    const auto [low, high] = std::ranges::minmax(means);
    return {low, high};
}

// Both ends of a range of runs must be there; where only one mean is known it must lie inside.
double distance(const Claim &claim, const Record &record)
{
    if (record.low == record.high)
        return std::max({claim.low - record.low, record.low - claim.high, 0.0});
    return std::max(std::abs(claim.low - record.low), std::abs(claim.high - record.high));
}

void compare(const Claim &claim, const Measured &measured)
{
    std::optional<Record> nearest;
    for (const ValueRow &row : measured.rows) {
        const Value &value = row.*claim.metric;
        if (!claim.matches(row) || !value.estimate)
            continue;
        const Record record = recordOf(claim, *value.estimate, measured.roundsPerRun);
        if (!nearest || distance(claim, record) < distance(claim, *nearest))
            nearest = record;
    }
    if (!nearest)
        claim.node.contradiction(
            QStringLiteral("%1 has no such value of %2 to agree with.").arg(claim.origin, excerpt(claim.what)));
    else if (distance(claim, *nearest) > tolerance)
        claim.node.contradiction(
            QStringLiteral("%1 µs stands here, %2 records %3 µs; they must agree within 0.05 µs.")
                .arg(rangeText(claim.low, claim.high, 6), claim.origin, rangeText(nearest->low, nearest->high, 8)));
}

void check(const Claim &claim, Origins &origins)
{
    if (claim.origin == QLatin1String("documented"))
        return;
    if (!isPlainName(claim.origin)) {
        claim.node.contradiction(QStringLiteral("The origin %1 is no namespace's name.").arg(excerpt(claim.origin)));
        return;
    }
    if (const Measured *measured = origins.measured(claim.origin))
        compare(claim, *measured);
    else
        claim.node.log().note(
            claim.node.pointer(),
            QStringLiteral("Not checked: there is no namespace %1 loaded, beside this one or bundled.")
                .arg(claim.origin));
}

// The rows of a stage ("matmul/k64"), for the dims and the cache state of the progression where it says which.
std::function<bool(const ValueRow &)> rowsOf(const QString &stage, const OperationProgression &operation)
{
    const auto fits = [](const auto &wanted, const auto &has) {
        return wanted.isEmpty() || has.isEmpty() || wanted == has;
    };
    return [=, dims = operation.dims, cache = operation.cache](const ValueRow &row) {
        return row.stage == stage && fits(dims, row.dims) && fits(cache, row.cache);
    };
}

Value ValueRow::*metricOf(const QString &name)
{
    return name == QLatin1String("kernel time") ? &ValueRow::kernel : &ValueRow::span;
}

void checkStage(const JsonNode &node, const OperationProgression &operation, const ProgressionStage &stage,
                Origins &origins)
{
    const QString id = operation.operation + QLatin1Char('/') + stage.id;
    const auto matches = rowsOf(id, operation);
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
    Value ValueRow::*const metric = metricOf(attempt.metric);
    const QString id = operation.operation + QLatin1Char('/') + attempt.id;
    const JsonNode range = node.member("range");
    check({range.exists() ? range : node.member("value"), attempt.evidence, id, attempt.low, attempt.high, metric,
           rowsOf(id, operation)},
          origins);
    if (const QString &other = attempt.comparedWithStage; attempt.valueOfThat && !other.isEmpty())
        check({node.member("value_of_that"), attempt.evidence, other, *attempt.valueOfThat, *attempt.valueOfThat,
               metric, rowsOf(other, operation)},
              origins);
}

QList<int> runNumbers(const QMap<int, double> &means)
{
    QList<int> numbers;
    for (const int number : means.keys())
        numbers.append(number + 1);
    return numbers;
}

QString meansText(const QList<double> &means)
{
    QStringList texts;
    for (const double us : means)
        texts.append(QString::number(us, 'g', 8));
    return texts.join(QStringLiteral(", "));
}

// The mean of each run, of a namespace that holds the samples of several runs of that stage.
void checkAb(const JsonNode &node, const OperationProgression &operation, const ProgressionAb &ab, const Measured &own)
{
    const auto matches = rowsOf(ab.stage, operation);
    QList<QMap<int, double>> recorded;
    for (const ValueRow &row : own.rows) {
        const Value &value = row.*metricOf(ab.metric);
        if (!ab.stage.isEmpty() && matches(row) && value.estimate)
            recorded.append(runMeans(*value.estimate, own.roundsPerRun));
    }
    recorded.removeIf([](const QMap<int, double> &means) { return means.isEmpty(); });
    if (recorded.isEmpty())
        return;
    const auto agrees = [&](const QMap<int, double> &means) {
        return std::ranges::equal(ab.runs, means.values(),
                                  [](double a, double b) { return std::abs(a - b) <= tolerance; }) &&
               (ab.runNumbers.isEmpty() || ab.runNumbers == runNumbers(means));
    };
    if (std::ranges::any_of(recorded, agrees))
        return;
    QStringList numbers;
    for (const int number : recorded.first().keys())
        numbers.append(QString::number(number));
    node.contradiction(
        "runs", QStringLiteral("%1 µs stand here, the samples of the runs %2 (from 0) give %3 µs; they "
                               "must agree within 0.05 µs.")
                    .arg(meansText(ab.runs), numbers.join(QStringLiteral(", ")), meansText(recorded.first().values())));
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
    const Measured own(evidence);
    const JsonNode operations = root.member("operations");
    for (qsizetype o = 0; o < evidence.progression->operations.size(); ++o) {
        const OperationProgression &operation = evidence.progression->operations[o];
        const JsonNode node = operations.element(static_cast<std::size_t>(o));
        const JsonNode stages = node.member("stages"), attempts = node.member("attempts"), ab = node.member("ab");
        for (qsizetype s = 0; s < operation.stages.size(); ++s)
            checkStage(stages.element(static_cast<std::size_t>(s)), operation, operation.stages[s], origins);
        for (qsizetype a = 0; a < operation.attempts.size(); ++a)
            checkAttempt(attempts.element(static_cast<std::size_t>(a)), operation, operation.attempts[a], origins);
        qsizetype sound = 0; // those without a mean are not in the model
        for (std::size_t i = 0; i < ab.size() && sound < operation.ab.size(); ++i) {
            if (hasTime(ab.element(i), "mean"))
                checkAb(ab.element(i), operation, operation.ab[sound++], own);
        }
    }
    const QString implementation = root.text("implementation");
    root.eachElement("unchanged", [&](const JsonNode &node) { checkUnchanged(node, implementation, origins); });
}

} // namespace stagecraft::evidence
