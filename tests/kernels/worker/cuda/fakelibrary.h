// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakecuda.h"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <sstream>
#include <string>

// What the made-up libraries share: they ask the made-up libcuda that is in the process, and read column-major or
// row-major matrices out of its device memory, which is host memory.
namespace fakelibrary {

template <typename Function>
Function *ofLibcuda(const char *name)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    auto function = library ? reinterpret_cast<Function *>(dlsym(library, name)) : nullptr;
    if (!function)
        std::abort(); // a made-up library beside a real driver
    return function;
}

// "cublasSgemm 3 4 5"
template <typename... Words>
void note(const Words &...words)
{
    std::ostringstream line;
    const char *gap = "";
    ((line << gap << words, gap = " "), ...);
    ofLibcuda<decltype(fakeCudaNote)>("fakeCudaNote")(line.str().c_str());
}

inline void launch(const char *kernel, double milliseconds)
{
    ofLibcuda<decltype(fakeCudaLaunch)>("fakeCudaLaunch")(kernel, milliseconds);
}

inline void arrays(const void *a, const void *b, const void *out)
{
    ofLibcuda<decltype(fakeCudaArrays)>("fakeCudaArrays")(a, b, out);
}

inline void count(int objects)
{
    ofLibcuda<decltype(fakeCudaCount)>("fakeCudaCount")(objects);
}

inline bool holds(const void *memory, std::int64_t bytes)
{
    return bytes >= 0 && ofLibcuda<decltype(fakeCudaHolds)>("fakeCudaHolds")(memory, static_cast<std::size_t>(bytes));
}

template <typename Object>
Object *made()
{
    count(1);
    return new Object;
}

template <typename Object>
void destroyed(Object *object)
{
    count(-1);
    delete object;
}

// A matrix of floats as a library is told of it: `ld` elements from one column to the next (row-major: row).
template <typename Float>
struct Matrix
{
    Float *values = nullptr;
    std::int64_t rows = 0, columns = 0, ld = 0;
    bool rowMajor = false;
    bool transposed = false; // read as its transpose; rows and columns are those that are stored

    // As a library checks its parameters, and that all of it lies in device memory.
    bool sound() const
    {
        const std::int64_t inner = rowMajor ? columns : rows, outer = rowMajor ? rows : columns;
        return rows > 0 && columns > 0 && ld >= inner &&
               holds(values, ((outer - 1) * ld + inner) * std::int64_t{sizeof(float)});
    }

    Float &at(std::int64_t row, std::int64_t column) const
    {
        return transposed != rowMajor ? values[column + row * ld] : values[row + column * ld];
    }
};

// c = a·b, where c has the sizes and `depth` is the length of the sums.
inline void multiply(const Matrix<const float> &a, const Matrix<const float> &b, const Matrix<float> &c,
                     std::int64_t depth)
{
    for (std::int64_t column = 0; column < c.columns; ++column) {
        for (std::int64_t row = 0; row < c.rows; ++row) {
            double sum = 0;
            for (std::int64_t i = 0; i < depth; ++i)
                sum += double(a.at(row, i)) * double(b.at(i, column));
            c.at(row, column) = static_cast<float>(sum);
        }
    }
}

} // namespace fakelibrary
