// SPDX-License-Identifier: GPL-3.0-or-later
#include "cudalanguage.h"

#include "catalogue.h"

namespace stagecraft::window {

namespace {

// "float" → float, float1 … float4
QStringList vectors(const QStringList &names)
{
    QStringList types;
    for (const QString &name : names) {
        for (int lanes = 1; lanes <= 4; ++lanes)
            types.append(name + QString::number(lanes));
    }
    return types;
}

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QStringList stageMacros()
{
    QStringList macros = words("STAGE_ARGS STAGE_SCRATCH STAGE_TENSOR_MAPS");
    for (const operations::Operation &operation : operations::catalogue()) {
        const QString id = QString::fromStdString(operation.id);
        macros.append(QStringLiteral("STAGE_OPERATION_") + id.toUpper());
        for (const std::string &dim : operation.dimNames)
            macros.append(QStringLiteral("STAGE_") + QString::fromStdString(dim).toUpper());
    }
    macros.removeDuplicates();
    return macros;
}

} // namespace

const widgets::SourceLanguage &cudaLanguage()
{
    static const widgets::SourceLanguage language{
        words(
            "__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __restrict__ "
            "__launch_bounds__ __maxnreg__ __cluster_dims__ __forceinline__ __noinline__ __align__ constexpr noexcept "
            "nullptr static_assert decltype alignas alignof thread_local"),
        words("threadIdx blockIdx blockDim gridDim warpSize dim3 half half2 __half __half2 __nv_bfloat16 "
              "__nv_bfloat162 CUtensorMap __syncthreads __syncthreads_and __syncthreads_or __syncthreads_count "
              "__syncwarp __threadfence __threadfence_block __threadfence_system __shfl_sync __shfl_up_sync "
              "__shfl_down_sync __shfl_xor_sync __ballot_sync __all_sync __any_sync __activemask __match_any_sync "
              "__match_all_sync __reduce_add_sync __reduce_max_sync __reduce_min_sync __ldg __ldca __ldcg __ldcs "
              "__stcg __stcs __popc __clz __ffs __brev __fmaf_rn __fadd_rn __fmul_rn __frcp_rn __fdividef __expf "
              "__logf __float_as_int __int_as_float __float_as_uint __uint_as_float __float2half __half2float "
              "__cvta_generic_to_shared __nanosleep __trap __assume __builtin_assume __builtin_expect atomicAdd "
              "atomicSub atomicMax atomicMin atomicExch atomicCAS atomicAnd atomicOr atomicXor fmaf sqrtf rsqrtf expf "
              "exp2f logf tanhf fabsf fmaxf fminf printf clock64 int8_t int16_t int32_t int64_t uint8_t uint16_t "
              "uint32_t uint64_t size_t") +
            vectors({QStringLiteral("char"), QStringLiteral("uchar"), QStringLiteral("short"), QStringLiteral("ushort"),
                     QStringLiteral("int"), QStringLiteral("uint"), QStringLiteral("long"), QStringLiteral("ulong"),
                     QStringLiteral("longlong"), QStringLiteral("ulonglong"), QStringLiteral("float"),
                     QStringLiteral("double"), QStringLiteral("make_float"), QStringLiteral("make_int"),
                     QStringLiteral("make_uint"), QStringLiteral("make_double")}),
        stageMacros()};
    return language;
}

} // namespace stagecraft::window
