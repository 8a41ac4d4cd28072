// SPDX-License-Identifier: GPL-3.0-or-later
#include "statistics.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace stagecraft::evidence {

namespace {

struct Label
{
    const char *id, *text;
};

// In the order of every table.
constexpr std::array<Label, 12> implementationLabels{{
    {"python", "PyTorch"},
    {"pytorch", "PyTorch"},
    {"pytorch-compile", "PyTorch, compiled"},
    {"pytorch-cpu", "PyTorch (CPU)"},
    {"triton", "Triton"},
    {"triton-tuned", "Triton, tuned"},
    {"cublas", "cuBLAS"},
    {"cublaslt", "cuBLASLt"},
    {"cusparse", "cuSPARSE"},
    {"host", "Host (CPU)"},
    {"rust", "Rust"},
    {"cuda", "CUDA"},
}};

constexpr std::array<Label, 5> operationLabels{{
    {"matmul", "Matrix multiplication"},
    {"gelu", "Bias + GELU"},
    {"layernorm", "LayerNorm"},
    {"triangle", "Triangle contraction"},
    {"neighbor", "Neighbor aggregation"},
}};

template <typename Labels>
const Label *findLabel(const Labels &labels, const QString &id)
{
    const auto entry =
        std::find_if(labels.begin(), labels.end(), [&id](const Label &label) { return id == QLatin1String(label.id); });
    return entry == labels.end() ? nullptr : &*entry;
}

// "cuda/ID" stands right behind "cuda".
qsizetype rank(const QString &id)
{
    const Label *label = findLabel(implementationLabels, id.section(QLatin1Char('/'), 0, 0));
    return label ? label - implementationLabels.data() : static_cast<qsizetype>(implementationLabels.size());
}

} // namespace

QStringList implementationOrder(QStringList ids)
{
    std::sort(ids.begin(), ids.end(),
              [](const QString &a, const QString &b) { return std::tuple(rank(a), a) < std::tuple(rank(b), b); });
    ids.removeDuplicates();
    return ids;
}

QString implementationLabel(const QString &id)
{
    const Label *label = findLabel(implementationLabels, id.section(QLatin1Char('/'), 0, 0));
    if (!label)
        return id;
    const QString stage = id.section(QLatin1Char('/'), 1);
    const QString text = QLatin1String(label->text);
    return stage.isEmpty() ? text : text + QStringLiteral(" · ") + stage;
}

QString operationLabel(const QString &id)
{
    const Label *label = findLabel(operationLabels, id);
    return label ? QLatin1String(label->text) : id;
}

int operationRank(const QString &id)
{
    const Label *label = findLabel(operationLabels, id);
    return static_cast<int>(label ? label - operationLabels.data() : operationLabels.size());
}

} // namespace stagecraft::evidence
