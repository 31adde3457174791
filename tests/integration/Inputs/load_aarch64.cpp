// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// load_aarch64 OBJECT: Lathe's loader as a program of 64-bit Arm, under an emulator: it links the object in memory and
// calls what is in it. The loader's sources alone are part of it.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "runtimes/cpu/code/code_place.h"
#include "runtimes/cpu/host/host_functions.h"
#include "runtimes/cpu/loader/loaded_object.h"

namespace lathe::detail {
/// The runtime's own functions, of which objects for C programs use none.
void* hostFunction(std::string_view) {
  return nullptr;
}
}  // namespace lathe::detail

namespace {

struct Launch {  // struct lathe_launch of the generated header
  std::uint32_t grid[3], group[3], dynamicSharedBytes, reserved;
  std::uint64_t firstGroup, endGroup;
  void* scratch;
  std::size_t scratchBytes;
};

float weights[4] = {1, 10, 100, 1000};
float half(float x) {
  return x / 2;
}

template <class F>
F* functionOf(const lathe::detail::LoadedObject& object, const char* name) {
  return reinterpret_cast<F*>(object.function(name));
}

bool run(const lathe::detail::LoadedObject& object) {
  bool good = true;
  constexpr unsigned n = 64;
  std::vector<float> x(n), out(n);
  std::iota(x.begin(), x.end(), 0.0f);
  const Launch launch{{2, 1, 1}, {32, 1, 1}, 0, 0, 0, 0, nullptr, 0};
  auto* const mix = functionOf<int(const Launch*, const float*, float*)>(object, "mix");
  auto* const sums = functionOf<int(const Launch*, const int*, int*)>(object, "sums");
  auto* const add = functionOf<long long(long long, const int*, unsigned)>(object, "add");
  if (!mix || !sums || !add) return false;
  good &= mix(&launch, x.data(), out.data()) == 0;
  for (unsigned i = 0; i < n; ++i) good &= std::abs(out[i] - (std::sin(x[i]) + x[i] / 2 + weights[i % 4])) < 1e-4f;
  std::vector<int> in(n), result(n);
  std::iota(in.begin(), in.end(), 0);
  good &= sums(&launch, in.data(), result.data()) == 0;  // its scratch is malloc's
  for (unsigned i = 0; i < n; ++i) good &= result[i] == (i < 32 ? 496 : 1520);
  good &= add(1LL << 40, in.data(), n) == (1LL << 40) + 2016;
  const auto [table, bytes] = object.variable("table");
  return good && table && bytes == 4 * sizeof(float);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  const auto symbols = lathe::HostSymbols().function("half", &half).variable("weights", weights);
  const auto object = lathe::detail::LoadedObject::load(std::as_bytes(std::span(bytes)), symbols);
  if (!object) {
    std::printf("%s\n", object.error().message.c_str());
    return 1;
  }
  std::puts(run(**object) ? "all correct" : "wrong");
  return 0;
}
