; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Where generic pointers have an address space of their own, every construct that mentions one changes with it.
;
; RUN: env LATHE_TARGET_PATH=%S/../Inputs/targets %dump-after retarget -x ir -t spirv-permissive -O 0 --emit ir 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Named and literal structures, arrays, and the attributes' types.
; CHECK-DAG: %node = type { ptr addrspace(4), i32 }
%node = type { ptr, i32 }
%pair = type { i64, i32 }

; Variables by role; initialisers refer to each other by casts, whatever is declared first.
; CHECK-DAG: @links = internal addrspace(1) global [2 x ptr addrspace(4)] [ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(1) @table to ptr addrspace(4)), i64 8), ptr addrspace(4) null]
; CHECK-DAG: @head = internal addrspace(1) global %node { ptr addrspace(4) addrspacecast (ptr addrspace(1) @head to ptr addrspace(4)), i32 3 }
; CHECK-DAG: @table = internal addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
; CHECK-DAG: @tile = internal addrspace(3) global [64 x float] poison
; CHECK-DAG: @handlers = internal addrspace(1) constant [1 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr @double to ptr addrspace(4))]
@links = internal global [2 x ptr] [ptr getelementptr (i8, ptr @table, i64 8), ptr null]
@head = internal global %node { ptr @head, i32 3 }
@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@tile = internal addrspace(3) global [64 x float] poison
@handlers = internal constant [1 x ptr] [ptr @double]

; CHECK-LABEL: define internal i32 @double(i32 %x)
define internal i32 @double(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}

; Parameters and results; a structure that a device function takes by value is copied by the function.
; CHECK-LABEL: define internal ptr addrspace(4) @advance(ptr addrspace(4) nonnull %p, ptr addrspace(4) align 8 %by)
define internal ptr @advance(ptr nonnull %p, ptr byval(%pair) align 8 %by) noinline {
  ; CHECK: %by.copy[[COPY:.*]] = alloca %pair, align 8
  ; CHECK: [[COPYCAST:%.*]] = addrspacecast ptr %by.copy[[COPY]] to ptr addrspace(4)
  ; CHECK: call void @llvm.memcpy.p4.p4.i64(ptr addrspace(4) align 8 [[COPYCAST]], ptr addrspace(4) align 8 %by, i64 16, i1 false)
  ; CHECK: %n = load i64, ptr addrspace(4) [[COPYCAST]]
  ; CHECK: %q = getelementptr inbounds float, ptr addrspace(4) %p, i64 %n
  %n = load i64, ptr %by, align 8
  %q = getelementptr inbounds float, ptr %p, i64 %n
  ret ptr %q
}

; CHECK-LABEL: define internal void @fill(ptr addrspace(4) sret(%node) align 8 %result, ptr addrspace(4) %p)
define internal void @fill(ptr sret(%node) align 8 %result, ptr %p) noinline {
  ; CHECK: store ptr addrspace(4) %p, ptr addrspace(4) %result
  store ptr %p, ptr %result, align 8
  ret void
}

; A kernel's aggregate stays a parameter by value.
; CHECK-LABEL: define void @kernel(ptr addrspace(4) %data, ptr addrspace(4) byval(%node) align 8 %start, i32 %n)
define void @kernel(ptr %data, ptr byval(%node) align 8 %start, i32 %n) "lathe.kernel" {
entry:
  ; Allocas stay where the target has them, and lifetime markers name the alloca itself.
  ; CHECK: %local[[LOCAL:.*]] = alloca %node, align 8
  ; CHECK: [[CAST:%.*]] = addrspacecast ptr %local[[LOCAL]] to ptr addrspace(4)
  ; CHECK: call void @llvm.lifetime.start.p0(ptr %local[[LOCAL]])
  %local = alloca %node, align 8
  %by = alloca %pair, align 8
  call void @llvm.lifetime.start.p0(ptr %local)
  ; CHECK: call void @fill(ptr addrspace(4) sret(%node) align 8 [[CAST]], ptr addrspace(4) %data)
  call void @fill(ptr sret(%node) align 8 %local, ptr %data)
  ; CHECK: %moved = call ptr addrspace(4) @advance(ptr addrspace(4) %data, ptr addrspace(4) align 8 %{{.*}})
  %moved = tail call ptr @advance(ptr %data, ptr byval(%pair) align 8 %by)
  ; CHECK: call void @llvm.lifetime.end.p0(ptr %local[[LOCAL]])
  call void @llvm.lifetime.end.p0(ptr %local)
  ; Overloaded intrinsics are those of the new types.
  ; CHECK: call void @llvm.memcpy.p4.p4.i64(ptr addrspace(4) align 8 %data, ptr addrspace(4) align 8 %start, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %data, ptr align 8 %start, i64 16, i1 false)
  ; CHECK: ptrtoint ptr addrspace(4) %moved to i64
  ; CHECK: getelementptr i8, ptr addrspace(4) %moved, i64
  %masked = call ptr @llvm.ptrmask.p0.i64(ptr %moved, i64 -16)
  ; Group pointers cast to generic ones, from instructions and constants.
  ; CHECK: store float 1.000000e+00, ptr addrspace(4) addrspacecast (ptr addrspace(3) @tile to ptr addrspace(4))
  store float 1.0, ptr addrspacecast (ptr addrspace(3) @tile to ptr), align 4
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %loop, label %done

loop:
  ; CHECK: phi ptr addrspace(4) [ %masked, %entry ], [ %next, %loop ]
  ; CHECK: select i1 %last, ptr addrspace(4) null, ptr addrspace(4) %p
  ; CHECK: insertvalue { ptr addrspace(4), i32 } poison, ptr addrspace(4) %chosen, 0
  %p = phi ptr [ %masked, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %p, align 8, !nonnull !0
  %last = icmp eq ptr %next, null
  %chosen = select i1 %last, ptr null, ptr %p
  %made = insertvalue { ptr, i32 } poison, ptr %chosen, 0
  %part = extractvalue { ptr, i32 } %made, 0
  ; CHECK: ptrtoint ptr addrspace(4) %part to i64
  ; CHECK: inttoptr i64 %bits to ptr addrspace(4)
  %bits = ptrtoint ptr %part to i64
  %back = inttoptr i64 %bits to ptr
  ; CHECK: getelementptr i8, <2 x ptr addrspace(4)>
  %both = insertelement <2 x ptr> poison, ptr %back, i32 0
  %lanes = getelementptr i8, <2 x ptr> %both, <2 x i64> <i64 4, i64 8>
  %lane = extractelement <2 x ptr> %lanes, i32 1
  ; Atomics on and of pointers.
  ; CHECK: cmpxchg ptr addrspace(4) %lane, ptr addrspace(4) null, ptr addrspace(4) %back monotonic monotonic
  %seen = cmpxchg ptr %lane, ptr null, ptr %back monotonic monotonic
  br i1 %last, label %done, label %loop

done:
  ; A call through a pointer has the function's new type.
  ; CHECK: %f = load ptr addrspace(4), ptr addrspace(4) addrspacecast (ptr addrspace(1) @handlers to ptr addrspace(4))
  ; CHECK: call addrspace(4) i32 %f(i32 %n)
  %f = load ptr, ptr @handlers, align 8
  %r = call i32 %f(i32 %n)
  %l = load ptr, ptr @links, align 8
  %h = load ptr, ptr @head, align 8
  store ptr %h, ptr %l, align 8
  ; A direct call names the function, not a cast of it.
  ; CHECK: call i32 @double(i32 %r)
  %s = call i32 @double(i32 %r)
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
!0 = !{}
