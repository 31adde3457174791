// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a kernel with an installed Lathe and runs it.
#include <cstdio>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

namespace {

lathe::Result<int> computed() {
  auto compiler = lathe::Compiler::create();
  if (!compiler) return std::move(compiler).error();
  lathe::Job job;
  job.source.text =
      "#include <lathe/device.h>\nLATHE_KERNEL void add(int n, int* data) { data[lathe::global_id().x] += n; }\n";
  auto compiled = compiler->compile(job);
  if (!compiled) return std::move(compiled).error();
  auto device = lathe::Device::open("cpu");
  if (!device) return std::move(device).error();
  auto module = device->load(compiled->image);
  if (!module) return std::move(module).error();
  auto add = module->kernel<int, int*>("add");
  if (!add) return std::move(add).error();
  auto data = device->allocate<int>(64);
  if (!data) return std::move(data).error();
  if (auto done = data->zero(); !done) return std::move(done).error();
  if (auto done = (*add)({.grid = {4}, .group = {16}}, 42, data->data()); !done) return std::move(done).error();
  auto out = data->read();
  if (!out) return std::move(out).error();
  return out->back();
}

}  // namespace

int main() {
  const auto value = computed();
  if (!value) {
    std::fputs(value.error().render().c_str(), stderr);
    return 1;
  }
  std::printf("%d\n", *value);
  return *value == 42 ? 0 : 1;
}
