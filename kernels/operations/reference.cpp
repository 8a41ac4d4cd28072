// SPDX-License-Identifier: MIT
#include "reference.h"

#include <cmath>
#include <Eigen/Dense>
#include <limits>
#include <numbers>

namespace stagecraft::operations {

namespace {

using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatView = Eigen::Map<const FloatMatrix>;
using View = Eigen::Map<Matrix>;

constexpr double epsilon = 1e-5; // of layernorm

void matmul(const InputSet &in, std::vector<double> &out)
{
    const auto m = in.dims[0], n = in.dims[1], k = in.dims[2];
    View(out.data(), m, n).noalias() =
        FloatView(in.a.data(), m, k).cast<double>() * FloatView(in.b.data(), k, n).cast<double>();
}

// Bias + GELU in its tanh form (Hendrycks, Gimpel: Gaussian Error Linear Units, 2016).
void gelu(const InputSet &in, std::vector<double> &out)
{
    const auto rows = in.dims[0], width = in.dims[1];
    const Eigen::ArrayXXd bias = FloatView(in.b.data(), 1, width).cast<double>();
    const double factor = std::sqrt(2 / std::numbers::pi);
    for (Eigen::Index row = 0; row < rows; ++row) {
        const Eigen::ArrayXXd x = FloatView(in.a.data() + row * width, 1, width).cast<double>().array() + bias;
        View(out.data() + row * width, 1, width) = 0.5 * x * (1 + (factor * (x + 0.044715 * x.cube())).tanh());
    }
}

void layernorm(const InputSet &in, std::vector<double> &out)
{
    const auto rows = in.dims[0], width = in.dims[1];
    const Eigen::ArrayXXd scale = FloatView(in.b.data(), 1, width).cast<double>();
    const Eigen::ArrayXXd bias = FloatView(in.c.data(), 1, width).cast<double>();
    for (Eigen::Index row = 0; row < rows; ++row) {
        const Eigen::ArrayXXd x = FloatView(in.a.data() + row * width, 1, width).cast<double>();
        const Eigen::ArrayXXd centred = x - x.mean();
        const double deviation = std::sqrt(centred.square().mean() + epsilon);
        View(out.data() + row * width, 1, width) = centred / deviation * scale + bias;
    }
}

// One matrix product per channel: out_c = a_c · b_cᵀ.
void triangle(const InputSet &in, std::vector<double> &out)
{
    using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
    const auto n = in.dims[0], channels = in.dims[1];
    const Stride stride(n * channels, channels);
    for (Eigen::Index channel = 0; channel < channels; ++channel) {
        const Matrix a = Eigen::Map<const FloatMatrix, 0, Stride>(in.a.data() + channel, n, n, stride).cast<double>();
        const Matrix b = Eigen::Map<const FloatMatrix, 0, Stride>(in.b.data() + channel, n, n, stride).cast<double>();
        Eigen::Map<Matrix, 0, Stride>(out.data() + channel, n, n, stride) = a * b.transpose();
    }
}

void neighbor(const InputSet &in, std::vector<double> &out)
{
    const auto nodes = in.dims[0], width = in.dims[1];
    View result(out.data(), nodes, width);
    const FloatView values(in.a.data(), nodes, width);
    for (Eigen::Index node = 0; node < nodes; ++node) {
        for (std::size_t edge = in.rowptr[node]; edge < in.rowptr[node + 1]; ++edge)
            result.row(node) += double{in.b[edge]} * values.row(in.indices[edge]).cast<double>();
    }
}

} // namespace

std::vector<double> reference(const InputSet &inputs)
{
    const auto &operation = *findOperation(inputs.operation);
    std::vector<double> out(static_cast<std::size_t>(outputElements(operation, inputs.dims)));
    if (operation.id == "matmul")
        matmul(inputs, out);
    else if (operation.id == "gelu")
        gelu(inputs, out);
    else if (operation.id == "layernorm")
        layernorm(inputs, out);
    else if (operation.id == "triangle")
        triangle(inputs, out);
    else
        neighbor(inputs, out);
    return out;
}

Comparison compare(std::span<const float> out, std::span<const double> reference, double rtol, double atol)
{
    if (out.size() != reference.size())
        throw std::invalid_argument("compared " + std::to_string(out.size()) + " elements with " +
                                    std::to_string(reference.size()));
    Comparison result;
    result.rtol = rtol;
    result.atol = atol;
    result.checkedElements = static_cast<std::int64_t>(out.size());
    double squaredError = 0, squaredReference = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double error = std::abs(double{out[i]} - reference[i]);
        if (std::isfinite(error)) {
            ++result.finiteElements;
            result.maxAbsError = std::max(result.maxAbsError, error);
        }
        // Written so that a NaN on either side counts as bad.
        if (!(error <= atol + rtol * std::abs(reference[i])) || !std::isfinite(out[i])) {
            ++result.badElements;
            if (!result.firstBad) {
                result.firstBad = static_cast<std::int64_t>(i);
                result.firstBadValue = out[i];
                result.firstBadReference = reference[i];
            }
        }
        squaredError += error * error;
        squaredReference += reference[i] * reference[i];
    }
    result.passed = result.badElements == 0;
    result.relError = squaredError == 0 ? 0 : std::sqrt(squaredError / squaredReference);
    if (!std::isfinite(squaredError))
        result.relError = std::numeric_limits<double>::quiet_NaN();
    return result;
}

} // namespace stagecraft::operations
