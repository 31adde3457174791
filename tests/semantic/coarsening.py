#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels and their coarse forms on the host, and compares what they write.

Kernels are random: nested conditions on positions, on data and on arguments, loops, stores, early returns; or variables
of the group, barriers, shuffles and atomic operations. Lathe compiles them for a GPU; its IR behind stage coarsen, with
functions in place of the GPU's registers and of what items do together, is compiled by clang for this machine and run
group by group, each item on a stack of its own. Exit code 77: there is no clang.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

QUERIES = ["tid", "ntid", "ctaid", "nctaid"]
DRIVER = r"""
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>
#include <ucontext.h>
namespace {
constexpr unsigned most = 32;
unsigned tid, ntid, ctaid[2], nctaid[2];
using Plain = void (*)(const int*, int*, int, int);
using Coarse = void (*)(const int*, int*, int, int, unsigned);
std::vector<int> contents(std::size_t count, unsigned seed) {
  std::vector<int> out(count);
  for (int& value : out) value = int((seed = seed * 1664525u + 1013904223u) >> 20) - 2048;
  return out;
}
// Items of a group take turns: each runs up to where it waits for the others, or to its end.
ucontext_t scheduler, items[most];
std::vector<char> stacks(most * 65536);
const std::function<void()>* body;
bool ended[most];
int given[most];
void wait() { swapcontext(&items[tid], &scheduler); }
void item() {
  (*body)();
  ended[tid] = true;
}
void runGroup(const std::function<void()>& work) {
  body = &work;
  for (unsigned t = 0; t < ntid; ++t) {
    getcontext(&items[t]);
    items[t].uc_stack.ss_sp = stacks.data() + t * 65536;
    items[t].uc_stack.ss_size = 65536;
    items[t].uc_link = &scheduler;
    ended[t] = false;
    makecontext(&items[t], item, 0);
  }
  for (bool running = true; running;) {
    running = false;
    for (tid = 0; tid < ntid; ++tid) {
      if (ended[tid]) continue;
      swapcontext(&scheduler, &items[tid]);
      running |= !ended[tid];
    }
  }
}
template <class Launch>
std::vector<int> run(unsigned groups, int n, const Launch& launch) {
  std::vector<int> in = contents(4096, 1), out = contents(4096, 2);
  nctaid[1] = 2;
  nctaid[0] = groups;
  ntid = 32;
  for (ctaid[1] = 0; ctaid[1] < nctaid[1]; ++ctaid[1])
    for (ctaid[0] = 0; ctaid[0] < nctaid[0]; ++ctaid[0])
      runGroup([&] { launch(in.data() + 1024, out.data() + 1024); });
  return out;
}
int failures = 0;
void compare(const char* name, Plain plain, Coarse coarse, unsigned factor) {
  for (const unsigned groups : {1u, 2u, 5u, 8u, 13u})
    for (const int n : {0, 1, int(groups * 32) - 33, int(groups * 32) - 1, int(groups * 32), 400})
      for (const int k : {-1, 0, 3}) {
        const auto expected = run(groups, n, [&](const int* in, int* out) { plain(in, out, n, k); });
        const unsigned launched = (groups - 1) / factor + 1;
        const auto got = run(launched, n, [&](const int* in, int* out) { coarse(in, out, n, k, groups); });
        if (expected == got) continue;
        if (++failures <= 20) std::printf("%s: %u groups, n %d, k %d: the coarse form differs\n", name, groups, n, k);
        return;
      }
}
}
extern "C" unsigned q_tid() { return tid; }
extern "C" unsigned q_ntid() { return ntid; }
extern "C" unsigned q_ctaid() { return ctaid[0]; }
extern "C" unsigned q_nctaid() { return nctaid[0]; }
extern "C" unsigned q_row() { return ctaid[1]; }
extern "C" void q_barrier(int) { wait(); }
extern "C" int q_shuffle_down(int, int value, int delta, int) {
  given[tid] = value;
  wait();
  const int out = tid + delta < ntid ? given[tid + delta] : value;
  wait();
  return out;
}
"""


class Kernel:
    """One random kernel. Each item writes elements of its own only: groups may run in any order."""

    returns = True

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0
        self.lines = []
        self.block(3, 4, "  ", False)

    def value(self, depth=2):
        if depth == 0 or self.random.random() < 0.3:
            return self.random.choice(["a", "b", "c", "i", "k", "n", "1", "7", "int(gridDim.x)", "int(blockIdx.y)"])
        pick = self.random.randrange(6)
        if pick == 0:
            return f"in[({self.value(depth - 1)}) & 1023]"
        if pick == 1:
            return f"out[at + 1 + {self.random.randrange(3)}]"
        operator = self.random.choice(["+", "-", "*", "^", "&", "|"])
        return f"({self.value(depth - 1)} {operator} {self.value(depth - 1)})"

    def condition(self):
        operator = self.random.choice(["<", ">", "==", "!=", "<="])
        same = self.random.choice(["k", "int(gridDim.x)", "n", "int(blockIdx.y)", "int(threadIdx.x)"])
        left = self.value(1) if self.random.random() < 0.6 else same
        return f"{left} {operator} {self.random.choice(['k', '3', 'n', '100', self.value(1)])}"

    def block(self, depth, most, indent, looping):
        for _ in range(self.random.randint(1, most)):
            pick = self.random.randrange(12)
            if pick < 4 or depth == 0:
                self.lines.append(f"{indent}{self.random.choice('abc')} = {self.value()};")
            elif pick < 6:
                self.lines.append(f"{indent}out[at + {self.random.randrange(4)}] = {self.value()};")
            elif pick == 6 and self.returns:
                self.lines.append(f"{indent}if ({self.condition()}) return;")
            elif pick < 10:
                self.lines.append(f"{indent}if ({self.condition()}) {{")
                self.block(depth - 1, 3, indent + "  ", looping)
                if self.random.random() < 0.5:
                    self.lines.append(f"{indent}}} else {{")
                    self.block(depth - 1, 3, indent + "  ", looping)
                self.lines.append(f"{indent}}}")
            else:
                self.loops += 1
                name = f"l{self.loops}"
                most_turns = self.random.choice(["3", "k", "(k & 3) + 1", "(a & 3)"])
                self.lines.append(f"{indent}for (int {name} = 0; {name} < {most_turns}; ++{name}) {{")
                self.block(depth - 1, 3, indent + "  ", True)
                if self.random.random() < 0.2:
                    self.lines.append(f"{indent}  if ({self.condition()}) break;")
                self.lines.append(f"{indent}  c += {name};\n{indent}}}")

    def text(self, name):
        guard = self.random.choice(["  if (i >= n) return;\n", "  if (i < 0 || i >= n || k > 2) return;\n", ""])
        body = "\n".join(self.lines)
        return (f'extern "C" __global__ void {name}(const int* in, int* out, int n, int k) {{\n'
                f"  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n{guard}"
                f"  const int at = (i + 480 * blockIdx.y) * 4 & 2047;\n  int a = in[i & 1023], b = i, c = k;\n"
                f"{body}\n  out[at] = a ^ b ^ c;\n}}\n")


class GroupKernel(Kernel):
    """One random kernel whose items work together. Barriers are reached by all items of a group."""

    returns = False

    def block(self, depth, most, indent, looping):
        for _ in range(self.random.randint(1, most)):
            pick = self.random.randrange(9)
            if pick < 3:
                super().block(min(depth, 2), 1, indent, True)
            elif pick == 3:
                self.lines.append(f"{indent}s[t] = {self.value()};\n{indent}__syncthreads();\n"
                                  f"{indent}a ^= s[(t + {self.random.randrange(32)}) & 31];\n{indent}__syncthreads();")
            elif pick == 4:
                self.lines.append(f"{indent}s[t] = {self.value()};\n{indent}__syncthreads();\n"
                                  f"{indent}for (int d = 16; d > 0; d >>= 1) {{\n{indent}  if (t < d) s[t] += s[t + d];\n"
                                  f"{indent}  __syncthreads();\n{indent}}}\n{indent}b += s[0];\n{indent}__syncthreads();")
            elif pick == 5:
                self.lines.append(f"{indent}atomicAdd(&h[{self.value()} & 7], {self.value(1)});\n{indent}__syncthreads();\n"
                                  f"{indent}c += h[t & 7];\n{indent}__syncthreads();")
            elif pick == 6:
                self.lines.append(f"{indent}{self.random.choice('abc')} += __shfl_down_sync(~0u, {self.value(1)}, "
                                  f"{self.random.randint(1, 16)});")
            elif pick == 7 and depth > 0:
                self.lines.append(f"{indent}if ({self.random.choice(['k > 0', 'n > 40', 'gridDim.x > 4'])}) {{")
                self.block(depth - 1, 2, indent + "  ", looping)
                self.lines.append(f"{indent}}}")
            elif depth > 0:
                self.loops += 1
                self.lines.append(f"{indent}for (int u{self.loops} = 0; u{self.loops} < {self.random.choice(['2', 'k'])}; ++u{self.loops}) {{")
                self.block(depth - 1, 2, indent + "  ", True)
                self.lines.append(f"{indent}}}")

    def text(self, name):
        guard = self.random.choice(["  if (int(blockIdx.x) * 32 > n) return;\n", "", ""])
        body = "\n".join(self.lines)
        return (f'extern "C" __global__ void {name}(const int* in, int* out, int n, int k) {{\n'
                f"  __shared__ int s[32], h[8];\n{guard}  const int t = threadIdx.x;\n"
                f"  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                f"  const int at = (i + 480 * blockIdx.y) * 4 & 2047;\n  int a = in[i & 1023], b = i, c = k;\n"
                f"  if (t < 8) h[t] = t;\n  __syncthreads();\n{body}\n  out[at] = a ^ b ^ c;\n}}\n")


def for_host(ir):
    """The module with functions of the driver in place of registers, for this machine."""
    ir = re.sub(r'^target (triple|datalayout).*$', "", ir, flags=re.M).replace("ptx_kernel ", "")
    for query in QUERIES:
        ir = ir.replace(f"llvm.nvvm.read.ptx.sreg.{query}.x", f"q_{query}")
    ir = ir.replace("llvm.nvvm.read.ptx.sreg.ctaid.y", "q_row")
    ir = ir.replace("llvm.nvvm.barrier.cta.sync.aligned.all", "q_barrier").replace("llvm.nvvm.shfl.sync.down.i32", "q_shuffle_down")
    # Registers change from call to call here.
    ir = re.sub(r"^(declare .*@q_\w+\([^)]*\)).*$", r"\1", ir, flags=re.M)
    return re.sub(r'"(target-cpu|target-features|nvvm\.[a-z]+)"="[^"]*"', "", ir)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lathe", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="write the source there")
    parser.add_argument("--kernels", type=int, default=60)
    options = parser.parse_args()
    try:
        subprocess.run([options.clang, "--version"], check=True, capture_output=True)
    except OSError:
        print(f"skipped: no clang ({options.clang}) to compile for the host")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = folder / "kernels.cu"
        kinds = (Kernel, Kernel, GroupKernel)
        source.write_text("".join(kinds[i % 3](options.seed + i).text(f"k{i}") for i in range(options.kernels)))
        if options.keep:
            pathlib.Path(options.keep).write_text(source.read_text())
        done = options.kernels
        for factor in (2, 3, 4):
            subprocess.run([options.lathe, "compile", source, "-t", "cuda:sm_90", "--coarsening", str(factor), "-o",
                            folder / "k.limg", "--dump-after", "coarsen", "--dump-dir", folder / "dump"], check=True,
                           capture_output=True)
            dump, = (folder / "dump").glob("*coarsen.ll")
            ir = dump.read_text()
            (folder / "k.ll").write_text(for_host(ir))
            coarse = re.findall(r'^define .*@"(k\d+)\$coarse%d"' % factor, ir, flags=re.M)
            declarations = "".join(f'extern "C" void {name}(const int*, int*, int, int);\n'
                                   f'void {name}_coarse(const int*, int*, int, int, unsigned) '
                                   f'asm("{name}$coarse{factor}");\n' for name in coarse)
            calls = "".join(f'  compare("{name}", {name}, {name}_coarse, {factor});\n' for name in coarse)
            (folder / "driver.cpp").write_text(DRIVER + declarations + f"int main() {{\n{calls}  return failures != 0;\n}}\n")
            subprocess.run([options.clang, "-O1", "-w", folder / "k.ll", "-c", "-o", folder / "k.o"], check=True)
            subprocess.run([options.clang, "-O1", "-x", "c++", folder / "driver.cpp", "-x", "none", folder / "k.o", "-lstdc++", "-o",
                            folder / "run"], check=True)
            ran = subprocess.run([folder / "run"], stdout=subprocess.PIPE, text=True)
            together = sum(int(name[1:]) % 3 == 2 for name in coarse)
            print(f"{factor} groups: {len(coarse)} of {options.kernels} kernels have a coarse form, {together} with barriers")
            if ran.returncode != 0:
                print(f"{ran.stdout}(seed {options.seed}; --keep FILE keeps the source)")
                return 1
            done = min(done, len(coarse), 4 * together)
            dump.unlink()
        if done < options.kernels / 2:
            print("too few kernels have a coarse form: the test tests little")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
