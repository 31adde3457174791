// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor with one image loaded.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <lathe/runtime.h>

namespace lathe::test {

class CpuModule : public ::testing::Test {
 protected:
  explicit CpuModule(Image image) : image_(std::move(image)) {}

  void SetUp() override {
    auto module = device_.load(image_);
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
  }
  template <class... Args>
  Kernel<Args...> kernel(std::string_view name) {
    auto out = module_->kernel<Args...>(name);
    EXPECT_TRUE(out) << out.error().render();
    return *std::move(out);
  }

  Image image_;
  Device device_ = *Device::open("cpu");
  std::optional<Module> module_;
};

}  // namespace lathe::test
