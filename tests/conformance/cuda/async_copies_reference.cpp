// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of async_copies.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned width = 64;
constexpr unsigned batches = 7;

/// The sum that a thread makes of what the batches have for it.
template <class Step>
auto perThread(Step step) {
  return [=](Arguments& a, const DeviceInfo&) {
    for (unsigned block = 0; block < 2; ++block) {
      for (unsigned t = 0; t < width; ++t) {
        float sum = 0;
        for (unsigned use = 0; use < batches; ++use)
          sum = step(sum, a[1].as<float>() + (block * batches + use) * width, t, use);
        a[0].as<float>()[block * width + t] = sum;
      }
    }
  };
}

Case batchesCase(const std::string& kernel, std::function<void(Arguments&, const DeviceInfo&)> reference) {
  return {.name = kernel,
          .kernel = kernel,
          .launch = {.grid = {2}, .group = {width}},
          .arguments = {zeros<float>(2 * width), counting<float>(2 * batches * width, 1, -100), value(batches)},
          .reference = std::move(reference)};
}

Case groupedCase(unsigned odd) {
  return {.name = odd ? "grouped_odd" : "grouped",
          .kernel = "grouped",
          .launch = {.grid = {2}, .group = {width}},
          .arguments = {zeros<std::int16_t>(2 * width), counting<std::int16_t>(2 * (2 * width + 1) + 1, 3, -50),
                        value(odd)},
          .reference = [=](Arguments& a, const DeviceInfo&) {
            for (unsigned block = 0; block < 2; ++block) {
              const std::int16_t* const in = a[1].as<std::int16_t>() + block * (2 * width + 1) + odd;
              for (unsigned t = 0; t < width; ++t)
                a[0].as<std::int16_t>()[block * width + t] =
                    static_cast<std::int16_t>(in[t * 7 % width] + in[width + t * 5 % width] + 3 * in[t ^ 1]);
            }
          }};
}

}  // namespace

std::vector<Case> cases_cuda_async_copies() {
  return {
      batchesCase("staged", perThread([](float sum, const float* in, unsigned t, unsigned use) {
                    return sum + (in[t] * static_cast<float>(use + 1) + in[(t + 1) % width]);
                  })),
      batchesCase("own", perThread([](float sum, const float* in, unsigned t, unsigned) { return sum * 2 + in[t]; })),
      batchesCase("prior", perThread([](float sum, const float* in, unsigned t, unsigned) { return sum * 2 + in[t]; })),
      batchesCase("with_barrier",
                  [](Arguments& a, const DeviceInfo&) {
                    for (unsigned i = 0; i < 2 * width; ++i)
                      a[0].as<float>()[i] = a[1].as<float>()[i / width * width + width - 1 - i % width];
                  }),
      groupedCase(0),
      groupedCase(1)};
}

}  // namespace lathe::conformance
