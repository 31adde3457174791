// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hand-written peers of the CPU target, all kinds together. The files here are compiled once for each of the
// build's -march values, as LATHE_BENCH_VARIANT: "native" in a build for this machine, levels of x86-64 in a bundle
// that has to run on another. They include no library header: the linker might keep an inline function's copy from
// here, for a newer processor, for the whole program.
#include "reference.h"

namespace lathe::bench {

extern const HostKernel LATHE_BENCH_LIST(memory)[];
extern const HostKernel LATHE_BENCH_LIST(algebra)[];
extern const HostKernel LATHE_BENCH_LIST(reduce)[];
extern const HostKernel LATHE_BENCH_LIST(network)[];
extern const HostKernel LATHE_BENCH_LIST(simulate)[];
extern const HostKernel LATHE_BENCH_LIST(sequence)[];
extern const HostKernel LATHE_BENCH_LIST(transform)[];

namespace {

constexpr const HostKernel* lists[] = {
    LATHE_BENCH_LIST(memory),   LATHE_BENCH_LIST(algebra),  LATHE_BENCH_LIST(reduce),    LATHE_BENCH_LIST(network),
    LATHE_BENCH_LIST(simulate), LATHE_BENCH_LIST(sequence), LATHE_BENCH_LIST(transform), nullptr};

}  // namespace

extern const CpuReference LATHE_BENCH_JOIN(cpuReference_, LATHE_BENCH_VARIANT);
const CpuReference LATHE_BENCH_JOIN(cpuReference_, LATHE_BENCH_VARIANT) = {LATHE_BENCH_TEXT(LATHE_BENCH_VARIANT),
                                                                           lists};

}  // namespace lathe::bench
