// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's library with NVRTC's interface, and NVIDIA's where it is found: every case is of both, so that what is
// expected here is what NVRTC does.
#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <dlfcn.h>

#include <gtest/gtest.h>

#include "tools/nvrtc/nvrtc.h"

namespace lathe::test {
namespace {

#define LATHE_NVRTC_FUNCTIONS(f)                                                                                      \
  f(nvrtcGetErrorString) f(nvrtcVersion) f(nvrtcGetNumSupportedArchs) f(nvrtcGetSupportedArchs) f(nvrtcCreateProgram) \
      f(nvrtcDestroyProgram) f(nvrtcCompileProgram) f(nvrtcGetPTXSize) f(nvrtcGetPTX) f(nvrtcGetCUBINSize)            \
          f(nvrtcGetCUBIN) f(nvrtcGetProgramLogSize) f(nvrtcGetProgramLog) f(nvrtcAddNameExpression)                  \
              f(nvrtcGetLoweredName) f(nvrtcSetFlowCallback) f(nvrtcGetLTOIRSize) f(nvrtcGetOptiXIRSize)

/// The functions of one library.
struct Library {
#define LATHE_MEMBER(name) decltype(&::name) name = nullptr;
  LATHE_NVRTC_FUNCTIONS(LATHE_MEMBER)
#undef LATHE_MEMBER

  static std::optional<Library> open(const char* path) {
    void* const file = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!file) return std::nullopt;
    Library out;
#define LATHE_FIND(name) out.name = reinterpret_cast<decltype(out.name)>(::dlsym(file, #name));
    LATHE_NVRTC_FUNCTIONS(LATHE_FIND)
#undef LATHE_FIND
    return out;
  }
};

class Program {
 public:
  Program(const Library& library, const char* source, std::vector<std::pair<const char*, const char*>> headers = {})
      : library_(library) {
    std::vector<const char*> names, texts;
    for (const auto& [name, text] : headers) names.push_back(name), texts.push_back(text);
    EXPECT_EQ(library_.nvrtcCreateProgram(&program_, source, "some.cu", static_cast<int>(names.size()), texts.data(),
                                          names.data()),
              NVRTC_SUCCESS);
  }
  ~Program() {
    EXPECT_EQ(library_.nvrtcDestroyProgram(&program_), NVRTC_SUCCESS);
    EXPECT_EQ(program_, nullptr);
  }
  nvrtcProgram get() const { return program_; }
  nvrtcResult compile(std::vector<const char*> options) const {
    return library_.nvrtcCompileProgram(program_, static_cast<int>(options.size()), options.data());
  }
  std::string log() const {
    std::size_t bytes = 0;
    EXPECT_EQ(library_.nvrtcGetProgramLogSize(program_, &bytes), NVRTC_SUCCESS);
    std::string out(bytes, 'x');
    EXPECT_EQ(library_.nvrtcGetProgramLog(program_, out.data()), NVRTC_SUCCESS);
    return out.c_str();
  }
  std::string ptx() const {
    std::size_t bytes = 0;
    EXPECT_EQ(library_.nvrtcGetPTXSize(program_, &bytes), NVRTC_SUCCESS) << log();
    std::string out(bytes, 'x');
    EXPECT_EQ(library_.nvrtcGetPTX(program_, out.data()), NVRTC_SUCCESS);
    EXPECT_TRUE(!out.empty() && out.back() == '\0');
    return out.c_str();
  }
  std::string lowered(const char* expression) const {
    const char* name = "";
    EXPECT_EQ(library_.nvrtcGetLoweredName(program_, expression, &name), NVRTC_SUCCESS) << expression;
    return name;
  }

 private:
  const Library& library_;
  nvrtcProgram program_ = nullptr;
};

class Nvrtc : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    library_ = Library::open(GetParam());
    if (!library_) {
      ASSERT_EQ(std::string(GetParam()).find(LATHE_NVRTC_FOLDER), std::string::npos) << ::dlerror();
      GTEST_SKIP() << "NVIDIA's library is not here: " << ::dlerror();
    }
  }
  const Library& library() const { return *library_; }
  std::optional<Library> library_;
};

constexpr const char* kernels = R"(
namespace space {
__constant__ float table[4];
template <class T, int N> struct Pair { T x[N]; };
template <class T> __global__ void scale(T* data, T by) { data[threadIdx.x] *= by; }
template <int N, class... T> __global__ void many(Pair<float, N> pair, T*... out) { ((*out = pair.x[0]), ...); }
}
__device__ int counter;
extern "C" __global__ void plain(float* out) { out[threadIdx.x] = space::table[threadIdx.x & 3] + counter; }
static __global__ void hidden(int* out) { *out = 1; }
)";

TEST_P(Nvrtc, GivesNamesAndCode) {
  const Program program(library(), kernels);
  const std::vector<const char*> expressions = {"space::scale<float>",
                                                "&space::scale<double>",
                                                "space::many<3, int, float>",
                                                "plain",
                                                "&space::table",
                                                "&counter",
                                                "(space::scale<int>)"};
  for (const char* const expression : expressions)
    EXPECT_EQ(library().nvrtcAddNameExpression(program.get(), expression), NVRTC_SUCCESS);
  ASSERT_EQ(program.compile({"--gpu-architecture=compute_80"}), NVRTC_SUCCESS) << program.log();
  const std::string ptx = program.ptx();
  EXPECT_EQ(program.lowered("space::scale<float>"), "_ZN5space5scaleIfEEvPT_S1_");
  EXPECT_EQ(program.lowered("&space::scale<double>"), "_ZN5space5scaleIdEEvPT_S1_");
  EXPECT_EQ(program.lowered("space::many<3, int, float>"), "_ZN5space4manyILi3EJifEEEvNS_4PairIfXT_EEEDpPT0_");
  EXPECT_EQ(program.lowered("(space::scale<int>)"), "_ZN5space5scaleIiEEvPT_S1_");
  EXPECT_EQ(program.lowered("plain"), "plain");
  EXPECT_EQ(program.lowered("&space::table"), "_ZN5space5tableE");
  EXPECT_EQ(program.lowered("&counter"), "counter");
  for (const char* const expression : expressions)
    EXPECT_NE(ptx.find(program.lowered(expression)), std::string::npos) << expression;
  EXPECT_NE(ptx.find(".target sm_80"), std::string::npos);
  const char* name = nullptr;
  EXPECT_EQ(library().nvrtcGetLoweredName(program.get(), "other", &name), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  std::size_t bytes = 1;
  EXPECT_EQ(library().nvrtcGetCUBINSize(program.get(), &bytes), NVRTC_SUCCESS);
  EXPECT_EQ(bytes, 0u);
}

TEST_P(Nvrtc, KeepsAllKernelsAndVariables) {
  const Program program(library(),
                        "__constant__ int unused[2]; __global__ void a() {} extern \"C\" __global__ void b() {}");
  ASSERT_EQ(program.compile({}), NVRTC_SUCCESS) << program.log();
  const std::string ptx = program.ptx();
  EXPECT_NE(ptx.find(".entry _Z1av"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find(".entry b"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find("unused"), std::string::npos) << ptx;
}

TEST_P(Nvrtc, MakesCubinsOfRealArchitectures) {
  const Program program(library(), kernels);
  const nvrtcResult result = program.compile({"-arch=sm_80"});
  if (result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE) GTEST_SKIP() << program.log();
  ASSERT_EQ(result, NVRTC_SUCCESS) << program.log();
  std::size_t bytes = 0;
  ASSERT_EQ(library().nvrtcGetCUBINSize(program.get(), &bytes), NVRTC_SUCCESS);
  std::string cubin(bytes, 'x');
  ASSERT_EQ(library().nvrtcGetCUBIN(program.get(), cubin.data()), NVRTC_SUCCESS);
  EXPECT_EQ(cubin.substr(0, 4),
            "\x7f"
            "ELF");
}

TEST_P(Nvrtc, TakesHeadersFromMemory) {
  const Program program(library(),
                        "#include \"one.h\"\n#include <folder/two>\n__global__ void k(int* p) { *p = one + two(); }",
                        {{"one.h", "constexpr int one = 1;"}, {"folder/two", "__device__ int two() { return 2; }"}});
  EXPECT_EQ(program.compile({}), NVRTC_SUCCESS) << program.log();
}

/// In the words by which programs find out what to add.
TEST_P(Nvrtc, NamesAMissingHeader) {
  const Program program(library(), "\n#include \"missing/header.h\"\n__global__ void k() {}");
  EXPECT_EQ(program.compile({}), NVRTC_ERROR_COMPILATION);
  const std::string log = program.log();
  EXPECT_NE(log.find("some.cu(2): "), std::string::npos) << log;
  EXPECT_NE(log.find("cannot open source file \"missing/header.h\""), std::string::npos) << log;
  std::size_t bytes = 0;
  EXPECT_NE(library().nvrtcGetPTXSize(program.get(), &bytes), NVRTC_ERROR_INVALID_INPUT);
}

TEST_P(Nvrtc, TellsErrorsAndWarnings) {
  const Program wrong(library(), "__global__ void k(int* p) {\n  *p = nothing;\n}");
  EXPECT_EQ(wrong.compile({}), NVRTC_ERROR_COMPILATION);
  EXPECT_NE(wrong.log().find("some.cu(2): error: "), std::string::npos) << wrong.log();
  EXPECT_NE(wrong.log().find("1 error detected in the compilation of \"some.cu\"."), std::string::npos) << wrong.log();
  constexpr const char* dubious = "__global__ void k(int* p) {\n  #warning look here\n  *p = 1;\n}";
  const Program warned(library(), dubious), quiet(library(), dubious);
  EXPECT_EQ(warned.compile({}), NVRTC_SUCCESS) << warned.log();
  EXPECT_NE(warned.log().find("some.cu(2): warning"), std::string::npos) << warned.log();
  EXPECT_EQ(quiet.compile({"-w"}), NVRTC_SUCCESS);
  EXPECT_EQ(quiet.log().find("warning"), std::string::npos) << quiet.log();
}

TEST_P(Nvrtc, TakesOptions) {
  const auto ptxOf = [&](std::vector<const char*> options, const char* source) {
    const Program program(library(), source, {{"first.h", "#define FIRST 3\n"}});
    EXPECT_EQ(program.compile(std::move(options)), NVRTC_SUCCESS) << program.log();
    return program.ptx();
  };
  constexpr const char* divide = "__global__ void k(float* p, float a) { *p = a / p[1] + A; }";
  EXPECT_NE(ptxOf({"-D", "A=1", "--use_fast_math"}, divide).find("div.approx.ftz.f32"), std::string::npos);
  EXPECT_NE(ptxOf({"-DA=2", "-ftz=true"}, divide).find("div.rn.ftz.f32"), std::string::npos);
  EXPECT_NE(ptxOf({"--define-macro=A=2", "--fmad=false", "-default-device"}, divide).find("div.rn.f32"),
            std::string::npos);
  EXPECT_FALSE(ptxOf({"-DA=3", "--maxrregcount=32"}, divide).empty());
  EXPECT_NE(ptxOf({"-DA=3", "-lineinfo"}, divide).find(".loc"), std::string::npos);
  EXPECT_NE(ptxOf({"-DA=3", "--device-debug"}, divide).find(".loc"), std::string::npos);
  EXPECT_NE(ptxOf({"--pre-include=first.h"}, "extern \"C\" __global__ void k(int* p) { *p = FIRST + 40; }").find("43"),
            std::string::npos);
  EXPECT_FALSE(
      ptxOf({"--std=c++14", "-DNDEBUG", "-I /usr/include/none"}, "__global__ void k(float* p) { *p /= 2; }").empty());
  EXPECT_NE(ptxOf({"-arch=compute_90a"}, "#ifdef __CUDACC_RTC__\n__global__ void k() {}\n#endif").find("sm_90a"),
            std::string::npos);
}

TEST_P(Nvrtc, RefusesOptionsThatThereAreNot) {
  for (const char* const option : {"--no-such-option", "-arch=compute_1", "--maxrregcount=many"}) {
    const Program program(library(), kernels);
    EXPECT_EQ(program.compile({option}), NVRTC_ERROR_INVALID_OPTION) << option << ": " << program.log();
    EXPECT_FALSE(program.log().empty());
  }
}

TEST_P(Nvrtc, SaysWhatIsOutOfOrder) {
  const Program program(library(), "__global__ void k() {}");
  const char* name = nullptr;
  std::size_t bytes = 0;
  EXPECT_EQ(library().nvrtcAddNameExpression(program.get(), "k"), NVRTC_SUCCESS);
  EXPECT_EQ(library().nvrtcGetLoweredName(program.get(), "k", &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  EXPECT_EQ(program.compile({}), NVRTC_SUCCESS);
  EXPECT_EQ(library().nvrtcAddNameExpression(program.get(), "k"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  EXPECT_EQ(library().nvrtcGetPTXSize(nullptr, &bytes), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(library().nvrtcCompileProgram(nullptr, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(library().nvrtcCreateProgram(nullptr, "", "", 0, nullptr, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  nvrtcProgram other = nullptr;
  EXPECT_EQ(library().nvrtcCreateProgram(&other, nullptr, "", 0, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(library().nvrtcGetPTXSize(program.get(), nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_STREQ(library().nvrtcGetErrorString(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID),
               "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID");
}

TEST_P(Nvrtc, IsEndedByItsCallback) {
  int calls = 0;
  const auto callback = [](void* payload, void*) { return ++*static_cast<int*>(payload) > 0 ? 1 : 0; };
  const Program program(library(), kernels);
  EXPECT_EQ(library().nvrtcSetFlowCallback(program.get(), callback, &calls), NVRTC_SUCCESS);
  EXPECT_EQ(program.compile({}), NVRTC_ERROR_CANCELLED);
  EXPECT_GT(calls, 0);
}

TEST_P(Nvrtc, TakesProgramsWithoutKernels) {
  const Program program(library(), "__device__ int twice(int x) { return 2 * x; }\n__constant__ float table[3];");
  ASSERT_EQ(program.compile({"-arch=compute_75"}), NVRTC_SUCCESS) << program.log();
  EXPECT_NE(program.ptx().find(".target sm_75"), std::string::npos);
}

TEST_P(Nvrtc, NamesArchitectures) {
  int count = 0, major = 0, minor = 0;
  ASSERT_EQ(library().nvrtcGetNumSupportedArchs(&count), NVRTC_SUCCESS);
  std::vector<int> archs(static_cast<std::size_t>(count));
  ASSERT_EQ(library().nvrtcGetSupportedArchs(archs.data()), NVRTC_SUCCESS);
  for (const int wanted : {75, 80, 90, 100, 120}) EXPECT_NE(std::ranges::find(archs, wanted), archs.end()) << wanted;
  EXPECT_TRUE(std::ranges::is_sorted(archs));
  ASSERT_EQ(library().nvrtcVersion(&major, &minor), NVRTC_SUCCESS);
  EXPECT_GE(major, 12);
}

INSTANTIATE_TEST_SUITE_P(Lathes, Nvrtc,
                         testing::Values(LATHE_NVRTC_FOLDER "/12/libnvrtc.so.12",
                                         LATHE_NVRTC_FOLDER "/13/libnvrtc.so.13"),
                         [](const auto& one) { return one.index == 0 ? "version12" : "version13"; });
INSTANTIATE_TEST_SUITE_P(Nvidias, Nvrtc, testing::Values("/usr/local/cuda/lib64/libnvrtc.so.13"),
                         [](const auto&) { return "installed"; });

}  // namespace
}  // namespace lathe::test
