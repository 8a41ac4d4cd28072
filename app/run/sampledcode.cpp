// SPDX-License-Identifier: GPL-3.0-or-later
#include "sampledcode.h"

#include <algorithm>

namespace stagecraft::run {

namespace {

const QString issuedReason = QStringLiteral("selected");
// More than hours of sampling give at one instruction; sums of these stay far from an overflow.
constexpr std::int64_t mostSamples = std::int64_t(1) << 40;

} // namespace

void PlaceSamples::add(const protocol::SampledInstruction &instruction)
{
    for (const auto &[name, count] : instruction.samples) {
        const QString reason = QString::fromStdString(name);
        all += count;
        if (reason == issuedReason)
            issued += count;
        else
            waits[reason] += count;
    }
}

void PlaceSamples::add(const PlaceSamples &other)
{
    all += other.all;
    issued += other.issued;
    for (auto wait = other.waits.cbegin(); wait != other.waits.cend(); ++wait)
        waits[wait.key()] += wait.value();
}

QList<Wait> leadingWaits(const PlaceSamples &samples, int most)
{
    QList<std::pair<qint64, QString>> counts;
    for (auto wait = samples.waits.cbegin(); wait != samples.waits.cend(); ++wait) {
        if (wait.value() > 0)
            counts.append({wait.value(), wait.key()});
    }
    std::ranges::stable_sort(counts, std::ranges::greater(), &std::pair<qint64, QString>::first);
    QList<Wait> leading;
    for (const auto &[count, reason] : counts.first(std::min<qsizetype>(most, counts.size())))
        leading.append({QString(reason).replace(QLatin1Char('_'), QLatin1Char(' ')), sampleShare(count, samples.all)});
    return leading;
}

double sampleShare(qint64 part, qint64 all)
{
    return all > 0 ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0;
}

QString sampleProblem(const protocol::SampleResult &result)
{
    std::int64_t all = 0;
    for (const protocol::SampledKernel &kernel : result.kernels) {
        for (const protocol::SampledInstruction &instruction : kernel.instructions) {
            for (const auto &[reason, count] : instruction.samples) {
                if (count < 0 || count > mostSamples || instruction.address < 0)
                    return QStringLiteral("the worker reports %1 samples at address %2 of %3")
                        .arg(count)
                        .arg(instruction.address)
                        .arg(QString::fromStdString(kernel.entry));
                all += count;
            }
        }
    }
    return all > 0 ? QString() : QStringLiteral("no sample is of this stage");
}

SampledCode placeSamples(const protocol::SampleResult &result, const Disassembly &code)
{
    SampledCode placed;
    placed.sections.resize(code.sections.size());
    for (const protocol::SampledKernel &kernel : result.kernels) {
        const auto section = std::ranges::find(code.sections, QString::fromStdString(kernel.entry), &CodeSection::name);
        QHash<quint64, PlaceSamples> found;
        for (const protocol::SampledInstruction &instruction : kernel.instructions) {
            found[static_cast<quint64>(instruction.address)].add(instruction);
            placed.total.add(instruction);
        }
        if (section != code.sections.end()) {
            auto &own = placed.sections[section - code.sections.begin()];
            for (const Instruction &instruction : section->instructions) {
                if (const auto samples = found.constFind(instruction.address); samples != found.cend())
                    own[instruction.address].add(*samples);
                found.remove(instruction.address);
            }
        }
        for (const PlaceSamples &samples : std::as_const(found))
            placed.elsewhere.add(samples);
    }
    return placed;
}

QMap<int, PlaceSamples> samplesByLine(const SampledCode &samples, const Disassembly &code, const QString &file)
{
    QMap<int, PlaceSamples> lines;
    for (qsizetype i = 0; i < code.sections.size(); ++i) {
        const QHash<quint64, PlaceSamples> &placed = samples.sections.at(i);
        for (const Instruction &instruction : code.sections.at(i).instructions) {
            if (const auto found = placed.constFind(instruction.address); found != placed.cend())
                lines[lineIn(instruction.places, file)].add(*found);
        }
    }
    if (samples.elsewhere.all > 0)
        lines[0].add(samples.elsewhere);
    return lines;
}

} // namespace stagecraft::run
