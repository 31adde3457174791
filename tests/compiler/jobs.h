// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs and compilers that the tests of this folder share.
#pragma once

#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <lathe/compiler.h>

namespace lathe::test {

inline constexpr const char* goodKernel = "LATHE_KERNEL void twice(int* data) { data[lathe::global_id().x] *= 2; }\n";

/// Clang's own means to test stack overflow, of which an optimised build makes a loop without end.
inline constexpr const char* endless = "#pragma clang __debug overflow_stack\n";

/// `body` after the kernel language's header, for a target.
inline Job kernelJob(const std::string& body, std::string target = "cpu", std::string arch = {}) {
  Job job;
  job.source.name = "kernel.cpp";
  job.source.text = "#include <lathe/device.h>\n" + body;
  job.target = std::move(target);
  job.arch = std::move(arch);
  return job;
}

/// To be called where compiles are ended by a jump: what they leave behind is no leak.
void expectInterruptedCompiles();

inline Compiler makeCompiler(bool containCrashes = false) {
  if (containCrashes) expectInterruptedCompiles();
  CompilerConfig config;
  config.containCrashes = containCrashes;
  config.workerProgram = LATHE_TEST_WORKER;
  config.cache.enabled = false;  // a result from the user's own cache would have no steps
  auto compiler = Compiler::create(std::move(config));
  if (!compiler) {
    ADD_FAILURE() << compiler.error().render();
    std::abort();
  }
  return *std::move(compiler);
}

/// The image's bytes, or the error's text: two outcomes are equal when these are.
inline std::string outcome(const Result<CompileResult>& result) {
  if (!result) return "error: " + result.error().render();
  const auto bytes = result->image.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace lathe::test
