// SPDX-License-Identifier: GPL-3.0-or-later
#include "machinecode.h"

#include <QTest>

using namespace stagecraft::tests;

namespace {

// As cuobjdump -sass prints it, cut short: a copying loop without multiply-adds, a loop in a loop, a trap at the end.
const std::string recorded = R"sass(
	code for sm_90a
	.target	sm_90a

		Function : matmul_sketch
	.headerflags	@"EF_CUDA_ACCELERATORS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                            /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0010*/                   S2UR UR6, SR_CgaCtaId ;                           /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0020*/              @!P5 LDG.E.128.CONSTANT R24, desc[UR8][R32.64] ;       /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0030*/                   STS.128 [R9], R44 ;                               /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0040*/               @P0 BRA 0x20 ;                                        /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0050*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;                     /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0060*/                   LDS.128 R8, [R3+0x10] ;                           /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0070*/                   LDS.U R27, [R13+0x8] ;                            /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0080*/                   FFMA R18, R8, R27.reuse, R18 ;                    /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*0090*/                   FFMA.FTZ R19, R9, R27, R19 ;                      /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*00a0*/                   LDSM.16.M88.4 R4, [R2] ;                          /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*00b0*/               @P1 BRA.U UP0, 0x60 ;                                 /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*00c0*/                   FFMA R1, R1, R1, R1 ;                             /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*00d0*/              @!P2 BRA 0x20 ;                                        /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*00e0*/                   EXIT ;                                            /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
        /*00f0*/                   BRA 0xf0 ;                                        /* 0x0000001412127223 */
                                                                                     /* 0x000fe20000000800 */
		..........

		Function : straight
        /*0000*/                   LDS.64 R8, [R3+0x10] ;                            /* 0x0000001412127223 */
        /*0010*/                   FFMA2 R18, R8, R27, R18 ;                         /* 0x0000001412127223 */
        /*0020*/                   EXIT ;                                            /* 0x0000001412127223 */
        /*0030*/                   BRA 0x30 ;                                        /* 0x0000001412127223 */

		Function : waits
        /*0000*/              @!P0 BRA 0x80 ;                                        /* 0x0000001412127223 */
        /*0010*/                   LDS.128 R8, [R3] ;                                /* 0x0000001412127223 */
        /*0020*/              @!P2 BRA 0x20 ;                                        /* 0x0000001412127223 */
        /*0030*/              @!PT LDS RZ, [RZ] ;                                    /* 0x0000001412127223 */
        /*0040*/                   FFMA R18, R8, R27, R18 ;                          /* 0x0000001412127223 */
        /*0050*/               @P1 BRA 0x10 ;                                        /* 0x0000001412127223 */
        /*0060*/                   LDS R9, [R4] ;                                    /* 0x0000001412127223 */
        /*0070*/                   EXIT ;                                            /* 0x0000001412127223 */
        /*0080*/              @!P0 BRA 0x80 ;                                        /* 0x0000001412127223 */
        /*0090*/                   BRA 0x10 ;                                        /* 0x0000001412127223 */
)sass";

} // namespace

class TestMachineCode : public QObject
{
    Q_OBJECT

private slots:
    void instructionsAreRead();
    void innerLoopsAreCounted();
    void withoutALoopTheFunctionIs();
    void loopsThatWaitAreNone();
    void nothingIsNothing();
    void resourceUsageIsRead();
};

void TestMachineCode::instructionsAreRead()
{
    const auto functions = parseMachineCode(recorded);
    QCOMPARE(functions.size(), 3u);
    const auto &sketch = functions.at("matmul_sketch");
    QCOMPARE(sketch.size(), 16u);
    QCOMPARE(sketch[2].address, 0x20);
    QCOMPARE(sketch[2].opcode, std::string("LDG.E.128.CONSTANT"));
    QVERIFY(!sketch[2].target);
    QCOMPARE(sketch[4].target.value_or(-1), 0x20);
    QVERIFY(!sketch[5].target); // a barrier's number is no address
    QCOMPARE(sketch[11].opcode, std::string("BRA.U"));
    QCOMPARE(sketch[11].target.value_or(-1), 0x60);
}

// The loop from 0x60 to 0xb0: not the one around it, not the copying one before it, and ldmatrix is no such read.
void TestMachineCode::innerLoopsAreCounted()
{
    const LoopCounts counts = countInnerLoops(parseMachineCode(recorded).at("matmul_sketch"));
    QCOMPARE(counts.sharedReads, 2);
    QCOMPARE(counts.multiplyAdds, 2);
}

void TestMachineCode::withoutALoopTheFunctionIs()
{
    const LoopCounts counts = countInnerLoops(parseMachineCode(recorded).at("straight"));
    QCOMPARE(counts.sharedReads, 1);
    QCOMPARE(counts.multiplyAdds, 2); // FFMA2 makes two
}

// The loop from 0x10 to 0x50 waits in its midst, and code behind the end branches back into the function: no loop.
void TestMachineCode::loopsThatWaitAreNone()
{
    const LoopCounts counts = countInnerLoops(parseMachineCode(recorded).at("waits"));
    QCOMPARE(counts.sharedReads, 1); // a read that is never carried out is none
    QCOMPARE(counts.multiplyAdds, 1);
}

void TestMachineCode::nothingIsNothing()
{
    QVERIFY(parseMachineCode("").empty());
    QVERIFY(parseMachineCode("cuobjdump info : no code\n").empty());
    QCOMPARE(countInnerLoops({}).multiplyAdds, 0);
    QVERIFY(parseResourceUsage("Resource usage:\n").empty());
}

void TestMachineCode::resourceUsageIsRead()
{
    const auto usage = parseResourceUsage(R"(
Resource usage:
 Common:
  GLOBAL:0
 Function layernorm_quad_array:
  REG:29 STACK:128 SHARED:0 LOCAL:0 CONSTANT[0]:560 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function matmul_k64:
  REG:96 STACK:0 SHARED:34816 LOCAL:0 CONSTANT[0]:552 TEXTURE:0 SURFACE:0 SAMPLER:0
)");
    QCOMPARE(usage.size(), 2u);
    QCOMPARE(usage.at("layernorm_quad_array").registers, 29);
    QCOMPARE(usage.at("layernorm_quad_array").stackBytes, 128);
    QCOMPARE(usage.at("matmul_k64").sharedBytes, 34816);
}

QTEST_APPLESS_MAIN(TestMachineCode)
#include "tst_machinecode.moc"
