// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the interface. What they are given is looked at here; no exception leaves them.
#include "tools/nvrtc/nvrtc.h"

#include <array>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>

#include "tools/nvrtc/program.h"

struct _nvrtcProgram {
  lathe::nvrtc::Program program;
};

namespace {

/// What `step` returns, or the result for what it throws.
template <class Step>
nvrtcResult guarded(const Step& step) noexcept {
  try {
    return step();
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

/// `bytes` of a program that was compiled.
nvrtcResult sizeOf(nvrtcProgram program, std::size_t* out, std::size_t bytes) {
  if (!program->program.isCompiled()) return NVRTC_ERROR_INVALID_PROGRAM;
  *out = bytes;
  return NVRTC_SUCCESS;
}

/// `text`, and a zero behind it if it is a string's, to `out`.
nvrtcResult copyTo(nvrtcProgram program, char* out, std::string_view text, std::size_t zero) {
  if (!program->program.isCompiled()) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!out) return NVRTC_ERROR_INVALID_INPUT;
  text.copy(out, text.size());
  if (zero != 0) out[text.size()] = '\0';
  return NVRTC_SUCCESS;
}
/// The architectures of the cuda target that are numbers, in order.
std::vector<int> architectures() {
  std::vector<int> out;
  if (!lathe::nvrtc::compiler()) return out;
  const auto target = lathe::nvrtc::compiler()->target("cuda");
  if (!target) return out;
  for (const std::string_view name : target->architectures) {
    int number = 0;
    const std::string_view digits = name.substr(std::min(name.find('_') + 1, name.size()));
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (status == std::errc() && end == digits.data() + digits.size()) out.push_back(number);
  }
  return out;
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
  constexpr std::array<const char*, 18> names = {"NVRTC_SUCCESS",
                                                 "NVRTC_ERROR_OUT_OF_MEMORY",
                                                 "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                                 "NVRTC_ERROR_INVALID_INPUT",
                                                 "NVRTC_ERROR_INVALID_PROGRAM",
                                                 "NVRTC_ERROR_INVALID_OPTION",
                                                 "NVRTC_ERROR_COMPILATION",
                                                 "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                                 "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                                 "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                                 "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                                 "NVRTC_ERROR_INTERNAL_ERROR",
                                                 "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                                 "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                                 "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                                 "NVRTC_ERROR_PCH_CREATE",
                                                 "NVRTC_ERROR_CANCELLED",
                                                 "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
  const auto number = static_cast<std::size_t>(result);
  return number < names.size() ? names[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = LATHE_NVRTC_MAJOR;
  *minor = LATHE_NVRTC_MINOR;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    *count = static_cast<int>(architectures().size());
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetSupportedArchs(int* archs) {
  if (!archs) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    for (const int number : architectures()) *archs++ = number;
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headerCount,
                               const char* const* headers, const char* const* includeNames) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!source || headerCount < 0 || (headerCount > 0 && (!headers || !includeNames))) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    std::vector<lathe::Header> all;
    for (int i = 0; i < headerCount; ++i) {
      if (!headers[i] || !includeNames[i]) return NVRTC_ERROR_INVALID_INPUT;
      all.push_back({includeNames[i], headers[i]});
    }
    const lathe::Source text{name && *name ? name : "default_program", source, {}};
    *program = new _nvrtcProgram{{text, std::move(all)}};
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount, const char* const* options) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (optionCount < 0 || (optionCount > 0 && !options)) return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < optionCount; ++i)
    if (!options[i]) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return program->program.compile({options, static_cast<std::size_t>(optionCount)}); });
}

#define LATHE_NVRTC_TEXT(name, text, zero)                                           \
  nvrtcResult nvrtcGet##name##Size(nvrtcProgram program, size_t* bytes) {            \
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;                                \
    if (!bytes) return NVRTC_ERROR_INVALID_INPUT;                                    \
    return sizeOf(program, bytes, std::string_view(text).size() + (zero));           \
  }                                                                                  \
  nvrtcResult nvrtcGet##name(nvrtcProgram program, char* out) {                      \
    return program ? copyTo(program, out, text, zero) : NVRTC_ERROR_INVALID_PROGRAM; \
  }
LATHE_NVRTC_TEXT(PTX, program->program.ptx(), 1)
LATHE_NVRTC_TEXT(CUBIN, program->program.cubin(), 0)
LATHE_NVRTC_TEXT(LTOIR, "", 0)
LATHE_NVRTC_TEXT(OptiXIR, "", 0)
#undef LATHE_NVRTC_TEXT

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = program->program.log().size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!log) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(log, program->program.log().c_str(), program->program.log().size() + 1);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return program->program.addName(expression); });
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** loweredName) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !loweredName) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    nvrtcResult result = NVRTC_SUCCESS;
    if (const char* const name = program->program.loweredName(expression, result)) *loweredName = name;
    return result;
  });
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void* payload) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!callback) return NVRTC_ERROR_INVALID_INPUT;
  program->program.setCallback(callback, payload);
  return NVRTC_SUCCESS;
}

// Lathe keeps what it made of headers without being asked.
nvrtcResult nvrtcGetPCHHeapSize(size_t* bytes) {
  if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t) {
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program) {
  return program ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t* bytes) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!bytes) return NVRTC_ERROR_INVALID_INPUT;
  *bytes = 0;
  return NVRTC_SUCCESS;
}
