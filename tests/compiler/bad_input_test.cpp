// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bad input: each kind gives its code and a message that names the cause and, where one exists, the remedy.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "jobs.h"

namespace lathe::test {
namespace {

struct BadInput {
  std::string name;
  Job job;
  ErrorCode code;
  std::vector<std::string> parts;  ///< the report holds each of these
};

void PrintTo(const BadInput& input, std::ostream* out) {
  *out << input.name;
}

Job with(Job job, auto change) {
  change(job);
  return job;
}

Job rawJob(std::string name, std::string text) {
  Job job;
  job.source.name = std::move(name);
  job.source.text = std::move(text);
  return job;
}

std::string structParameter(int bytes) {
  return "struct Block { char bytes[" + std::to_string(bytes) + "]; };\n" +
         "LATHE_KERNEL void copy(int index, Block block, int* out) { *out = block.bytes[index]; }\n";
}

std::vector<BadInput> sources() {
  const std::string tenMegabytes(10u << 20, 'x');
  return {
      {"syntax",
       kernelJob("LATHE_KERNEL void k(int* p) { *p = 1 }\n"),
       ErrorCode::SourceError,
       {"kernel.cpp:2:37: error: expected ';'", "^"}},
      {"type",
       kernelJob("LATHE_KERNEL void k(int* p) { const char* s = 3; }\n"),
       ErrorCode::SourceError,
       {"kernel.cpp:2:43: error: cannot initialize", "LATHE_KERNEL void k", "^"}},
      {"note",
       kernelJob("void set(int* to, float from);\nLATHE_KERNEL void k(int* p) { set(p, p); }\n"),
       ErrorCode::SourceError,
       {"kernel.cpp:3:31: error: no matching function for call to 'set'",
        "kernel.cpp:2:6: note: candidate function not viable"}},
      {"header",
       with(kernelJob(std::string("#include \"nowhere.h\"\n") + goodKernel),
            [](Job& job) { job.options.includeDirs = {"/some/folder"}; }),
       ErrorCode::HeaderNotFound,
       {"kernel.cpp:2:10: error: 'nowhere.h' file not found", "searched: ", "/some/folder"}},
      {"template_recursion",
       kernelJob("template <int N> struct Endless { static constexpr int value = Endless<N + 1>::value; };\n"
                 "LATHE_KERNEL void k(int* p) { *p = Endless<0>::value; }\n"),
       ErrorCode::SourceError,
       {"recursive template instantiation exceeded maximum depth"}},
      {"ten_megabytes_of_comment",
       kernelJob("/*" + tenMegabytes + "*/\n" + goodKernel),
       ErrorCode::LimitExceeded,
       {"10485", "limit"}},
      {"no_kernel",
       kernelJob("int helper(int x) { return x; }\n"),
       ErrorCode::UnknownKernel,
       {"kernel.cpp defines no kernel"}},
      {"unknown_kernel",
       with(kernelJob(goodKernel), [](Job& job) { job.entries = {"twcie"}; }),
       ErrorCode::UnknownKernel,
       {"twcie", "did you mean 'twice'"}},
      {"undefined_function",
       kernelJob("int nowhere(int);\nint between(int x) { return nowhere(x); }\n"
                 "LATHE_KERNEL void k(int* p) { *p = between(*p); }\n"),
       ErrorCode::UndefinedFunction,
       {"'nowhere(int)' is called but nothing defines it", "kernel.cpp:3:", "in kernel 'k(int*)'"}},
      {"global_constructor",
       kernelJob("struct S { int v; S(int x); };\nS::S(int x) : v(x) {}\nLATHE_GLOBAL S s(3);\n"
                 "LATHE_KERNEL void k(int* p) { *p = s.v; }\n"),
       ErrorCode::PortableRule,
       {"constructor"}},
      {"absent_operation",
       kernelJob("LATHE_KERNEL void k(unsigned* p) { *p = static_cast<unsigned>(__lathe_clock()); }\n", "opencl-c"),
       ErrorCode::Unsupported,
       {"clock", "does not exist on opencl-c", "only by an extension", "kernel.cpp:2:"}},
      {"undeclared_abi_function",
       kernelJob("extern \"C\" void __lathe_nothing();\nLATHE_KERNEL void k() { __lathe_nothing(); }\n"),
       ErrorCode::UndefinedFunction,
       {"'__lathe_nothing' is called, which is no function of Lathe's ABI", "kernel.cpp:3:"}},
  };
}

std::vector<BadInput> requests() {
  return {
      {"target", kernelJob(goodKernel, "cuad"), ErrorCode::UnknownTarget, {"cuad", "did you mean 'cuda'"}},
      {"architecture", kernelJob(goodKernel, "cuda", "sm_20"), ErrorCode::UnknownArchitecture, {"sm_20", "sm_50"}},
      {"architecture_name",
       kernelJob(goodKernel, "amdgpu", "gfx11O0"),
       ErrorCode::UnknownArchitecture,
       {"gfx11O0", "gfx1100"}},
      {"feature",
       with(kernelJob(goodKernel, "cpu", "x86-64-v3"), [](Job& job) { job.features = "+avx9000"; }),
       ErrorCode::UnknownFeature,
       {"avx9000"}},
      {"format",
       with(kernelJob(goodKernel), [](Job& job) { job.emit = "ptx"; }),
       ErrorCode::FormatUnsupported,
       {"'cpu' does not emit 'ptx'", "asm"}},
  };
}

std::vector<BadInput> limits() {
  return {
      {"parameters_4_kib",
       kernelJob(structParameter(5000), "cuda", "sm_60"),
       ErrorCode::ParametersTooLarge,
       {"'copy'", "at most 4096", "'block' (Block) is 5000 bytes"}},
      {"parameters_4_kib_elsewhere",
       kernelJob(structParameter(5000), "metal"),
       ErrorCode::ParametersTooLarge,
       {"'copy'", "at most 4096", "'block' (Block) is 5000 bytes"}},
      {"parameters_32_kib",
       kernelJob(structParameter(40000), "cuda", "sm_90"),
       ErrorCode::ParametersTooLarge,
       {"'copy'", "at most 32764", "'block' (Block) is 40000 bytes"}},
      {"shared_memory",
       kernelJob("LATHE_KERNEL void k(int* p) { LATHE_SHARED int tile[40000]; tile[*p] = 1; lathe::barrier(); *p = "
                 "tile[3]; }\n",
                 "cuda"),
       ErrorCode::ResourceLimit,
       {"160000 bytes", "tile"}},
  };
}

std::vector<BadInput> modules() {
  return {
      {"ir_syntax",
       rawJob("module.ll", "define void @k( {\n"),
       ErrorCode::InvalidModule,
       {"module.ll:2:1: error: ", "expected type"}},
      {"ir_verifier",
       rawJob("module.ll", "define i32 @f(ptr %p) {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret i32 %a\n}\n"),
       ErrorCode::InvalidModule,
       {"module.ll"}},
      {"bitcode", rawJob("module.bc", std::string("BC\xc0\xde garbage", 12)), ErrorCode::InvalidModule, {"module.bc"}},
      {"portable_image",
       with(rawJob("module.limg", "not an image"), [](Job& job) { job.source.dialect = "ir"; }),
       ErrorCode::InvalidModule,
       {"module.limg"}},
  };
}

/// Each file says in its second line which message it must give.
std::vector<BadInput> portableRules() {
  std::vector<BadInput> out;
  for (const auto& file : std::filesystem::directory_iterator(LATHE_TEST_INPUTS "/portable")) {
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::string marker = "; expect: ";
    const std::size_t from = text.find(marker) + marker.size();
    out.push_back({file.path().stem().string(),
                   rawJob(file.path().filename().string(), text),
                   ErrorCode::PortableRule,
                   {text.substr(from, text.find('\n', from) - from)}});
  }
  std::sort(out.begin(), out.end(), [](const BadInput& a, const BadInput& b) { return a.name < b.name; });
  return out;
}

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, GiveAClearError) {
  const Compiler compiler = makeCompiler();
  const auto result = compiler.compile(GetParam().job);
  ASSERT_FALSE(result) << "compiled";
  const std::string report = result.error().render();
  EXPECT_EQ(errorName(result.error().code), errorName(GetParam().code)) << report;
  for (const std::string& part : GetParam().parts)
    EXPECT_NE(report.find(part), std::string::npos) << "no '" << part << "' in:\n" << report.substr(0, 4000);
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos) << "a message is one line";
  const auto next = compiler.compile(kernelJob(goodKernel));
  EXPECT_TRUE(next) << "the next compile must be right: " << next.error().render();
}

const auto byName = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Source, BadInputs, testing::ValuesIn(sources()), byName);
INSTANTIATE_TEST_SUITE_P(Request, BadInputs, testing::ValuesIn(requests()), byName);
INSTANTIATE_TEST_SUITE_P(Limit, BadInputs, testing::ValuesIn(limits()), byName);
INSTANTIATE_TEST_SUITE_P(Module, BadInputs, testing::ValuesIn(modules()), byName);
INSTANTIATE_TEST_SUITE_P(Portable, BadInputs, testing::ValuesIn(portableRules()), byName);

TEST(BadRequest, UnknownStageOfADump) {
  const auto result = makeCompiler().compile(
      kernelJob(goodKernel), {.timeStages = false, .dumpAfter = {"simplfy"}, .replaceAt = {}, .isolation = {}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
  EXPECT_NE(result.error().render().find("simplify"), std::string::npos) << result.error().render();
}

TEST(BadRequest, MissingFileOfAReplacement) {
  const auto result = makeCompiler().compile(
      kernelJob(goodKernel),
      {.timeStages = false, .dumpAfter = {}, .replaceAt = {{"import", "/nonexistent.ll"}}, .isolation = {}});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().render().find("/nonexistent.ll"), std::string::npos) << result.error().render();
}

TEST(BadImage, TruncatedAnywhere) {
  const auto compiled = makeCompiler().compile(kernelJob(goodKernel, "cuda"));
  ASSERT_TRUE(compiled) << compiled.error().render();
  const auto bytes = compiled->image.bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 97) {
    const auto read = Image::fromBytes(bytes.first(size));
    ASSERT_FALSE(read) << "accepted the first " << size << " of " << bytes.size() << " bytes";
    EXPECT_EQ(read.error().code, ErrorCode::ImageCorrupt);
  }
}

TEST(BadImage, AnyBitFlipped) {
  const auto compiled = makeCompiler().compile(kernelJob(goodKernel, "cuda"));
  ASSERT_TRUE(compiled) << compiled.error().render();
  const auto original = compiled->image.bytes();
  std::vector<std::byte> bytes(original.begin(), original.end());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] ^= std::byte{1} << (i % 8);
    EXPECT_FALSE(Image::fromBytes(bytes)) << "accepted a flipped bit in byte " << i;
    bytes[i] ^= std::byte{1} << (i % 8);
  }
  EXPECT_TRUE(Image::fromBytes(bytes));
}

TEST(BadImage, UnwritablePlace) {
  const auto compiled = makeCompiler().compile(kernelJob(goodKernel, "cuda"));
  ASSERT_TRUE(compiled) << compiled.error().render();
  const auto saved = compiled->image.save("/nonexistent/folder/a.limg");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::FileUnwritable);
  EXPECT_NE(saved.error().render().find("/nonexistent/folder/a.limg"), std::string::npos);
}

}  // namespace
}  // namespace lathe::test
