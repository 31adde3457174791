// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions' texts. A subgroup is a vector; sets of its items are sums of their bits, so that the order of
// bytes in memory does not matter.
#include "core/group/emit/schedule.h"

#include <memory>
#include <string>

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"

#include "core/group/analysis/device_calls.h"

namespace lathe::detail {
namespace {

/// Without subgroups, for any machine: not all back ends take such vectors.
constexpr const char* textOfGroups = R"(
define internal i32 @lathe.schedule(ptr %waiting, ptr %masks, i64 %items) nounwind noinline {
entry:
  br label %scan
scan:
  br label %scan.item
scan.item:
  %item = phi i64 [ 0, %scan ], [ %item.next, %scan.item ]
  %greatest = phi i32 [ 0, %scan ], [ %greatest.next, %scan.item ]
  %least = phi i32 [ -1, %scan ], [ %least.next, %scan.item ]
  %place = getelementptr i32, ptr %waiting, i64 %item
  %state = load i32, ptr %place, align 4
  %free = icmp ult i32 %state, 1073741824
  %region = select i1 %free, i32 %state, i32 0
  %greatest.next = call i32 @llvm.umax.i32(i32 %greatest, i32 %region)
  %least.next = call i32 @llvm.umin.i32(i32 %least, i32 %region)
  %item.next = add nuw i64 %item, 1
  %scan.more = icmp ult i64 %item.next, %items
  br i1 %scan.more, label %scan.item, label %scanned
scanned:
  %somebody = icmp ne i32 %greatest.next, 0
  br i1 %somebody, label %found, label %open
found:
  %together = icmp eq i32 %least.next, %greatest.next
  %flag = select i1 %together, i32 -2147483648, i32 0
  %result = or i32 %greatest.next, %flag
  ret i32 %result

; Nobody can go on: the group's barriers open, if somebody waits there.
open:
  %opened = phi i64 [ 0, %scanned ], [ %opened.next, %open ]
  %seen = phi i32 [ 0, %scanned ], [ %seen.next, %open ]
  %open.place = getelementptr i32, ptr %waiting, i64 %opened
  %closed = load i32, ptr %open.place, align 4
  %seen.next = or i32 %seen, %closed
  %freed = and i32 %closed, -1073741825
  store i32 %freed, ptr %open.place, align 4
  %opened.next = add nuw i64 %opened, 1
  %open.more = icmp ult i64 %opened.next, %items
  br i1 %open.more, label %open, label %tried
tried:
  %any = icmp ne i32 %seen.next, 0
  br i1 %any, label %scan, label %end
end:
  ret i32 0
}
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
)";

/// $SIZE: items of a subgroup. $MASK: the type of a set of them, aligned to $ALIGN.
constexpr const char* textOfSubgroups = R"(
define internal i32 @lathe.schedule.subgroups(ptr noalias %waiting, ptr noalias %masks, i64 %items) nounwind noinline {
entry:
  br label %scan

; The greatest region that somebody may go on with, and whether all may.
scan:
  br label %scan.subgroup
scan.subgroup:
  %first = phi i64 [ 0, %scan ], [ %first.next, %scan.subgroup ]
  %greatest = phi i32 [ 0, %scan ], [ %greatest.next, %scan.subgroup ]
  %least = phi i32 [ -1, %scan ], [ %least.next, %scan.subgroup ]
  %seen = phi i32 [ 0, %scan ], [ %seen.next, %scan.subgroup ]
  %inside = call <$SIZE x i1> @lathe.inside(i64 %first, i64 %items)
  %place = getelementptr i32, ptr %waiting, i64 %first
  %states = load <$SIZE x i32>, ptr %place, align 4
  %states.inside = select <$SIZE x i1> %inside, <$SIZE x i32> %states, <$SIZE x i32> zeroinitializer
  %free = icmp ult <$SIZE x i32> %states.inside, splat (i32 1073741824)
  %frees = select <$SIZE x i1> %free, <$SIZE x i32> %states.inside, <$SIZE x i32> zeroinitializer
  %subgroup.greatest = call i32 @llvm.vector.reduce.umax.v$SIZEi32(<$SIZE x i32> %frees)
  %greatest.next = call i32 @llvm.umax.i32(i32 %greatest, i32 %subgroup.greatest)
  %states.or.most = select <$SIZE x i1> %inside, <$SIZE x i32> %states, <$SIZE x i32> splat (i32 -1)
  %subgroup.least = call i32 @llvm.vector.reduce.umin.v$SIZEi32(<$SIZE x i32> %states.or.most)
  %least.next = call i32 @llvm.umin.i32(i32 %least, i32 %subgroup.least)
  %subgroup.seen = call i32 @llvm.vector.reduce.or.v$SIZEi32(<$SIZE x i32> %states.inside)
  %seen.next = or i32 %seen, %subgroup.seen
  %first.next = add nuw i64 %first, $SIZE
  %scan.more = icmp ult i64 %first.next, %items
  br i1 %scan.more, label %scan.subgroup, label %scanned
scanned:
  %somebody = icmp ne i32 %greatest.next, 0
  br i1 %somebody, label %found, label %blocked
found:
  %agree = icmp eq i32 %least.next, %greatest.next
  %all.free = icmp ult i32 %seen.next, 1073741824
  %together = and i1 %agree, %all.free
  %flag = select i1 %together, i32 -2147483648, i32 0
  %result = or i32 %greatest.next, %flag
  ret i32 %result
blocked:
  %at.subgroup = icmp slt i32 %seen.next, 0
  br i1 %at.subgroup, label %meet, label %not.at.subgroup
not.at.subgroup:
  %at.group = icmp ne i32 %seen.next, 0
  br i1 %at.group, label %open, label %end
end:
  ret i32 0

; Nobody waits for a subgroup: the group's barriers open.
open:
  %opened = phi i64 [ 0, %not.at.subgroup ], [ %opened.next, %open ]
  %open.place = getelementptr i32, ptr %waiting, i64 %opened
  %closed = load <$SIZE x i32>, ptr %open.place, align 4
  %freed = and <$SIZE x i32> %closed, splat (i32 -1073741825)
  store <$SIZE x i32> %freed, ptr %open.place, align 4
  %opened.next = add nuw i64 %opened, $SIZE
  %open.more = icmp ult i64 %opened.next, %items
  br i1 %open.more, label %open, label %scan

; Each subgroup by itself.
meet:
  %base = phi i64 [ 0, %blocked ], [ %base.next, %met ]
  %met.inside = call <$SIZE x i1> @lathe.inside(i64 %base, i64 %items)
  %state.place = getelementptr i32, ptr %waiting, i64 %base
  %mask.place = getelementptr $MASK, ptr %masks, i64 %base
  %state.all = load <$SIZE x i32>, ptr %state.place, align 4
  %state = select <$SIZE x i1> %met.inside, <$SIZE x i32> %state.all, <$SIZE x i32> zeroinitializer
  %mask = load <$SIZE x $MASK>, ptr %mask.place, align $ALIGN
  %running = icmp ne <$SIZE x i32> %state, zeroinitializer
  %alive = call $MASK @lathe.set(<$SIZE x i1> %running)
  %arrived = icmp slt <$SIZE x i32> %state, zeroinitializer
  %here = call $MASK @lathe.set(<$SIZE x i1> %arrived)
  br label %named

; One mask after another: those who wait with it, and whether somebody it names is missing.
named:
  %left = phi $MASK [ %here, %meet ], [ %left.next, %named.next ]
  %ready = phi $MASK [ 0, %meet ], [ %ready.next, %named.next ]
  %sets = phi <$SIZE x $MASK> [ %mask, %meet ], [ %sets.next, %named.next ]
  %none.left = icmp eq $MASK %left, 0
  br i1 %none.left, label %named.end, label %named.next
named.next:
  %item = call $MASK @llvm.cttz.$MASK($MASK %left, i1 true)
  %wanted = extractelement <$SIZE x $MASK> %mask, $MASK %item
  %wanted.all = insertelement <$SIZE x $MASK> poison, $MASK %wanted, $MASK 0
  %wanted.splat = shufflevector <$SIZE x $MASK> %wanted.all, <$SIZE x $MASK> poison, <$SIZE x i32> zeroinitializer
  %same.mask = icmp eq <$SIZE x $MASK> %mask, %wanted.splat
  %same = and <$SIZE x i1> %same.mask, %arrived
  %group = call $MASK @lathe.set(<$SIZE x i1> %same)
  %absent = xor $MASK %group, -1
  %named.alive = and $MASK %wanted, %alive
  %missing = and $MASK %named.alive, %absent
  %complete = icmp eq $MASK %missing, 0
  %names.some = icmp ne $MASK %wanted, 0
  %goes = and i1 %complete, %names.some
  %going = select i1 %goes, $MASK %group, $MASK 0
  %ready.next = or $MASK %ready, %going
  %group.all = insertelement <$SIZE x $MASK> poison, $MASK %group, $MASK 0
  %group.splat = shufflevector <$SIZE x $MASK> %group.all, <$SIZE x $MASK> poison, <$SIZE x i32> zeroinitializer
  %goes.all = insertelement <$SIZE x i1> poison, i1 %goes, $MASK 0
  %goes.splat = shufflevector <$SIZE x i1> %goes.all, <$SIZE x i1> poison, <$SIZE x i32> zeroinitializer
  %sets.change = and <$SIZE x i1> %same, %goes.splat
  %sets.next = select <$SIZE x i1> %sets.change, <$SIZE x $MASK> %group.splat, <$SIZE x $MASK> %sets
  %left.next = and $MASK %left, %absent
  br label %named
named.end:
  %some.ready = icmp ne $MASK %ready, 0
  br i1 %some.ready, label %release, label %stuck

; Nobody can go on but by not waiting for all: those who named nobody first, of these those at the greatest split.
stuck:
  %nobody = icmp eq <$SIZE x $MASK> %mask, zeroinitializer
  %volunteer = and <$SIZE x i1> %arrived, %nobody
  %volunteers = call $MASK @lathe.set(<$SIZE x i1> %volunteer)
  %any.volunteer = icmp ne $MASK %volunteers, 0
  %any.all = insertelement <$SIZE x i1> poison, i1 %any.volunteer, i32 0
  %any.splat = shufflevector <$SIZE x i1> %any.all, <$SIZE x i1> poison, <$SIZE x i32> zeroinitializer
  %candidate = select <$SIZE x i1> %any.splat, <$SIZE x i1> %volunteer, <$SIZE x i1> %arrived
  %candidate.state = select <$SIZE x i1> %candidate, <$SIZE x i32> %state, <$SIZE x i32> zeroinitializer
  %furthest = call i32 @llvm.vector.reduce.umax.v$SIZEi32(<$SIZE x i32> %candidate.state)
  %furthest.all = insertelement <$SIZE x i32> poison, i32 %furthest, i32 0
  %furthest.splat = shufflevector <$SIZE x i32> %furthest.all, <$SIZE x i32> poison, <$SIZE x i32> zeroinitializer
  %at.furthest = icmp eq <$SIZE x i32> %candidate.state, %furthest.splat
  %chosen = and <$SIZE x i1> %candidate, %at.furthest
  %chosen.set = call $MASK @lathe.set(<$SIZE x i1> %chosen)
  %chosen.all = insertelement <$SIZE x $MASK> poison, $MASK %chosen.set, i32 0
  %chosen.splat = shufflevector <$SIZE x $MASK> %chosen.all, <$SIZE x $MASK> poison, <$SIZE x i32> zeroinitializer
  %chosen.sets = select <$SIZE x i1> %chosen, <$SIZE x $MASK> %chosen.splat, <$SIZE x $MASK> %sets
  br label %release
release:
  %released = phi $MASK [ %ready, %named.end ], [ %chosen.set, %stuck ]
  %sets.new = phi <$SIZE x $MASK> [ %sets, %named.end ], [ %chosen.sets, %stuck ]
  %released.all = insertelement <$SIZE x $MASK> poison, $MASK %released, $MASK 0
  %released.splat = shufflevector <$SIZE x $MASK> %released.all, <$SIZE x $MASK> poison, <$SIZE x i32> zeroinitializer
  %released.bit = and <$SIZE x $MASK> %released.splat, $BITS
  %released.here = icmp ne <$SIZE x $MASK> %released.bit, zeroinitializer
  %state.free = and <$SIZE x i32> %state.all, splat (i32 2147483647)
  %state.new = select <$SIZE x i1> %released.here, <$SIZE x i32> %state.free, <$SIZE x i32> %state.all
  store <$SIZE x i32> %state.new, ptr %state.place, align 4
  store <$SIZE x $MASK> %sets.new, ptr %mask.place, align $ALIGN
  br label %met
met:
  %base.next = add nuw i64 %base, $SIZE
  %meet.more = icmp ult i64 %base.next, %items
  br i1 %meet.more, label %meet, label %scan
}

; Which of $SIZE items from `first` on are of the group.
define internal <$SIZE x i1> @lathe.inside(i64 %first, i64 %items) alwaysinline nounwind {
  %left = sub i64 %items, %first
  %most = call i64 @llvm.umin.i64(i64 %left, i64 $SIZE)
  %count = trunc i64 %most to i32
  %all = insertelement <$SIZE x i32> poison, i32 %count, i32 0
  %splat = shufflevector <$SIZE x i32> %all, <$SIZE x i32> poison, <$SIZE x i32> zeroinitializer
  %inside = icmp ult <$SIZE x i32> $NUMBERS, %splat
  ret <$SIZE x i1> %inside
}

define internal $MASK @lathe.set(<$SIZE x i1> %items) alwaysinline nounwind {
  %bits = select <$SIZE x i1> %items, <$SIZE x $MASK> $BITS, <$SIZE x $MASK> zeroinitializer
  %set = call $MASK @llvm.vector.reduce.or.v$SIZE$MASK(<$SIZE x $MASK> %bits)
  ret $MASK %set
}

declare i32 @llvm.vector.reduce.umax.v$SIZEi32(<$SIZE x i32>)
declare i32 @llvm.vector.reduce.umin.v$SIZEi32(<$SIZE x i32>)
declare i32 @llvm.vector.reduce.or.v$SIZEi32(<$SIZE x i32>)
$OR_OF_MASKSdeclare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare $MASK @llvm.cttz.$MASK($MASK, i1 immarg)
)";

/// A vector of numbers as text.
template <class Number>
std::string listOf(const std::string& type, unsigned size, const Number& number) {
  std::string out = "<";
  for (unsigned i = 0; i < size; ++i) out += (i ? ", " : "") + type + " " + std::to_string(number(i));
  return out + ">";
}

std::string textOf(unsigned size, const std::string& mask) {
  std::string out = textOfSubgroups;
  const auto fill = [&](llvm::StringRef word, const std::string& value) {
    for (std::size_t at = out.find(word); at != std::string::npos; at = out.find(word, at + value.size()))
      out.replace(at, word.size(), value);
  };
  const bool wide = mask != "i32";
  fill("$OR_OF_MASKS", wide ? "declare $MASK @llvm.vector.reduce.or.v$SIZE$MASK(<$SIZE x $MASK>)\n" : "");
  fill("$BITS", listOf(mask, size, [](unsigned i) { return std::uint64_t{1} << i; }));
  fill("$NUMBERS", listOf("i32", size, [](unsigned i) { return i; }));
  fill("$MASK", mask);
  fill("$ALIGN", wide ? "8" : "4");
  fill("$SIZE", std::to_string(size));
  return out;
}

}  // namespace

llvm::Function& scheduleFunction(llvm::Function& user, unsigned size) {
  const char* const name = size != 0 ? "lathe.schedule.subgroups" : "lathe.schedule";
  llvm::Module& module = *user.getParent();
  if (llvm::Function* const made = module.getFunction(name)) return *made;
  llvm::SMDiagnostic problem;
  const std::string text =
      size == 0 ? textOfGroups
                : textOf(size, "i" + std::to_string(subgroupMaskType(module.getContext(), size)->getBitWidth()));
  std::unique_ptr<llvm::Module> added = llvm::parseAssemblyString(text, problem, module.getContext());
  if (!added) llvm::report_fatal_error(llvm::Twine(name) + ": " + problem.getMessage());
  added->setTargetTriple(module.getTargetTriple());
  added->setDataLayout(module.getDataLayout());
  for (llvm::Function& function : *added) {
    if (function.isDeclaration()) continue;
    for (const char* processor : {"target-cpu", "target-features", "tune-cpu"}) {
      if (user.hasFnAttribute(processor)) function.addFnAttr(user.getFnAttribute(processor));
    }
  }
  llvm::Function* schedule = added->getFunction(name);
  schedule->setLinkage(llvm::GlobalValue::ExternalLinkage);  // the linker looks for the names of what is internal
  if (llvm::Linker::linkModules(module, std::move(added))) llvm::report_fatal_error(llvm::Twine(name) + ": not linked");
  schedule = module.getFunction(name);
  schedule->setLinkage(llvm::GlobalValue::InternalLinkage);
  return *schedule;
}

}  // namespace lathe::detail
