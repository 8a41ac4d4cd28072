// SPDX-License-Identifier: GPL-3.0-or-later
#include "shortageparts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft::evidence {

namespace {

struct Share
{
    Limit limit = Limit::Undecided;
    double percent = 0; // of the kernel time
};

bool isPipe(Limit limit)
{
    return limit == Limit::LoadStoreUnit || limit == Limit::FmaPipe || limit == Limit::AluPipe ||
           limit == Limit::XuPipe || limit == Limit::TensorPipe;
}

// Full queues at a unit, not latency: where no unit is busy enough, it is used in bursts.
bool isThrottle(const Stall &stall)
{
    return stall.reason.endsWith(QLatin1String("throttle"));
}

double levelOf(const QList<UnitUse> &units, Limit limit)
{
    const UnitUse *use = useOf(units, limit);
    return use ? use->level().value_or(0) : 0;
}

// Wavefronts of shared memory per instruction that asks for them; nullopt where there are none.
std::optional<double> wavefronts(const CountedKernel &kernel)
{
    double fronts = 0, instructions = 0;
    for (const char *metric : {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                               "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"})
        fronts += counted(kernel, metric).value_or(0);
    instructions += sharedLoads(kernel).value_or(SharedLoads{}).count;
    instructions += counted(kernel, "smsp__inst_executed_op_shared_st.sum").value_or(0);
    return instructions > 0 ? std::optional(fronts / instructions) : std::nullopt;
}

class Decision
{
public:
    Decision(Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts, const Shares &shares)
        : m_answer(answer), m_kernel(kernel), m_facts(facts), m_shares(shares), m_units(answer.units)
    {
        // Of units that fill all the time that there is, the one that is busier by its peak comes first.
        std::ranges::stable_sort(m_units, std::greater(), [&shares](const UnitUse &use) {
            return std::pair(busyShare(use, shares), use.level().value_or(0));
        });
    }

    void run()
    {
        if (const QString lack = lacking(); !lack.isEmpty())
            return refuse(lack);
        m_leader = leadingUnit();
        const QList<Share> shares = sharesOfTime();
        const Share first = shares.first(), second = shares[1];
        m_answer.next = second.limit;
        m_answer.marginPoints = first.percent - second.percent;
        if (*m_answer.marginPoints < kMarginPoints)
            return refuse(nearWords(shareWords(first), shareWords(second)));
        if (first.limit == m_leader)
            answerUnit();
        else if (first.limit == Limit::Tail && !m_shares.ramp)
            refuse(QStringLiteral("SMs hold no warp for %1 of the time, and how much of that is the launch is not "
                                  "known: the time of an empty kernel was not measured")
                       .arg(percentText(first.percent)));
        else if (first.limit == Limit::LaunchRamp || first.limit == Limit::Tail || latencyIsTheCause())
            accept(first.limit);
        else
            refuse(nothingStandsOut());
    }

private:
    void refuse(const QString &reason)
    {
        m_answer.limit = Limit::Undecided;
        m_answer.reason = reason;
        m_answer.next.reset();
        m_answer.marginPoints.reset();
    }

    static QString nearWords(const QString &first, const QString &second)
    {
        return QStringLiteral("%1 and %2 are within %3 points of each other").arg(first, second).arg(kMarginPoints);
    }

    static QString shareWords(const Share &share)
    {
        return QStringLiteral("%1 (%2 of the time)").arg(limitName(share.limit), percentText(share.percent));
    }

    QString levelWords(Limit limit) const
    {
        return QStringLiteral("%1 (at %2)").arg(limitName(limit), percentText(levelOf(m_units, limit)));
    }

    // A unit of which nothing is known could be the answer, unless another one is at its limit.
    QString lacking() const
    {
        if (m_units.isEmpty())
            return QStringLiteral("no use of any unit was counted");
        QStringList unknown;
        for (int i = 0; i < kUnitCount; ++i)
            if (const Limit unit = static_cast<Limit>(i); !useOf(m_units, unit))
                unknown.append(limitName(unit));
        if (unknown.isEmpty() || whileActive(m_units.first(), m_shares) >= kSaturatedPercent)
            return {};
        return QStringLiteral("metrics are lacking: nothing is known of %1, and no other unit is at its limit")
            .arg(unknown.join(QStringLiteral(", ")));
    }

    // The busiest one. Issue slots that are filled by one pipe's instructions are not short for themselves; and the
    // load/store unit is asked for its instructions or for their wavefronts, which their ratio tells apart.
    Limit leadingUnit() const
    {
        const auto isNear = [&](Limit limit) {
            return m_units.first().level().value_or(0) - levelOf(m_units, limit) < kMarginPoints;
        };
        const Limit first = m_units.first().unit;
        if (first == Limit::IssueSlots)
            for (const UnitUse &use : m_units)
                if (isPipe(use.unit) && isNear(use.unit))
                    return use.unit == Limit::LoadStoreUnit ? loadStorePart() : use.unit;
        if ((first == Limit::LoadStoreUnit && isNear(Limit::SharedBandwidth)) ||
            (first == Limit::SharedBandwidth && isNear(Limit::LoadStoreUnit)))
            return loadStorePart();
        return first;
    }

    Limit loadStorePart() const
    {
        const bool wide = wavefronts(m_kernel).value_or(0) >= kWideWavefronts;
        return wide && useOf(m_units, Limit::SharedBandwidth) ? Limit::SharedBandwidth : Limit::LoadStoreUnit;
    }

    // How far the leader is before another unit, in points.
    struct Lead
    {
        double ofShares = 0, ofLevels = 0; // of the time; of the peaks
        double least() const { return std::min(ofShares, ofLevels); }
    };
    Lead leadBefore(const UnitUse &other) const
    {
        return {busyShare(*useOf(m_units, m_leader), m_shares) - busyShare(other, m_shares),
                levelOf(m_units, m_leader) - levelOf(m_units, other.unit)};
    }

    // Within the margin its demand is part of the leader's, or the other way round: no limit of its own.
    bool isKin(const UnitUse &other) const
    {
        const bool loads = (m_leader == Limit::LoadStoreUnit && other.unit == Limit::SharedBandwidth) ||
                           (m_leader == Limit::SharedBandwidth && other.unit == Limit::LoadStoreUnit);
        const bool isRelated = loads || (isPipe(m_leader) && other.unit == Limit::IssueSlots);
        return isRelated && leadBefore(other).least() < kMarginPoints;
    }

    // Largest first. Where the launch is not known apart, all the time without warps stands as the tail.
    QList<Share> sharesOfTime() const
    {
        QList<Share> shares{{m_leader, m_answer.busyPercent.value_or(0)},
                            {latencyKind(), m_answer.waitingPercent.value_or(0)},
                            {Limit::LaunchRamp, m_shares.ramp.value_or(0)},
                            {Limit::Tail, m_shares.ramp ? m_shares.tail.value_or(0) : m_shares.idle.value_or(0)}};
        std::ranges::stable_sort(shares, std::greater(), &Share::percent);
        return shares;
    }

    bool latencyIsTheCause() const
    {
        const auto eligible = counted(m_kernel, "smsp__warps_eligible.avg.per_cycle_active");
        return eligible && *eligible < kEligibleWarps && !m_answer.stalls.isEmpty() &&
               m_answer.stalls.first().percent >= kStallPercent && !isThrottle(m_answer.stalls.first());
    }

    Limit latencyKind() const
    {
        const auto resident = counted(m_kernel, "sm__warps_active.avg.pct_of_peak_sustained_active");
        return resident && *resident < kFewWarpsPercent ? Limit::ResidentWarps : Limit::Latency;
    }

    QString nothingStandsOut() const
    {
        const QString busiest =
            QStringLiteral("no unit is busy for %1 of the time that SMs hold warps, the busiest is %2")
                .arg(percentText(kBusyPercent), levelWords(m_leader));
        if (m_answer.stalls.isEmpty())
            return busiest + QStringLiteral(", and why warps wait was not counted");
        const Stall &stall = m_answer.stalls.first();
        if (stall.percent < kStallPercent)
            return QStringLiteral("%1, and no reason to wait stands out (most: %2, %3 of the warps' time)")
                .arg(busiest, stall.reason, percentText(stall.percent));
        if (isThrottle(stall)) // of the math pipe there is no queue
            return QStringLiteral("%1, and warps wait most for %2 (%3, %4 of their time): a unit is used in bursts")
                .arg(busiest,
                     stall.reason.startsWith(QLatin1String("math")) ? QStringLiteral("a busy pipe")
                                                                    : QStringLiteral("a full queue"),
                     stall.reason, percentText(stall.percent));
        return busiest + QStringLiteral(", and schedulers find a warp that can issue");
    }

    void answerUnit()
    {
        if (whileActive(*useOf(m_units, m_leader), m_shares) < kBusyPercent)
            return refuse(nothingStandsOut());
        if (const UnitUse *other = nearestUnit()) {
            const Lead lead = leadBefore(*other);
            if (lead.least() < kMarginPoints)
                return refuse(unitsAreNear(*other, lead));
            m_answer.next = other->unit;
            m_answer.marginPoints = lead.ofLevels;
        }
        accept(m_leader);
    }

    // Before which the leader leads least, by either figure; nullptr where all others are its kin.
    const UnitUse *nearestUnit() const
    {
        const UnitUse *nearest = nullptr;
        for (const UnitUse &use : m_units)
            if (use.unit != m_leader && !isKin(use) &&
                (!nearest || leadBefore(use).least() < leadBefore(*nearest).least()))
                nearest = &use;
        return nearest;
    }

    // By the figures that are near, percentages of peak or of the time. Where the two put the units in different orders
    // neither need be near: then both stand there.
    QString unitsAreNear(const UnitUse &other, const Lead &lead) const
    {
        const UnitUse &leader = *useOf(m_units, m_leader);
        const double levelsApart = std::abs(lead.ofLevels), sharesApart = std::abs(lead.ofShares);
        if (levelsApart <= sharesApart && levelsApart < kMarginPoints)
            return nearWords(levelWords(m_leader), levelWords(other.unit));
        const auto share = [this](const UnitUse &use) { return shareWords({use.unit, busyShare(use, m_shares)}); };
        if (sharesApart < kMarginPoints)
            return nearWords(share(leader), share(other));
        return QStringLiteral("%1 does not lead %2 by both figures").arg(bothWords(leader), bothWords(other));
    }

    QString bothWords(const UnitUse &use) const
    {
        return QStringLiteral("%1 (%2 of the time, at %3)")
            .arg(limitName(use.unit), percentText(busyShare(use, m_shares)), percentText(use.level().value_or(0)));
    }

    void accept(Limit limit)
    {
        m_answer.limit = limit;
        m_answer.figures = shortageFigures(m_answer, m_kernel, m_facts);
    }

    Shortage &m_answer;
    const CountedKernel &m_kernel;
    const KernelFacts &m_facts;
    const Shares &m_shares;
    QList<UnitUse> m_units; // busiest first
    Limit m_leader = Limit::Undecided;
};

} // namespace

const UnitUse *useOf(const QList<UnitUse> &units, Limit limit)
{
    const auto found = std::ranges::find(units, limit, &UnitUse::unit);
    return found == units.end() ? nullptr : &*found;
}

void decide(Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts, const Shares &shares)
{
    Decision(answer, kernel, facts, shares).run();
}

} // namespace stagecraft::evidence
