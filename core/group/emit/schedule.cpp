// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions' texts. A subgroup is a vector of 32; sets of its items are sums of their bits, so that the order of
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

namespace lathe::detail {
namespace {

/// Without subgroups, for any machine: not all back ends take vectors of 32.
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
  %inside = call <32 x i1> @lathe.inside(i64 %first, i64 %items)
  %place = getelementptr i32, ptr %waiting, i64 %first
  %states = load <32 x i32>, ptr %place, align 4
  %states.inside = select <32 x i1> %inside, <32 x i32> %states, <32 x i32> zeroinitializer
  %free = icmp ult <32 x i32> %states.inside, splat (i32 1073741824)
  %frees = select <32 x i1> %free, <32 x i32> %states.inside, <32 x i32> zeroinitializer
  %subgroup.greatest = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %frees)
  %greatest.next = call i32 @llvm.umax.i32(i32 %greatest, i32 %subgroup.greatest)
  %states.or.most = select <32 x i1> %inside, <32 x i32> %states, <32 x i32> splat (i32 -1)
  %subgroup.least = call i32 @llvm.vector.reduce.umin.v32i32(<32 x i32> %states.or.most)
  %least.next = call i32 @llvm.umin.i32(i32 %least, i32 %subgroup.least)
  %subgroup.seen = call i32 @llvm.vector.reduce.or.v32i32(<32 x i32> %states.inside)
  %seen.next = or i32 %seen, %subgroup.seen
  %first.next = add nuw i64 %first, 32
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
  %closed = load <32 x i32>, ptr %open.place, align 4
  %freed = and <32 x i32> %closed, splat (i32 -1073741825)
  store <32 x i32> %freed, ptr %open.place, align 4
  %opened.next = add nuw i64 %opened, 32
  %open.more = icmp ult i64 %opened.next, %items
  br i1 %open.more, label %open, label %scan

; Each subgroup by itself.
meet:
  %base = phi i64 [ 0, %blocked ], [ %base.next, %met ]
  %met.inside = call <32 x i1> @lathe.inside(i64 %base, i64 %items)
  %state.place = getelementptr i32, ptr %waiting, i64 %base
  %mask.place = getelementptr i32, ptr %masks, i64 %base
  %state.all = load <32 x i32>, ptr %state.place, align 4
  %state = select <32 x i1> %met.inside, <32 x i32> %state.all, <32 x i32> zeroinitializer
  %mask = load <32 x i32>, ptr %mask.place, align 4
  %running = icmp ne <32 x i32> %state, zeroinitializer
  %alive = call i32 @lathe.set(<32 x i1> %running)
  %arrived = icmp slt <32 x i32> %state, zeroinitializer
  %here = call i32 @lathe.set(<32 x i1> %arrived)
  br label %named

; One mask after another: those who wait with it, and whether somebody it names is missing.
named:
  %left = phi i32 [ %here, %meet ], [ %left.next, %named.next ]
  %ready = phi i32 [ 0, %meet ], [ %ready.next, %named.next ]
  %sets = phi <32 x i32> [ %mask, %meet ], [ %sets.next, %named.next ]
  %none.left = icmp eq i32 %left, 0
  br i1 %none.left, label %named.end, label %named.next
named.next:
  %item = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %wanted = extractelement <32 x i32> %mask, i32 %item
  %wanted.all = insertelement <32 x i32> poison, i32 %wanted, i32 0
  %wanted.splat = shufflevector <32 x i32> %wanted.all, <32 x i32> poison, <32 x i32> zeroinitializer
  %same.mask = icmp eq <32 x i32> %mask, %wanted.splat
  %same = and <32 x i1> %same.mask, %arrived
  %group = call i32 @lathe.set(<32 x i1> %same)
  %absent = xor i32 %group, -1
  %named.alive = and i32 %wanted, %alive
  %missing = and i32 %named.alive, %absent
  %complete = icmp eq i32 %missing, 0
  %names.some = icmp ne i32 %wanted, 0
  %goes = and i1 %complete, %names.some
  %going = select i1 %goes, i32 %group, i32 0
  %ready.next = or i32 %ready, %going
  %group.all = insertelement <32 x i32> poison, i32 %group, i32 0
  %group.splat = shufflevector <32 x i32> %group.all, <32 x i32> poison, <32 x i32> zeroinitializer
  %goes.all = insertelement <32 x i1> poison, i1 %goes, i32 0
  %goes.splat = shufflevector <32 x i1> %goes.all, <32 x i1> poison, <32 x i32> zeroinitializer
  %sets.change = and <32 x i1> %same, %goes.splat
  %sets.next = select <32 x i1> %sets.change, <32 x i32> %group.splat, <32 x i32> %sets
  %left.next = and i32 %left, %absent
  br label %named
named.end:
  %some.ready = icmp ne i32 %ready, 0
  br i1 %some.ready, label %release, label %stuck

; Nobody can go on but by not waiting for all: those who named nobody first, of these those at the greatest split.
stuck:
  %nobody = icmp eq <32 x i32> %mask, zeroinitializer
  %volunteer = and <32 x i1> %arrived, %nobody
  %volunteers = call i32 @lathe.set(<32 x i1> %volunteer)
  %any.volunteer = icmp ne i32 %volunteers, 0
  %any.all = insertelement <32 x i1> poison, i1 %any.volunteer, i32 0
  %any.splat = shufflevector <32 x i1> %any.all, <32 x i1> poison, <32 x i32> zeroinitializer
  %candidate = select <32 x i1> %any.splat, <32 x i1> %volunteer, <32 x i1> %arrived
  %candidate.state = select <32 x i1> %candidate, <32 x i32> %state, <32 x i32> zeroinitializer
  %furthest = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %candidate.state)
  %furthest.all = insertelement <32 x i32> poison, i32 %furthest, i32 0
  %furthest.splat = shufflevector <32 x i32> %furthest.all, <32 x i32> poison, <32 x i32> zeroinitializer
  %at.furthest = icmp eq <32 x i32> %candidate.state, %furthest.splat
  %chosen = and <32 x i1> %candidate, %at.furthest
  %chosen.set = call i32 @lathe.set(<32 x i1> %chosen)
  %chosen.all = insertelement <32 x i32> poison, i32 %chosen.set, i32 0
  %chosen.splat = shufflevector <32 x i32> %chosen.all, <32 x i32> poison, <32 x i32> zeroinitializer
  %chosen.sets = select <32 x i1> %chosen, <32 x i32> %chosen.splat, <32 x i32> %sets
  br label %release
release:
  %released = phi i32 [ %ready, %named.end ], [ %chosen.set, %stuck ]
  %sets.new = phi <32 x i32> [ %sets, %named.end ], [ %chosen.sets, %stuck ]
  %released.all = insertelement <32 x i32> poison, i32 %released, i32 0
  %released.splat = shufflevector <32 x i32> %released.all, <32 x i32> poison, <32 x i32> zeroinitializer
  %released.bit = and <32 x i32> %released.splat, $BITS
  %released.here = icmp ne <32 x i32> %released.bit, zeroinitializer
  %state.free = and <32 x i32> %state.all, splat (i32 2147483647)
  %state.new = select <32 x i1> %released.here, <32 x i32> %state.free, <32 x i32> %state.all
  store <32 x i32> %state.new, ptr %state.place, align 4
  store <32 x i32> %sets.new, ptr %mask.place, align 4
  br label %met
met:
  %base.next = add nuw i64 %base, 32
  %meet.more = icmp ult i64 %base.next, %items
  br i1 %meet.more, label %meet, label %scan
}

; Which of 32 items from `first` on are of the group.
define internal <32 x i1> @lathe.inside(i64 %first, i64 %items) alwaysinline nounwind {
  %left = sub i64 %items, %first
  %most = call i64 @llvm.umin.i64(i64 %left, i64 32)
  %count = trunc i64 %most to i32
  %all = insertelement <32 x i32> poison, i32 %count, i32 0
  %splat = shufflevector <32 x i32> %all, <32 x i32> poison, <32 x i32> zeroinitializer
  %inside = icmp ult <32 x i32> $NUMBERS, %splat
  ret <32 x i1> %inside
}

define internal i32 @lathe.set(<32 x i1> %items) alwaysinline nounwind {
  %bits = select <32 x i1> %items, <32 x i32> $BITS, <32 x i32> zeroinitializer
  %set = call i32 @llvm.vector.reduce.or.v32i32(<32 x i32> %bits)
  ret i32 %set
}

declare i32 @llvm.vector.reduce.umax.v32i32(<32 x i32>)
declare i32 @llvm.vector.reduce.umin.v32i32(<32 x i32>)
declare i32 @llvm.vector.reduce.or.v32i32(<32 x i32>)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.cttz.i32(i32, i1 immarg)
)";

/// A vector of 32 numbers as text.
template <class Number>
std::string listOf(const Number& number) {
  std::string out = "<";
  for (unsigned i = 0; i < 32; ++i) out += (i ? ", i32 " : "i32 ") + std::to_string(number(i));
  return out + ">";
}

std::string wholeText(bool ofSubgroups) {
  std::string out = ofSubgroups ? textOfSubgroups : textOfGroups;
  const auto fill = [&](llvm::StringRef word, const std::string& value) {
    for (std::size_t at = out.find(word); at != std::string::npos; at = out.find(word, at + value.size()))
      out.replace(at, word.size(), value);
  };
  fill("$BITS", listOf([](unsigned i) { return 1U << i; }));
  fill("$NUMBERS", listOf([](unsigned i) { return i; }));
  return out;
}

}  // namespace

llvm::Function& scheduleFunction(llvm::Function& user, bool ofSubgroups) {
  const char* const name = ofSubgroups ? "lathe.schedule.subgroups" : "lathe.schedule";
  llvm::Module& module = *user.getParent();
  if (llvm::Function* const made = module.getFunction(name)) return *made;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> added = llvm::parseAssemblyString(wholeText(ofSubgroups), problem, module.getContext());
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
