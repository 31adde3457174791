// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench_matmul: a product of bfloat16 matrices by matmul.cu, compiled by Lathe, and by NVIDIA's cuBLAS, alternating on
// one device; the results are compared in the same run. Needs sm_90 hardware; without it, or without cuBLAS, it says
// so.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <lathe/runtime.h>

#include "../../measure.h"

extern "C" const char lathe_bench_matmul[], lathe_bench_matmul_end[];

namespace lathe::bench {
namespace {

/// The bits of a bfloat16.
struct Bfloat16 {
  std::uint16_t bits = 0;
};

constexpr int tileM = 128, tileN = 256, tileK = 64;
constexpr std::uint32_t ringBytes = 4 * (tileM + tileN) * tileK * 2 + 1024;

/// cuBLAS, opened at run time, with the few declarations a product needs (cublas_v2.h).
class Cublas {
 public:
  static std::optional<Cublas> open(void* stream) {
    static const std::array names = {std::string("libcublas.so.13"), std::string("libcublas.so.12"),
                                     std::string("/usr/local/cuda/lib64/libcublas.so")};
    const auto library = Library::open(names);
    if (!library) return std::nullopt;
    int (*create)(void**) = nullptr;
    int (*setStream)(void*, void*) = nullptr;
    Cublas out;
    library->bind(create, "cublasCreate_v2");
    library->bind(setStream, "cublasSetStream_v2");
    library->bind(out.gemm_, "cublasGemmEx");
    if (create(&out.handle_) != 0 || setStream(out.handle_, stream) != 0) fail("cuBLAS does not start");
    return out;
  }
  /// C = A × Bᵀ of row-major n × n matrices. cuBLAS counts by columns, to which they are transposed.
  void multiply(int n, const void* a, const void* b, void* c) const {
    constexpr int transposed = 1, plain = 0, bfloat16 = 14, sumsOfFloat = 68, chosen = -1;
    const float one = 1, zero = 0;
    if (gemm_(handle_, transposed, plain, n, n, n, &one, b, bfloat16, n, a, bfloat16, n, &zero, c, bfloat16, n,
              sumsOfFloat, chosen) != 0)
      fail("cuBLAS refuses the product");
  }

 private:
  void* handle_ = nullptr;
  int (*gemm_)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*,
               void*, int, int, int, int) = nullptr;
};

std::vector<Bfloat16> randomMatrix(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<Bfloat16> out(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (Bfloat16& value : out)
    value.bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(normal(random)) >> 16);
  return out;
}

float real(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

/// The largest difference of two results over the largest value. Both round to 8 bits.
double difference(const std::vector<Bfloat16>& left, const std::vector<Bfloat16>& right) {
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    most = std::max(most, static_cast<double>(std::fabs(real(left[i]) - real(right[i]))));
    largest = std::max(largest, static_cast<double>(std::fabs(real(right[i]))));
  }
  return most / largest;
}

int run(Arguments arguments) {
  const unsigned samples = option(arguments, "samples", 30u);
  auto device = Device::open("cuda", static_cast<int>(option(arguments, "device", 0u)));
  if (!device) {
    say("Matrix products were not measured: " + device.error().message + ".");
    return 0;
  }
  const auto image = need(Image::fromBytes(std::as_bytes(std::span(lathe_bench_matmul, lathe_bench_matmul_end))));
  auto module = device->load(image);
  if (!module && module.error().code == ErrorCode::IncompatibleDevice) {
    say("Matrix products were not measured: " + module.error().message + ".");
    return 0;
  }
  const auto kernel = need(need(std::move(module)).kernel<TensorMap, TensorMap, Bfloat16*, int, int, int>("matmul"));
  auto stream = need(device->createStream());
  const auto cublas = Cublas::open(stream.nativeHandle());
  if (!cublas) say("libcublas.so is not here: only this kernel is measured.");
  header("Products of bfloat16 matrices, sums in float (" + device->info().name + ")",
         std::array<std::string, 5>{"n × n", "Lathe ms", "TFLOP/s", "cuBLAS ms", "speed over cuBLAS"});
  for (const int n : {2048, 4096, 8192}) {
    const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    auto a = need(device->allocate<Bfloat16>(count)), b = need(device->allocate<Bfloat16>(count));
    auto c = need(device->allocate<Bfloat16>(count)), reference = need(device->allocate<Bfloat16>(count));
    need(a.upload(randomMatrix(n, 1)));
    need(b.upload(randomMatrix(n, 2)));
    const auto extent = static_cast<std::uint64_t>(n);
    TensorShape shape{.element = TensorElement::bfloat16,
                      .extents = {extent, extent},
                      .tile = {tileK, tileM},
                      .swizzle = TensorSwizzle::bytes128,
                      .cacheBytes = 128};
    const TensorMap mapA = need(device->createTensorMap(a.memory(), shape));
    shape.tile[1] = tileN;
    const TensorMap mapB = need(device->createTensorMap(b.memory(), shape));
    const auto tiles = static_cast<std::uint32_t>(n / tileM * (n / tileN));
    const LaunchOptions options{.grid = {std::min(tiles, device->info().multiprocessors)},
                                .group = {384},
                                .dynamicSharedBytes = ringBytes,
                                .stream = &stream};
    const auto timed = [&](auto&& work) {
      constexpr int repeats = 4;
      auto begin = need(stream.record());
      for (int i = 0; i < repeats; ++i) work();
      auto end = need(stream.record());
      return need(begin.elapsedUntil(end)) / repeats;
    };
    const auto own = [&] { need(kernel(options, mapA, mapB, c.data(), n, n, n)); };
    const auto peer = [&] { cublas->multiply(n, a.data(), b.data(), reference.data()); };
    std::vector<double> mine, theirs, ratios;
    for (unsigned i = 0; i < samples + 3; ++i) {
      double first = 0, second = 0;
      if (i % 2 == 0) first = timed(own);
      if (cublas) second = timed(peer);
      if (i % 2 != 0) first = timed(own);
      if (i < 3) continue;  // clocks rise
      mine.push_back(first);
      theirs.push_back(second);
      if (cublas) ratios.push_back(second / first);
    }
    need(stream.synchronize());
    if (cublas && difference(need(c.read()), need(reference.read())) > 0.01)
      fail("the results of " + std::to_string(n) + " × " + std::to_string(n) + " differ");
    const Summary time = summarise(mine);
    const double operations = 2.0 * n * n * n;
    row(std::array<std::string, 5>{std::to_string(n), text(time), text(operations / time.median * 1e-9),
                                   cublas ? text(summarise(theirs)) : "",
                                   cublas ? atLeast(summarise(ratios).median, 0.95) : ""});
  }
  return 0;
}

}  // namespace
}  // namespace lathe::bench

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  return lathe::bench::run(arguments);
}
