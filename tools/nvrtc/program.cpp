// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs: a job of the cuda target for PTX, and a second one where a cubin is wanted, which shares its front end's
// work.
#include "tools/nvrtc/program.h"

#include <algorithm>
#include <array>
#include <stop_token>
#include <string_view>

#include "tools/nvrtc/log.h"
#include "tools/nvrtc/options.h"

namespace lathe::nvrtc {
namespace {

nvrtcResult resultFor(const Error& error) {
  switch (error.code) {
    case ErrorCode::Cancelled:
      return NVRTC_ERROR_CANCELLED;
    case ErrorCode::OutOfHostMemory:
      return NVRTC_ERROR_OUT_OF_MEMORY;
    case ErrorCode::InvalidArgument:
    case ErrorCode::UnknownArchitecture:
    case ErrorCode::UnknownFeature:
      return NVRTC_ERROR_INVALID_OPTION;
    case ErrorCode::ToolMissing:
    case ErrorCode::ToolFailed:
      return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    default:
      return errorFamily(error.code) == ErrorFamily::internal ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_ERROR_COMPILATION;
  }
}

std::string bytesOf(const Image& image, std::string_view format) {
  const Code* const code = image.find(format);
  return code ? std::string(reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size()) : std::string();
}

/// "&ns::table" and "( ns::table )" as "ns::table".
std::string plainName(std::string_view expression) {
  constexpr std::string_view around = " \t\n&()";
  const std::size_t first = expression.find_first_not_of(around);
  if (first == std::string_view::npos) return {};
  expression = expression.substr(first, expression.find_last_not_of(" \t\n)") - first + 1);
  if (expression.starts_with("::")) expression.remove_prefix(2);
  return std::string(expression);
}

/// The same without the brackets and the ampersand around it.
std::string kernelName(const std::string& expression) {
  const std::size_t first = expression.find_first_not_of(" \t\n&");
  return first == std::string::npos ? expression : expression.substr(first);
}

}  // namespace

const Result<Compiler>& compiler() {
  static const Result<Compiler> one = Compiler::create();
  return one;
}

nvrtcResult Program::addName(std::string expression) {
  if (wasAsked_) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  if (std::ranges::find(expressions_, expression) == expressions_.end()) expressions_.push_back(std::move(expression));
  return NVRTC_SUCCESS;
}

Result<CompileResult> Program::run(const Job& job) {
  std::stop_source stop;
  CompileRequest request;
  request.stop = stop.get_token();
  if (callback_) {
    request.progress = [this, &stop](const CompileProgress&) {
      if (callback_(payload_, nullptr) != 0) stop.request_stop();
    };
    if (callback_(payload_, nullptr) != 0)
      return Error{ErrorCode::Cancelled, "the program's callback ended the compile"};
  }
  return compiler()->compile(job, request);
}

Result<CompileResult> Program::runNaming(Job& job, std::vector<std::string>& variables) {
  auto out = run(job);
  while (!out && out.error().code == ErrorCode::UnknownKernel) {
    const Error& error = out.error();
    // A variable is named like a kernel; only the front end knows which it is.
    const auto isNamed = [&](const std::string& entry) {
      const std::string said = "'" + entry + "' is not a kernel";
      return error.message.find(said) != std::string::npos ||
             std::ranges::any_of(error.diagnostics,
                                 [&](const Diagnostic& one) { return one.message.find(said) != std::string::npos; });
    };
    const auto found = std::ranges::find_if(job.entries, isNamed);
    if (found == job.entries.end()) break;
    variables.push_back(*found);
    job.entries.erase(found);
    out = run(job);
  }
  return out;
}

void Program::takeNames(const Image& image, const std::vector<std::string>& variables) {
  for (const std::string& expression : expressions_) {
    const std::string kernel = kernelName(expression);
    if (std::ranges::find(variables, kernel) == variables.end()) {
      const auto& entries = image.info().entries;
      const auto entry = std::ranges::find(entries, kernel, &EntryPoint::name);
      if (entry != entries.end()) lowered_[expression] = entry->symbol;
      continue;
    }
    const auto& globals = image.info().globals;
    const auto found = std::ranges::find(globals, plainName(expression), &GlobalVariable::name);
    if (found != globals.end()) lowered_[expression] = found->symbol;
  }
}

nvrtcResult Program::compile(std::span<const char* const> words) {
  wasAsked_ = true;
  isCompiled_ = false;
  lowered_.clear();
  ptx_.clear(), cubin_.clear(), log_.clear();
  const auto fail = [&](const Error& error) {
    log_ = logOf(error, source_.name);
    return resultFor(error);
  };
  if (!compiler()) return fail(compiler().error());
  Job job;
  job.source = {source_.name, source_.text, "cuda"};
  auto options = readOptions(words, job.source);
  if (!options) return fail(options.error());
  job.headers = headers_;
  job.target = "cuda";
  job.arch = options->arch;
  job.emit = "ptx";
  job.options = std::move(options->options);
  job.entries = {"*"};
  for (const std::string& expression : expressions_) job.entries.push_back(kernelName(expression));
  std::vector<std::string> variables;
  auto compiled = runNaming(job, variables);
  if (!compiled && compiled.error().code == ErrorCode::UnknownKernel && job.entries.size() == 1) {
    // A program may have no kernels.
    job.source.text += "\nextern \"C\" __global__ void __lathe_no_kernel() {}\n";
    compiled = run(job);
  }
  if (!compiled) return fail(compiled.error());
  // Clients wait for that error, and bring the header.
  const auto missing = std::ranges::find(compiled->warnings, ErrorCode::HeaderNotFound, &Diagnostic::code);
  if (missing != compiled->warnings.end()) {
    Error error{.code = ErrorCode::HeaderNotFound, .message = missing->message};
    error.diagnostics = {*missing};
    error.diagnostics.front().severity = Severity::error;
    return fail(error);
  }
  if (!options->hidesWarnings) log_ = logOf(compiled->warnings);
  if (options->wantsCubin) {
    job.emit = "cubin";
    const auto assembled = run(job);
    if (!assembled) return fail(assembled.error());
    cubin_ = bytesOf(assembled->image, "cubin");
  }
  ptx_ = bytesOf(compiled->image, "ptx");
  takeNames(compiled->image, variables);
  isCompiled_ = true;
  return NVRTC_SUCCESS;
}

const char* Program::loweredName(const std::string& expression, nvrtcResult& result) const {
  if (!isCompiled_) {
    result = NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    return nullptr;
  }
  const auto found = lowered_.find(expression);
  result = found == lowered_.end() ? NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID : NVRTC_SUCCESS;
  return found == lowered_.end() ? nullptr : found->second.c_str();
}

}  // namespace lathe::nvrtc
