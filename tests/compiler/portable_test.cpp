// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable images: lowered later, for any target, they give what a direct compile gives; damaged, newer or forbidden
// ones are refused.
#include <fstream>
#include <sstream>
#include <thread>

#include "jobs.h"

namespace lathe::test {
namespace {

std::string fileText(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string bytesOf(const Image& image) {
  return {reinterpret_cast<const char*>(image.bytes().data()), image.bytes().size()};
}

Job portableJob(const CompileResult& portable, std::string target, std::string arch) {
  Job job;
  job.source = {.name = "kernels.limg", .text = bytesOf(portable.image), .dialect = {}};
  job.target = std::move(target);
  job.arch = std::move(arch);
  return job;
}

struct Place {
  std::string target;
  std::string arch;
};

/// Eight, of the kinds that Lathe is built with.
const std::vector<Place> places = {{"cpu", "x86-64-v2"}, {"cpu", "x86-64-v3"}, {"cuda", "sm_75"},
                                   {"cuda", "sm_90"},    {"cuda", "sm_100"},   {"amdgpu", "gfx1100"},
                                   {"amdgpu", "gfx942"}, {"amdgpu", "gfx90a"}};

struct Input {
  std::string name;
  Job job;
};
void PrintTo(const Input& input, std::ostream* out) {
  *out << input.name;
}

std::vector<Input> inputs() {
  Job kernels = kernelJob("");
  kernels.source.text = fileText(LATHE_TEST_KERNELS);
  kernels.entries = {"axpy<float>", "axpy<double>", "flag", "group_sums", "rotate", "unpack", "weigh", "mathematics"};
  Job bounded = kernelJob(
      "LATHE_CONSTANT float table[4];\n"
      "LATHE_KERNEL void jobs(float* p) {\n"
      "  p[lathe::global_id().x] = table[lathe::item_id().x & 3] * float(lathe::group_size().x);\n"
      "}\n");
  bounded.options.launchBounds.maxItems = 128;
  bounded.options.launchBounds.groupSize = {64, 2, 1};
  Job cuda;
  cuda.source = {.name = "reduce.cu",
                 .text =
                     "__global__ void __launch_bounds__(256, 2) total(int n, const int* in, int* out) {\n"
                     "  __shared__ int part[256];\n"
                     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  part[threadIdx.x] = i < n ? in[i] : 0;\n"
                     "  __syncthreads();\n"
                     "  for (int s = 128; s > 0; s >>= 1) {\n"
                     "    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];\n"
                     "    __syncthreads();\n"
                     "  }\n"
                     "  if (threadIdx.x == 0) atomicAdd(out, part[0]);\n"
                     "}\n",
                 .dialect = {}};
  return {{"kernels", kernels}, {"bounds", bounded}, {"cuda_source", cuda}};
}

class Portable : public testing::TestWithParam<Input> {};
INSTANTIATE_TEST_SUITE_P(Compiler, Portable, testing::ValuesIn(inputs()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Portable, GivesTheCodeOfADirectCompile) {
  const Compiler compiler = makeCompiler();
  Job asked = GetParam().job;
  asked.emit = "portable";
  const auto portable = compiler.compile(asked);
  ASSERT_TRUE(portable) << portable.error().render();
  EXPECT_EQ(portable->image.info().target, "portable");
  for (const Place& place : places) {
    Job direct = GetParam().job;
    direct.target = place.target;
    direct.arch = place.arch;
    const auto expected = compiler.compile(direct);
    ASSERT_TRUE(expected) << expected.error().render();
    const auto lowered = compiler.compile(portableJob(*portable, place.target, place.arch));
    ASSERT_TRUE(lowered) << lowered.error().render();
    ASSERT_EQ(lowered->image.code().size(), expected->image.code().size());
    for (std::size_t i = 0; i < expected->image.code().size(); ++i) {
      const Code &want = expected->image.code()[i], &got = lowered->image.code()[i];
      EXPECT_EQ(got.format, want.format);
      EXPECT_TRUE(std::ranges::equal(got.bytes, want.bytes)) << describe(direct) << ": " << want.format << " differs";
    }
    EXPECT_EQ(lowered->image.info().entries, expected->image.info().entries) << describe(direct);
    EXPECT_EQ(lowered->image.info().globals, expected->image.info().globals) << describe(direct);
    EXPECT_EQ(lowered->image.info().requires_, expected->image.info().requires_) << describe(direct);
    EXPECT_EQ(lowered->image.info().features, expected->image.info().features) << describe(direct);
  }
}

/// One image lowered for all targets on two threads: nothing is shared, so the images are those of one thread.
TEST_P(Portable, ThreadsAgreeWithSerial) {
  const Compiler compiler = makeCompiler();
  Job asked = GetParam().job;
  asked.emit = "portable";
  const auto portable = compiler.compile(asked);
  ASSERT_TRUE(portable) << portable.error().render();
  std::vector<std::string> serial, parallel(places.size());
  for (const Place& place : places) {
    serial.push_back(outcome(compiler.compile(portableJob(*portable, place.target, place.arch))));
    EXPECT_NE(serial.back().substr(0, 6), "error:") << serial.back();
  }
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < 2; ++first) {
    threads.emplace_back([&, first] {
      for (std::size_t i = first; i < places.size(); i += 2)
        parallel[i] = outcome(compiler.compile(portableJob(*portable, places[i].target, places[i].arch)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(parallel == serial);
}

Result<CompileResult> compileBytes(std::string bytes) {
  Job job;
  job.source = {.name = "kernels.limg", .text = std::move(bytes), .dialect = {}};
  return makeCompiler().compile(job);
}

std::string portableBytes() {
  Job job = kernelJob(goodKernel);
  job.emit = "portable";
  const auto portable = makeCompiler().compile(job);
  if (!portable) ADD_FAILURE() << portable.error().render();
  return portable ? bytesOf(portable->image) : std::string();
}

TEST(PortableRefused, Truncated) {
  const std::string whole = portableBytes();
  for (const std::size_t kept : {std::size_t{8}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    const auto result = compileBytes(whole.substr(0, kept));
    ASSERT_FALSE(result) << kept;
    EXPECT_EQ(result.error().code, ErrorCode::ImageCorrupt) << result.error().render();
  }
}

TEST(PortableRefused, Changed) {
  const std::string whole = portableBytes();
  for (std::size_t at = 16; at < whole.size(); at += 97) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x20);
    const auto result = compileBytes(std::move(changed));
    ASSERT_FALSE(result) << at;
    EXPECT_EQ(result.error().code, ErrorCode::ImageCorrupt) << at << ": " << result.error().render();
  }
}

TEST(PortableRefused, Newer) {
  std::string newer = portableBytes();
  newer[8] = static_cast<char>(newer[8] + 1);  // the version follows the magic
  const auto result = compileBytes(std::move(newer));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::ImageVersion) << result.error().render();
}

/// A portable image is checked like any input: whoever made it.
TEST(PortableRefused, ForbiddenConstructs) {
  for (const char* name : {"address_space", "global_constructor", "long_double", "thread_local", "module_assembly"}) {
    const std::string text = fileText(std::string(LATHE_TEST_INPUTS) + "/portable/" + name + ".ll");
    ASSERT_FALSE(text.empty()) << name;
    ImageInfo info;
    info.target = "portable";
    const Image image = Image::build(std::move(info), {{"portable", "", text}});
    const auto result = compileBytes(bytesOf(image));
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, ErrorCode::PortableRule) << name << ": " << result.error().render();
  }
}

TEST(PortableRefused, WithoutPortableIr) {
  const auto lowered = makeCompiler().compile(kernelJob(goodKernel));
  ASSERT_TRUE(lowered);
  const auto result = compileBytes(bytesOf(lowered->image));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidModule);
}

}  // namespace
}  // namespace lathe::test
