// SPDX-License-Identifier: MIT
#include "hostkernel.h"

#include "parallelrows.h"

#include <array>
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <limits>
#include <memory>
#include <numbers>

namespace stagecraft::worker {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::Array<float, 1, Eigen::Dynamic>;
using View = Eigen::Map<Matrix>;
using ConstView = Eigen::Map<const Matrix>;
using ConstRow = Eigen::Map<const Row>;
using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
using Sparse = Eigen::Map<const Eigen::SparseMatrix<float, Eigen::RowMajor, int>>;

constexpr float epsilon = 1e-5F; // of layernorm

// Roughly, in multiply-adds.
double workOf(const std::string &operation, const operations::Dims &dims)
{
    const auto dim = [&dims](std::size_t i) { return static_cast<double>(dims[i]); };
    if (operation == "matmul")
        return dim(0) * dim(1) * dim(2);
    if (operation == "triangle")
        return dim(0) * dim(0) * dim(0) * dim(1);
    if (operation == "neighbor")
        return (dim(0) + dim(2)) * dim(1);
    return dim(0) * dim(1) * 8;
}

// A thread is worth its start from some tens of microseconds of work on.
int threadsFor(double work)
{
    constexpr double perThread = 1 << 17;
    return static_cast<int>(std::clamp(work / perThread, 1.0, static_cast<double>(threadCount())));
}

} // namespace

HostKernel::HostKernel(operations::InputSet inputs)
    : m_inputs(std::move(inputs)), m_threads(threadsFor(workOf(m_inputs.operation, m_inputs.dims)))
{
    const auto &operation = *operations::findOperation(m_inputs.operation);
    m_output.resize(static_cast<std::size_t>(operations::outputElements(operation, m_inputs.dims)));
    if (operation.id == "matmul")
        m_run = matmul();
    else if (operation.id == "gelu")
        m_run = gelu();
    else if (operation.id == "layernorm")
        m_run = layernorm();
    else if (operation.id == "triangle")
        m_run = triangle();
    else
        m_run = neighbor();
}

std::string HostKernel::library(int threads)
{
    return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION) + ", " + Eigen::SimdInstructionSetsInUse() + ", " +
           std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::function<void()> HostKernel::matmul()
{
    return [this, m = m_inputs.dims[0], n = m_inputs.dims[1], k = m_inputs.dims[2]] {
        const ConstView a(m_inputs.a.data(), m, k), b(m_inputs.b.data(), k, n);
        View out(m_output.data(), m, n);
        parallelRows(m_threads, m, [&](auto first, auto count, auto) {
            out.middleRows(first, count).noalias() = a.middleRows(first, count) * b;
        });
    };
}

std::function<void()> HostKernel::gelu()
{
    return
        [this, rows = m_inputs.dims[0], width = m_inputs.dims[1], factor = std::sqrt(2 / std::numbers::pi_v<float>)] {
            const ConstRow bias(m_inputs.b.data(), width);
            parallelRows(m_threads, rows, [&](auto first, auto count, auto) {
                for (auto row = first; row < first + count; ++row) {
                    const auto x = ConstRow(m_inputs.a.data() + row * width, width) + bias;
                    Eigen::Map<Row>(m_output.data() + row * width, width) =
                        0.5F * x * (1 + (factor * (x + 0.044715F * x.cube())).tanh());
                }
            });
        };
}

std::function<void()> HostKernel::layernorm()
{
    return [this, rows = m_inputs.dims[0], width = m_inputs.dims[1]] {
        const ConstRow scale(m_inputs.b.data(), width), bias(m_inputs.c.data(), width);
        parallelRows(m_threads, rows, [&](auto first, auto count, auto) {
            for (auto row = first; row < first + count; ++row) {
                const ConstRow x(m_inputs.a.data() + row * width, width);
                const float mean = x.mean();
                const float factor = 1 / std::sqrt((x - mean).square().mean() + epsilon);
                Eigen::Map<Row>(m_output.data() + row * width, width) = (x - mean) * factor * scale + bias;
            }
        });
    };
}

// One matrix product per channel: out_c = a_c · b_cᵀ. The channel is the fastest dimension, so that each is gathered
// into a matrix of its own first; the memory for that is made here, not in the measured call.
std::function<void()> HostKernel::triangle()
{
    const auto n = m_inputs.dims[0], channels = m_inputs.dims[1];
    auto scratch = std::make_shared<std::vector<std::array<Matrix, 3>>>(static_cast<std::size_t>(m_threads));
    for (auto &matrices : *scratch)
        matrices.fill(Matrix(n, n));
    return [this, n, channels, scratch] {
        const Stride stride(n * channels, channels);
        parallelRows(m_threads, channels, [&](auto first, auto count, auto thread) {
            auto &[a, b, out] = (*scratch)[thread];
            for (auto channel = first; channel < first + count; ++channel) {
                a = Eigen::Map<const Matrix, 0, Stride>(m_inputs.a.data() + channel, n, n, stride);
                b = Eigen::Map<const Matrix, 0, Stride>(m_inputs.b.data() + channel, n, n, stride);
                out.noalias() = a * b.transpose();
                Eigen::Map<Matrix, 0, Stride>(m_output.data() + channel, n, n, stride) = out;
            }
        });
    };
}

std::function<void()> HostKernel::neighbor()
{
    const auto nodes = m_inputs.dims[0], width = m_inputs.dims[1], edges = m_inputs.dims[2];
    if (constexpr auto maximum = std::numeric_limits<int>::max(); nodes > maximum || edges > maximum)
        throw std::length_error("neighbor: nodes and edges above " + std::to_string(maximum) +
                                " are more than Eigen's sparse matrices can number");
    const auto copy = [](const std::vector<std::uint32_t> &values) {
        return std::make_shared<const std::vector<int>>(values.begin(), values.end());
    };
    return [this, nodes, width, edges, rowptr = copy(m_inputs.rowptr), indices = copy(m_inputs.indices)] {
        const ConstView a(m_inputs.a.data(), nodes, width);
        View out(m_output.data(), nodes, width);
        parallelRows(m_threads, nodes, [&](auto first, auto count, auto) {
            const Sparse weights(count, nodes, edges, rowptr->data() + first, indices->data(), m_inputs.b.data());
            out.middleRows(first, count).noalias() = weights * a;
        });
    };
}

} // namespace stagecraft::worker
