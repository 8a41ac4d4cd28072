// SPDX-License-Identifier: GPL-3.0-or-later
#include "shortageparts.h"

#include <array>

namespace stagecraft::evidence {

namespace {

constexpr double threadsPerWarp = 32;
constexpr qsizetype leastFigures = 2, mostFigures = 3;
constexpr double notableConflicts = 0.05; // of the wavefronts; what fewer cost is below the margin

struct LimitWords
{
    const char *id, *name;
    const char *lack; // what a kernel at this limit is short of
};
// In the order of Limit.
constexpr std::array<LimitWords, static_cast<std::size_t>(Limit::Undecided) + 1> limitWords{{
    {"issue-slots", "issue slots", "issue slots"},
    {"load-store-unit", "load/store unit", "instruction slots of the load/store unit"},
    {"shared-bandwidth", "shared/L1 bandwidth", "shared memory and L1 bandwidth"},
    {"fma-pipe", "FMA pipe", "the FMA pipe"},
    {"alu-pipe", "ALU pipe", "the ALU pipe"},
    {"xu-pipe", "XU pipe", "the XU pipe (special functions)"},
    {"tensor-pipe", "tensor pipe", "the tensor pipe"},
    {"l2-bandwidth", "L2 bandwidth", "L2 bandwidth"},
    {"dram-bandwidth", "DRAM bandwidth", "DRAM bandwidth"},
    {"resident-warps", "resident warps", "resident warps that hide latency"},
    {"latency", "latency", "warps that can issue (latency)"},
    {"launch-ramp", "launch ramp", "work after its launch (launch ramp)"},
    {"tail", "tail of the last wave", "blocks for all SMs (tail of the last wave)"},
    {"not-decided", "not decided", ""},
}};

const LimitWords &wordsOf(Limit limit)
{
    return limitWords[static_cast<std::size_t>(limit)];
}

QString twoDigits(double value)
{
    return QString::number(value, 'f', 2);
}

// One kernel's figures, the telling ones first.
class Figures
{
public:
    Figures(const Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts)
        : m_answer(answer), m_kernel(kernel), m_facts(facts)
    {
    }

    QStringList list()
    {
        if (m_answer.limit == Limit::LaunchRamp)
            addRamp();
        else if (m_answer.limit == Limit::Tail)
            addTail();
        else if (m_answer.limit == Limit::ResidentWarps || m_answer.limit == Limit::Latency)
            addLatency();
        else
            addUnit();
        if (m_list.size() < leastFigures)
            addDivision();
        return m_list.mid(0, mostFigures);
    }

private:
    void add(const QString &figure)
    {
        if (!figure.isEmpty())
            m_list.append(figure);
    }

    // How the time divides, which the counters of every answer say.
    void addDivision()
    {
        const bool ofTime = m_answer.limit == Limit::LaunchRamp || m_answer.limit == Limit::Tail;
        add(ofTime ? QStringLiteral("its busiest unit works for %1 of the time")
                         .arg(percentText(m_answer.busyPercent.value_or(0)))
                   : QStringLiteral("its warps only wait for %1 of the time")
                         .arg(percentText(m_answer.waitingPercent.value_or(0))));
    }

    // A smaller one than the rule believes is one reason among several.
    QString stallWords() const
    {
        if (m_answer.stalls.isEmpty() || m_answer.stalls.first().percent < kStallPercent)
            return {};
        const Stall &stall = m_answer.stalls.first();
        return QStringLiteral("warps wait most for %1 (%2 of their time)")
            .arg(stall.reason, percentText(stall.percent));
    }

    void addUnit()
    {
        const UnitUse &use = *useOf(m_answer.units, m_answer.limit);
        add(useWords(use));
        if (m_answer.limit == Limit::LoadStoreUnit)
            add(sharedLoadWords());
        else if (m_answer.limit == Limit::SharedBandwidth)
            add(wavefrontWords());
        else if (m_answer.limit == Limit::L2Bandwidth || m_answer.limit == Limit::DramBandwidth)
            add(hitRateWords());
        else if (m_answer.limit == Limit::TensorPipe)
            add(tensorWords());
        else if (m_answer.limit == Limit::IssueSlots || m_answer.limit == Limit::FmaPipe)
            add(multiplyAddWords());
        if (use.level().value_or(0) < kSaturatedPercent)
            add(stallWords());
    }

    // The figure, and where it is below what the rule calls busy the one that is not.
    QString useWords(const UnitUse &use) const
    {
        const QString words = levelWords(use);
        return use.level().value_or(0) >= kBusyPercent
                   ? words
                   : QStringLiteral("%1, %2 while SMs hold warps")
                         .arg(words, percentText(whileActive(use, timeShares(m_kernel, m_facts))));
    }

    // "5673.1 GB/s, 91.1 % of the fastest copy", or "75.3 % of its peak".
    QString levelWords(const UnitUse &use) const
    {
        if (!use.ofMeasured || use.level() != use.ofMeasured)
            return QStringLiteral("at %1 of peak").arg(percentText(use.level().value_or(0)));
        const bool isL2 = use.unit == Limit::L2Bandwidth;
        const double rate = *use.ofMeasured * (isL2 ? m_facts.l2Rate : m_facts.dramRate).value_or(0) / 100;
        return QStringLiteral("%1 GB/s, %2 of what the fastest copy or read reaches")
            .arg(QString::number(rate, 'f', 0), percentText(*use.ofMeasured));
    }

    QString sharedLoadWords() const
    {
        const auto loads = sharedLoads(m_kernel);
        const auto adds = counted(m_kernel, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
        if (!loads || !adds || !(*adds > 0) || !(loads->count > 0))
            return {};
        return QStringLiteral("%1 shared loads per multiply-add").arg(twoDigits(loads->count * threadsPerWarp / *adds));
    }

    QString wavefrontWords() const
    {
        const auto fronts = counted(m_kernel, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
                   conflicts = counted(m_kernel, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
        const auto loads = sharedLoads(m_kernel);
        if (!fronts || !loads || !(loads->count > 0) || !(*fronts > 0))
            return {};
        const auto adds = counted(m_kernel, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
        QString words = QStringLiteral("%1 wavefronts per shared load").arg(twoDigits(*fronts / loads->count));
        if (adds && *adds > 0)
            words += QStringLiteral(" (%1 per multiply-add)").arg(twoDigits(*fronts * threadsPerWarp / *adds));
        return conflicts ? words + conflictWords(*conflicts, *fronts) : words;
    }

    static QString conflictWords(double conflicts, double fronts)
    {
        const QString words = QStringLiteral(", %1 of them bank conflicts").arg(percentText(100 * conflicts / fronts));
        if (conflicts < notableConflicts * fronts || conflicts >= fronts)
            return words;
        return words +
               QStringLiteral(", which make them %1 times as many").arg(twoDigits(fronts / (fronts - conflicts)));
    }

    QString tensorWords() const
    {
        const auto tensor = counted(m_kernel, "sm__inst_executed_pipe_tensor.sum"),
                   all = counted(m_kernel, "smsp__inst_executed.sum");
        if (!tensor || !all || !(*all > 0))
            return {};
        return QStringLiteral("tensor instructions are %1 of all instructions").arg(percentText(100 * *tensor / *all));
    }

    QString multiplyAddWords() const
    {
        const auto adds = counted(m_kernel, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
                   all = counted(m_kernel, "smsp__inst_executed.sum");
        if (!adds || !all || !(*all > 0))
            return {};
        return QStringLiteral("multiply-adds are %1 of all instructions")
            .arg(percentText(100 * *adds / threadsPerWarp / *all));
    }

    QString hitRateWords() const
    {
        const auto rate = counted(m_kernel, "lts__t_sector_hit_rate.pct");
        if (!rate)
            return {};
        const QString words = QStringLiteral("L2 hit rate %1").arg(percentText(*rate));
        return *rate <= 100 ? words
                            : words + QStringLiteral(" (more than 100: its two counts need not be of one pass)");
    }

    void addLatency()
    {
        if (const auto eligible = counted(m_kernel, "smsp__warps_eligible.avg.per_cycle_active"))
            add(QStringLiteral("%1 warps per scheduler and clock could issue").arg(twoDigits(*eligible)));
        add(stallWords());
        if (const auto resident = counted(m_kernel, "sm__warps_active.avg.pct_of_peak_sustained_active"))
            add(QStringLiteral("%1 of an SM's warps are resident").arg(percentText(*resident)) + gridWords());
    }

    // Residency that the grid cannot give is not the kernel's.
    QString gridWords() const
    {
        return m_facts.blocks && m_facts.sms && *m_facts.blocks < *m_facts.sms
                   ? QStringLiteral(", with blocks for %1 of %2 SMs").arg(*m_facts.blocks).arg(*m_facts.sms)
                   : QString();
    }

    void addRamp()
    {
        add(QStringLiteral("an empty kernel takes %1 of its %2 µs (%3 of its time)")
                .arg(twoDigits(m_facts.emptyKernelUs.value_or(0)),
                     twoDigits(m_facts.kernelUs ? *m_facts.kernelUs : countedUs(m_kernel).value_or(0)),
                     percentText(m_answer.rampPercent.value_or(0))));
    }

    void addTail()
    {
        add(QStringLiteral("SMs hold no warp for %1 of the time, launch left out")
                .arg(percentText(m_answer.tailPercent.value_or(0))));
        if (m_facts.blocks && m_facts.sms && *m_facts.blocks < *m_facts.sms)
            add(QStringLiteral("%1 blocks for %2 SMs").arg(*m_facts.blocks).arg(*m_facts.sms));
        else if (m_facts.waves)
            add(QStringLiteral("the grid is %1 waves").arg(twoDigits(*m_facts.waves)));
    }

    const Shortage &m_answer;
    const CountedKernel &m_kernel;
    const KernelFacts &m_facts;
    QStringList m_list;
};

// Bytes of the counted run that the timed one cannot have moved. A replay finds less in the L2 than the timed rounds
// leave there, so DRAM's rate is no use of it where not even the time in which SMs held warps has room for it.
QStringList rateRemarks(const Shortage &answer, const Shares &shares)
{
    QStringList remarks;
    const UnitUse *l2 = useOf(answer.units, Limit::L2Bandwidth), *dram = useOf(answer.units, Limit::DramBandwidth);
    if (l2 && l2->ofMeasured && *l2->ofMeasured > kBelievedRatePercent)
        remarks.append(
            QStringLiteral("The L2 moved more bytes than a copy can in that time: traffic of its own is among "
                           "them, and the rate is left out."));
    if (dram && dram->ofMeasured && *dram->ofMeasured > kBelievedRatePercent * shares.working / 100)
        remarks.append(QStringLiteral("Under counters DRAM moved more bytes than a copy can while SMs hold warps: that "
                                      "run read from memory what the timed one finds in the L2%1.")
                           .arg(*dram->ofMeasured > kBelievedRatePercent ? QStringLiteral(", and the rate is left out")
                                                                         : QString()));
    return remarks;
}

} // namespace

QString limitId(Limit limit)
{
    return QLatin1String(wordsOf(limit).id);
}

QString limitName(Limit limit)
{
    return QLatin1String(wordsOf(limit).name);
}

QString percentText(double percent)
{
    return QString::number(percent, 'f', 1) + QStringLiteral(" %");
}

QStringList shortageFigures(const Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts)
{
    return Figures(answer, kernel, facts).list();
}

QStringList shortageRemarks(const Shortage &answer, const CountedKernel &kernel, const KernelFacts &facts)
{
    QStringList remarks;
    const auto counting = countedUs(kernel);
    if (!facts.kernelUs)
        remarks.append(QStringLiteral("Its kernel time is not known; that under counters stands for it."));
    else if (counting && *counting >= kSlowerRun * *facts.kernelUs)
        remarks.append(
            QStringLiteral("Under counters it took %1 times its kernel time, so percentages of peak are lower "
                           "than in the timed run.")
                .arg(twoDigits(*counting / *facts.kernelUs)));
    const bool ofLoads = answer.limit == Limit::LoadStoreUnit || answer.limit == Limit::SharedBandwidth;
    if (const auto loads = sharedLoads(kernel); ofLoads && loads && loads->withEmptyOnes)
        remarks.append(QStringLiteral("Its shared loads were counted with those that are predicated off."));
    return remarks + rateRemarks(answer, timeShares(kernel, facts));
}

QString shortageSentence(const Shortage &answer)
{
    QStringList sentences;
    if (answer.limit == Limit::Undecided) {
        sentences.append(QStringLiteral("Not decided: %1.").arg(answer.reason));
    } else {
        QString sentence =
            QStringLiteral("Short of %1: %2")
                .arg(QString::fromUtf8(wordsOf(answer.limit).lack), answer.figures.join(QStringLiteral("; ")));
        if (answer.next && answer.marginPoints)
            sentence += QStringLiteral("; next: %1, %2 points below")
                            .arg(limitName(*answer.next), QString::number(*answer.marginPoints, 'f', 1));
        sentences.append(sentence + QLatin1Char('.'));
    }
    return (sentences + answer.remarks).join(QLatin1Char(' '));
}

} // namespace stagecraft::evidence
