// SPDX-License-Identifier: GPL-3.0-or-later
#include "messageevidence.h"

#include "measurementtext.h"
#include "publictext.h"

namespace stagecraft::run {

evidence::KernelRecord kernelRecord(const protocol::KernelRecord &record)
{
    return {QString::fromStdString(record.kernelName),
            record.durationUs,
            extentsText(record.grid),
            extentsText(record.block),
            record.registersPerThread,
            record.sharedMemBytes,
            record.iteration};
}

evidence::Correctness correctness(const protocol::CheckResult &check)
{
    evidence::Correctness result;
    result.passed = check.passed;
    result.maxAbsError = check.maxAbsError;
    result.relError = check.relError;
    result.rtol = check.rtol;
    result.atol = check.atol;
    result.checkedElements = check.checkedElements;
    result.reference = publicText(check.reference);
    return result;
}

evidence::CountedKernel countedKernel(const protocol::CountedKernel &kernel)
{
    evidence::CountedKernel counted{QString::fromStdString(kernel.kernelName),
                                    extentsText(kernel.grid),
                                    extentsText(kernel.block),
                                    kernel.registersPerThread,
                                    kernel.sharedMemBytes,
                                    {}};
    for (const auto &[metric, value] : kernel.values)
        counted.values.insert(QString::fromStdString(metric), value);
    return counted;
}

} // namespace stagecraft::run
