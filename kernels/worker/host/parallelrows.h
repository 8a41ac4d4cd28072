// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#ifdef _OPENMP
#include <omp.h>
#endif

// OpenMP behind one function. Eigen's own use of it is off (EIGEN_DONT_PARALLELIZE), since it covers matrix products
// only and its inline functions differ from those of a library built without.
namespace stagecraft::worker {

inline int threadCount()
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

// Calls work(first, count, thread) for parts that together are [0, rows), at most `threads` of them, each on a thread
// of its own; `thread` is below `threads`. `work` must not throw.
template <class Work>
void parallelRows(int threads, std::int64_t rows, const Work &work)
{
    const std::int64_t parts = std::min<std::int64_t>(threads, rows);
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(parts)) if (parts > 1)
    for (std::int64_t part = 0; part < parts; ++part) {
        const auto first = rows * part / parts;
        work(first, rows * (part + 1) / parts - first, static_cast<std::size_t>(part));
    }
}

} // namespace stagecraft::worker
