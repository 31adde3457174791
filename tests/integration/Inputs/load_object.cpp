// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// load_object FILE [bytes]: loads what was compiled earlier with the runtime library alone, by the file's name or its
// bytes, and runs kernels and functions of it. Prints "all correct", or the error. No LLVM may be in this process.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <lathe/runtime.h>

namespace {

bool llvmIsHere() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    for (const char* library : {"/libLLVM", "/libclang", "/liblathe.so"})
      if (line.find(library) != std::string::npos) return true;
  }
  return false;
}

struct Launch {  // struct lathe_launch of the generated header
  std::uint32_t grid[3], group[3], dynamicSharedBytes, reserved;
  std::uint64_t firstGroup, endGroup;
  void* scratch;
  std::size_t scratchBytes;
};

/// At an odd address, as a program may have them.
lathe::Result<lathe::Module> loadBytes(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text = "x" + std::string(std::istreambuf_iterator<char>(file), {});
  return lathe::loadObject(std::as_bytes(std::span(text)).subspan(1));
}

lathe::Result<bool> run(lathe::Result<lathe::Module> module) {
  if (!module) return module.error();
  constexpr unsigned n = 5000;
  std::vector<float> x(n, 2.0f), y(n, 1.0f);
  auto saxpy = module->kernel<unsigned, float, const float*, float*>("saxpy");
  if (!saxpy) return saxpy.error();
  if (auto done = (*saxpy)({.grid = {(n + 255) / 256}, .group = {256}}, n, 3.0f, x.data(), y.data()); !done)
    return done.error();
  bool good = true;
  for (float value : y) good &= value == 7.0f;

  auto sums = module->kernel<const int*, int*>("group_sums");
  if (!sums) return sums.error();
  std::vector<int> in(64), out(64);
  std::iota(in.begin(), in.end(), 0);
  if (auto done = (*sums)({.grid = {2}, .group = {32}, .dynamicSharedBytes = 128}, in.data(), out.data()); !done)
    return done.error();
  for (int i = 0; i < 64; ++i) good &= out[static_cast<std::size_t>(i)] == (i < 32 ? 496 : 1520) * 100 + i;

  auto scale = module->kernel<float, float*>("image::scale<float>");
  if (!scale) return scale.error();
  auto wrong = module->kernel<double, float*>("image::scale<float>");
  good &= !wrong && wrong.error().code == lathe::ErrorCode::ArgumentMismatch;

  auto dot = module->function<float(const float*, const float*, unsigned)>("dot");
  if (!dot) return dot.error();
  good &= (*dot)(x.data(), x.data(), 3) == 12.0f;
  // The C function of a kernel that takes its memory from malloc.
  auto launcher = module->function<int(const Launch*, const int*, int*)>("group_sums");
  if (!launcher) return launcher.error();
  const Launch launch{{2, 1, 1}, {32, 1, 1}, 128, 0, 0, 0, nullptr, 0};
  std::vector<int> again(64);
  good &= (*launcher)(&launch, in.data(), again.data()) == 0 && again == out;
  auto none = module->function<int()>("printf");
  good &= !none && none.error().code == lathe::ErrorCode::UndefinedFunction;
  return good && !llvmIsHere();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const auto good = run(count == 3 ? loadBytes(arguments[1]) : lathe::loadObject(arguments[1]));
  if (!good) {
    std::fputs(good.error().render().c_str(), stderr);
    return 1;
  }
  std::puts(*good ? "all correct" : "wrong");
  return *good ? 0 : 1;
}
