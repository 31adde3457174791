// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite's kernels in other forms (suite/metamorphic.h), optimised: each case in one of them, chosen by its number,
// with LATHE_METAMORPHIC=all in all of them. And for NVIDIA GPUs, which ptxas stands for: a wrapped kernel does to
// memory what the kernel does.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/conformance/suite/metamorphic.h"
#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {
namespace {

class MetamorphicTest : public testing::Test {
 public:
  MetamorphicTest(const Compiler& compiler, const TargetInfo& target, const Case& entry, Form form)
      : compiler_(compiler), target_(target), entry_(entry), form_(form) {}

  void TestBody() override {
    const auto runner = Runner::open(compiler_, target_);
    if (!runner) GTEST_SKIP() << runner.error().message;
    const std::optional<Case> changed = inForm(entry_, form_);
    if (!changed) GTEST_SKIP() << "the kernel has no such form";
    const std::array optimised = {OptLevel::O3};
    const CaseResult result = runner->run(*changed, optimised);
    if (result.outcome == Outcome::absent) GTEST_SKIP() << "absent by descriptor: " << result.detail;
    if (result.outcome == Outcome::gap) GTEST_SKIP() << "the emulated device gets it wrong: " << result.detail;
    if (result.outcome == Outcome::failed && runner->run(entry_, optimised).outcome == Outcome::failed)
      GTEST_SKIP() << "the kernel itself fails here, which is another test's: " << result.detail;
    EXPECT_EQ(result.outcome, Outcome::passed) << result.detail << changed->behind;
  }

 private:
  const Compiler& compiler_;
  const TargetInfo& target_;
  const Case& entry_;
  Form form_;
};

/// The forms in which the case of that number is run.
std::vector<Form> formsOf(std::size_t number) {
  const char* const wanted = std::getenv("LATHE_METAMORPHIC");
  if (wanted && std::string_view(wanted) == "all") return {metamorphicForms.begin(), metamorphicForms.end()};
  return {metamorphicForms[number % metamorphicForms.size()]};
}

/// A file's kernels, each once, with the form in which it is wrapped.
struct Wrapped {
  const Case* entry;
  Form form;
  std::string name;
};

/// What a kernel does beside computing: its instructions for memory, barriers and other items, without their types.
std::set<std::string> effectsIn(const std::string& ptx, const std::string& symbol) {
  const std::size_t begin = ptx.find(".entry " + symbol + "(");
  if (begin == std::string::npos) return {"no entry"};
  const std::string body = ptx.substr(begin, ptx.find("\n}", begin) - begin);
  static const std::regex effect(
      R"((?:^|\n)\s*(?:@!?%p\d+ )?(st|atom|red|bar|barrier|shfl|vote|match|mma|wmma|call)\b)");
  std::set<std::string> out;
  for (auto at = std::sregex_iterator(body.begin(), body.end(), effect); at != std::sregex_iterator(); ++at)
    out.insert((*at)[1] == "red" ? "atom" : (*at)[1].str());
  return out;
}

class WrappedPtx : public testing::Test {
 protected:
  void SetUp() override {
    auto made = Compiler::create();
    ASSERT_TRUE(made) << made.error().render();
    compiler_.emplace(*std::move(made));
    ptxas_ = std::system("ptxas --version > /dev/null 2>&1") == 0 ? "ptxas" : "/usr/local/cuda/bin/ptxas";
    hasPtxas_ = std::system((ptxas_ + " --version > /dev/null 2>&1").c_str()) == 0;
  }

  /// The image of these kernels of a file; empty with a failure noted, or if the target lacks something.
  [[nodiscard]] std::optional<Image> compile(const std::string& file, std::string text,
                                             std::vector<std::string> entries,
                                             const std::map<std::string, std::string>& parameters) {
    Job job;
    job.source = {.name = file, .text = std::move(text), .dialect = ""};
    job.target = "cuda";
    job.arch = "sm_90";
    job.entries = std::move(entries);
    job.options.parameters = parameters;
    auto compiled = compiler_->compile(job);
    if (compiled) return compiled->image;
    const bool lacking = std::ranges::all_of(compiled.error().diagnostics, [](const Diagnostic& finding) {
      return finding.message.find("does not exist on") != std::string::npos;
    });
    EXPECT_TRUE(lacking && !compiled.error().diagnostics.empty()) << file << "\n" << compiled.error().render();
    return std::nullopt;
  }

  static std::string ptxOf(const Image& image) {
    const Code* const code = image.find("ptx");
    return code ? std::string(reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size()) : "";
  }

  /// What ptxas says of it; empty: nothing.
  [[nodiscard]] std::string assembled(const std::string& ptx) const {
    if (!hasPtxas_) return {};
    std::string path = (std::filesystem::temp_directory_path() / "lathe-meta-XXXXXX").string();
    const int file = ::mkstemp(path.data());
    if (file < 0) return "no temporary file";
    (void)::close(file);
    std::ofstream(path) << ptx;
    std::string out;
    const std::string command = ptxas_ + " -O1 -arch=sm_90 '" + path + "' -o /dev/null 2>&1";
    if (FILE* const tool = ::popen(command.c_str(), "r")) {
      std::array<char, 4096> part{};
      while (const std::size_t got = std::fread(part.data(), 1, part.size(), tool)) out.append(part.data(), got);
      if (::pclose(tool) == 0) out.clear();
    }
    std::filesystem::remove(path);
    return out;
  }

  void checkFile(const std::string& file, const std::vector<Wrapped>& kernels) {
    std::string text = textBefore(file) + std::string(sourceOf(file)) + wrapperTools();
    std::vector<std::string> wrappers, originals;
    for (const Wrapped& one : kernels) {
      const std::size_t count = one.entry->arguments.size();
      text += wrapped(one.entry->kernel, count, one.form, one.name);
      wrappers.push_back(wrapperEntry(one.entry->kernel, count, one.form, one.name));
      originals.push_back(one.entry->kernel);
    }
    const auto& parameters = kernels.front().entry->parameters;
    const auto wrappedImage = compile(file, text, wrappers, parameters);
    const auto image = compile(file, std::string(sourceOf(file)), originals, parameters);
    ASSERT_EQ(wrappedImage.has_value(), image.has_value()) << file;
    if (!image) return;
    const std::string before = ptxOf(*image), after = ptxOf(*wrappedImage);
    EXPECT_EQ(assembled(after), "") << file;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const auto original = image->entry(originals[i]), wrapper = wrappedImage->entry(wrappers[i]);
      ASSERT_TRUE(original && wrapper) << originals[i];
      const auto does = effectsIn(after, (*wrapper)->symbol);
      ASSERT_FALSE(does.contains("no entry")) << (*wrapper)->symbol;
      if (does.contains("call")) continue;  // out of line, and then not in this text
      EXPECT_EQ(does, effectsIn(before, (*original)->symbol))
          << file << " " << originals[i] << ", " << nameOf(kernels[i].form);
      ++compared_;
    }
  }

  std::optional<Compiler> compiler_;
  std::string ptxas_;
  bool hasPtxas_ = false;
  std::size_t compared_ = 0;
};

/// Kernels of a file with the same job parameters are one module, each in the next form.
TEST_F(WrappedPtx, DoesWhatTheKernelDoes) {
  std::map<std::pair<std::string, std::map<std::string, std::string>>, std::map<std::string, const Case*>> found;
  const std::vector<Case> cases = allCases();
  for (const Case& one : cases) {
    if (canBeCalled(one.file)) found[{one.file, one.parameters}].try_emplace(one.kernel, &one);
  }
  constexpr std::array inOneText = {Form::call, Form::pattern, Form::structure, Form::function, Form::twice};
  std::size_t number = 0;
  for (const auto& [key, entries] : found) {
    std::vector<Wrapped> kernels;
    for (const auto& [name, one] : entries) {
      Form form = inOneText[number++ % inOneText.size()];
      if (one->arguments.empty()) form = Form::call;
      kernels.push_back({one, form, "lathe_meta_" + std::to_string(kernels.size())});
    }
    checkFile(key.first, kernels);
  }
  std::printf("%zu kernels compared%s\n", compared_, hasPtxas_ ? "" : "; no ptxas here");
  EXPECT_GT(compared_, cases.size() / 4);
}

}  // namespace
}  // namespace lathe::conformance

int main(int argc, char** argv) {
  using namespace lathe::conformance;
  testing::InitGoogleTest(&argc, argv);
  const auto compiler = lathe::Compiler::create();
  if (!compiler) {
    std::fputs(compiler.error().render().c_str(), stderr);
    return 1;
  }
  const std::vector<Case> cases = allCases();
  const std::vector<lathe::TargetInfo> targets = executingTargets(*compiler);
  for (const lathe::TargetInfo& target : targets)
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const Form form : formsOf(i))
        testing::RegisterTest(
            "Metamorphic", (target.name + "_" + cases[i].fullName() + "_" + std::string(nameOf(form))).c_str(), nullptr,
            nullptr, __FILE__, __LINE__,
            [&, i, form]() -> testing::Test* { return new MetamorphicTest(*compiler, target, cases[i], form); });
  return RUN_ALL_TESTS();
}
