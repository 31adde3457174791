#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does the comparison of facts notice? Differences are planted in PTX one at a time, and each has to be found, with the
fact it is about; other spellings of the same must not be."""
import sys

import compare
import facts

BASE = """
.version 9.0
.target sm_90
.address_size 64
.global .align 4 .u32 counter;
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.func (.param .b32 func_retval0) helper(.param .b64 helper_param_0)
{
	.reg .b32 %r<2>;
	ld.volatile.global.u32 %r1, [counter];
	st.param.b32 [func_retval0+0], %r1;
	ret;
}
.visible .entry kernel(
	.param .u64 .ptr .global .align 4 kernel_param_0,
	.param .align 8 .b8 kernel_param_1[16],
	.param .u32 kernel_param_2
)
.maxntid 256
.minnctapersm 2
.reqnctapercluster 2, 1, 1
.explicitcluster
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.shared .align 4 .b8 cells[1024];
	ld.param.u64 %rd1, [kernel_param_0];
	cvta.to.global.u64 %rd2, %rd1;
	atom.release.sys.global.add.u32 %r1, [%rd2], 1;
	@%p1 atom.acq_rel.gpu.global.cas.b32 %r1, [%rd2], 1, 2;
	atom.global.min.s32 %r1, [%rd2], 3;
	atom.shared.inc.u32 %r1, [cells], 3;
	ld.acquire.gpu.global.u32 %r2, [%rd2+4];
	st.relaxed.cta.global.u64 [%rd2+8], %rd1;
	ld.global.cv.u32 %r3, [%rd2];
	{ .reg .b32 t; ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2]; }
	fence.acq_rel.gpu;
	membar.gl;
	bar.sync 0;
	barrier.cluster.arrive;
	barrier.cluster.wait.aligned;
	shfl.sync.bfly.b32 %r4|%p1, %r4, 16, 31, -1;
	vote.sync.ballot.b32 %r5, %p1, -1;
	match.any.sync.b32 %r5, %r4, -1;
	redux.sync.max.s32 %r5, %r4, -1;
	add.rn.f32 %f1, %f2, %f3;
	add.rz.f32 %f1, %f2, %f3;
	fma.rn.ftz.f32 %f1, %f2, %f3, %f4;
	div.rn.f32 %f1, %f2, %f3;
	sqrt.approx.f32 %f1, %f2;
	add.sat.f16 %h1, %h2, %h3;
	cvt.rni.s32.f32 %r6, %f1;
	cvt.rn.f32.u32 %f1, %r6;
	cvt.sat.f32.f32 %f1, %f1;
	mov.u64 %rd3, %clock64;
	cp.async.cg.shared.global [cells], [%rd2], 16;
	suld.b.2d.b32.clamp {%r7}, [%rd1, {%r1, %r2}];
	call.uni (retval0), helper, (param0);
	call.uni (retval0), vprintf, (param0, param1);
	@%p2 trap;
	ret;
}
"""
# (text, what it becomes, a word of the difference that has to be found)
PLANTED = (
    ("atom.release.sys.global.add", "atom.sys.global.add", "atom add"),
    ("atom.release.sys.global.add", "atom.release.global.add", "atom add"),
    ("atom.release.sys.global.add", "atom.release.sys.global.or", "atom"),
    ("atom.release.sys.global.add.u32", "atom.release.sys.global.add.u64", "atom add"),
    ("atom.release.sys.global.add.u32", "atom.release.sys.global.add.f32", "atom add"),
    ("atom.release.sys.global.add", "atom.release.sys.shared.add", "atom add"),
    ("atom.acq_rel.gpu.global.cas", "atom.acquire.gpu.global.cas", "atom cas"),
    ("atom.acq_rel.gpu.global.cas", "atom.acq_rel.cta.global.cas", "atom cas"),
    ("atom.global.min.s32", "atom.global.min.u32", "atom min"),
    ("atom.shared.inc.u32", "atom.shared.dec.u32", "atom inc"),
    ("ld.acquire.gpu", "ld.relaxed.gpu", "ld acquire"),
    ("ld.acquire.gpu.global.u32", "ld.global.u32", "ld acquire"),
    ("st.relaxed.cta.global.u64", "st.global.u64", "st relaxed"),
    ("st.relaxed.cta.global.u64", "st.release.cta.global.u64", "st relaxed"),
    ("ld.volatile.global", "ld.global", "ld volatile"),
    ("ld.volatile.global.u32", "ld.volatile.global.u16", "ld volatile"),
    ("ld.global.cv.u32", "ld.global.u32", "ld cache cv"),
    ("ld.global.nc.v4.f32", "ld.global.v4.f32", "ld cache nc 128"),
    ("fence.acq_rel.gpu;", "", "fence acq_rel gpu"),
    ("fence.acq_rel.gpu", "fence.acq_rel.cta", "fence acq_rel"),
    ("membar.gl", "membar.cta", "fence sc gpu"),
    ("bar.sync 0", "bar.sync 1", "barrier sync"),
    ("bar.sync 0", "bar.sync 0, 64", "barrier sync"),
    ("bar.sync 0", "barrier.sync 0", "barrier sync"),
    ("bar.sync 0;", "", "barrier sync"),
    ("barrier.cluster.arrive;", "barrier.cluster.arrive.relaxed;", "cluster arrive"),
    ("barrier.cluster.wait.aligned", "barrier.cluster.wait", "cluster wait"),
    ("shfl.sync.bfly", "shfl.sync.down", "shfl sync bfly"),
    ("vote.sync.ballot.b32 %r5", "vote.sync.any.pred %p2", "vote sync ballot"),
    ("match.any.sync.b32", "match.any.sync.b64", "match any sync"),
    ("redux.sync.max.s32", "redux.sync.max.u32", "redux sync max"),
    ("add.rn.f32", "add.f32", "round add rn"),
    ("add.rz.f32", "add.rm.f32", "round add rz"),
    ("fma.rn.ftz.f32", "fma.rn.f32", "round fma"),
    ("div.rn.f32", "div.full.f32", "round div rn"),
    ("sqrt.approx.f32", "sqrt.rn.f32", "round sqrt approx"),
    ("add.sat.f16", "add.f16", "round add sat"),
    ("cvt.rni.s32.f32", "cvt.rzi.s32.f32", "cvt rni"),
    ("cvt.rni.s32.f32", "cvt.rni.u32.f32", "cvt rni"),
    ("cvt.rn.f32.u32", "cvt.rn.f32.s32", "cvt rn f32"),
    ("cvt.sat.f32.f32", "mov.f32", "cvt sat"),
    ("mov.u64 %rd3, %clock64", "mov.u64 %rd3, 0", "register clock64"),
    ("cp.async.cg.shared.global [cells], [%rd2], 16", "cp.async.cg.shared.global [cells], [%rd2], 8", "cp.async"),
    ("suld.b.2d.b32.clamp", "suld.b.2d.b32.trap", "suld"),
    ("call.uni (retval0), vprintf, (param0, param1);", "", "call vprintf"),
    ("@%p2 trap;", "", "trap"),
    (".maxntid 256", ".maxntid 128", "maxntid"),
    (".maxntid 256", ".reqntid 256", "maxntid"),
    (".minnctapersm 2", "", "minnctapersm"),
    (".minnctapersm 2", ".minnctapersm 2\n.maxnreg 32", "maxnreg"),
    (".reqnctapercluster 2, 1, 1", ".reqnctapercluster 4, 1, 1", "reqnctapercluster"),
    (".explicitcluster", "", "explicitcluster"),
    (".param .align 8 .b8 kernel_param_1[16]", ".param .align 4 .b8 kernel_param_1[16]", "parameters"),
    (".param .align 8 .b8 kernel_param_1[16]", ".param .align 8 .b8 kernel_param_1[8]", "parameters"),
    (".param .u32 kernel_param_2", ".param .u64 kernel_param_2", "parameters"),
    ("cells[1024]", "cells[512]", "shared bytes"),
    (".shared .align 4 .b8 cells[1024]", ".extern .shared .align 4 .b8 cells[]", "shared"),
    (".visible .entry kernel(", ".visible .entry other(", "kernel"),
)
# Other spellings, and what optimisation may do.
SAME = (
    ("membar.gl", "fence.sc.gpu"),
    ("bar.sync 0", "barrier.cta.sync.aligned 0"),
    ("atom.global.min.s32", "atom.relaxed.gpu.global.min.s32"),
    ("atom.global.min.s32 %r1, [%rd2]", "atom.min.s32 %r1, [%rd1]"),
    ("atom.release.sys.global.add.u32", "red.release.sys.global.add.s32"),
    ("atom.shared.inc.u32", "atom.shared::cta.inc.u32"),
    ("ld.acquire.gpu.global.u32", "ld.acquire.gpu.global.b32"),
    ("st.relaxed.cta.global.u64", "st.relaxed.cta.b64"),
    ("ld.global.nc.v4.f32", "ld.global.nc.v2.b64"),
    ("barrier.cluster.arrive;", "barrier.cluster.arrive.release;"),
    (".maxntid 256", ".maxntid 256, 1, 1"),
    (".param .u64 .ptr .global .align 4 kernel_param_0", ".param .b64 kernel_param_0"),
    ("add.rz.f32 %f1, %f2, %f3;", "add.rz.f32 %f1, %f2, %f3;\n add.rz.f32 %f1, %f2, %f3;\n sub.rz.f32 %f1, %f2, %f3;"),
    ("ret;\n}\n.visible", "ret;\n// atom.global.or.b32 is a comment\n}\n.visible"),
)


def found(one, other, name="kernel"):
    left, right = facts.kernels(one), facts.kernels(other)
    if set(left) != set(right):
        return ["kernel"]
    return [f"{d.side} {d.fact}" for d in compare.differences(f"test:{name}", "sm_90", left["kernel"], right["kernel"])]


def main():
    wrong = []
    if len(facts.kernels(BASE)["kernel"]) < 38:
        wrong.append(f"the base has facts that are not read: {sorted(facts.kernels(BASE)['kernel'])}")
    for old, new, word in PLANTED:
        assert old in BASE, old
        differences = found(BASE, BASE.replace(old, new, 1))
        if not any(word in difference for difference in differences):
            wrong.append(f"'{old}' -> '{new}' was not found, only {differences}")
    for old, new in SAME:
        assert old in BASE, old
        differences = found(BASE, BASE.replace(old, new, 1))
        if differences:
            wrong.append(f"'{old}' -> '{new}' is the same, but {differences}")
    twice = BASE.replace("ld.global.cv.u32 %r3, [%rd2];", "ld.global.cv.u32 %r3, [%rd2]; ld.global.cv.u32 %r4, [%rd2];")
    if found(BASE, twice):
        wrong.append("counts are compared where they must not be")
    if not found(BASE, twice, "counted_kernel"):
        wrong.append("counts are not compared where they must be")
    # What is weaker must never count as stronger, and only the table allows what is stronger.
    for weak, strong, wanted in (("fence acq_rel cta", "fence sc gpu", True), ("fence sc cta", "fence acq_rel gpu", False),
                                 ("atom add acquire gpu global i32", "atom add release sys global i32", False),
                                 ("atom add relaxed gpu generic i32", "atom add acq_rel gpu global i32", True),
                                 ("atom add relaxed sys global i32", "atom add acq_rel gpu global i32", False),
                                 ("ld acquire gpu global 32", "ld relaxed sys global 32", False),
                                 ("ld relaxed gpu global 32", "ld acquire gpu global 64", False)):
        if compare.stronger(weak, strong) != wanted:
            wrong.append(f"'{strong}' for '{weak}': {'not ' if wanted else ''}taken for at least as strong")
    row = compare.Row("a reason", "test:ker*", "nvcc", "fence *", ["sm_90"], 1)
    for side, fact, arch, wanted in (("nvcc", "fence sc gpu", "sm_90", True), ("lathe", "fence sc gpu", "sm_90", False),
                                     ("nvcc", "atom add", "sm_90", False), ("nvcc", "fence sc gpu", "sm_80", False)):
        if row.takes(compare.Difference("test:kernel", arch, side, fact)) != wanted:
            wrong.append(f"a line of the table {'does not take' if wanted else 'takes'} {side} {fact} {arch}")
    for line in wrong:
        print(line)
    print(f"{len(PLANTED)} planted differences, {len(SAME)} other spellings, {len(wrong)} mistakes")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
