; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What late lowering rewrites computes what the original does: the same kernel on the CPU as it is and on a CPU that is
; said to lack all of it. Integers of odd widths, products of 128 bits, overflow, bit reversal, vectors of six, atomics.
;
; RUN: %lathe run %s -k values --target cpu -O 0 --grid 1 --group 16 --arg zeros:u64[5120] --print 0:5120 | grep -v ' ms$' > %t.plain
; RUN: env LATHE_TARGET_PATH=%S/../Inputs/targets %lathe run %s -k values --target cpu-expanded -O 0 --grid 1 --group 16 --arg zeros:u64[5120] --print 0:5120 | grep -v ' ms$' > %t.expanded
; RUN: diff %t.plain %t.expanded
; RUN: env LATHE_TARGET_PATH=%S/../Inputs/targets %lathe run %s -k values --target cpu-expanded -O 3 --grid 1 --group 16 --arg zeros:u64[5120] --print 0:5120 | grep -v ' ms$' > %t.optimised
; RUN: diff %t.plain %t.optimised
; RUN: env LATHE_TARGET_PATH=%S/../Inputs/targets %compile %s -t cpu-expanded -O 0 --emit ir -o - | FileCheck %s
;
; CHECK: define
; CHECK-NOT: {{= .* i(7|24|33|48|63|65|100|128) }}
; CHECK-NOT: call {{.*}}with.overflow
; CHECK-NOT: <6 x
; CHECK-NOT: atomicrmw fadd
; CHECK-NOT: call {{.*}}@llvm.{{bitreverse|bswap|fshl|fshr|memset}}
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @values(ptr %out) "lathe.kernel" {
entry:
  %item = call i32 @__lathe_item_id_x()
  %seed = zext i32 %item to i64
  %a.0 = mul i64 %seed, -7046029254386353131
  %a.1 = lshr i64 %a.0, 29
  %a = xor i64 %a.0, %a.1
  %b.0 = mul i64 %a, -4658895280553007687
  %b.1 = lshr i64 %b.0, 32
  %b = xor i64 %b.0, %b.1
  %base = mul i64 %seed, 320
  %row = getelementptr i64, ptr %out, i64 %base
  %v1 = trunc i64 %a to i7
  %v2 = trunc i64 %b to i7
  %v3 = or i7 %v2, 1
  %v4 = urem i7 %v2, 7
  %v5 = add i7 %v1, %v2
  %s0 = zext i7 %v5 to i64
  %o0 = getelementptr i64, ptr %row, i64 0
  store i64 %s0, ptr %o0, align 8
  %v6 = sub i7 %v1, %v2
  %s1 = zext i7 %v6 to i64
  %o1 = getelementptr i64, ptr %row, i64 1
  store i64 %s1, ptr %o1, align 8
  %v7 = mul i7 %v1, %v2
  %s2 = zext i7 %v7 to i64
  %o2 = getelementptr i64, ptr %row, i64 2
  store i64 %s2, ptr %o2, align 8
  %v8 = and i7 %v1, %v2
  %s3 = zext i7 %v8 to i64
  %o3 = getelementptr i64, ptr %row, i64 3
  store i64 %s3, ptr %o3, align 8
  %v9 = or i7 %v1, %v2
  %s4 = zext i7 %v9 to i64
  %o4 = getelementptr i64, ptr %row, i64 4
  store i64 %s4, ptr %o4, align 8
  %v10 = xor i7 %v1, %v2
  %s5 = zext i7 %v10 to i64
  %o5 = getelementptr i64, ptr %row, i64 5
  store i64 %s5, ptr %o5, align 8
  %v12 = and i7 %v3, 15
  %v11 = udiv i7 %v1, %v12
  %s6 = zext i7 %v11 to i64
  %o6 = getelementptr i64, ptr %row, i64 6
  store i64 %s6, ptr %o6, align 8
  %v14 = and i7 %v3, 15
  %v13 = urem i7 %v1, %v14
  %s7 = zext i7 %v13 to i64
  %o7 = getelementptr i64, ptr %row, i64 7
  store i64 %s7, ptr %o7, align 8
  %v16 = and i7 %v3, 15
  %v15 = sdiv i7 %v1, %v16
  %s8 = zext i7 %v15 to i64
  %o8 = getelementptr i64, ptr %row, i64 8
  store i64 %s8, ptr %o8, align 8
  %v18 = and i7 %v3, 15
  %v17 = srem i7 %v1, %v18
  %s9 = zext i7 %v17 to i64
  %o9 = getelementptr i64, ptr %row, i64 9
  store i64 %s9, ptr %o9, align 8
  %v19 = shl i7 %v1, %v4
  %s10 = zext i7 %v19 to i64
  %o10 = getelementptr i64, ptr %row, i64 10
  store i64 %s10, ptr %o10, align 8
  %v20 = lshr i7 %v1, %v4
  %s11 = zext i7 %v20 to i64
  %o11 = getelementptr i64, ptr %row, i64 11
  store i64 %s11, ptr %o11, align 8
  %v21 = ashr i7 %v1, %v4
  %s12 = zext i7 %v21 to i64
  %o12 = getelementptr i64, ptr %row, i64 12
  store i64 %s12, ptr %o12, align 8
  %v22 = icmp eq i7 %v1, %v2
  %s13 = zext i1 %v22 to i64
  %o13 = getelementptr i64, ptr %row, i64 13
  store i64 %s13, ptr %o13, align 8
  %v23 = icmp ult i7 %v1, %v2
  %s14 = zext i1 %v23 to i64
  %o14 = getelementptr i64, ptr %row, i64 14
  store i64 %s14, ptr %o14, align 8
  %v24 = icmp ugt i7 %v1, %v2
  %s15 = zext i1 %v24 to i64
  %o15 = getelementptr i64, ptr %row, i64 15
  store i64 %s15, ptr %o15, align 8
  %v25 = icmp slt i7 %v1, %v2
  %s16 = zext i1 %v25 to i64
  %o16 = getelementptr i64, ptr %row, i64 16
  store i64 %s16, ptr %o16, align 8
  %v26 = icmp sge i7 %v1, %v2
  %s17 = zext i1 %v26 to i64
  %o17 = getelementptr i64, ptr %row, i64 17
  store i64 %s17, ptr %o17, align 8
  %v27 = sext i7 %v1 to i64
  %o18 = getelementptr i64, ptr %row, i64 18
  store i64 %v27, ptr %o18, align 8
  %v29 = icmp slt i7 %v1, %v2
  %v30 = select i1 %v29, i7 %v1, i7 %v2
  %s19 = zext i7 %v30 to i64
  %o19 = getelementptr i64, ptr %row, i64 19
  store i64 %s19, ptr %o19, align 8
  %v31 = sitofp i7 %v1 to double
  %v32 = bitcast double %v31 to i64
  %o20 = getelementptr i64, ptr %row, i64 20
  store i64 %v32, ptr %o20, align 8
  %v33 = uitofp i7 %v1 to double
  %v34 = bitcast double %v33 to i64
  %o21 = getelementptr i64, ptr %row, i64 21
  store i64 %v34, ptr %o21, align 8
  %v35 = trunc i64 %a to i24
  %v36 = trunc i64 %b to i24
  %v37 = or i24 %v36, 1
  %v38 = urem i24 %v36, 24
  %v39 = add i24 %v35, %v36
  %s22 = zext i24 %v39 to i64
  %o22 = getelementptr i64, ptr %row, i64 22
  store i64 %s22, ptr %o22, align 8
  %v40 = sub i24 %v35, %v36
  %s23 = zext i24 %v40 to i64
  %o23 = getelementptr i64, ptr %row, i64 23
  store i64 %s23, ptr %o23, align 8
  %v41 = mul i24 %v35, %v36
  %s24 = zext i24 %v41 to i64
  %o24 = getelementptr i64, ptr %row, i64 24
  store i64 %s24, ptr %o24, align 8
  %v42 = and i24 %v35, %v36
  %s25 = zext i24 %v42 to i64
  %o25 = getelementptr i64, ptr %row, i64 25
  store i64 %s25, ptr %o25, align 8
  %v43 = or i24 %v35, %v36
  %s26 = zext i24 %v43 to i64
  %o26 = getelementptr i64, ptr %row, i64 26
  store i64 %s26, ptr %o26, align 8
  %v44 = xor i24 %v35, %v36
  %s27 = zext i24 %v44 to i64
  %o27 = getelementptr i64, ptr %row, i64 27
  store i64 %s27, ptr %o27, align 8
  %v46 = and i24 %v37, 15
  %v45 = udiv i24 %v35, %v46
  %s28 = zext i24 %v45 to i64
  %o28 = getelementptr i64, ptr %row, i64 28
  store i64 %s28, ptr %o28, align 8
  %v48 = and i24 %v37, 15
  %v47 = urem i24 %v35, %v48
  %s29 = zext i24 %v47 to i64
  %o29 = getelementptr i64, ptr %row, i64 29
  store i64 %s29, ptr %o29, align 8
  %v50 = and i24 %v37, 15
  %v49 = sdiv i24 %v35, %v50
  %s30 = zext i24 %v49 to i64
  %o30 = getelementptr i64, ptr %row, i64 30
  store i64 %s30, ptr %o30, align 8
  %v52 = and i24 %v37, 15
  %v51 = srem i24 %v35, %v52
  %s31 = zext i24 %v51 to i64
  %o31 = getelementptr i64, ptr %row, i64 31
  store i64 %s31, ptr %o31, align 8
  %v53 = shl i24 %v35, %v38
  %s32 = zext i24 %v53 to i64
  %o32 = getelementptr i64, ptr %row, i64 32
  store i64 %s32, ptr %o32, align 8
  %v54 = lshr i24 %v35, %v38
  %s33 = zext i24 %v54 to i64
  %o33 = getelementptr i64, ptr %row, i64 33
  store i64 %s33, ptr %o33, align 8
  %v55 = ashr i24 %v35, %v38
  %s34 = zext i24 %v55 to i64
  %o34 = getelementptr i64, ptr %row, i64 34
  store i64 %s34, ptr %o34, align 8
  %v56 = icmp eq i24 %v35, %v36
  %s35 = zext i1 %v56 to i64
  %o35 = getelementptr i64, ptr %row, i64 35
  store i64 %s35, ptr %o35, align 8
  %v57 = icmp ult i24 %v35, %v36
  %s36 = zext i1 %v57 to i64
  %o36 = getelementptr i64, ptr %row, i64 36
  store i64 %s36, ptr %o36, align 8
  %v58 = icmp ugt i24 %v35, %v36
  %s37 = zext i1 %v58 to i64
  %o37 = getelementptr i64, ptr %row, i64 37
  store i64 %s37, ptr %o37, align 8
  %v59 = icmp slt i24 %v35, %v36
  %s38 = zext i1 %v59 to i64
  %o38 = getelementptr i64, ptr %row, i64 38
  store i64 %s38, ptr %o38, align 8
  %v60 = icmp sge i24 %v35, %v36
  %s39 = zext i1 %v60 to i64
  %o39 = getelementptr i64, ptr %row, i64 39
  store i64 %s39, ptr %o39, align 8
  %v61 = sext i24 %v35 to i64
  %o40 = getelementptr i64, ptr %row, i64 40
  store i64 %v61, ptr %o40, align 8
  %v63 = icmp slt i24 %v35, %v36
  %v64 = select i1 %v63, i24 %v35, i24 %v36
  %s41 = zext i24 %v64 to i64
  %o41 = getelementptr i64, ptr %row, i64 41
  store i64 %s41, ptr %o41, align 8
  %v65 = sitofp i24 %v35 to double
  %v66 = bitcast double %v65 to i64
  %o42 = getelementptr i64, ptr %row, i64 42
  store i64 %v66, ptr %o42, align 8
  %v67 = uitofp i24 %v35 to double
  %v68 = bitcast double %v67 to i64
  %o43 = getelementptr i64, ptr %row, i64 43
  store i64 %v68, ptr %o43, align 8
  %v69 = trunc i64 %a to i33
  %v70 = trunc i64 %b to i33
  %v71 = or i33 %v70, 1
  %v72 = urem i33 %v70, 33
  %v73 = add i33 %v69, %v70
  %s44 = zext i33 %v73 to i64
  %o44 = getelementptr i64, ptr %row, i64 44
  store i64 %s44, ptr %o44, align 8
  %v74 = sub i33 %v69, %v70
  %s45 = zext i33 %v74 to i64
  %o45 = getelementptr i64, ptr %row, i64 45
  store i64 %s45, ptr %o45, align 8
  %v75 = mul i33 %v69, %v70
  %s46 = zext i33 %v75 to i64
  %o46 = getelementptr i64, ptr %row, i64 46
  store i64 %s46, ptr %o46, align 8
  %v76 = and i33 %v69, %v70
  %s47 = zext i33 %v76 to i64
  %o47 = getelementptr i64, ptr %row, i64 47
  store i64 %s47, ptr %o47, align 8
  %v77 = or i33 %v69, %v70
  %s48 = zext i33 %v77 to i64
  %o48 = getelementptr i64, ptr %row, i64 48
  store i64 %s48, ptr %o48, align 8
  %v78 = xor i33 %v69, %v70
  %s49 = zext i33 %v78 to i64
  %o49 = getelementptr i64, ptr %row, i64 49
  store i64 %s49, ptr %o49, align 8
  %v80 = and i33 %v71, 15
  %v79 = udiv i33 %v69, %v80
  %s50 = zext i33 %v79 to i64
  %o50 = getelementptr i64, ptr %row, i64 50
  store i64 %s50, ptr %o50, align 8
  %v82 = and i33 %v71, 15
  %v81 = urem i33 %v69, %v82
  %s51 = zext i33 %v81 to i64
  %o51 = getelementptr i64, ptr %row, i64 51
  store i64 %s51, ptr %o51, align 8
  %v84 = and i33 %v71, 15
  %v83 = sdiv i33 %v69, %v84
  %s52 = zext i33 %v83 to i64
  %o52 = getelementptr i64, ptr %row, i64 52
  store i64 %s52, ptr %o52, align 8
  %v86 = and i33 %v71, 15
  %v85 = srem i33 %v69, %v86
  %s53 = zext i33 %v85 to i64
  %o53 = getelementptr i64, ptr %row, i64 53
  store i64 %s53, ptr %o53, align 8
  %v87 = shl i33 %v69, %v72
  %s54 = zext i33 %v87 to i64
  %o54 = getelementptr i64, ptr %row, i64 54
  store i64 %s54, ptr %o54, align 8
  %v88 = lshr i33 %v69, %v72
  %s55 = zext i33 %v88 to i64
  %o55 = getelementptr i64, ptr %row, i64 55
  store i64 %s55, ptr %o55, align 8
  %v89 = ashr i33 %v69, %v72
  %s56 = zext i33 %v89 to i64
  %o56 = getelementptr i64, ptr %row, i64 56
  store i64 %s56, ptr %o56, align 8
  %v90 = icmp eq i33 %v69, %v70
  %s57 = zext i1 %v90 to i64
  %o57 = getelementptr i64, ptr %row, i64 57
  store i64 %s57, ptr %o57, align 8
  %v91 = icmp ult i33 %v69, %v70
  %s58 = zext i1 %v91 to i64
  %o58 = getelementptr i64, ptr %row, i64 58
  store i64 %s58, ptr %o58, align 8
  %v92 = icmp ugt i33 %v69, %v70
  %s59 = zext i1 %v92 to i64
  %o59 = getelementptr i64, ptr %row, i64 59
  store i64 %s59, ptr %o59, align 8
  %v93 = icmp slt i33 %v69, %v70
  %s60 = zext i1 %v93 to i64
  %o60 = getelementptr i64, ptr %row, i64 60
  store i64 %s60, ptr %o60, align 8
  %v94 = icmp sge i33 %v69, %v70
  %s61 = zext i1 %v94 to i64
  %o61 = getelementptr i64, ptr %row, i64 61
  store i64 %s61, ptr %o61, align 8
  %v95 = sext i33 %v69 to i64
  %o62 = getelementptr i64, ptr %row, i64 62
  store i64 %v95, ptr %o62, align 8
  %v97 = icmp slt i33 %v69, %v70
  %v98 = select i1 %v97, i33 %v69, i33 %v70
  %s63 = zext i33 %v98 to i64
  %o63 = getelementptr i64, ptr %row, i64 63
  store i64 %s63, ptr %o63, align 8
  %v99 = sitofp i33 %v69 to double
  %v100 = bitcast double %v99 to i64
  %o64 = getelementptr i64, ptr %row, i64 64
  store i64 %v100, ptr %o64, align 8
  %v101 = uitofp i33 %v69 to double
  %v102 = bitcast double %v101 to i64
  %o65 = getelementptr i64, ptr %row, i64 65
  store i64 %v102, ptr %o65, align 8
  %v103 = trunc i64 %a to i48
  %v104 = trunc i64 %b to i48
  %v105 = or i48 %v104, 1
  %v106 = urem i48 %v104, 48
  %v107 = add i48 %v103, %v104
  %s66 = zext i48 %v107 to i64
  %o66 = getelementptr i64, ptr %row, i64 66
  store i64 %s66, ptr %o66, align 8
  %v108 = sub i48 %v103, %v104
  %s67 = zext i48 %v108 to i64
  %o67 = getelementptr i64, ptr %row, i64 67
  store i64 %s67, ptr %o67, align 8
  %v109 = mul i48 %v103, %v104
  %s68 = zext i48 %v109 to i64
  %o68 = getelementptr i64, ptr %row, i64 68
  store i64 %s68, ptr %o68, align 8
  %v110 = and i48 %v103, %v104
  %s69 = zext i48 %v110 to i64
  %o69 = getelementptr i64, ptr %row, i64 69
  store i64 %s69, ptr %o69, align 8
  %v111 = or i48 %v103, %v104
  %s70 = zext i48 %v111 to i64
  %o70 = getelementptr i64, ptr %row, i64 70
  store i64 %s70, ptr %o70, align 8
  %v112 = xor i48 %v103, %v104
  %s71 = zext i48 %v112 to i64
  %o71 = getelementptr i64, ptr %row, i64 71
  store i64 %s71, ptr %o71, align 8
  %v114 = and i48 %v105, 15
  %v113 = udiv i48 %v103, %v114
  %s72 = zext i48 %v113 to i64
  %o72 = getelementptr i64, ptr %row, i64 72
  store i64 %s72, ptr %o72, align 8
  %v116 = and i48 %v105, 15
  %v115 = urem i48 %v103, %v116
  %s73 = zext i48 %v115 to i64
  %o73 = getelementptr i64, ptr %row, i64 73
  store i64 %s73, ptr %o73, align 8
  %v118 = and i48 %v105, 15
  %v117 = sdiv i48 %v103, %v118
  %s74 = zext i48 %v117 to i64
  %o74 = getelementptr i64, ptr %row, i64 74
  store i64 %s74, ptr %o74, align 8
  %v120 = and i48 %v105, 15
  %v119 = srem i48 %v103, %v120
  %s75 = zext i48 %v119 to i64
  %o75 = getelementptr i64, ptr %row, i64 75
  store i64 %s75, ptr %o75, align 8
  %v121 = shl i48 %v103, %v106
  %s76 = zext i48 %v121 to i64
  %o76 = getelementptr i64, ptr %row, i64 76
  store i64 %s76, ptr %o76, align 8
  %v122 = lshr i48 %v103, %v106
  %s77 = zext i48 %v122 to i64
  %o77 = getelementptr i64, ptr %row, i64 77
  store i64 %s77, ptr %o77, align 8
  %v123 = ashr i48 %v103, %v106
  %s78 = zext i48 %v123 to i64
  %o78 = getelementptr i64, ptr %row, i64 78
  store i64 %s78, ptr %o78, align 8
  %v124 = icmp eq i48 %v103, %v104
  %s79 = zext i1 %v124 to i64
  %o79 = getelementptr i64, ptr %row, i64 79
  store i64 %s79, ptr %o79, align 8
  %v125 = icmp ult i48 %v103, %v104
  %s80 = zext i1 %v125 to i64
  %o80 = getelementptr i64, ptr %row, i64 80
  store i64 %s80, ptr %o80, align 8
  %v126 = icmp ugt i48 %v103, %v104
  %s81 = zext i1 %v126 to i64
  %o81 = getelementptr i64, ptr %row, i64 81
  store i64 %s81, ptr %o81, align 8
  %v127 = icmp slt i48 %v103, %v104
  %s82 = zext i1 %v127 to i64
  %o82 = getelementptr i64, ptr %row, i64 82
  store i64 %s82, ptr %o82, align 8
  %v128 = icmp sge i48 %v103, %v104
  %s83 = zext i1 %v128 to i64
  %o83 = getelementptr i64, ptr %row, i64 83
  store i64 %s83, ptr %o83, align 8
  %v129 = sext i48 %v103 to i64
  %o84 = getelementptr i64, ptr %row, i64 84
  store i64 %v129, ptr %o84, align 8
  %v131 = icmp slt i48 %v103, %v104
  %v132 = select i1 %v131, i48 %v103, i48 %v104
  %s85 = zext i48 %v132 to i64
  %o85 = getelementptr i64, ptr %row, i64 85
  store i64 %s85, ptr %o85, align 8
  %v133 = sitofp i48 %v103 to double
  %v134 = bitcast double %v133 to i64
  %o86 = getelementptr i64, ptr %row, i64 86
  store i64 %v134, ptr %o86, align 8
  %v135 = uitofp i48 %v103 to double
  %v136 = bitcast double %v135 to i64
  %o87 = getelementptr i64, ptr %row, i64 87
  store i64 %v136, ptr %o87, align 8
  %v137 = trunc i64 %a to i63
  %v138 = trunc i64 %b to i63
  %v139 = or i63 %v138, 1
  %v140 = urem i63 %v138, 63
  %v141 = add i63 %v137, %v138
  %s88 = zext i63 %v141 to i64
  %o88 = getelementptr i64, ptr %row, i64 88
  store i64 %s88, ptr %o88, align 8
  %v142 = sub i63 %v137, %v138
  %s89 = zext i63 %v142 to i64
  %o89 = getelementptr i64, ptr %row, i64 89
  store i64 %s89, ptr %o89, align 8
  %v143 = mul i63 %v137, %v138
  %s90 = zext i63 %v143 to i64
  %o90 = getelementptr i64, ptr %row, i64 90
  store i64 %s90, ptr %o90, align 8
  %v144 = and i63 %v137, %v138
  %s91 = zext i63 %v144 to i64
  %o91 = getelementptr i64, ptr %row, i64 91
  store i64 %s91, ptr %o91, align 8
  %v145 = or i63 %v137, %v138
  %s92 = zext i63 %v145 to i64
  %o92 = getelementptr i64, ptr %row, i64 92
  store i64 %s92, ptr %o92, align 8
  %v146 = xor i63 %v137, %v138
  %s93 = zext i63 %v146 to i64
  %o93 = getelementptr i64, ptr %row, i64 93
  store i64 %s93, ptr %o93, align 8
  %v148 = and i63 %v139, 15
  %v147 = udiv i63 %v137, %v148
  %s94 = zext i63 %v147 to i64
  %o94 = getelementptr i64, ptr %row, i64 94
  store i64 %s94, ptr %o94, align 8
  %v150 = and i63 %v139, 15
  %v149 = urem i63 %v137, %v150
  %s95 = zext i63 %v149 to i64
  %o95 = getelementptr i64, ptr %row, i64 95
  store i64 %s95, ptr %o95, align 8
  %v152 = and i63 %v139, 15
  %v151 = sdiv i63 %v137, %v152
  %s96 = zext i63 %v151 to i64
  %o96 = getelementptr i64, ptr %row, i64 96
  store i64 %s96, ptr %o96, align 8
  %v154 = and i63 %v139, 15
  %v153 = srem i63 %v137, %v154
  %s97 = zext i63 %v153 to i64
  %o97 = getelementptr i64, ptr %row, i64 97
  store i64 %s97, ptr %o97, align 8
  %v155 = shl i63 %v137, %v140
  %s98 = zext i63 %v155 to i64
  %o98 = getelementptr i64, ptr %row, i64 98
  store i64 %s98, ptr %o98, align 8
  %v156 = lshr i63 %v137, %v140
  %s99 = zext i63 %v156 to i64
  %o99 = getelementptr i64, ptr %row, i64 99
  store i64 %s99, ptr %o99, align 8
  %v157 = ashr i63 %v137, %v140
  %s100 = zext i63 %v157 to i64
  %o100 = getelementptr i64, ptr %row, i64 100
  store i64 %s100, ptr %o100, align 8
  %v158 = icmp eq i63 %v137, %v138
  %s101 = zext i1 %v158 to i64
  %o101 = getelementptr i64, ptr %row, i64 101
  store i64 %s101, ptr %o101, align 8
  %v159 = icmp ult i63 %v137, %v138
  %s102 = zext i1 %v159 to i64
  %o102 = getelementptr i64, ptr %row, i64 102
  store i64 %s102, ptr %o102, align 8
  %v160 = icmp ugt i63 %v137, %v138
  %s103 = zext i1 %v160 to i64
  %o103 = getelementptr i64, ptr %row, i64 103
  store i64 %s103, ptr %o103, align 8
  %v161 = icmp slt i63 %v137, %v138
  %s104 = zext i1 %v161 to i64
  %o104 = getelementptr i64, ptr %row, i64 104
  store i64 %s104, ptr %o104, align 8
  %v162 = icmp sge i63 %v137, %v138
  %s105 = zext i1 %v162 to i64
  %o105 = getelementptr i64, ptr %row, i64 105
  store i64 %s105, ptr %o105, align 8
  %v163 = sext i63 %v137 to i64
  %o106 = getelementptr i64, ptr %row, i64 106
  store i64 %v163, ptr %o106, align 8
  %v165 = icmp slt i63 %v137, %v138
  %v166 = select i1 %v165, i63 %v137, i63 %v138
  %s107 = zext i63 %v166 to i64
  %o107 = getelementptr i64, ptr %row, i64 107
  store i64 %s107, ptr %o107, align 8
  %v167 = zext i64 %a to i128
  %v168 = zext i64 %b to i128
  %v169 = mul i128 %v167, %v168
  %v170 = lshr i128 %v169, 64
  %v171 = trunc i128 %v170 to i64
  %o108 = getelementptr i64, ptr %row, i64 108
  store i64 %v171, ptr %o108, align 8
  %v172 = sext i64 %a to i128
  %v173 = sext i64 %b to i128
  %v174 = mul i128 %v172, %v173
  %v175 = lshr i128 %v174, 64
  %v176 = trunc i128 %v175 to i64
  %o109 = getelementptr i64, ptr %row, i64 109
  store i64 %v176, ptr %o109, align 8
  %v180 = sext i64 %a to i65
  %v181 = zext i64 %b to i65
  %v179 = shl i65 %v180, 1
  %v177 = or i65 %v179, %v181
  %v178 = mul i65 %v181, -3
  %v182 = urem i65 %v181, 65
  %v183 = or i65 %v178, 1
  %v184 = add i65 %v177, %v183
  %v186 = trunc i65 %v184 to i64
  %o110 = getelementptr i64, ptr %row, i64 110
  store i64 %v186, ptr %o110, align 8
  %v185 = lshr i65 %v184, 1
  %v187 = trunc i65 %v185 to i64
  %o111 = getelementptr i64, ptr %row, i64 111
  store i64 %v187, ptr %o111, align 8
  %v188 = sub i65 %v177, %v183
  %v190 = trunc i65 %v188 to i64
  %o112 = getelementptr i64, ptr %row, i64 112
  store i64 %v190, ptr %o112, align 8
  %v189 = lshr i65 %v188, 1
  %v191 = trunc i65 %v189 to i64
  %o113 = getelementptr i64, ptr %row, i64 113
  store i64 %v191, ptr %o113, align 8
  %v192 = mul i65 %v177, %v183
  %v194 = trunc i65 %v192 to i64
  %o114 = getelementptr i64, ptr %row, i64 114
  store i64 %v194, ptr %o114, align 8
  %v193 = lshr i65 %v192, 1
  %v195 = trunc i65 %v193 to i64
  %o115 = getelementptr i64, ptr %row, i64 115
  store i64 %v195, ptr %o115, align 8
  %v196 = xor i65 %v177, %v183
  %v198 = trunc i65 %v196 to i64
  %o116 = getelementptr i64, ptr %row, i64 116
  store i64 %v198, ptr %o116, align 8
  %v197 = lshr i65 %v196, 1
  %v199 = trunc i65 %v197 to i64
  %o117 = getelementptr i64, ptr %row, i64 117
  store i64 %v199, ptr %o117, align 8
  %v200 = udiv i65 %v177, %v183
  %v202 = trunc i65 %v200 to i64
  %o118 = getelementptr i64, ptr %row, i64 118
  store i64 %v202, ptr %o118, align 8
  %v201 = lshr i65 %v200, 1
  %v203 = trunc i65 %v201 to i64
  %o119 = getelementptr i64, ptr %row, i64 119
  store i64 %v203, ptr %o119, align 8
  %v204 = urem i65 %v177, %v183
  %v206 = trunc i65 %v204 to i64
  %o120 = getelementptr i64, ptr %row, i64 120
  store i64 %v206, ptr %o120, align 8
  %v205 = lshr i65 %v204, 1
  %v207 = trunc i65 %v205 to i64
  %o121 = getelementptr i64, ptr %row, i64 121
  store i64 %v207, ptr %o121, align 8
  %v208 = sdiv i65 %v177, %v183
  %v210 = trunc i65 %v208 to i64
  %o122 = getelementptr i64, ptr %row, i64 122
  store i64 %v210, ptr %o122, align 8
  %v209 = lshr i65 %v208, 1
  %v211 = trunc i65 %v209 to i64
  %o123 = getelementptr i64, ptr %row, i64 123
  store i64 %v211, ptr %o123, align 8
  %v212 = srem i65 %v177, %v183
  %v214 = trunc i65 %v212 to i64
  %o124 = getelementptr i64, ptr %row, i64 124
  store i64 %v214, ptr %o124, align 8
  %v213 = lshr i65 %v212, 1
  %v215 = trunc i65 %v213 to i64
  %o125 = getelementptr i64, ptr %row, i64 125
  store i64 %v215, ptr %o125, align 8
  %v216 = shl i65 %v177, %v182
  %v218 = trunc i65 %v216 to i64
  %o126 = getelementptr i64, ptr %row, i64 126
  store i64 %v218, ptr %o126, align 8
  %v217 = lshr i65 %v216, 1
  %v219 = trunc i65 %v217 to i64
  %o127 = getelementptr i64, ptr %row, i64 127
  store i64 %v219, ptr %o127, align 8
  %v220 = lshr i65 %v177, %v182
  %v222 = trunc i65 %v220 to i64
  %o128 = getelementptr i64, ptr %row, i64 128
  store i64 %v222, ptr %o128, align 8
  %v221 = lshr i65 %v220, 1
  %v223 = trunc i65 %v221 to i64
  %o129 = getelementptr i64, ptr %row, i64 129
  store i64 %v223, ptr %o129, align 8
  %v224 = ashr i65 %v177, %v182
  %v226 = trunc i65 %v224 to i64
  %o130 = getelementptr i64, ptr %row, i64 130
  store i64 %v226, ptr %o130, align 8
  %v225 = lshr i65 %v224, 1
  %v227 = trunc i65 %v225 to i64
  %o131 = getelementptr i64, ptr %row, i64 131
  store i64 %v227, ptr %o131, align 8
  %v228 = icmp eq i65 %v177, %v178
  %s132 = zext i1 %v228 to i64
  %o132 = getelementptr i64, ptr %row, i64 132
  store i64 %s132, ptr %o132, align 8
  %v229 = icmp ne i65 %v177, %v178
  %s133 = zext i1 %v229 to i64
  %o133 = getelementptr i64, ptr %row, i64 133
  store i64 %s133, ptr %o133, align 8
  %v230 = icmp ult i65 %v177, %v178
  %s134 = zext i1 %v230 to i64
  %o134 = getelementptr i64, ptr %row, i64 134
  store i64 %s134, ptr %o134, align 8
  %v231 = icmp uge i65 %v177, %v178
  %s135 = zext i1 %v231 to i64
  %o135 = getelementptr i64, ptr %row, i64 135
  store i64 %s135, ptr %o135, align 8
  %v232 = icmp slt i65 %v177, %v178
  %s136 = zext i1 %v232 to i64
  %o136 = getelementptr i64, ptr %row, i64 136
  store i64 %s136, ptr %o136, align 8
  %v233 = icmp sgt i65 %v177, %v178
  %s137 = zext i1 %v233 to i64
  %o137 = getelementptr i64, ptr %row, i64 137
  store i64 %s137, ptr %o137, align 8
  %v234 = call i65 @llvm.smax.i65(i65 %v177, i65 %v178)
  %v236 = trunc i65 %v234 to i64
  %o138 = getelementptr i64, ptr %row, i64 138
  store i64 %v236, ptr %o138, align 8
  %v235 = lshr i65 %v234, 1
  %v237 = trunc i65 %v235 to i64
  %o139 = getelementptr i64, ptr %row, i64 139
  store i64 %v237, ptr %o139, align 8
  %v241 = sext i64 %a to i100
  %v242 = zext i64 %b to i100
  %v240 = shl i100 %v241, 36
  %v238 = or i100 %v240, %v242
  %v239 = mul i100 %v242, -3
  %v243 = urem i100 %v242, 100
  %v244 = or i100 %v239, 1
  %v245 = add i100 %v238, %v244
  %v247 = trunc i100 %v245 to i64
  %o140 = getelementptr i64, ptr %row, i64 140
  store i64 %v247, ptr %o140, align 8
  %v246 = lshr i100 %v245, 36
  %v248 = trunc i100 %v246 to i64
  %o141 = getelementptr i64, ptr %row, i64 141
  store i64 %v248, ptr %o141, align 8
  %v249 = sub i100 %v238, %v244
  %v251 = trunc i100 %v249 to i64
  %o142 = getelementptr i64, ptr %row, i64 142
  store i64 %v251, ptr %o142, align 8
  %v250 = lshr i100 %v249, 36
  %v252 = trunc i100 %v250 to i64
  %o143 = getelementptr i64, ptr %row, i64 143
  store i64 %v252, ptr %o143, align 8
  %v253 = mul i100 %v238, %v244
  %v255 = trunc i100 %v253 to i64
  %o144 = getelementptr i64, ptr %row, i64 144
  store i64 %v255, ptr %o144, align 8
  %v254 = lshr i100 %v253, 36
  %v256 = trunc i100 %v254 to i64
  %o145 = getelementptr i64, ptr %row, i64 145
  store i64 %v256, ptr %o145, align 8
  %v257 = xor i100 %v238, %v244
  %v259 = trunc i100 %v257 to i64
  %o146 = getelementptr i64, ptr %row, i64 146
  store i64 %v259, ptr %o146, align 8
  %v258 = lshr i100 %v257, 36
  %v260 = trunc i100 %v258 to i64
  %o147 = getelementptr i64, ptr %row, i64 147
  store i64 %v260, ptr %o147, align 8
  %v261 = udiv i100 %v238, %v244
  %v263 = trunc i100 %v261 to i64
  %o148 = getelementptr i64, ptr %row, i64 148
  store i64 %v263, ptr %o148, align 8
  %v262 = lshr i100 %v261, 36
  %v264 = trunc i100 %v262 to i64
  %o149 = getelementptr i64, ptr %row, i64 149
  store i64 %v264, ptr %o149, align 8
  %v265 = urem i100 %v238, %v244
  %v267 = trunc i100 %v265 to i64
  %o150 = getelementptr i64, ptr %row, i64 150
  store i64 %v267, ptr %o150, align 8
  %v266 = lshr i100 %v265, 36
  %v268 = trunc i100 %v266 to i64
  %o151 = getelementptr i64, ptr %row, i64 151
  store i64 %v268, ptr %o151, align 8
  %v269 = sdiv i100 %v238, %v244
  %v271 = trunc i100 %v269 to i64
  %o152 = getelementptr i64, ptr %row, i64 152
  store i64 %v271, ptr %o152, align 8
  %v270 = lshr i100 %v269, 36
  %v272 = trunc i100 %v270 to i64
  %o153 = getelementptr i64, ptr %row, i64 153
  store i64 %v272, ptr %o153, align 8
  %v273 = srem i100 %v238, %v244
  %v275 = trunc i100 %v273 to i64
  %o154 = getelementptr i64, ptr %row, i64 154
  store i64 %v275, ptr %o154, align 8
  %v274 = lshr i100 %v273, 36
  %v276 = trunc i100 %v274 to i64
  %o155 = getelementptr i64, ptr %row, i64 155
  store i64 %v276, ptr %o155, align 8
  %v277 = shl i100 %v238, %v243
  %v279 = trunc i100 %v277 to i64
  %o156 = getelementptr i64, ptr %row, i64 156
  store i64 %v279, ptr %o156, align 8
  %v278 = lshr i100 %v277, 36
  %v280 = trunc i100 %v278 to i64
  %o157 = getelementptr i64, ptr %row, i64 157
  store i64 %v280, ptr %o157, align 8
  %v281 = lshr i100 %v238, %v243
  %v283 = trunc i100 %v281 to i64
  %o158 = getelementptr i64, ptr %row, i64 158
  store i64 %v283, ptr %o158, align 8
  %v282 = lshr i100 %v281, 36
  %v284 = trunc i100 %v282 to i64
  %o159 = getelementptr i64, ptr %row, i64 159
  store i64 %v284, ptr %o159, align 8
  %v285 = ashr i100 %v238, %v243
  %v287 = trunc i100 %v285 to i64
  %o160 = getelementptr i64, ptr %row, i64 160
  store i64 %v287, ptr %o160, align 8
  %v286 = lshr i100 %v285, 36
  %v288 = trunc i100 %v286 to i64
  %o161 = getelementptr i64, ptr %row, i64 161
  store i64 %v288, ptr %o161, align 8
  %v289 = icmp eq i100 %v238, %v239
  %s162 = zext i1 %v289 to i64
  %o162 = getelementptr i64, ptr %row, i64 162
  store i64 %s162, ptr %o162, align 8
  %v290 = icmp ne i100 %v238, %v239
  %s163 = zext i1 %v290 to i64
  %o163 = getelementptr i64, ptr %row, i64 163
  store i64 %s163, ptr %o163, align 8
  %v291 = icmp ult i100 %v238, %v239
  %s164 = zext i1 %v291 to i64
  %o164 = getelementptr i64, ptr %row, i64 164
  store i64 %s164, ptr %o164, align 8
  %v292 = icmp uge i100 %v238, %v239
  %s165 = zext i1 %v292 to i64
  %o165 = getelementptr i64, ptr %row, i64 165
  store i64 %s165, ptr %o165, align 8
  %v293 = icmp slt i100 %v238, %v239
  %s166 = zext i1 %v293 to i64
  %o166 = getelementptr i64, ptr %row, i64 166
  store i64 %s166, ptr %o166, align 8
  %v294 = icmp sgt i100 %v238, %v239
  %s167 = zext i1 %v294 to i64
  %o167 = getelementptr i64, ptr %row, i64 167
  store i64 %s167, ptr %o167, align 8
  %v295 = call i100 @llvm.smax.i100(i100 %v238, i100 %v239)
  %v297 = trunc i100 %v295 to i64
  %o168 = getelementptr i64, ptr %row, i64 168
  store i64 %v297, ptr %o168, align 8
  %v296 = lshr i100 %v295, 36
  %v298 = trunc i100 %v296 to i64
  %o169 = getelementptr i64, ptr %row, i64 169
  store i64 %v298, ptr %o169, align 8
  %v302 = sext i64 %a to i128
  %v303 = zext i64 %b to i128
  %v301 = shl i128 %v302, 64
  %v299 = or i128 %v301, %v303
  %v300 = mul i128 %v303, -3
  %v304 = urem i128 %v303, 128
  %v305 = or i128 %v300, 1
  %v306 = add i128 %v299, %v305
  %v308 = trunc i128 %v306 to i64
  %o170 = getelementptr i64, ptr %row, i64 170
  store i64 %v308, ptr %o170, align 8
  %v307 = lshr i128 %v306, 64
  %v309 = trunc i128 %v307 to i64
  %o171 = getelementptr i64, ptr %row, i64 171
  store i64 %v309, ptr %o171, align 8
  %v310 = sub i128 %v299, %v305
  %v312 = trunc i128 %v310 to i64
  %o172 = getelementptr i64, ptr %row, i64 172
  store i64 %v312, ptr %o172, align 8
  %v311 = lshr i128 %v310, 64
  %v313 = trunc i128 %v311 to i64
  %o173 = getelementptr i64, ptr %row, i64 173
  store i64 %v313, ptr %o173, align 8
  %v314 = mul i128 %v299, %v305
  %v316 = trunc i128 %v314 to i64
  %o174 = getelementptr i64, ptr %row, i64 174
  store i64 %v316, ptr %o174, align 8
  %v315 = lshr i128 %v314, 64
  %v317 = trunc i128 %v315 to i64
  %o175 = getelementptr i64, ptr %row, i64 175
  store i64 %v317, ptr %o175, align 8
  %v318 = xor i128 %v299, %v305
  %v320 = trunc i128 %v318 to i64
  %o176 = getelementptr i64, ptr %row, i64 176
  store i64 %v320, ptr %o176, align 8
  %v319 = lshr i128 %v318, 64
  %v321 = trunc i128 %v319 to i64
  %o177 = getelementptr i64, ptr %row, i64 177
  store i64 %v321, ptr %o177, align 8
  %v322 = udiv i128 %v299, %v305
  %v324 = trunc i128 %v322 to i64
  %o178 = getelementptr i64, ptr %row, i64 178
  store i64 %v324, ptr %o178, align 8
  %v323 = lshr i128 %v322, 64
  %v325 = trunc i128 %v323 to i64
  %o179 = getelementptr i64, ptr %row, i64 179
  store i64 %v325, ptr %o179, align 8
  %v326 = urem i128 %v299, %v305
  %v328 = trunc i128 %v326 to i64
  %o180 = getelementptr i64, ptr %row, i64 180
  store i64 %v328, ptr %o180, align 8
  %v327 = lshr i128 %v326, 64
  %v329 = trunc i128 %v327 to i64
  %o181 = getelementptr i64, ptr %row, i64 181
  store i64 %v329, ptr %o181, align 8
  %v330 = sdiv i128 %v299, %v305
  %v332 = trunc i128 %v330 to i64
  %o182 = getelementptr i64, ptr %row, i64 182
  store i64 %v332, ptr %o182, align 8
  %v331 = lshr i128 %v330, 64
  %v333 = trunc i128 %v331 to i64
  %o183 = getelementptr i64, ptr %row, i64 183
  store i64 %v333, ptr %o183, align 8
  %v334 = srem i128 %v299, %v305
  %v336 = trunc i128 %v334 to i64
  %o184 = getelementptr i64, ptr %row, i64 184
  store i64 %v336, ptr %o184, align 8
  %v335 = lshr i128 %v334, 64
  %v337 = trunc i128 %v335 to i64
  %o185 = getelementptr i64, ptr %row, i64 185
  store i64 %v337, ptr %o185, align 8
  %v338 = shl i128 %v299, %v304
  %v340 = trunc i128 %v338 to i64
  %o186 = getelementptr i64, ptr %row, i64 186
  store i64 %v340, ptr %o186, align 8
  %v339 = lshr i128 %v338, 64
  %v341 = trunc i128 %v339 to i64
  %o187 = getelementptr i64, ptr %row, i64 187
  store i64 %v341, ptr %o187, align 8
  %v342 = lshr i128 %v299, %v304
  %v344 = trunc i128 %v342 to i64
  %o188 = getelementptr i64, ptr %row, i64 188
  store i64 %v344, ptr %o188, align 8
  %v343 = lshr i128 %v342, 64
  %v345 = trunc i128 %v343 to i64
  %o189 = getelementptr i64, ptr %row, i64 189
  store i64 %v345, ptr %o189, align 8
  %v346 = ashr i128 %v299, %v304
  %v348 = trunc i128 %v346 to i64
  %o190 = getelementptr i64, ptr %row, i64 190
  store i64 %v348, ptr %o190, align 8
  %v347 = lshr i128 %v346, 64
  %v349 = trunc i128 %v347 to i64
  %o191 = getelementptr i64, ptr %row, i64 191
  store i64 %v349, ptr %o191, align 8
  %v350 = icmp eq i128 %v299, %v300
  %s192 = zext i1 %v350 to i64
  %o192 = getelementptr i64, ptr %row, i64 192
  store i64 %s192, ptr %o192, align 8
  %v351 = icmp ne i128 %v299, %v300
  %s193 = zext i1 %v351 to i64
  %o193 = getelementptr i64, ptr %row, i64 193
  store i64 %s193, ptr %o193, align 8
  %v352 = icmp ult i128 %v299, %v300
  %s194 = zext i1 %v352 to i64
  %o194 = getelementptr i64, ptr %row, i64 194
  store i64 %s194, ptr %o194, align 8
  %v353 = icmp uge i128 %v299, %v300
  %s195 = zext i1 %v353 to i64
  %o195 = getelementptr i64, ptr %row, i64 195
  store i64 %s195, ptr %o195, align 8
  %v354 = icmp slt i128 %v299, %v300
  %s196 = zext i1 %v354 to i64
  %o196 = getelementptr i64, ptr %row, i64 196
  store i64 %s196, ptr %o196, align 8
  %v355 = icmp sgt i128 %v299, %v300
  %s197 = zext i1 %v355 to i64
  %o197 = getelementptr i64, ptr %row, i64 197
  store i64 %s197, ptr %o197, align 8
  %v356 = call i128 @llvm.smax.i128(i128 %v299, i128 %v300)
  %v358 = trunc i128 %v356 to i64
  %o198 = getelementptr i64, ptr %row, i64 198
  store i64 %v358, ptr %o198, align 8
  %v357 = lshr i128 %v356, 64
  %v359 = trunc i128 %v357 to i64
  %o199 = getelementptr i64, ptr %row, i64 199
  store i64 %v359, ptr %o199, align 8
  %memory = getelementptr i64, ptr %row, i64 300
  store i128 %v299, ptr %memory, align 8
  %v360 = load i128, ptr %memory, align 8
  %v362 = trunc i128 %v360 to i64
  %o200 = getelementptr i64, ptr %row, i64 200
  store i64 %v362, ptr %o200, align 8
  %v361 = lshr i128 %v360, 64
  %v363 = trunc i128 %v361 to i64
  %o201 = getelementptr i64, ptr %row, i64 201
  store i64 %v363, ptr %o201, align 8
  %v364 = trunc i64 %a to i8
  %v365 = trunc i64 %b to i8
  %v366 = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %v364, i8 %v365)
  %v367 = extractvalue { i8, i1 } %v366, 0
  %s202 = zext i8 %v367 to i64
  %o202 = getelementptr i64, ptr %row, i64 202
  store i64 %s202, ptr %o202, align 8
  %v368 = extractvalue { i8, i1 } %v366, 1
  %s203 = zext i1 %v368 to i64
  %o203 = getelementptr i64, ptr %row, i64 203
  store i64 %s203, ptr %o203, align 8
  %v369 = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 %v364, i8 %v365)
  %v370 = extractvalue { i8, i1 } %v369, 0
  %s204 = zext i8 %v370 to i64
  %o204 = getelementptr i64, ptr %row, i64 204
  store i64 %s204, ptr %o204, align 8
  %v371 = extractvalue { i8, i1 } %v369, 1
  %s205 = zext i1 %v371 to i64
  %o205 = getelementptr i64, ptr %row, i64 205
  store i64 %s205, ptr %o205, align 8
  %v372 = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %v364, i8 %v365)
  %v373 = extractvalue { i8, i1 } %v372, 0
  %s206 = zext i8 %v373 to i64
  %o206 = getelementptr i64, ptr %row, i64 206
  store i64 %s206, ptr %o206, align 8
  %v374 = extractvalue { i8, i1 } %v372, 1
  %s207 = zext i1 %v374 to i64
  %o207 = getelementptr i64, ptr %row, i64 207
  store i64 %s207, ptr %o207, align 8
  %v375 = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %v364, i8 %v365)
  %v376 = extractvalue { i8, i1 } %v375, 0
  %s208 = zext i8 %v376 to i64
  %o208 = getelementptr i64, ptr %row, i64 208
  store i64 %s208, ptr %o208, align 8
  %v377 = extractvalue { i8, i1 } %v375, 1
  %s209 = zext i1 %v377 to i64
  %o209 = getelementptr i64, ptr %row, i64 209
  store i64 %s209, ptr %o209, align 8
  %v378 = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %v364, i8 %v365)
  %v379 = extractvalue { i8, i1 } %v378, 0
  %s210 = zext i8 %v379 to i64
  %o210 = getelementptr i64, ptr %row, i64 210
  store i64 %s210, ptr %o210, align 8
  %v380 = extractvalue { i8, i1 } %v378, 1
  %s211 = zext i1 %v380 to i64
  %o211 = getelementptr i64, ptr %row, i64 211
  store i64 %s211, ptr %o211, align 8
  %v381 = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %v364, i8 %v365)
  %v382 = extractvalue { i8, i1 } %v381, 0
  %s212 = zext i8 %v382 to i64
  %o212 = getelementptr i64, ptr %row, i64 212
  store i64 %s212, ptr %o212, align 8
  %v383 = extractvalue { i8, i1 } %v381, 1
  %s213 = zext i1 %v383 to i64
  %o213 = getelementptr i64, ptr %row, i64 213
  store i64 %s213, ptr %o213, align 8
  %v384 = call i8 @llvm.bitreverse.i8(i8 %v364)
  %s214 = zext i8 %v384 to i64
  %o214 = getelementptr i64, ptr %row, i64 214
  store i64 %s214, ptr %o214, align 8
  %v386 = xor i8 %v365, 5
  %v385 = call i8 @llvm.fshl.i8(i8 %v364, i8 %v365, i8 %v386)
  %s215 = zext i8 %v385 to i64
  %o215 = getelementptr i64, ptr %row, i64 215
  store i64 %s215, ptr %o215, align 8
  %v387 = call i8 @llvm.fshl.i8(i8 %v364, i8 %v365, i8 0)
  %s216 = zext i8 %v387 to i64
  %o216 = getelementptr i64, ptr %row, i64 216
  store i64 %s216, ptr %o216, align 8
  %v389 = xor i8 %v365, 5
  %v388 = call i8 @llvm.fshr.i8(i8 %v364, i8 %v365, i8 %v389)
  %s217 = zext i8 %v388 to i64
  %o217 = getelementptr i64, ptr %row, i64 217
  store i64 %s217, ptr %o217, align 8
  %v390 = call i8 @llvm.fshr.i8(i8 %v364, i8 %v365, i8 0)
  %s218 = zext i8 %v390 to i64
  %o218 = getelementptr i64, ptr %row, i64 218
  store i64 %s218, ptr %o218, align 8
  %v391 = trunc i64 %a to i32
  %v392 = trunc i64 %b to i32
  %v393 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %v391, i32 %v392)
  %v394 = extractvalue { i32, i1 } %v393, 0
  %s219 = zext i32 %v394 to i64
  %o219 = getelementptr i64, ptr %row, i64 219
  store i64 %s219, ptr %o219, align 8
  %v395 = extractvalue { i32, i1 } %v393, 1
  %s220 = zext i1 %v395 to i64
  %o220 = getelementptr i64, ptr %row, i64 220
  store i64 %s220, ptr %o220, align 8
  %v396 = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %v391, i32 %v392)
  %v397 = extractvalue { i32, i1 } %v396, 0
  %s221 = zext i32 %v397 to i64
  %o221 = getelementptr i64, ptr %row, i64 221
  store i64 %s221, ptr %o221, align 8
  %v398 = extractvalue { i32, i1 } %v396, 1
  %s222 = zext i1 %v398 to i64
  %o222 = getelementptr i64, ptr %row, i64 222
  store i64 %s222, ptr %o222, align 8
  %v399 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %v391, i32 %v392)
  %v400 = extractvalue { i32, i1 } %v399, 0
  %s223 = zext i32 %v400 to i64
  %o223 = getelementptr i64, ptr %row, i64 223
  store i64 %s223, ptr %o223, align 8
  %v401 = extractvalue { i32, i1 } %v399, 1
  %s224 = zext i1 %v401 to i64
  %o224 = getelementptr i64, ptr %row, i64 224
  store i64 %s224, ptr %o224, align 8
  %v402 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %v391, i32 %v392)
  %v403 = extractvalue { i32, i1 } %v402, 0
  %s225 = zext i32 %v403 to i64
  %o225 = getelementptr i64, ptr %row, i64 225
  store i64 %s225, ptr %o225, align 8
  %v404 = extractvalue { i32, i1 } %v402, 1
  %s226 = zext i1 %v404 to i64
  %o226 = getelementptr i64, ptr %row, i64 226
  store i64 %s226, ptr %o226, align 8
  %v405 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %v391, i32 %v392)
  %v406 = extractvalue { i32, i1 } %v405, 0
  %s227 = zext i32 %v406 to i64
  %o227 = getelementptr i64, ptr %row, i64 227
  store i64 %s227, ptr %o227, align 8
  %v407 = extractvalue { i32, i1 } %v405, 1
  %s228 = zext i1 %v407 to i64
  %o228 = getelementptr i64, ptr %row, i64 228
  store i64 %s228, ptr %o228, align 8
  %v408 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %v391, i32 %v392)
  %v409 = extractvalue { i32, i1 } %v408, 0
  %s229 = zext i32 %v409 to i64
  %o229 = getelementptr i64, ptr %row, i64 229
  store i64 %s229, ptr %o229, align 8
  %v410 = extractvalue { i32, i1 } %v408, 1
  %s230 = zext i1 %v410 to i64
  %o230 = getelementptr i64, ptr %row, i64 230
  store i64 %s230, ptr %o230, align 8
  %v411 = call i32 @llvm.bitreverse.i32(i32 %v391)
  %s231 = zext i32 %v411 to i64
  %o231 = getelementptr i64, ptr %row, i64 231
  store i64 %s231, ptr %o231, align 8
  %v413 = xor i32 %v392, 5
  %v412 = call i32 @llvm.fshl.i32(i32 %v391, i32 %v392, i32 %v413)
  %s232 = zext i32 %v412 to i64
  %o232 = getelementptr i64, ptr %row, i64 232
  store i64 %s232, ptr %o232, align 8
  %v414 = call i32 @llvm.fshl.i32(i32 %v391, i32 %v392, i32 0)
  %s233 = zext i32 %v414 to i64
  %o233 = getelementptr i64, ptr %row, i64 233
  store i64 %s233, ptr %o233, align 8
  %v416 = xor i32 %v392, 5
  %v415 = call i32 @llvm.fshr.i32(i32 %v391, i32 %v392, i32 %v416)
  %s234 = zext i32 %v415 to i64
  %o234 = getelementptr i64, ptr %row, i64 234
  store i64 %s234, ptr %o234, align 8
  %v417 = call i32 @llvm.fshr.i32(i32 %v391, i32 %v392, i32 0)
  %s235 = zext i32 %v417 to i64
  %o235 = getelementptr i64, ptr %row, i64 235
  store i64 %s235, ptr %o235, align 8
  %v418 = call i32 @llvm.bswap.i32(i32 %v391)
  %s236 = zext i32 %v418 to i64
  %o236 = getelementptr i64, ptr %row, i64 236
  store i64 %s236, ptr %o236, align 8
  %v421 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %v422 = extractvalue { i64, i1 } %v421, 0
  %o237 = getelementptr i64, ptr %row, i64 237
  store i64 %v422, ptr %o237, align 8
  %v423 = extractvalue { i64, i1 } %v421, 1
  %s238 = zext i1 %v423 to i64
  %o238 = getelementptr i64, ptr %row, i64 238
  store i64 %s238, ptr %o238, align 8
  %v424 = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %a, i64 %b)
  %v425 = extractvalue { i64, i1 } %v424, 0
  %o239 = getelementptr i64, ptr %row, i64 239
  store i64 %v425, ptr %o239, align 8
  %v426 = extractvalue { i64, i1 } %v424, 1
  %s240 = zext i1 %v426 to i64
  %o240 = getelementptr i64, ptr %row, i64 240
  store i64 %s240, ptr %o240, align 8
  %v427 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 %b)
  %v428 = extractvalue { i64, i1 } %v427, 0
  %o241 = getelementptr i64, ptr %row, i64 241
  store i64 %v428, ptr %o241, align 8
  %v429 = extractvalue { i64, i1 } %v427, 1
  %s242 = zext i1 %v429 to i64
  %o242 = getelementptr i64, ptr %row, i64 242
  store i64 %s242, ptr %o242, align 8
  %v430 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %v431 = extractvalue { i64, i1 } %v430, 0
  %o243 = getelementptr i64, ptr %row, i64 243
  store i64 %v431, ptr %o243, align 8
  %v432 = extractvalue { i64, i1 } %v430, 1
  %s244 = zext i1 %v432 to i64
  %o244 = getelementptr i64, ptr %row, i64 244
  store i64 %s244, ptr %o244, align 8
  %v433 = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  %v434 = extractvalue { i64, i1 } %v433, 0
  %o245 = getelementptr i64, ptr %row, i64 245
  store i64 %v434, ptr %o245, align 8
  %v435 = extractvalue { i64, i1 } %v433, 1
  %s246 = zext i1 %v435 to i64
  %o246 = getelementptr i64, ptr %row, i64 246
  store i64 %s246, ptr %o246, align 8
  %v436 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %v437 = extractvalue { i64, i1 } %v436, 0
  %o247 = getelementptr i64, ptr %row, i64 247
  store i64 %v437, ptr %o247, align 8
  %v438 = extractvalue { i64, i1 } %v436, 1
  %s248 = zext i1 %v438 to i64
  %o248 = getelementptr i64, ptr %row, i64 248
  store i64 %s248, ptr %o248, align 8
  %v439 = call i64 @llvm.bitreverse.i64(i64 %a)
  %o249 = getelementptr i64, ptr %row, i64 249
  store i64 %v439, ptr %o249, align 8
  %v441 = xor i64 %b, 5
  %v440 = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 %v441)
  %o250 = getelementptr i64, ptr %row, i64 250
  store i64 %v440, ptr %o250, align 8
  %v442 = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 0)
  %o251 = getelementptr i64, ptr %row, i64 251
  store i64 %v442, ptr %o251, align 8
  %v444 = xor i64 %b, 5
  %v443 = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 %v444)
  %o252 = getelementptr i64, ptr %row, i64 252
  store i64 %v443, ptr %o252, align 8
  %v445 = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 0)
  %o253 = getelementptr i64, ptr %row, i64 253
  store i64 %v445, ptr %o253, align 8
  %v446 = call i64 @llvm.bswap.i64(i64 %a)
  %o254 = getelementptr i64, ptr %row, i64 254
  store i64 %v446, ptr %o254, align 8
  %fa = sitofp i64 %a to double
  %fq = fdiv double %fa, 1.0e12
  %v447 = call i64 @llvm.lrint.i64.f64(double %fq)
  %o255 = getelementptr i64, ptr %row, i64 255
  store i64 %v447, ptr %o255, align 8
  %v448 = call i64 @llvm.lround.i64.f64(double %fq)
  %o256 = getelementptr i64, ptr %row, i64 256
  store i64 %v448, ptr %o256, align 8
  %v450 = call double @llvm.canonicalize.f64(double %fq)
  %v449 = bitcast double %v450 to i64
  %o257 = getelementptr i64, ptr %row, i64 257
  store i64 %v449, ptr %o257, align 8
  %six.0 = insertelement <6 x i64> zeroinitializer, i64 %a, i32 1
  %six.1 = insertelement <6 x i64> %six.0, i64 %b, i32 4
  %six.2 = mul <6 x i64> %six.1, <i64 1, i64 3, i64 5, i64 7, i64 9, i64 11>
  %six.3 = shufflevector <6 x i64> %six.2, <6 x i64> %six.1, <6 x i32> <i32 4, i32 7, i32 1, i32 0, i32 10, i32 3>
  %which = urem i64 %a, 6
  %six.4 = extractelement <6 x i64> %six.3, i64 %which
  %six.5 = extractelement <6 x i64> %six.3, i64 0
  %o258 = getelementptr i64, ptr %row, i64 258
  store i64 %six.4, ptr %o258, align 8
  %o259 = getelementptr i64, ptr %row, i64 259
  store i64 %six.5, ptr %o259, align 8
  %start = trunc i64 %a to i33
  br label %loop

loop:
  %i = phi i33 [ %start, %entry ], [ %i.next, %next ]
  %count = phi i32 [ 0, %entry ], [ %count.next, %next ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %next ]
  %low = and i33 %i, 3
  switch i33 %low, label %other [ i33 0, label %next
                                  i33 3, label %three ]
three:
  br label %next
other:
  br label %next
next:
  %step = phi i33 [ 1, %loop ], [ -5, %three ], [ 4294967296, %other ]
  %i.next = add i33 %i, %step
  %wide = zext i33 %i.next to i64
  %sum.next = add i64 %sum, %wide
  %count.next = add i32 %count, 1
  %done = icmp eq i32 %count.next, 20
  br i1 %done, label %end, label %loop

end:
  %last = getelementptr i64, ptr %row, i64 310
  store i64 %sum.next, ptr %last, align 8
  %some = getelementptr i64, ptr %row, i64 302
  %bytes = and i64 %a, 60
  call void @llvm.memset.p0.i64(ptr %some, i8 37, i64 %bytes, i1 false)
  %cell = getelementptr i64, ptr %row, i64 311
  store i64 4611686018427387904, ptr %cell, align 8
  %old = atomicrmw fadd ptr %cell, double 1.5 acq_rel
  %old.again = atomicrmw uinc_wrap ptr %last, i64 5 seq_cst
  %old.third = cmpxchg ptr %cell, i64 0, i64 1 seq_cst monotonic
  %seen = load atomic i64, ptr %cell acquire, align 8
  store atomic i64 %seen, ptr %last release, align 8
  ret void
}

declare i32 @__lathe_item_id_x()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare double @llvm.canonicalize.f64(double)
declare i100 @llvm.smax.i100(i100, i100)
declare i128 @llvm.smax.i128(i128, i128)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i64 @llvm.bitreverse.i64(i64)
declare i64 @llvm.bswap.i64(i64)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.lrint.i64.f64(double)
declare i64 @llvm.lround.i64.f64(double)
declare i65 @llvm.smax.i65(i65, i65)
declare i8 @llvm.bitreverse.i8(i8)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)
declare { i8, i1 } @llvm.sadd.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.smul.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.ssub.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.umul.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.usub.with.overflow.i8(i8, i8)
