// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A HIP library in front of another one that has no graphs: it has them, so that the hip runtime's use of graphs is
// executed where an emulated library is. A node runs as late as its place allows: of those that could run next, the one
// that was added last does, so that a dependency that was not told shows. All functions but these are the other
// library's, which this one is linked to. One thread at a time.
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"

#include "runtimes/hip/hip_types.h"

using namespace lathe::detail;

#define LATHE_HIP(name, parameters) extern "C" __attribute__((visibility("default"))) HipError hip##name parameters;
#define LATHE_HIP_IF_THERE(name, parameters) LATHE_HIP(name, parameters)
#include "runtimes/hip/hip_functions.def"

namespace {

constexpr HipError invalidValue = 1, illegalState = 401;

template <class Function>
Function* real(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}
#define REAL(name) real(&hip##name, "hip" #name)

/// A kernel launch whose arguments are kept.
struct Launch {
  HipFunction function;
  HipDim3 grid, block;
  unsigned sharedBytes;
  std::vector<std::vector<std::byte>> arguments;
  bool cooperative = false;

  HipError run(HipStream stream) const {
    std::vector<void*> pointers;
    for (const auto& argument : arguments) pointers.push_back(const_cast<std::byte*>(argument.data()));
    if (cooperative)
      return REAL(ModuleLaunchCooperativeKernel)(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                 sharedBytes, stream, pointers.data());
    return REAL(ModuleLaunchKernel)(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, sharedBytes, stream,
                                    pointers.data(), nullptr);
  }
};

struct Node {
  std::vector<std::size_t> after;  ///< earlier nodes of the graph
  std::function<HipError(HipStream)> work;
  std::shared_ptr<Launch> kernel;  ///< null: another kind

  HipError run(HipStream stream) const { return kernel ? kernel->run(stream) : work(stream); }
};

/// Handles of nodes are their numbers + 1.
using Graph = std::vector<Node>;
struct Capture {
  Graph* graph;
  HipStream origin;
  std::map<HipStream, std::vector<std::size_t>> last;  ///< of streams that take part: what their next node is behind
};

/// Sizes of a kernel's parameters, by its module and name, and of functions.
std::map<std::pair<HipModule, std::string>, std::vector<std::size_t>> sizesOfKernels;
std::map<HipFunction, std::vector<std::size_t>> sizesOfFunctions;
std::unique_ptr<Capture> capture;
std::map<HipEvent, std::vector<std::size_t>> captured;  ///< events that were recorded in the capture

void readSizes(HipModule module, const void* code) {
  using Elf = llvm::object::ELF64LE;
  const auto* const header = static_cast<const Elf::Ehdr*>(code);
  const std::size_t bytes = header->e_shoff + std::size_t{header->e_shnum} * header->e_shentsize;
  const auto file = llvm::cantFail(llvm::object::ELFFile<Elf>::create({static_cast<const char*>(code), bytes}));
  for (const auto& section : llvm::cantFail(file.sections())) {
    if (section.sh_type != llvm::ELF::SHT_NOTE) continue;
    llvm::Error failed = llvm::Error::success();
    for (const auto note : file.notes(section, failed)) {
      if (note.getType() != llvm::ELF::NT_AMDGPU_METADATA) continue;
      llvm::msgpack::Document document;
      if (!document.readFromBlob(note.getDescAsStringRef(section.sh_addralign), /*Multi=*/false)) continue;
      for (auto& kernel : document.getRoot().getMap()["amdhsa.kernels"].getArray()) {
        auto& sizes = sizesOfKernels[{module, kernel.getMap()[".name"].getString().str()}];
        sizes.clear();  // those of another module, if its handle is used again
        const auto arguments = kernel.getMap().find(".args");
        if (arguments == kernel.getMap().end()) continue;
        for (auto& argument : arguments->second.getArray())
          if (!argument.getMap()[".value_kind"].getString().starts_with("hidden_"))
            sizes.push_back(argument.getMap()[".size"].getUInt());
      }
    }
    llvm::cantFail(std::move(failed));
  }
}

std::shared_ptr<Launch> launchOf(HipFunction function, HipDim3 grid, HipDim3 block, unsigned sharedBytes,
                                 void* const* arguments) {
  auto out = std::make_shared<Launch>(Launch{function, grid, block, sharedBytes, {}});
  for (const std::size_t size : sizesOfFunctions.at(function)) {
    const auto* const value = static_cast<const std::byte*>(arguments[out->arguments.size()]);
    out->arguments.emplace_back(value, value + size);
  }
  return out;
}
std::shared_ptr<Launch> launchOf(const HipKernelNode& node) {
  return launchOf(node.function, node.grid, node.block, node.sharedBytes, node.parameters);
}

std::size_t numberOf(HipNode node) {
  return reinterpret_cast<std::uintptr_t>(node) - 1;
}

HipError add(HipNode* out, HipGraph graph, const HipNode* after, std::size_t count, Node node) {
  auto& nodes = *static_cast<Graph*>(graph);
  for (const HipNode before : std::span(after, count)) {
    if (numberOf(before) >= nodes.size()) return invalidValue;
    node.after.push_back(numberOf(before));
  }
  nodes.push_back(std::move(node));
  *out = reinterpret_cast<HipNode>(nodes.size());
  return 0;
}

bool takesPart(HipStream stream) {
  return capture && capture->last.contains(stream);
}
HipError capturedOn(HipStream stream, Node node) {
  auto& last = capture->last.at(stream);
  node.after = last;
  last = {capture->graph->size()};
  capture->graph->push_back(std::move(node));
  return 0;
}

/// The work of a captured stream is kept, that of others done.
template <class Work>
HipError on(HipStream stream, const Work& work) {
  return takesPart(stream) ? capturedOn(stream, {.after = {}, .work = work, .kernel = {}}) : work(stream);
}

}  // namespace

HipError hipModuleLoadData(HipModule* module, const void* code) {
  const HipError status = REAL(ModuleLoadData)(module, code);
  if (status == 0) readSizes(*module, code);
  return status;
}
HipError hipModuleGetFunction(HipFunction* function, HipModule module, const char* name) {
  const HipError status = REAL(ModuleGetFunction)(function, module, name);
  if (status == 0) sizesOfFunctions[*function] = sizesOfKernels[{module, name}];
  return status;
}
HipError hipModuleLaunchKernel(HipFunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                               unsigned blockY, unsigned blockZ, unsigned sharedBytes, HipStream stream,
                               void** parameters, void**) {
  const auto launch = launchOf(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, parameters);
  return takesPart(stream) ? capturedOn(stream, {.after = {}, .work = {}, .kernel = launch}) : launch->run(stream);
}
HipError hipMemcpyHtoDAsync(HipDevicePointer to, void* from, std::size_t bytes, HipStream stream) {
  return on(stream, [=](HipStream target) { return REAL(MemcpyHtoDAsync)(to, from, bytes, target); });
}
HipError hipMemcpyDtoHAsync(void* to, HipDevicePointer from, std::size_t bytes, HipStream stream) {
  return on(stream, [=](HipStream target) { return REAL(MemcpyDtoHAsync)(to, from, bytes, target); });
}
HipError hipMemcpyDtoDAsync(HipDevicePointer to, HipDevicePointer from, std::size_t bytes, HipStream stream) {
  return on(stream, [=](HipStream target) { return REAL(MemcpyDtoDAsync)(to, from, bytes, target); });
}
HipError hipMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t rowBytes,
                          std::size_t rows, HipCopy kind, HipStream stream) {
  return on(stream, [=](HipStream target) {
    return REAL(Memcpy2DAsync)(to, toPitch, from, fromPitch, rowBytes, rows, kind, target);
  });
}
HipError hipMemsetAsync(void* to, int value, std::size_t bytes, HipStream stream) {
  return on(stream, [=](HipStream target) { return REAL(MemsetAsync)(to, value, bytes, target); });
}
HipError hipLaunchHostFunc(HipStream stream, void (*function)(void*), void* data) {
  return on(stream, [=](HipStream target) { return REAL(LaunchHostFunc)(target, function, data); });
}
HipError hipEventRecord(HipEvent event, HipStream stream) {
  if (!takesPart(stream)) return REAL(EventRecord)(event, stream);
  captured[event] = capture->last.at(stream);
  return 0;
}
HipError hipStreamWaitEvent(HipStream stream, HipEvent event, unsigned flags) {
  if (!capture || !captured.contains(event)) return REAL(StreamWaitEvent)(stream, event, flags);
  auto& last = capture->last[stream];
  last.insert(last.end(), captured.at(event).begin(), captured.at(event).end());
  return 0;
}

HipError hipStreamBeginCapture(HipStream stream, HipCaptureMode) {
  if (capture) return illegalState;
  capture = std::make_unique<Capture>(Capture{new Graph, stream, {{stream, {}}}});
  return 0;
}
HipError hipStreamEndCapture(HipStream stream, HipGraph* graph) {
  if (!capture || capture->origin != stream) return illegalState;
  *graph = capture->graph;
  capture.reset();
  captured.clear();
  return 0;
}
HipError hipGraphCreate(HipGraph* graph, unsigned) {
  return *graph = new Graph, 0;
}
HipError hipGraphDestroy(HipGraph graph) {
  return delete static_cast<Graph*>(graph), 0;
}
HipError hipGraphAddKernelNode(HipNode* node, HipGraph graph, const HipNode* after, std::size_t count,
                               const HipKernelNode* parameters) {
  return add(node, graph, after, count, {.after = {}, .work = {}, .kernel = launchOf(*parameters)});
}
HipError hipGraphKernelNodeSetAttribute(HipNode, HipNodeAttribute::Kind, const HipNodeAttribute*) {
  return static_cast<HipError>(HipStatus::notSupported);
}
HipError hipGraphAddMemcpyNode1D(HipNode* node, HipGraph graph, const HipNode* after, std::size_t count, void* to,
                                 const void* from, std::size_t bytes, HipCopy kind) {
  return add(
      node, graph, after, count,
      {.after = {},
       .work = [=](HipStream stream) { return REAL(Memcpy2DAsync)(to, bytes, from, bytes, bytes, 1, kind, stream); },
       .kernel = {}});
}
HipError hipGraphAddMemsetNode(HipNode* node, HipGraph graph, const HipNode* after, std::size_t count,
                               const HipFillNode* parameters) {
  const HipFillNode fill = *parameters;
  if (fill.elementSize != 1 || fill.height != 1) return invalidValue;
  return add(node, graph, after, count,
             {.after = {},
              .work =
                  [=](HipStream stream) {
                    return REAL(MemsetAsync)(fill.to, static_cast<int>(fill.value), fill.width, stream);
                  },
              .kernel = {}});
}
HipError hipGraphAddHostNode(HipNode* node, HipGraph graph, const HipNode* after, std::size_t count,
                             const HipHostNode* parameters) {
  const HipHostNode call = *parameters;
  return add(node, graph, after, count,
             {.after = {},
              .work = [=](HipStream stream) { return REAL(LaunchHostFunc)(stream, call.function, call.data); },
              .kernel = {}});
}
HipError hipGraphInstantiate(HipGraphRun* run, HipGraph graph, HipNode*, char*, std::size_t) {
  return *run = new Graph(*static_cast<Graph*>(graph)), 0;
}
HipError hipGraphExecDestroy(HipGraphRun run) {
  return delete static_cast<Graph*>(run), 0;
}
HipError hipGraphExecKernelNodeSetParams(HipGraphRun run, HipNode node, const HipKernelNode* parameters) {
  auto& nodes = *static_cast<Graph*>(run);
  if (numberOf(node) >= nodes.size() || !nodes[numberOf(node)].kernel) return invalidValue;
  nodes[numberOf(node)].kernel = launchOf(*parameters);
  return 0;
}
HipError hipGraphLaunch(HipGraphRun run, HipStream stream) {
  const auto& nodes = *static_cast<Graph*>(run);
  std::vector<bool> isDone(nodes.size());
  for (std::size_t left = nodes.size(); left > 0; --left) {
    std::size_t next = nodes.size();
    do --next;
    while (isDone[next] || !std::ranges::all_of(nodes[next].after, [&](std::size_t before) { return isDone[before]; }));
    if (const HipError status = nodes[next].run(stream); status != 0) return status;
    isDone[next] = true;
  }
  return 0;
}
