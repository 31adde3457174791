// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structures that libbpf 1.x takes, as its headers declare them (libbpf.h, bpf.h); handles keep libbpf's names.
// Each structure begins with its own size, by which libbpf knows which fields there are.
// tests/unit/runtime/bpf_library_test.cpp compares them with the headers where those are installed.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

#include <sys/types.h>

struct bpf_link;
struct bpf_linker;
struct bpf_map;
struct bpf_object;
struct bpf_program;
struct btf;
struct perf_buffer;

namespace lathe::detail {

struct LibbpfOpenOptions {
  std::size_t size = sizeof(LibbpfOpenOptions);
  const char* objectName = nullptr;
  bool relaxedMaps = false;
  const char* pinFolder = nullptr;
  std::uint32_t unused = 0;
  const char* kernelConfig = nullptr;
  const char* kernelTypes = nullptr;
  char* log = nullptr;
  std::size_t logSize = 0;
  std::uint32_t logLevel = 0;
};

/// struct bpf_tc_hook.
struct LibbpfTrafficHook {
  std::size_t size = sizeof(LibbpfTrafficHook);
  int interface = 0;
  std::uint32_t point = 0;
  std::uint32_t parent = 0;
  std::uint32_t padding = 0;  ///< libbpf refuses bytes that are not 0 behind what it knows
};

/// struct bpf_tc_opts.
struct LibbpfTrafficFilter {
  std::size_t size = sizeof(LibbpfTrafficFilter);
  int program = 0;
  std::uint32_t flags = 0;
  std::uint32_t number = 0;
  std::uint32_t handle = 0;
  std::uint32_t priority = 0;
  std::uint32_t padding = 0;
};

struct LibbpfTestRun {
  std::size_t size = sizeof(LibbpfTestRun);
  const void* dataIn = nullptr;
  void* dataOut = nullptr;
  std::uint32_t dataInBytes = 0;
  std::uint32_t dataOutBytes = 0;
  const void* contextIn = nullptr;
  void* contextOut = nullptr;
  std::uint32_t contextInBytes = 0;
  std::uint32_t contextOutBytes = 0;
  std::uint32_t result = 0;
  int repeat = 0;
  std::uint32_t nanoseconds = 0;
  std::uint32_t flags = 0;
  std::uint32_t cpu = 0;
  std::uint32_t batch = 0;
};

struct LibbpfMapCreate {
  std::size_t size = sizeof(LibbpfMapCreate);
  std::uint32_t btf = 0;
  std::uint32_t keyType = 0;
  std::uint32_t valueType = 0;
  std::uint32_t kernelValueType = 0;
  std::uint32_t innerMap = 0;
  std::uint32_t flags = 0;
  std::uint64_t extra = 0;
  std::uint32_t numaNode = 0;
  std::uint32_t interface = 0;
};

struct LibbpfUserProbe {
  std::size_t size = sizeof(LibbpfUserProbe);
  std::size_t semaphore = 0;
  std::uint64_t cookie = 0;
  bool onReturn = false;
  const char* function = nullptr;
};

/// struct bpf_link_create_opts, as far as its flags.
struct LibbpfLinkCreate {
  std::size_t size = sizeof(LibbpfLinkCreate);
  std::uint32_t flags = 0;
  std::uint32_t padding = 0;
};

/// struct bpf_iter_attach_opts.
struct LibbpfIterator {
  std::size_t size = sizeof(LibbpfIterator);
  const void* items = nullptr;  ///< union bpf_iter_link_info
  std::uint32_t itemsBytes = 0;
  std::uint32_t padding = 0;
};

struct LibbpfLoadOptions {
  std::size_t size = sizeof(LibbpfLoadOptions);
  int attempts = 0;
  std::uint32_t attachType = 0;
  std::uint32_t btf = 0;
  std::uint32_t flags = 0;
  std::uint32_t interface = 0;
  std::uint32_t kernelVersion = 0;
  std::uint32_t attachBtfId = 0;
  std::uint32_t attachProgram = 0;
  std::uint32_t attachBtfObject = 0;
  const int* descriptors = nullptr;
  const void* functions = nullptr;
  std::uint32_t functionCount = 0;
  std::uint32_t functionBytes = 0;
  const void* lines = nullptr;
  std::uint32_t lineCount = 0;
  std::uint32_t lineBytes = 0;
  std::uint32_t logLevel = 0;
  std::uint32_t logSize = 0;
  char* log = nullptr;
};

/// Levels of libbpf's messages.
enum class LibbpfLevel : std::uint32_t { warning, information, debug };
using LibbpfPrint = int (*)(LibbpfLevel level, const char* format, std::va_list arguments);
using PerfBufferTake = void (*)(void* context, int cpu, void* data, std::uint32_t size);
using PerfBufferLose = void (*)(void* context, int cpu, std::uint64_t count);

}  // namespace lathe::detail
