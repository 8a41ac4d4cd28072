// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viewfixtures.h"

#include <cmath>

// A run of five operations with every implementation that computes them, in five rounds.
namespace fixtures {

struct Peer
{
    const char *implementation;
    double kernelUs;
    QStringList kernels; // of one iteration
};

struct PeerCase
{
    const char *operation;
    QList<qint64> dims;
    QList<Peer> peers;
};

namespace kernelnames {
inline const QString elementwise =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, "
    "3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)";
inline const QString gemm = "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize128x64x8_stage3_warpsize2x2x1_ffma_aligna4_"
                            "alignc4_execute_kernel__5x_cublas";
inline const QString copy =
    "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::"
    "direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const> >(int)";
} // namespace kernelnames

inline PeerCase matmulPeers()
{
    using namespace kernelnames;
    return {"matmul",
            {1024, 1024, 1024},
            {{"pytorch", 55.9, {gemm}},
             {"pytorch-compile", 55.7, {gemm}},
             {"triton", 83.8, {"matmul_kernel"}},
             {"triton-tuned", 61.2, {"matmul_kernel"}},
             {"cublas", 55.71, {gemm}},
             {"cublaslt", 54.9, {gemm, "void cublasLt::splitKreduce_kernel<32, 16, int, float>(int)"}},
             {"cuda", 79.8, {"matmul_k64"}}}};
}

inline PeerCase geluPeers()
{
    using namespace kernelnames;
    return {"gelu",
            {4096, 768},
            {{"pytorch", 15.8, {elementwise, "void at::native::GeluCUDAKernelImpl<float>(at::TensorIteratorBase&)"}},
             {"pytorch-compile", 7.7, {"triton_poi_fused_add_gelu_0"}},
             {"triton", 7.6, {"gelu_kernel"}},
             {"triton-tuned", 7.5, {"gelu_kernel"}},
             {"cuda", 7.1, {"gelu_quads"}}}};
}

inline PeerCase layernormPeers()
{
    using namespace kernelnames;
    return {"layernorm",
            {4096, 768},
            {{"pytorch", 9.1, {"void at::native::vectorized_layer_norm_kernel<float, float>(int, float)"}},
             {"pytorch-compile", 8.4, {"triton_per_fused_native_layer_norm_0"}},
             {"triton", 8.0, {"layernorm_kernel"}},
             {"triton-tuned", 7.9, {"layernorm_kernel"}},
             {"cuda", 10.1, {"layernorm_two_warps_per_row"}}}};
}

inline PeerCase trianglePeers()
{
    using namespace kernelnames;
    return {"triangle",
            {128, 32},
            {{"pytorch", 44.0, {copy, copy, gemm}},
             {"pytorch-compile", 43.1, {"triton_poi_fused_clone_0", gemm, "triton_poi_fused_clone_1"}},
             {"triton", 58.0, {"triangle_kernel"}},
             {"triton-tuned", 50.6, {"triangle_kernel"}},
             {"cublas", 31.0, {"transpose_in", "transpose_in", gemm, "transpose_out"}},
             {"cuda", 39.2, {"triangle_tile_4x4"}}}};
}

inline PeerCase neighborPeers()
{
    using namespace kernelnames;
    return {"neighbor",
            {4096, 64, 65536},
            {{"pytorch", 37.6, {elementwise, "indexSelectLargeIndex", elementwise, "indexFuncLargeIndex"}},
             {"pytorch-compile", 21.3, {"triton_poi_fused_index_add_0", "triton_poi_fused_zeros_1"}},
             {"triton", 12.1, {"neighbor_kernel"}},
             {"triton-tuned", 11.7, {"neighbor_kernel"}},
             {"cusparse", 14.9, {"void cusparse::csrmm_alg2_kernel<float>(int)", "cusparse::partition_kernel"}},
             {"cuda", 9.8, {"neighbor_half_warp_per_edge"}}}};
}

inline QList<PeerCase> peerCases()
{
    return {matmulPeers(), geluPeers(), layernormPeers(), trianglePeers(), neighborPeers()};
}

// Rounds differ by up to 1 %, deterministically, and the span is a launch longer than the kernels.
inline evidence::Capture peerCapture(const PeerCase &peerCase, const Peer &peer, int round, double factor)
{
    evidence::Capture capture = captured(QString::fromUtf8(peer.implementation), round, {}, 2);
    capture.operation = QString::fromUtf8(peerCase.operation);
    capture.dims = peerCase.dims;
    capture.kernelNames = peer.kernels;
    capture.kernelNames.removeDuplicates();
    for (int iteration = 0; iteration < capture.requestedIterations; ++iteration)
        for (const QString &kernel : peer.kernels)
            capture.records.append({kernel, factor * peer.kernelUs / static_cast<double>(peer.kernels.size()),
                                    QStringLiteral("512,1,1"), QStringLiteral("256,1,1"), 40, 4096, iteration});
    capture.launches = static_cast<int>(capture.records.size());
    return capture;
}

inline void addPeer(evidence::Namespace &evidence, evidence::Round &round, const PeerCase &peerCase, const Peer &peer)
{
    const int seed = round.index * 7 + static_cast<int>(peer.kernelUs * 10);
    const double factor = 1 + 0.005 * std::sin(seed);
    QList<double> samples;
    for (int i = 0; i < 20; ++i)
        samples.append(factor * peer.kernelUs + 2.2 * static_cast<double>(peer.kernels.size()) +
                       0.3 * std::sin(seed + i));
    evidence::Measurement measurement = measured(samples);
    measurement.note = QStringLiteral("how %1 computes").arg(QString::fromUtf8(peer.implementation));
    round.implementations.insert(QString::fromUtf8(peer.implementation), measurement);
    evidence.captures.append(peerCapture(peerCase, peer, round.index, factor));
}

inline evidence::Namespace peersRun()
{
    evidence::Namespace evidence = gpuRun();
    evidence.name = QStringLiteral("peers-fixture");
    evidence.roundsDeclared = 5;
    evidence.results.clear();
    evidence.captures.clear();
    for (const PeerCase &peerCase : peerCases()) {
        evidence::OperationResult result{
            QString::fromUtf8(peerCase.operation), peerCase.dims, QStringLiteral("warm"), {}, {}, {}};
        for (int index = 0; index < 5; ++index) {
            evidence::Round round{index, {}, {}, {}};
            for (const Peer &peer : peerCase.peers)
                addPeer(evidence, round, peerCase, peer);
            result.rounds.append(round);
        }
        evidence.results.append(result);
    }
    return evidence;
}

} // namespace fixtures
