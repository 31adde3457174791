/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVRTC's interface, as Lathe's library of the same name defines it: run-time compilation of CUDA C++ for programs in
 * C, and for those that are written for NVRTC. Names, numbers and meaning are those of NVIDIA's "NVRTC" manual
 * (CUDA 13.0); docs/nvrtc.md says what differs. All functions may be called from any thread; one program is used by one
 * thread at a time. Programs that were compiled with NVIDIA's header need not be compiled anew.
 */
#ifndef LATHE_NVRTC_H
#define LATHE_NVRTC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

/* A program: a source, headers, and after a compile its code. The caller's, from nvrtcCreateProgram() on until
 * nvrtcDestroyProgram(). */
typedef struct _nvrtcProgram* nvrtcProgram;

/* The name of a result's constant; static storage. */
const char* nvrtcGetErrorString(nvrtcResult result);
/* The version of NVRTC whose interface this is. */
nvrtcResult nvrtcVersion(int* major, int* minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* count);
/* `archs` has room for as many numbers: 75, 80, … */
nvrtcResult nvrtcGetSupportedArchs(int* archs);

/* Copies all texts. `name` may be null ("default_program"); `includeNames[i]` is what an #include calls `headers[i]`.
 */
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headerCount,
                               const char* const* headers, const char* const* includeNames);
/* Makes *program null. */
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program);
/* Options as NVRTC's manual lists them. What the compiler says is in the log, also of a compile that succeeds. */
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount, const char* const* options);

/* Sizes are in bytes, with the zero at the end of PTX and of the log. A cubin is made for real architectures (sm_90);
 * for virtual ones (compute_90) its size is 0. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log);

/* Names of kernels and variables as C++ expressions, such as "scale<float>" or "&ns::table": added before the compile,
 * which makes the instances of templates, and looked up after it. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
/* The symbol; the program's, until it is destroyed. */
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** loweredName);

/* `callback(payload, NULL)` is called during the compile; the compile ends with NVRTC_ERROR_CANCELLED when it is not 0.
 */
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void* payload);

/* What this library does not make: LTO-IR and OptiX IR, whose size is 0, and precompiled headers, which it keeps by
 * itself. */
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* code);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char* code);
nvrtcResult nvrtcGetPCHHeapSize(size_t* bytes);
nvrtcResult nvrtcSetPCHHeapSize(size_t bytes);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t* bytes);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
