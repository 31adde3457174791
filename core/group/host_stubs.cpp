// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stubs in IR. By-value aggregates would need each platform's rules for registers; a pointer is the same on all of
// them. A callee never relies on how its caller extended a narrow integer, because compilers differ in that.
//
//   before: define void @_Z5saxpyjfPKfPf(ptr %parameters, ptr %launch)
//   after:  define void @_Z5saxpyjfPKfPf(ptr %parameters, ptr %launch)
//           define i32 @saxpy(ptr %launch, i32 %n, float %a, ptr %x, ptr %y) {
//             ; check the launch, lay out the parameter block, find memory, then for each group:
//             call void @_Z5saxpyjfPKfPf(ptr %block, ptr %group)
//           define i64 @saxpy_scratch(ptr %launch)
#include "core/lower/stages.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"

#include "core/group/entry/group_entry.h"
#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// Static shared memory up to this size lies on the caller's stack.
constexpr std::uint64_t mostStackBytes = 16 << 10;

std::uint64_t paddedBytes(std::int64_t bytes) {
  return llvm::alignTo(bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes), abi::groupBlockAlign);
}

/// Writes the two functions of one kernel.
class HostStubWriter {
 public:
  HostStubWriter(Lowering& lowering, const EntryPoint& entry, llvm::Function& groupEntry, const std::string& name)
      : lowering_(lowering),
        module_(*lowering.module),
        entry_(entry),
        groupEntry_(groupEntry),
        name_(name),
        builder_(module_.getContext()),
        pointer_(builder_.getPtrTy()),
        size_(module_.getDataLayout().getIntPtrType(module_.getContext())),
        shared_(paddedBytes(entry.resources.sharedBytes)),
        context_(static_cast<std::uint64_t>(std::max<std::int64_t>(entry.resources.contextBytes, 0))) {}

  void write() { writeLaunch(writeScratch()); }

 private:
  [[nodiscard]] bool needsScratch() const { return context_ != 0 || entry_.dynamicShared || shared_ > mostStackBytes; }

  llvm::Value* at(llvm::Value* base, std::uint64_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
  }
  llvm::Value* load(llvm::Type* type, llvm::Value* base, std::uint64_t offset, const llvm::Twine& name) {
    return builder_.CreateAlignedLoad(type, at(base, offset), llvm::Align(4), name);
  }
  llvm::Value* wide(llvm::Value* value) { return builder_.CreateZExt(value, builder_.getInt64Ty()); }
  llvm::Function& makeFunction(const std::string& name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
    llvm::Function* const out = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                                       llvm::GlobalValue::ExternalLinkage, name, module_);
    // What every function of this compile has: the processor, its features, unwinding.
    for (const llvm::Attribute& set : groupEntry_.getAttributes().getFnAttrs()) {
      if (set.isStringAttribute() && !set.getKindAsString().starts_with("lathe.")) out->addFnAttr(set);
    }
    if (groupEntry_.hasFnAttribute(attribute::hidden)) out->setVisibility(llvm::GlobalValue::HiddenVisibility);
    out->setDoesNotThrow();
    out->setUWTableKind(groupEntry_.getUWTableKind());
    llvm::Argument& launch = *out->getArg(0);
    launch.setName("launch");
    launch.addAttr(llvm::Attribute::ReadOnly);
    launch.addAttr(llvm::Attribute::NoUndef);
    if (result->isIntegerTy(32)) {
      const auto extension = llvm::TargetLibraryInfo::getExtAttrForI32Return(module_.getTargetTriple());
      if (extension != llvm::Attribute::None) out->addRetAttr(extension);
    }
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", out));
    return *out;
  }

  /// An extent of the launch; one that was left out (0) is 1.
  llvm::Value* extent(llvm::Value* launch, std::size_t offset, unsigned axis, const llvm::Twine& name) {
    llvm::Value* const value = load(builder_.getInt32Ty(), launch, offset + 4 * axis, name);
    if (axis == 0) return value;
    return builder_.CreateSelect(builder_.CreateIsNull(value), builder_.getInt32(1), value);
  }

  /// Items of a group. No overflow for launches that are valid.
  llvm::Value* groupItems(llvm::Value* launch) {
    llvm::Value* items = nullptr;
    for (unsigned axis = 0; axis < 3; ++axis) {
      llvm::Value* const size = wide(extent(launch, launch_block::group, axis, "size"));
      items = items ? builder_.CreateMul(items, size) : size;
    }
    return items;
  }

  /// Bytes of the shared block, of the context block, and of both with room for their alignment.
  struct Needs {
    llvm::Value* shared;
    llvm::Value* total;
  };
  Needs needs(llvm::Value* launch) {
    llvm::Value* shared = builder_.getInt64(shared_);
    if (entry_.dynamicShared) {
      constexpr std::uint64_t low = abi::groupBlockAlign - 1;
      llvm::Value* const dynamic =
          wide(load(builder_.getInt32Ty(), launch, launch_block::dynamicSharedBytes, "dynamic_bytes"));
      shared = builder_.CreateAnd(builder_.CreateAdd(builder_.CreateAdd(shared, dynamic), builder_.getInt64(low)),
                                  builder_.getInt64(~low));
    }
    llvm::Value* total = builder_.CreateAdd(shared, builder_.getInt64(abi::groupBlockAlign));
    if (context_ != 0) {
      constexpr std::uint64_t low = abi::groupBlockAlign - 1;
      llvm::Value* const padded =
          builder_.CreateAnd(builder_.CreateAdd(groupItems(launch), builder_.getInt64(low)), builder_.getInt64(~low));
      total = builder_.CreateAdd(total, builder_.CreateMul(padded, builder_.getInt64(context_)));
    }
    return {shared, total};
  }

  llvm::Function& writeScratch() {
    llvm::Function& out = makeFunction(name_ + "_scratch", size_, {pointer_});
    llvm::Value* bytes = builder_.getInt64(0);
    if (needsScratch()) bytes = needs(out.getArg(0)).total;
    // More than the address space has: then the launch finds no memory either.
    if (size_->getIntegerBitWidth() < 64) {
      llvm::Value* const most = builder_.getInt64(llvm::maskTrailingOnes<std::uint64_t>(size_->getIntegerBitWidth()));
      bytes = builder_.CreateSelect(builder_.CreateICmpULT(bytes, most), bytes, most);
    }
    builder_.CreateRet(builder_.CreateTrunc(bytes, size_));
    return out;
  }

  llvm::Type* passedType(const TypeLayout& type) {
    if (!passedByValue(type) || type.kind == TypeKind::pointer) return pointer_;
    if (type.kind == TypeKind::floating) return type.size == 4 ? builder_.getFloatTy() : builder_.getDoubleTy();
    return builder_.getIntNTy(static_cast<unsigned>(type.size * 8));
  }

  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, builder_.GetInsertBlock()->getParent());
  }
  /// Goes on only if `good`; else returns `status`.
  void require(llvm::Value* good, LaunchStatus status) {
    llvm::BasicBlock* const refused = block("refused");
    llvm::BasicBlock* const next = block("checked");
    builder_.CreateCondBr(good, next, refused);
    builder_.SetInsertPoint(refused);
    builder_.CreateRet(builder_.getInt32(static_cast<std::uint32_t>(status)));
    builder_.SetInsertPoint(next);
  }
  llvm::Value* both(llvm::Value* a, llvm::Value* b) { return a ? builder_.CreateAnd(a, b) : b; }

  struct Extents {
    std::array<llvm::Value*, 3> counts{};
    std::array<llvm::Value*, 3> sizes{};
    llvm::Value* total = nullptr;  ///< groups, 64 bits
  };

  Extents readExtents(llvm::Value* launch) {
    Extents out;
    llvm::Value* good = nullptr;
    llvm::Value* items = nullptr;
    for (unsigned axis = 0; axis < 3; ++axis) {
      llvm::Value* const count = out.counts[axis] = extent(launch, launch_block::grid, axis, "count");
      llvm::Value* const size = out.sizes[axis] = extent(launch, launch_block::group, axis, "size");
      good = both(good, builder_.CreateICmpUGE(size, builder_.getInt32(1)));
      good = both(good, builder_.CreateICmpULE(size, builder_.getInt32(mostGroupItems)));
      good = both(
          good, builder_.CreateICmpULT(builder_.CreateMul(wide(count), wide(size)), builder_.getInt64(mostGridItems)));
      if (axis != 0) good = both(good, builder_.CreateICmpULE(count, builder_.getInt32(mostGroupsYz)));
      if (const std::uint32_t fixed = entry_.bounds.groupSize[axis])
        good = both(good, builder_.CreateICmpEQ(size, builder_.getInt32(fixed)));
      items = items ? builder_.CreateMul(items, wide(size)) : wide(size);
      out.total = out.total ? builder_.CreateMul(out.total, wide(count)) : wide(count);
    }
    const std::uint32_t most =
        entry_.bounds.maxItems ? std::min(entry_.bounds.maxItems, mostGroupItems) : mostGroupItems;
    good = both(good, builder_.CreateICmpULE(items, builder_.getInt64(most)));
    require(good, LaunchStatus::invalid);
    return out;
  }

  /// The blocks of the group that runs, and what is to be freed afterwards (null: nothing).
  struct Memory {
    llvm::Value* shared;
    llvm::Value* context;
    llvm::Value* owned;
  };

  Memory findMemory(llvm::Value* launch, llvm::Function& scratchBytes) {
    llvm::Value* const none = llvm::ConstantPointerNull::get(pointer_);
    if (!needsScratch()) {
      if (shared_ == 0) return {none, none, nullptr};
      llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
      llvm::IRBuilder<> top(&entry, entry.begin());
      llvm::AllocaInst* const stack =
          top.CreateAlloca(llvm::ArrayType::get(top.getInt8Ty(), shared_), nullptr, "shared");
      stack->setAlignment(llvm::Align(abi::groupBlockAlign));
      return {stack, none, nullptr};
    }
    const Needs need = needs(launch);
    llvm::Value* const bytes = builder_.CreateCall(&scratchBytes, {launch}, "bytes");
    llvm::Value* const given =
        builder_.CreateAlignedLoad(pointer_, at(launch, launch_block::scratch), llvm::Align(4), "given");
    llvm::Value* const givenBytes = load(size_, launch, launch_block::scratch + pointerBytes(), "given_bytes");
    llvm::Value* const hasOwn = builder_.CreateIsNotNull(given);
    require(builder_.CreateOr(builder_.CreateNot(hasOwn), builder_.CreateICmpUGE(givenBytes, bytes)),
            LaunchStatus::invalid);
    llvm::Value* memory = given;
    llvm::Value* owned = nullptr;
    if (hasAllocator()) {
      llvm::BasicBlock* const from = builder_.GetInsertBlock();
      llvm::BasicBlock* const allocate = block("allocate");
      llvm::BasicBlock* const ready = block("ready");
      builder_.CreateCondBr(hasOwn, ready, allocate);
      builder_.SetInsertPoint(allocate);
      llvm::Value* const fresh =
          builder_.CreateCall(module_.getOrInsertFunction("malloc", pointer_, size_), {bytes}, "fresh");
      builder_.CreateBr(ready);
      builder_.SetInsertPoint(ready);
      llvm::PHINode* const chosen = builder_.CreatePHI(pointer_, 2, "memory");
      chosen->addIncoming(given, from);
      chosen->addIncoming(fresh, allocate);
      llvm::PHINode* const toFree = builder_.CreatePHI(pointer_, 2, "owned");
      toFree->addIncoming(none, from);
      toFree->addIncoming(fresh, allocate);
      memory = chosen;
      owned = toFree;
    }
    require(builder_.CreateIsNotNull(memory), LaunchStatus::noMemory);
    // The next multiple of the alignment: `needs` has counted it in.
    llvm::Value* const address = builder_.CreatePtrToInt(memory, size_);
    llvm::Value* const gap =
        builder_.CreateAnd(builder_.CreateNeg(address), llvm::ConstantInt::get(size_, abi::groupBlockAlign - 1));
    llvm::Value* const shared = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), memory, gap, "shared");
    llvm::Value* const context =
        builder_.CreateInBoundsGEP(builder_.getInt8Ty(), shared, builder_.CreateTrunc(need.shared, size_), "context");
    return {shared, context, owned};
  }

  [[nodiscard]] bool hasAllocator() const {
    return lowering_.descriptor.hasExternal("malloc") && lowering_.descriptor.hasExternal("free");
  }
  [[nodiscard]] std::uint64_t pointerBytes() const { return module_.getDataLayout().getPointerSize(); }

  /// The packed block that the group entry reads.
  llvm::Value* packParameters(llvm::Function& function) {
    auto* const type = llvm::ArrayType::get(builder_.getInt8Ty(), std::max<std::uint64_t>(entry_.parameterBytes, 1));
    llvm::AllocaInst* const out = builder_.CreateAlloca(type, nullptr, "parameters");
    out->setAlignment(std::max(llvm::Align(entry_.parameterAlign), llvm::Align(8)));
    for (std::size_t i = 0; i < entry_.parameters.size(); ++i) {
      const Parameter& parameter = entry_.parameters[i];
      llvm::Argument& argument = *function.getArg(static_cast<unsigned>(i + 1));
      argument.setName(parameter.name);
      llvm::Value* const place = at(out, parameter.offset);
      if (passedByValue(parameter.type))
        builder_.CreateAlignedStore(&argument, place, llvm::Align(1));
      else
        builder_.CreateMemCpy(place, llvm::Align(1), &argument, llvm::Align(1), parameter.type.size);
    }
    return out;
  }

  void writeLaunch(llvm::Function& scratchBytes) {
    llvm::SmallVector<llvm::Type*> types = {pointer_};
    for (const Parameter& parameter : entry_.parameters) types.push_back(passedType(parameter.type));
    llvm::Function& out = makeFunction(name_, builder_.getInt32Ty(), types);
    llvm::Argument* const launch = out.getArg(0);
    llvm::Value* const parameters = packParameters(out);
    llvm::AllocaInst* const group =
        builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), sizeof(abi::GroupLaunch)), nullptr, "group");
    group->setAlignment(llvm::Align(8));
    const Extents extents = readExtents(launch);

    llvm::Value* const first = load(builder_.getInt64Ty(), launch, launch_block::firstGroup, "first");
    llvm::Value* const asked = load(builder_.getInt64Ty(), launch, launch_block::endGroup, "asked_end");
    llvm::Value* const end = builder_.CreateSelect(builder_.CreateIsNull(asked), extents.total, asked, "end");
    require(builder_.CreateICmpULE(end, extents.total), LaunchStatus::invalid);
    llvm::BasicBlock* const none = block("nothing");
    llvm::BasicBlock* const some = block("something");
    builder_.CreateCondBr(builder_.CreateICmpULT(first, end), some, none);
    builder_.SetInsertPoint(none);
    builder_.CreateRet(builder_.getInt32(0));
    builder_.SetInsertPoint(some);

    const Memory memory = findMemory(launch, scratchBytes);
    const auto store = [&](llvm::Value* value, std::size_t offset) {
      builder_.CreateAlignedStore(value, at(group, offset), llvm::Align(4));
    };
    for (unsigned axis = 0; axis < 3; ++axis) {
      store(extents.sizes[axis], offsetof(abi::GroupLaunch, groupSize) + 4 * axis);
      store(extents.counts[axis], offsetof(abi::GroupLaunch, groupCount) + 4 * axis);
    }
    store(entry_.dynamicShared ? load(builder_.getInt32Ty(), launch, launch_block::dynamicSharedBytes, "dynamic_bytes")
                               : builder_.getInt32(0),
          offsetof(abi::GroupLaunch, dynamicSharedBytes));
    store(memory.shared, offsetof(abi::GroupLaunch, shared));
    store(memory.context, offsetof(abi::GroupLaunch, context));
    runGroups(extents, first, end, parameters, group);
    if (memory.owned) {
      auto free = module_.getOrInsertFunction("free", builder_.getVoidTy(), pointer_);
      builder_.CreateCall(free, {memory.owned});
    }
    builder_.CreateRet(builder_.getInt32(static_cast<std::uint32_t>(LaunchStatus::done)));
  }

  /// Groups first … end, numbered with x running fastest. Counting on costs less than three divisions a group.
  void runGroups(const Extents& extents, llvm::Value* first, llvm::Value* end, llvm::Value* parameters,
                 llvm::Value* group) {
    llvm::Value* const row = wide(extents.counts[0]);
    llvm::Value* const rows = builder_.CreateUDiv(first, row);
    llvm::Value* const columns = wide(extents.counts[1]);
    std::array<llvm::Value*, 3> start = {builder_.CreateURem(first, row), builder_.CreateURem(rows, columns),
                                         builder_.CreateUDiv(rows, columns)};
    for (llvm::Value*& id : start) id = builder_.CreateTrunc(id, builder_.getInt32Ty());
    llvm::BasicBlock* const from = builder_.GetInsertBlock();
    llvm::BasicBlock* const loop = block("group_loop");
    llvm::BasicBlock* const done = block("done");
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* const index = builder_.CreatePHI(builder_.getInt64Ty(), 2, "index");
    std::array<llvm::PHINode*, 3> id{};
    for (unsigned axis = 0; axis < 3; ++axis) id[axis] = builder_.CreatePHI(builder_.getInt32Ty(), 2, "id");
    for (unsigned axis = 0; axis < 3; ++axis)
      builder_.CreateAlignedStore(id[axis], at(group, offsetof(abi::GroupLaunch, groupId) + 4 * axis), llvm::Align(4));
    // One call runs what is left of a row.
    llvm::Value* const count = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, builder_.CreateSub(row, wide(id[0])), builder_.CreateSub(end, index));
    builder_.CreateAlignedStore(builder_.CreateTrunc(count, builder_.getInt32Ty()),
                                at(group, offsetof(abi::GroupLaunch, groups)), llvm::Align(4));
    builder_.CreateCall(&groupEntry_, {parameters, group});
    llvm::Value* const next = builder_.CreateNUWAdd(index, count);
    llvm::Value* step = builder_.CreateTrunc(count, builder_.getInt32Ty());
    for (unsigned axis = 0; axis < 3; ++axis) {
      llvm::Value* const raised = builder_.CreateAdd(id[axis], step);
      llvm::Value* const carry = builder_.CreateICmpEQ(raised, extents.counts[axis]);
      step = builder_.CreateZExt(carry, builder_.getInt32Ty());
      id[axis]->addIncoming(start[axis], from);
      id[axis]->addIncoming(builder_.CreateSelect(carry, builder_.getInt32(0), raised), loop);
    }
    index->addIncoming(first, from);
    index->addIncoming(next, loop);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, end), loop, done);
    builder_.SetInsertPoint(done);
  }

  Lowering& lowering_;
  llvm::Module& module_;
  const EntryPoint& entry_;
  llvm::Function& groupEntry_;
  const std::string name_;
  llvm::IRBuilder<> builder_;
  llvm::PointerType* pointer_;
  llvm::IntegerType* size_;
  std::uint64_t shared_;
  std::uint64_t context_;
};

}  // namespace

/// For each entry K, whose function is a group entry by now and gets a name that no program has, adds two functions of
/// C's calling convention:
///
///   int    K(const struct lathe_launch*, parameters…)     runs the launch's groups one after another
///   size_t K_scratch(const struct lathe_launch*)          bytes that one such call needs
///
/// Scalars and pointers are passed by value, all else by pointer. Errors: InvalidArgument (two functions of one name).
llvm::Error stage::hostStubs(Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  // For debuggers, profilers and backtrace() of the programs.
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.setUWTableKind(llvm::UWTableKind::Default);
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function& groupEntry = lowering.functionOf(entry);
    groupEntry.setName(entry.symbol + ".kernel");
    entry.symbol = groupEntry.getName().str();
  }
  for (const EntryPoint& entry : lowering.info.entries) {
    const std::string name = cIdentifier(entry.name);
    for (const std::string& wanted : {name, name + "_scratch"}) {
      const llvm::GlobalValue* const taken = module.getNamedValue(wanted);
      if (!taken) continue;
      const auto other = llvm::find_if(lowering.info.entries, [&](auto& one) { return cIdentifier(one.name) == name; });
      return toLlvm({.code = ErrorCode::InvalidArgument,
                     .message = "kernel '" + entry.name + "': its C function would be called '" + wanted + "', which " +
                                (&*other != &entry ? "kernel '" + other->name : "'" + demangled(taken->getName())) +
                                "' is called already",
                     .hint = "rename one of the two, or compile them into two objects",
                     .stage = "host_stubs",
                     .target = lowering.descriptor.name});
    }
    HostStubWriter(lowering, entry, lowering.functionOf(entry), name).write();
    lowering.interface.hostStubs.push_back(name);
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
