// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recorder of kernels' times, which the CUDA driver loads into any program (CUDA_INJECTION64_PATH) and which changes nothing in
// it: CUPTI's activity records (docs.nvidia.com/cupti). When the program ends, or is told to by SIGTERM, the file
// $LATHE_KERNEL_TIMES has a line a kernel: symbol, registers, bytes of local memory a thread, and each launch's nanoseconds.
#include <cupti.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

struct Kernel {
  unsigned registers = 0;
  unsigned localBytes = 0;
  std::vector<unsigned long long> times;
};

std::mutex guard;
std::map<std::string, Kernel> kernels;

/// More launches of one kernel are not kept: programs may have millions.
constexpr std::size_t mostLaunches = 20000;
constexpr std::size_t bufferBytes = 4 << 20;

void CUPTIAPI giveBuffer(uint8_t** buffer, size_t* size, size_t* mostRecords) {
  *size = bufferBytes;
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(ACTIVITY_RECORD_ALIGNMENT, bufferBytes));
  *mostRecords = 0;
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t validBytes) {
  const std::lock_guard lock(guard);
  CUpti_Activity* record = nullptr;
  while (validBytes > 0 && cuptiActivityGetNextRecord(buffer, validBytes, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && record->kind != CUPTI_ACTIVITY_KIND_KERNEL) continue;
    const auto* const launch = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
    Kernel& kernel = kernels[launch->name ? launch->name : "?"];
    kernel.registers = launch->registersPerThread;
    kernel.localBytes = launch->localMemoryPerThread;
    if (kernel.times.size() < mostLaunches) kernel.times.push_back(launch->end - launch->start);
  }
  std::free(buffer);
}

void write() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const char* const path = std::getenv("LATHE_KERNEL_TIMES");
  std::FILE* const out = path ? std::fopen(path, "w") : nullptr;
  if (!out) return;
  const std::lock_guard lock(guard);
  for (const auto& [name, kernel] : kernels) {
    std::fprintf(out, "%s\t%u\t%u\t", name.c_str(), kernel.registers, kernel.localBytes);
    for (const unsigned long long time : kernel.times) std::fprintf(out, "%llu ", time);
    std::fputc('\n', out);
  }
  std::fclose(out);
}

void stop(int) {
  write();
  _exit(143);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  std::signal(SIGTERM, stop);
  std::atexit(write);
  return 1;
}
