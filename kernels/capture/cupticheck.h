// SPDX-License-Identifier: MIT
#pragma once

#include "cuptikernel.h"
#include "cuptirefusal.h"
#include "sharedlibrary.h"
#include "surroundings.h"

#include <cupti_result.h>

// How the per-major sources call CUPTI: through tables of functions that are looked up in the library at hand, each
// call checked. For those sources only.
namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE {

template <typename Function>
void bindCupti(const SharedLibrary &library, Function *&function, const char *name)
{
    if (!library.bind(function, name))
        throw CaptureError({library.path() + " has no " + name, "install the CUPTI of CUDA 12 or 13"});
}

// CUPTI's own name of a result.
inline std::string resultName(CUptiResult (*nameOf)(CUptiResult, const char **), CUptiResult result)
{
    const char *name = nullptr;
    return nameOf(result, &name) == CUPTI_SUCCESS && name ? name : "an unknown error";
}

// Of what takes hardware counters or samples, or reads them.
template <typename Table>
[[noreturn]] void refuse(const Table &cupti, CUptiResult result, const char *call)
{
    throw CaptureError(explainCounterRefusal(static_cast<int>(result), resultName(cupti.cuptiGetResultString, result),
                                             call, surroundings()));
}

} // namespace stagecraft::capture::STAGECRAFT_CUPTI_NAMESPACE

// Defines a struct with a member for each function of the list. The names stand once; the types are the headers'.
#define STAGECRAFT_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
#define STAGECRAFT_CUPTI_BIND(function) bindCupti(library, this->function, #function);
#define STAGECRAFT_CUPTI_TABLE(Table, FUNCTIONS)                                                                       \
    struct Table                                                                                                       \
    {                                                                                                                  \
        FUNCTIONS(STAGECRAFT_CUPTI_MEMBER)                                                                             \
        explicit Table(const SharedLibrary &library) { FUNCTIONS(STAGECRAFT_CUPTI_BIND) }                              \
    };

// The one check of CUPTI calls, where m_cupti is a table: the function of the table, its arguments. The source of what
// needs no hardware counters has a refuse(table, result, call) of its own.
#define STAGECRAFT_CUPTI_CHECK(function, ...)                                                                          \
    do {                                                                                                               \
        const CUptiResult checkedResult = m_cupti.function(__VA_ARGS__);                                               \
        if (checkedResult != CUPTI_SUCCESS)                                                                            \
            refuse(m_cupti, checkedResult, #function);                                                                 \
    } while (false)
