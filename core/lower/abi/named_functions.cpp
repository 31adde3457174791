// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies, as IR: pointers are still those of portable IR when they are linked.
//
//   before: declare ptr @memchr(ptr, i32, i64)
//   after:  define internal ptr @memchr(ptr %from, i32 %wanted, i64 %bytes) { … }
#include "core/lower/abi/named_functions.h"

#include <array>
#include <memory>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"

namespace lathe::detail {
namespace {

struct NamedFunction {
  llvm::StringLiteral name;
  llvm::StringLiteral body;
};

// "no-builtins": else LLVM finds the loop to be a call of the function that it is in.
constexpr std::array byteFunctions = {
    NamedFunction{"memchr", R"(
define ptr @memchr(ptr %from, i32 %wanted, i64 %bytes) nounwind "no-builtins" {
  %byte = trunc i32 %wanted to i8
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %done = icmp eq i64 %i, %bytes
  br i1 %done, label %out, label %look
look:
  %at = getelementptr inbounds i8, ptr %from, i64 %i
  %x = load i8, ptr %at
  %same = icmp eq i8 %x, %byte
  br i1 %same, label %out, label %more
more:
  %next = add nuw i64 %i, 1
  br label %head
out:
  %found = phi ptr [ null, %head ], [ %at, %look ]
  ret ptr %found
})"},
    NamedFunction{"memcmp", R"(
define i32 @memcmp(ptr %a, ptr %b, i64 %bytes) nounwind "no-builtins" {
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %done = icmp eq i64 %i, %bytes
  br i1 %done, label %out, label %look
look:
  %pa = getelementptr inbounds i8, ptr %a, i64 %i
  %pb = getelementptr inbounds i8, ptr %b, i64 %i
  %xa = load i8, ptr %pa
  %xb = load i8, ptr %pb
  %same = icmp eq i8 %xa, %xb
  br i1 %same, label %more, label %differ
more:
  %next = add nuw i64 %i, 1
  br label %head
differ:
  %wa = zext i8 %xa to i32
  %wb = zext i8 %xb to i32
  %difference = sub nsw i32 %wa, %wb
  br label %out
out:
  %order = phi i32 [ 0, %head ], [ %difference, %differ ]
  ret i32 %order
})"},
    NamedFunction{"bcmp", R"(
declare i32 @memcmp(ptr, ptr, i64)
define i32 @bcmp(ptr %a, ptr %b, i64 %bytes) nounwind "no-builtins" {
  %order = call i32 @memcmp(ptr %a, ptr %b, i64 %bytes)
  ret i32 %order
})"},
    NamedFunction{"strlen", R"(
define i64 @strlen(ptr %text) nounwind "no-builtins" {
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %head ]
  %at = getelementptr inbounds i8, ptr %text, i64 %i
  %x = load i8, ptr %at
  %next = add nuw i64 %i, 1
  %end = icmp eq i8 %x, 0
  br i1 %end, label %out, label %head
out:
  ret i64 %i
})"},
};

/// Forms of new and delete that come down to __lathe_allocate and __lathe_release; the arguments that are not used tell
/// their names apart.
struct MemoryFunction {
  llvm::StringLiteral name;
  llvm::StringLiteral parameters;
  bool aligned;
};
constexpr std::array newFunctions = {
    MemoryFunction{"RKSt9nothrow_t", "i64 %bytes, ptr %unused", false},
    MemoryFunction{"St11align_val_t", "i64 %bytes, i64 %align", true},
    MemoryFunction{"St11align_val_tRKSt9nothrow_t", "i64 %bytes, i64 %align, ptr %unused", true},
};
constexpr std::array deleteFunctions = {
    MemoryFunction{"m", "ptr %memory, i64 %unused", false},
    MemoryFunction{"RKSt9nothrow_t", "ptr %memory, ptr %unused", false},
    MemoryFunction{"St11align_val_t", "ptr %memory, i64 %align", true},
    MemoryFunction{"mSt11align_val_t", "ptr %memory, i64 %unused, i64 %align", true},
    MemoryFunction{"St11align_val_tRKSt9nothrow_t", "ptr %memory, i64 %align, ptr %unused", true},
};

// In front of an aligned part lies the address of its whole block.
constexpr llvm::StringLiteral allocates = R"(
  %block = call ptr @__lathe_allocate(i64 %bytes)
  ret ptr %block
})";
constexpr llvm::StringLiteral allocatesAligned = R"(
  %more = add i64 %bytes, %align
  %all = add i64 %more, 8
  %block = call ptr @__lathe_allocate(i64 %all)
  %none = icmp eq ptr %block, null
  br i1 %none, label %out, label %some
some:
  %first = ptrtoint ptr %block to i64
  %last = add i64 %first, 7
  %past = add i64 %last, %align
  %mask = sub i64 0, %align
  %whole = and i64 %past, %mask
  %offset = sub i64 %whole, %first
  %part = getelementptr i8, ptr %block, i64 %offset
  %note = getelementptr i8, ptr %part, i64 -8
  store ptr %block, ptr %note
  br label %out
out:
  %memory = phi ptr [ null, %0 ], [ %part, %some ]
  ret ptr %memory
})";
constexpr llvm::StringLiteral releases = R"(
  call void @__lathe_release(ptr %memory)
  ret void
})";
constexpr llvm::StringLiteral releasesAligned = R"(
  %none = icmp eq ptr %memory, null
  br i1 %none, label %out, label %some
some:
  %note = getelementptr i8, ptr %memory, i64 -8
  %block = load ptr, ptr %note
  call void @__lathe_release(ptr %block)
  br label %out
out:
  ret void
})";

bool isWanted(const llvm::Module& module, llvm::StringRef name) {
  const llvm::Function* const called = module.getFunction(name);
  return called && called->isDeclaration() && !called->use_empty();
}

/// Links the text's function `name` in, unless the module means another by that name.
void define(llvm::Module& module, llvm::StringRef name, llvm::StringRef text) {
  llvm::SMDiagnostic wrong;
  std::unique_ptr<llvm::Module> body = llvm::parseAssemblyString(text, wrong, module.getContext());
  if (!body) llvm::report_fatal_error("a function's text in named_functions.cpp is not IR");
  if (body->getFunction(name)->getFunctionType() != module.getFunction(name)->getFunctionType()) return;
  body->setDataLayout(module.getDataLayout());
  body->setTargetTriple(module.getTargetTriple());
  // What stays undefined is reported where it is called.
  if (llvm::Linker::linkModules(module, std::move(body), llvm::Linker::LinkOnlyNeeded)) return;
  module.getFunction(name)->setLinkage(llvm::GlobalValue::InternalLinkage);
}

void defineMemoryFunctions(llvm::Module& module, const char* result, llvm::StringRef stem,
                           llvm::ArrayRef<MemoryFunction> functions, llvm::StringRef body, llvm::StringRef aligned) {
  for (const MemoryFunction& function : functions) {
    const std::string name = (stem + function.name).str();
    if (!isWanted(module, name)) continue;
    define(module, name,
           "declare ptr @__lathe_allocate(i64)\ndeclare void @__lathe_release(ptr)\ndefine " + std::string(result) +
               " @" + name + "(" + function.parameters.str() + ") alwaysinline nounwind {" +
               (function.aligned ? aligned : body).str());
  }
}

}  // namespace

void defineNamedFunctions(llvm::Module& module, const Descriptor& descriptor) {
  // memcmp after bcmp, which calls it.
  for (const NamedFunction& function : llvm::reverse(byteFunctions)) {
    if (!descriptor.hasExternal(function.name) && isWanted(module, function.name))
      define(module, function.name, function.body);
  }
  // What tables of virtual functions name where a class has none, and C's end.
  for (const char* name : {"__cxa_pure_virtual", "__cxa_deleted_virtual", "abort"}) {
    if (!descriptor.hasExternal(name) && isWanted(module, name))
      define(module, name,
             "declare void @__lathe_trap()\ndefine void @" + std::string(name) +
                 "() nounwind noreturn {\n  call void @__lathe_trap()\n  unreachable\n}");
  }
  for (const char* stem : {"_Znwm", "_Znam"})
    defineMemoryFunctions(module, "ptr", stem, newFunctions, allocates, allocatesAligned);
  for (const char* stem : {"_ZdlPv", "_ZdaPv"})
    defineMemoryFunctions(module, "void", stem, deleteFunctions, releases, releasesAligned);
}

}  // namespace lathe::detail
