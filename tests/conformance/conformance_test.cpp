// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table of kernels with references in C++, run at O0 and O3 on every runtime that opens on this machine.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

namespace lathe::test {
namespace {

/// A by-value argument, or an array that is copied in and out. How its elements are compared follows their type.
struct Argument {
  enum class Element { bytes, f32, f64 };
  std::vector<std::byte> bytes;
  bool array = false;
  Element element = Element::bytes;

  template <class T>
  static Argument of(const T* from, std::size_t count, bool array) {
    Argument out{std::vector<std::byte>(count * sizeof(T)), array, Element::bytes};
    std::memcpy(out.bytes.data(), from, out.bytes.size());
    if constexpr (std::is_same_v<T, float>) out.element = Element::f32;
    if constexpr (std::is_same_v<T, double>) out.element = Element::f64;
    return out;
  }
  template <class T>
  [[nodiscard]] T* as() {
    return reinterpret_cast<T*>(bytes.data());
  }
};

template <class T>
Argument value(T x) {
  return Argument::of(&x, 1, false);
}
template <class T>
Argument array(const std::vector<T>& x) {
  return Argument::of(x.data(), x.size(), true);
}
template <class T>
Argument counting(std::size_t n, T scale = 1, T first = 0) {
  std::vector<T> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(first + scale * static_cast<T>(i));
  return array(out);
}
template <class T>
Argument zeros(std::size_t n) {
  return array(std::vector<T>(n));
}

using Arguments = std::vector<Argument>;

struct Case {
  std::string name;
  std::string file;
  std::string kernel;
  LaunchOptions launch;
  Arguments arguments;
  std::function<void(Arguments&)> reference;
  double ulp = 0;  ///< units in the last place that a floating-point element may be off
};

void PrintTo(const Case& entry, std::ostream* out) {
  *out << entry.name;
}

struct Inner {
  signed char tag;
  double weight;
};
struct Outer {
  Inner inner;
  unsigned short counts[3];
  int last;
};

template <class T>
Case axpyCase(const std::string& type, unsigned n) {
  return {"axpy_" + type,
          "kernels/kernels.cpp",
          "axpy<" + type + ">",
          {.grid = {(n + 63) / 64}, .group = {64}},
          {value(n), value(T(3)), counting<T>(n), counting<T>(n, T(2))},
          [n](Arguments& a) {
            for (unsigned i = 0; i < n; ++i) a[3].as<T>()[i] = 3 * a[2].as<T>()[i] + a[3].as<T>()[i];
          }};
}

void sumsReference(Arguments& a) {
  for (int g = 0; g < 5; ++g) {
    const int* const from = a[1].as<int>() + 32 * g;
    a[2].as<int>()[g] = std::accumulate(from, from + 32, 0) * (*a[0].as<int>() ? 2 : 1);
  }
}

void rotateReference(Arguments& a) {
  const int rounds = *a[0].as<int>();
  for (int g = 0; g < 3; ++g) {
    int* const ring = a[1].as<int>() + 48 * g;
    const std::vector<int> before(ring, ring + 48);
    for (int i = 0; i < 48; ++i) {
      ring[i] = 0;
      for (int r = 1; r <= rounds; ++r) ring[i] += before[static_cast<std::size_t>((i + r) % 48)];
    }
  }
}

void atomicsReference(Arguments& a) {
  int* const c = a[0].as<int>();
  for (int i = 0; i < 400; ++i) {
    c[0] += i;
    c[1] -= 2;
    c[2] = std::min(c[2], -i);
    c[3] = std::max(c[3], i);
    c[4] &= ~(1 << (i % 16));
    c[5] = static_cast<int>(static_cast<unsigned>(c[5]) | 1u << (i % 32));
    c[6] ^= i;
    c[7] += 3;
    *a[1].as<float>() += 0.5f;
  }
}

void mathReference(Arguments& a) {
  for (int i = 0; i < 256; ++i) {
    const double x = a[0].as<float>()[i];
    const double row[] = {std::sin(x),
                          std::cos(x),
                          std::exp(x),
                          std::log(std::fabs(x) + 1),
                          std::sqrt(std::fabs(x)),
                          std::pow(std::fabs(x) + 0.5, 1.5),
                          std::atan2(x, 2.0),
                          std::floor(x) + std::fmin(x, 0.25)};
    for (int k = 0; k < 8; ++k) a[1].as<float>()[8 * i + k] = static_cast<float>(row[k]);
  }
}

std::vector<Case> portableCases() {
  const std::string file = "kernels/kernels.cpp";
  std::vector<Case> out = {
      {"index_3d",
       file,
       "index3",
       {.grid = {3, 2, 2}, .group = {8, 4, 2}},
       {value(21u), value(7u), value(3u), zeros<unsigned>(441)},
       [](Arguments& a) {
         for (unsigned i = 0; i < 441; ++i) a[3].as<unsigned>()[i] = i % 21 + 100 * (i / 21 % 7) + 10000 * (i / 147);
       }},
      {"shared_flag",
       file,
       "flag",
       {.grid = {3}, .group = {40}},
       {zeros<unsigned>(120)},
       [](Arguments& a) { std::fill_n(a[0].as<unsigned>(), 120, 7u); }},
      {"group_sums",
       file,
       "group_sums",
       {.grid = {5}, .group = {32}, .dynamicSharedBytes = 128},
       {value(0), counting<int>(160), zeros<int>(5)},
       sumsReference},
      {"group_sums_uniform_branch",
       file,
       "group_sums",
       {.grid = {5}, .group = {32}, .dynamicSharedBytes = 128},
       {value(1), counting<int>(160), zeros<int>(5)},
       sumsReference},
      {"barriers_in_a_loop",
       file,
       "rotate",
       {.grid = {3}, .group = {48}},
       {value(7), counting<int>(144, 5, -3)},
       rotateReference},
      {"no_round_of_the_loop",
       file,
       "rotate",
       {.grid = {3}, .group = {48}},
       {value(0), counting<int>(144)},
       rotateReference},
      {"atomics",
       file,
       "atomics",
       {.grid = {10}, .group = {40}},
       {array(std::vector<int>{0, 0, 0, 0, -1, 0, 0, 1}), zeros<float>(1)},
       atomicsReference},
      {"struct_by_value",
       file,
       "unpack",
       {},
       {value(Outer{{-5, 2.25}, {1, 65535, 3}, -9}), value(short{-2}), zeros<double>(7)},
       [](Arguments& a) {
         const double w[] = {-5, 2.25, 1, 65535, 3, -9, -2};
         std::copy_n(w, 7, a[2].as<double>());
       }},
      {"constants",
       file,
       "weigh",
       {.grid = {4}, .group = {8}},
       {counting<float>(32, 0.5f)},
       [](Arguments& a) {
         const float w[] = {0.5f, -1, 2, 8};
         for (int i = 0; i < 32; ++i) a[0].as<float>()[i] *= w[i % 4];
       }},
      // Libraries promise a few units in the last place; the additions after log and before pow cost one more.
      {"mathematics",
       file,
       "mathematics",
       {.grid = {4}, .group = {64}},
       {counting<float>(256, 0.0625f, -7.9f), zeros<float>(2048)},
       mathReference,
       8},
  };
  out.push_back(axpyCase<float>("float", 1000));
  out.push_back(axpyCase<double>("double", 63));
  out.push_back(axpyCase<int>("int", 65));
  return out;
}

std::vector<Case> cudaCases() {
  return {
      {"saxpy",
       "cuda/saxpy.cu",
       "saxpy",
       {.grid = {4}, .group = {256}},
       {value(1000), value(2.0f), counting<float>(1000), counting<float>(1000, 3.0f)},
       [](Arguments& a) {
         for (int i = 0; i < 1000; ++i) a[3].as<float>()[i] += 2 * a[2].as<float>()[i];
       }},
      {"matmul",
       "cuda/matmul_tiled.cu",
       "matmul",
       {.grid = {3, 3}, .group = {16, 16}},
       {counting<float>(1600, 0.25f), counting<float>(1600, -0.5f), zeros<float>(1600), value(40)},
       [](Arguments& a) {
         for (int r = 0; r < 40; ++r)
           for (int c = 0; c < 40; ++c) {
             double sum = 0;
             for (int k = 0; k < 40; ++k)
               sum += double{a[0].as<float>()[r * 40 + k]} * double{a[1].as<float>()[k * 40 + c]};
             a[2].as<float>()[r * 40 + c] = static_cast<float>(sum);
           }
       },
       64},
      {"transpose",
       "cuda/transpose.cu",
       "transpose",
       {.grid = {2, 2}, .group = {32, 8}},
       {zeros<float>(2000), counting<float>(2000), value(50), value(40)},
       [](Arguments& a) {
         for (int y = 0; y < 40; ++y)
           for (int x = 0; x < 50; ++x) a[0].as<float>()[x * 40 + y] = a[1].as<float>()[y * 50 + x];
       }},
      {"histogram",
       "cuda/histogram.cu",
       "histogram",
       {.grid = {3}, .group = {64}},
       {counting<unsigned char>(5000, 7), value(5000u), zeros<unsigned>(256)},
       [](Arguments& a) {
         for (int i = 0; i < 5000; ++i) ++a[2].as<unsigned>()[a[0].as<unsigned char>()[i]];
       }},
      {"block_sum",
       "cuda/block_reduce.cu",
       "blockSum",
       {.grid = {3}, .group = {64}, .dynamicSharedBytes = 256},
       {counting<float>(1000), zeros<float>(1), value(1000)},
       [](Arguments& a) { *a[1].as<float>() = 499500; }},
      {"shared_flag",
       "cuda/stencil.cu",
       "sharedFlag",
       {.grid = {3}, .group = {32}},
       {counting<int>(3, 5, 4), zeros<int>(96)},
       [](Arguments& a) {
         for (int i = 0; i < 96; ++i) a[1].as<int>()[i] = a[0].as<int>()[i / 32];
       }},
      {"clamp",
       "cuda/host_and_device.cu",
       "clampAll",
       {.grid = {2}, .group = {64}},
       {counting<float>(100, 0.5f, -10), value(100), value(-1.0f), value(3.0f)},
       [](Arguments& a) {
         for (int i = 0; i < 100; ++i) a[0].as<float>()[i] = std::clamp(a[0].as<float>()[i], -1.0f, 3.0f);
       }},
  };
}

/// A warp's values after each took that of the lane `from` names, or kept its own where that lies beyond its `width`.
template <class From>
void exchange(int* warp, int width, const From& from) {
  const std::vector<int> before(warp, warp + 32);
  for (int lane = 0; lane < 32; ++lane) {
    const int first = lane / width * width, other = from(lane);
    if (other >= first && other < first + width) warp[lane] = before[static_cast<std::size_t>(other)];
  }
}

void warpSumsReference(Arguments& a) {
  for (int warp = 0; warp < 6; ++warp) {
    const float* const in = a[0].as<float>() + 32 * warp;
    a[1].as<float>()[warp] = std::accumulate(in, in + 32, 0.0f);
    a[2].as<double>()[warp] = std::accumulate(in, in + 32, 0.0);
    a[3].as<int>()[warp] = static_cast<int>(*std::max_element(in, in + 32));
  }
}

void warpScanReference(Arguments& a) {
  for (int i = 0; i < 128; ++i) {
    const int* const in = a[0].as<int>();
    a[1].as<int>()[i] = std::accumulate(in + i / 32 * 32, in + i + 1, 0);
    a[2].as<long long>()[i] = static_cast<long long>(in[i / 8 * 8]) * (1LL << 33);
  }
}

void votesReference(Arguments& a) {
  for (int i = 0; i < 128; ++i) {
    const int* const in = a[0].as<int>();
    const int *const warp = in + i / 32 * 32, *const group = in + i / 64 * 64;
    unsigned ballot = 0;
    for (int lane = 0; lane < 32; ++lane) ballot |= static_cast<unsigned>(warp[lane] > 0) << lane;
    const auto set = static_cast<unsigned>(std::count_if(group, group + 64, [](int x) { return x != 0; }));
    const unsigned row[] = {ballot, ballot != 0, ballot == ~0u, static_cast<unsigned>(std::popcount(ballot)),
                            set,    set == 64,   set != 0};
    std::copy(std::begin(row), std::end(row), a[1].as<unsigned>() + 7 * i);
  }
}

void unlikeWarpsReference(Arguments& a) {
  for (int warp = 0; warp < 4; ++warp) {
    int* const values = a[1].as<int>() + 32 * warp;
    std::copy_n(a[0].as<int>() + 32 * warp, 32, values);
    for (int turn = 0; turn <= warp; ++turn) {
      exchange(values, 32, [&](int lane) { return lane ^ (turn + 1); });
      for (int lane = 0; lane < 32; ++lane) values[lane] += turn;
    }
    if (warp % 2 == 0) {
      const auto low = static_cast<int>(std::count_if(values, values + 32, [](int x) { return x % 3 == 0; }));
      for (int lane = 0; lane < 32; ++lane) values[lane] += 1000 * low;
      if (std::any_of(values, values + 32, [](int x) { return x % 7 == 0; }))
        exchange(values, 8, [](int lane) { return lane / 8 * 8 + 5; });
    }
    for (int lane = 0; lane < 32; ++lane) values[lane] *= 3;
  }
}

void halfWarpsReference(Arguments& a) {
  for (int warp = 0; warp < 3; ++warp) {
    int* const values = a[1].as<int>() + 32 * warp;
    std::copy_n(a[0].as<int>() + 32 * warp, 32, values);
    std::vector<int> upper(values, values + 32);
    exchange(upper.data(), 16, [](int lane) { return lane - 1; });
    for (int offset = 8; offset > 0; offset /= 2) {
      const std::vector<int> before(values, values + 16);
      for (int lane = 0; lane < 16; ++lane)
        values[lane] += before[static_cast<std::size_t>(lane + offset < 16 ? lane + offset : lane)];
    }
    std::copy(upper.begin() + 16, upper.end(), values + 16);
    for (int turn = 0; turn < 3; ++turn) {
      const std::vector<int> before(values, values + 32);
      for (int lane = 0; lane < 32; ++lane) values[lane] += before[static_cast<std::size_t>((lane + 1) % 32)];
    }
  }
}

std::vector<Case> warpCases() {
  return {
      {"warp_sums",
       "cuda/warp_reduce.cu",
       "warpSums",
       {.grid = {2}, .group = {96}},
       {counting<float>(192, 3, -100), zeros<float>(6), zeros<double>(6), zeros<int>(6)},
       warpSumsReference},
      {"warp_scan",
       "cuda/warp_reduce.cu",
       "warpScan",
       {.grid = {2}, .group = {64}},
       {counting<int>(128, 7, -300), zeros<int>(128), zeros<long long>(128)},
       warpScanReference},
      {"votes",
       "cuda/votes.cu",
       "votes",
       {.grid = {2}, .group = {64}},
       {counting<int>(128, 1, -40), zeros<unsigned>(7 * 128)},
       votesReference},
      {"block_sums_by_warps",
       "cuda/warp_flow.cu",
       "blockSums",
       {.grid = {3}, .group = {256}},
       {counting<int>(768, 5, -11), zeros<int>(3)},
       [](Arguments& a) {
         for (int g = 0; g < 3; ++g) {
           const int* const in = a[0].as<int>() + 256 * g;
           a[1].as<int>()[g] = std::accumulate(in, in + 256, 0);
         }
       }},
      {"unlike_warps",
       "cuda/warp_flow.cu",
       "unlikeWarps",
       {.grid = {1}, .group = {128}},
       {counting<int>(128, 11, 2), zeros<int>(128)},
       unlikeWarpsReference},
      {"half_warps",
       "cuda/warp_flow.cu",
       "halfWarps",
       {.grid = {1}, .group = {8, 12}},
       {counting<int>(96, 3, 1), zeros<int>(96)},
       halfWarpsReference},
  };
}

std::string readFile(const std::string& name) {
  const char* const bundled = std::getenv("LATHE_CONFORMANCE_DATA");
  std::ifstream stream(std::string(bundled ? bundled : LATHE_TEST_DATA) + "/" + name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

template <class T>
void expectClose(const std::vector<std::byte>& got, const std::vector<std::byte>& want, double ulp) {
  for (std::size_t i = 0; i < want.size() / sizeof(T); ++i) {
    T x, y;
    std::memcpy(&x, got.data() + i * sizeof(T), sizeof(T));
    std::memcpy(&y, want.data() + i * sizeof(T), sizeof(T));
    const double unit =
        static_cast<double>(std::nextafter(std::fabs(y), std::numeric_limits<T>::infinity()) - std::fabs(y));
    // Near a zero of the function the rounding of the argument decides, not that of the result.
    const double floor = std::is_same_v<T, float> ? 0x1p-26 : 0x1p-55;
    ASSERT_LE(std::fabs(static_cast<double>(x) - static_cast<double>(y)), ulp * std::max(unit, ulp > 0 ? floor : 0.0))
        << "element " << i << ": " << x << ", not " << y;
  }
}

void expectEqual(const Argument& got, const Argument& want, double ulp) {
  switch (want.element) {
    case Argument::Element::bytes:
      EXPECT_EQ(got.bytes, want.bytes);
      return;
    case Argument::Element::f32:
      expectClose<float>(got.bytes, want.bytes, ulp);
      return;
    case Argument::Element::f64:
      expectClose<double>(got.bytes, want.bytes, ulp);
      return;
  }
}

/// Launches `entry` with copies of the arguments and leaves the arrays' new contents in them.
Result<void> launch(const Device& device, const RawKernel& kernel, const Case& entry, Arguments& arguments) {
  std::vector<Memory> memory;
  std::vector<void*> addresses(arguments.size());
  std::vector<const void*> pointers;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    pointers.push_back(arguments[i].bytes.data());
    if (!arguments[i].array) continue;
    auto buffer = device.allocateBytes(arguments[i].bytes.size());
    if (!buffer) return std::move(buffer).error();
    if (auto done = buffer->upload(arguments[i].bytes.data(), arguments[i].bytes.size()); !done) return done;
    addresses[i] = buffer->address();
    pointers[i] = &addresses[i];
    memory.push_back(*std::move(buffer));
  }
  if (auto done = kernel.launch(entry.launch, pointers); !done) return done;
  if (auto done = device.synchronize(); !done) return done;
  auto buffer = memory.begin();
  for (Argument& argument : arguments) {
    if (!argument.array) continue;
    if (auto done = (buffer++)->download(argument.bytes.data(), argument.bytes.size()); !done) return done;
  }
  return {};
}

void runOn(const std::string& runtime, const Case& entry) {
  const auto device = Device::open(runtime);
  if (!device) GTEST_SKIP() << device.error().message;
  const auto compiler = Compiler::create();
  ASSERT_TRUE(compiler) << compiler.error().render();
  Arguments expected = entry.arguments;
  entry.reference(expected);
  for (const OptLevel level : {OptLevel::O0, OptLevel::O3}) {
    SCOPED_TRACE(level == OptLevel::O0 ? "O0" : "O3");
    Job job;
    job.source.name = entry.file;
    job.source.text = readFile(entry.file);
    job.entries = {entry.kernel};
    job.target = runtime;
    job.arch = device->info().arch;
    job.options.optLevel = level;
    const auto compiled = compiler->compile(job);
    ASSERT_TRUE(compiled) << compiled.error().render();
    const auto module = device->load(compiled->image);
    ASSERT_TRUE(module) << module.error().render();
    const auto kernel = module->rawKernel(entry.kernel);
    ASSERT_TRUE(kernel) << kernel.error().render();
    Arguments arguments = entry.arguments;
    const auto done = launch(*device, *kernel, entry, arguments);
    ASSERT_TRUE(done) << done.error().render();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      SCOPED_TRACE("argument " + std::to_string(i));
      expectEqual(arguments[i], expected[i], entry.ulp);
    }
  }
}

class Conformance : public testing::TestWithParam<std::tuple<std::string, Case>> {};
TEST_P(Conformance, MatchesTheReference) {
  runOn(std::get<0>(GetParam()), std::get<1>(GetParam()));
}

const auto byName = [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param).name; };
const auto runtimes = testing::Values(std::string("cpu"), std::string("cuda"));
INSTANTIATE_TEST_SUITE_P(Portable, Conformance, testing::Combine(runtimes, testing::ValuesIn(portableCases())), byName);
INSTANTIATE_TEST_SUITE_P(Cuda, Conformance, testing::Combine(runtimes, testing::ValuesIn(cudaCases())), byName);
INSTANTIATE_TEST_SUITE_P(Warps, Conformance, testing::Combine(runtimes, testing::ValuesIn(warpCases())), byName);

}  // namespace
}  // namespace lathe::test
