// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of NVRTC's interface: its source and headers, and what a compile left.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <lathe/compiler.h>

#include "tools/nvrtc/nvrtc.h"

namespace lathe::nvrtc {

class Program {
 public:
  Program(Source source, std::vector<Header> headers) : source_(std::move(source)), headers_(std::move(headers)) {}

  nvrtcResult addName(std::string expression);
  nvrtcResult compile(std::span<const char* const> options);
  /// Null, and why in `result`, where the expression was not added or names nothing.
  [[nodiscard]] const char* loweredName(const std::string& expression, nvrtcResult& result) const;
  void setCallback(int (*callback)(void*, void*), void* payload) { callback_ = callback, payload_ = payload; }

  [[nodiscard]] const std::string& log() const { return log_; }
  /// Whether the last compile succeeded.
  [[nodiscard]] bool isCompiled() const { return isCompiled_; }
  [[nodiscard]] const std::string& ptx() const { return ptx_; }
  [[nodiscard]] const std::string& cubin() const { return cubin_; }

 private:
  /// The results of the jobs, which differ in what they emit. Errors: as Compiler::compile().
  Result<CompileResult> run(const Job& job);
  /// Compiles once more without what turns out to be a variable's name, which is moved to `variables`.
  Result<CompileResult> runNaming(Job& job, std::vector<std::string>& variables);
  void takeNames(const Image& image, const std::vector<std::string>& variables);

  Source source_;
  std::vector<Header> headers_;
  std::vector<std::string> expressions_;
  std::map<std::string, std::string> lowered_;  ///< symbols
  int (*callback_)(void*, void*) = nullptr;
  void* payload_ = nullptr;
  bool wasAsked_ = false;  ///< some compile was tried
  bool isCompiled_ = false;
  std::string log_, ptx_, cubin_;
};

/// The process's compiler.
[[nodiscard]] const Result<Compiler>& compiler();

}  // namespace lathe::nvrtc
