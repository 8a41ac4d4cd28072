// SPDX-License-Identifier: MIT
#include "cuptivariants.h"

namespace stagecraft::capture {

#ifdef STAGECRAFT_HAS_CUPTI12
std::unique_ptr<CuptiSession> openCupti12(const SharedLibrary &library);
std::unique_ptr<CounterProfiler> openCounters12(const SharedLibrary &library);
std::unique_ptr<PcSampler> openSampler12(const SharedLibrary &library);
#endif
#ifdef STAGECRAFT_HAS_CUPTI13
std::unique_ptr<CuptiSession> openCupti13(const SharedLibrary &library);
std::unique_ptr<CounterProfiler> openCounters13(const SharedLibrary &library);
std::unique_ptr<PcSampler> openSampler13(const SharedLibrary &library);
#endif

const std::vector<CuptiVariant> &builtVariants()
{
    static const std::vector<CuptiVariant> variants{
#ifdef STAGECRAFT_HAS_CUPTI12
        {12, openCupti12, openCounters12, openSampler12},
#endif
#ifdef STAGECRAFT_HAS_CUPTI13
        {13, openCupti13, openCounters13, openSampler13},
#endif
    };
    return variants;
}

int cudaMajorOfCupti(std::uint32_t version)
{
    if (version >= 120000)
        return static_cast<int>(version / 10000);
    return version >= 19 && version < 100 ? 12 : 0;
}

} // namespace stagecraft::capture
