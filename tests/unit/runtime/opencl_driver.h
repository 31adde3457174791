// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the opencl runtime share that run against a library whose device is what a test says
// (fake_opencl.cpp).
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "example_image.h"
#include "fakes/fake_opencl.h"
#include "runtimes/common/gpu/gpu_device.h"
#include "runtimes/opencl/opencl_api.h"

namespace lathe::test {

inline FakeOpenCl& fake() {
  static FakeOpenCl& state = openFake<FakeOpenCl>(LATHE_FAKE_OPENCL, "fakeOpenCl");
  return state;
}

/// A module of SPIR-V with these instructions, each the words that follow its first.
inline std::string moduleWith(const std::vector<std::vector<std::uint32_t>>& instructions) {
  std::vector<std::uint32_t> words = {0x07230203, 0x00010400, 0, 100, 0};
  for (const auto& instruction : instructions) {
    words.push_back(static_cast<std::uint32_t>(instruction.size()) << 16 | instruction[0]);
    words.insert(words.end(), instruction.begin() + 1, instruction.end());
  }
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0])};
}
inline std::string capability(std::uint32_t number) {
  return moduleWith({{17, 6}, {17, number}});
}

class OpenClDriver : public ::testing::Test {
 protected:
  void SetUp() override { fake() = FakeOpenCl(); }

  static std::unique_ptr<const detail::OpenClApi> open() {
    static constexpr std::array names = {LATHE_FAKE_OPENCL};
    return *detail::OpenClApi::open(names);
  }
  /// The device of an own opening of the library, as it describes itself now.
  std::shared_ptr<detail::DeviceDriver> device() {
    apis_.push_back(open());
    const auto count = apis_.back()->deviceCount();
    EXPECT_TRUE(count) << count.error().render();
    return *detail::openGpuDevice(*apis_.back(), *apis_.back()->describe(0));
  }
  Error errorOfLoading(const char* format, const char* arch, std::string code) {
    const auto loaded = device()->load(imageFor("opencl", {}, {{format, arch, std::move(code)}}));
    return loaded ? Error{.message = "loaded"} : loaded.error();
  }
  static Error noDevice() { return open()->deviceCount().error(); }

 private:
  std::vector<std::unique_ptr<const detail::OpenClApi>> apis_;
};

inline void expect(const Error& error, ErrorCode code, std::string_view message) {
  EXPECT_EQ(error.code, code) << error.render();
  EXPECT_EQ(error.message, message);
  EXPECT_FALSE(error.hint.empty()) << error.render();
}

}  // namespace lathe::test
