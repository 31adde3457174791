# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What documentation.py needs to run the pages' examples and the pages do not show."""

DEVICE = "#include <lathe/device.h>\n"
KERNEL = DEVICE + "LATHE_KERNEL void k(unsigned n, float* x) { const unsigned i = lathe::global_id().x; if (i < n) x[i] = sqrtf(x[i]); }\n"
SAXPY = DEVICE + ("LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {\n"
                  "  const unsigned i = lathe::global_id().x;\n  if (i < n) y[i] += a * x[i];\n}\n")
BLUR = DEVICE + ("LATHE_KERNEL void blur(int n, const float* in, float* out) {\n  const int i = int(lathe::global_id().x);\n"
                 "  if (i > 0 && i + 1 < n) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;\n}\n")
BPF = '#include <lathe/bpf.h>\nSEC("xdp") int pass(struct xdp_md* packet) { return XDP_PASS; }\nLATHE_BPF_LICENSE("GPL");\n'
FILES = {
    "saxpy.cpp": SAXPY, "k.cpp": KERNEL, "kernel.cpp": KERNEL, "blur.cpp": BLUR, "count.bpf.cpp": BPF, "more.bpf.cpp": BPF.replace("pass(", "drop("), "prog.bpf.c": BPF,
    "kernel.cu": "__global__ void k(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }\n",
    "solver.cu": "extern __device__ float table[4];\n__global__ void step(float* x) { x[threadIdx.x] += table[threadIdx.x & 3]; }\n",
    "tables.cu": "__device__ float table[4] = {1, 2, 3, 4};\n",
    "nbody.cu": "__global__ void integrate(float4* p, const float4* v, float dt) { p[threadIdx.x].x += v[threadIdx.x].x * dt; }\n",
    "nbody.hip": "__global__ void integrate(float4* p, const float4* v, float dt) { p[threadIdx.x] += v[threadIdx.x] * dt; }\n",
    "main.c": '#include "blur.h"\nint main(void) { struct lathe_launch l = {.grid = {1}, .group = {4}}; float a[4] = {0}, b[4];\n'
              "  return blur(&l, 4, a, b); }\n",
    "include/none.h": "",
    "jobs.yaml": "defaults:\n  targets: [\"cuda:sm_90\", \"cpu:x86-64-v3\"]\n  options: {optLevel: O2, includeDirs: [include]}\njobs:\n"
                 "  - source: saxpy.cpp\n  - {source: blur.cpp, name: blur-wide, options: {defines: [WIDTH=8]}}\n",
}
# Fragments: the block's first line → what stands before and behind it, and arguments of the compile.
WRAPPED = {
    "template <class T, class Op>": (DEVICE, "", ["-k", "map<float, Scale>"]),
    "lathe::async_copy(&tile[item], &in[i]);   // from device memory to group-shared memory":
        (DEVICE + "LATHE_KERNEL void k(const int* in, int* out) {\n  LATHE_SHARED int tile[64];\n"
                  "  const unsigned item = lathe::item_id().x & 63, i = lathe::global_id().x;\n", "  out[i] = tile[item]; }", []),
    "lathe::atomic_add(&bins[value], 1u);                                              // relaxed, seen by the whole device":
        (DEVICE + "LATHE_KERNEL void k(unsigned* bins, unsigned value, float factor) {\n"
                  "  LATHE_SHARED unsigned tile_count; LATHE_SHARED float product;\n", "}", []),
    'if (lathe::target_is("cuda")) ticks[0] = lathe::clock();':
        (DEVICE + "LATHE_KERNEL void k(unsigned long* ticks) {\n", "  ticks[1] = tile; }", []),
    "LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y);": (DEVICE, SAXPY.removeprefix(DEVICE), []),
    "struct task_struct { int tgid; task_struct* real_parent; };":
        ('#include <lathe/bpf.h>\nSEC("raw_tp/sched_switch") int look(bpf_raw_tracepoint_args*) {\n'
         "  struct task_struct; task_struct* task = nullptr;\n", "return 0; }\n", []),
    'auto module = lathe::loadObject("blur.o");                     // or libblur.so, or the bytes of either':
        ("#include <lathe/runtime.h>\nvoid load() {\n", "}\nint main() { if (false) load(); }", []),
    '#include "kernels.h"': (None, None, ["package.kernels_cmake builds such a program"]),
    "int saxpy(const struct lathe_launch *launch, uint32_t n, float a, const float *x, float *y);": (None, None, ["the header's text"]),
    "auto array = device->createArray({.format = lathe::TexelFormat::of<float>(), .width = 640, .height = 480, .levels = 3});": (None, None, ["a fragment of a host program; lathe_texture_test"]),
    "auto pending = compiler->compileAsync(job, {.progress = [](const lathe::CompileProgress& now) {": (None, None, ["a fragment of a host program; compiler/pending_test"]),
    "auto module = lathe::loadObject(\"shade.o\", lathe::HostSymbols().function(\"noise\", &noise).variable(\"weights\", weights));": (None, None, ["a fragment of a host program; integration/object_imports.test"]),
    "struct lathe_launch launch = {.grid = {(n + 255) / 256}, .group = {256}};": (None, None, ["an elided fragment; integration/object.test"]),
}
# Commands that are not run: a pattern of the line → why.
NOT_RUN = {
    r"^lathe (\w+ ){1,2} {5,}[a-z]": "a line of the list of commands",
    r"deep\.cpp": "no source is known that crashes it",
    r"blink\.so": "unit/target makes such plugins",
    r"stencil\.so": "package.dialect builds and runs it",
    r"weave": "package.adding-a-dialect follows the page",
    r"^lathe new-\w+ NAME": "elided",
    r"^\./dev |^cmake |^ctest |LATHE_BLESS": "builds or tests the tree, which .ci/run does",
    r"^(LATHE_\w+=\S+ )*lathe conformance": "the suite takes minutes: ctest has it case by case",
    r"…|FILE|IMAGE|SUB\b|\[NAME\]|\[CODE\]|COMMAND| SH ": "elided",
    r"^lathe completion|^source <": "writes into the user's home; integration/completion.test",
    r"^bpftool|prog\.bpf\.c": "needs the running kernel's types",
    r"/where/lathe": "tests/package builds it",
    r"^lathe bpf (load|attach|types|trace|maps|top)|^lathe run .*--packet": "needs the rights to load programs, and a kernel with BTF",
    r"^lathe doctor": "integration tests begin with it",
}
# What every folder has before the page's first command.
SETUP = ("lathe compile saxpy.cpp -o saxpy.limg",)
# Files that one page means; "before COMMAND": done first.
PAGE_FILES = {
    "docs/kernel-language.md": {
        "kernel.cpp": "#include <cassert>\n" + DEVICE + "\nLATHE_KERNEL void scale(float* x) {\n"
                      "  const unsigned i = lathe::global_id().x;\n  x[i] *= 1;\n  assert(x[i] < 37);\n}\n"},
    "docs/errors/check-failed.md": {
        "shift.cpp": DEVICE + "\nLATHE_KERNEL void shift(const int* in, int* out) {\n  LATHE_SHARED int tile[64];\n"
                     "  const unsigned i = lathe::item_id().x;\n  // No barrier between.\n  const int before = tile[(i + 63) % 64];\n"
                     "  tile[i] = in[i];\n  out[i] = before;\n}\n"},
    "docs/errors/descriptor-invalid.md": {"mine/tiny.yaml": "lathe: 1\nname: tiny\nextends: cuda\nlimits: {shared_byte: 16384}\n"},
    "docs/cuda.md": {
        "sort.cu": "#include <thrust/device_vector.h>\n#include <thrust/sort.h>\n"
                   "int main() { thrust::device_vector<int> v(9); thrust::sort(v.begin(), v.end()); }\n"},
    "docs/errors/header-not-found.md": {"kernel.cpp": "#include <nowhere.h>\n"},
    "docs/errors/image-corrupt.md": {
        "before lathe inspect saxpy.limg": "printf x | dd of=saxpy.limg bs=1 seek=300 conv=notrunc",
        "before lathe job replay blur.lathejob": "lathe job save blur.cpp -o blur.lathejob && truncate -s 100 blur.lathejob"},
    "docs/image-format.md": {"before lathe sign blur.limg --key release.key": "lathe compile blur.cpp -t cpu -t cuda -o blur.limg"},
    "docs/errors/invalid-module.md": {
        "before lathe compile cut.bc": "lathe compile saxpy.cpp --emit bitcode -o whole.bc && head -c 1000 whole.bc > cut.bc"},
    "docs/errors/limit-exceeded.md": {
        "forever.cpp": DEVICE + "template <int n> struct Tree { using L = Tree<n - 1>; static constexpr unsigned long sum(unsigned long k) {\n"
                       "  return n ? L::sum(2 * k) + L::sum(2 * k + 1) : k; } };\n"
                       "template <> struct Tree<0> { static constexpr unsigned long sum(unsigned long k) { return k; } };\n"
                       "template <unsigned long k> struct More { static constexpr unsigned long v = Tree<14>::sum(k) + More<k - 1>::v; };\n"
                       "template <> struct More<0> { static constexpr unsigned long v = 0; };\n"
                       "LATHE_KERNEL void k(unsigned long* x) { *x = More<500>::v; }\n"},
    "docs/errors/parameters-too-large.md": {
        "kernel.cpp": DEVICE + "struct Table { double values[1000]; };\nLATHE_KERNEL void k(Table t, double* out) { *out = t.values[3]; }\n"},
    "docs/errors/portable-rule.md": {
        "kernel.cpp": DEVICE + "struct Start { int at; Start() { at = lathe::item_id().x; } };\nStart first;\n"
                      "LATHE_KERNEL void k(int* out) { *out = first.at; }\n",
        "flag.cpp": DEVICE + "LATHE_KERNEL void k(int* out) {\n  LATHE_SHARED int flag = 7;\n  flag += out[lathe::item_id().x];\n"
                    "  *out = flag;\n}\n"},
    "docs/errors/resource-limit.md": {
        "kernel.cpp": DEVICE + "LATHE_KERNEL void k(float* out) {\n  LATHE_SHARED float tile[32768];\n  tile[lathe::item_id().x] = *out;\n"
                      "  lathe::barrier();\n  *out = tile[lathe::item_id().x + 1];\n}\n"},
    "docs/errors/source-error.md": {"kernel.cpp": DEVICE + "LATHE_KERNEL void k(int* out) { *out = missing; }\n"},
    "docs/errors/tool-failed.md": {"kernel.cu": '__global__ void k() { asm volatile("nonsense;"); }\n'},
    "docs/errors/undefined-function.md": {
        "kernel.cpp": DEVICE + "int lookup(int);\n__attribute__((noinline)) void set(int* out) { *out = lookup(*out); }\n"
                      "LATHE_KERNEL void k(int* out) { set(out); }\n"},
    "docs/errors/unsupported.md": {"kernel.cpp": DEVICE + "LATHE_KERNEL void k(unsigned long* out) { *out = lathe::clock(); }\n"},
}
