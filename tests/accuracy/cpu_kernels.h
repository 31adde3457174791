// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of mathematics in vectors: kernels of one source on the CPU, for the instruction set that is the parameter.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

namespace lathe::accuracy {

class CpuKernels : public testing::TestWithParam<std::string> {
 protected:
  static constexpr unsigned items = 256;  ///< of a group

  /// Compiles CUDA C++ at -O3 and loads it. Skips the test where the machine lacks the instruction set.
  void load(std::string source) {
    auto device = Device::open("cpu");
    ASSERT_TRUE(device) << device.error().render();
    const auto compiler = Compiler::create();
    ASSERT_TRUE(compiler) << compiler.error().render();
    Job job;
    job.source.name = "functions.cu";
    job.source.text = std::move(source);
    job.target = "cpu";
    job.arch = GetParam();
    job.options.optLevel = OptLevel::O3;
    const auto compiled = compiler->compile(job);
    ASSERT_TRUE(compiled) << compiled.error().render();
    auto module = device->load(compiled->image);
    if (!module) GTEST_SKIP() << module.error().render();
    device_ = *std::move(device);
    module_ = *std::move(module);
  }

  /// Runs the kernel of those arrays and, last, of `out`, with an item for each of its elements, a multiple of `items`.
  template <class T>
  void run(const std::string& name, std::initializer_list<const std::vector<T>*> arrays, std::vector<T>& out) {
    const auto kernel = module_->rawKernel(name);
    ASSERT_TRUE(kernel) << kernel.error().render();
    const std::size_t bytes = out.size() * sizeof(T);
    std::vector<Memory> memory;
    for (const std::vector<T>* array : arrays) {
      auto in = device_->allocateBytes(bytes);
      ASSERT_TRUE(in && in->upload(array->data(), bytes));
      memory.push_back(*std::move(in));
    }
    auto results = device_->allocateBytes(bytes);
    ASSERT_TRUE(results);
    memory.push_back(*std::move(results));
    std::vector<const void*> addresses, arguments;
    for (const Memory& one : memory) addresses.push_back(one.address());
    for (const void*& address : addresses) arguments.push_back(&address);
    ASSERT_TRUE(kernel->launch({.grid = {unsigned(out.size()) / items}, .group = {items}}, arguments));
    ASSERT_TRUE(device_->synchronize() && memory.back().download(out.data(), bytes));
  }

 private:
  std::optional<Device> device_;
  std::optional<Module> module_;
};

}  // namespace lathe::accuracy
