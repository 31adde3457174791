// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs as bytes, hashes and JSON. The tests walk the job's description, so a field that is added later is tested
// too.
#include <lathe/job.h>

#include <set>

#include <gtest/gtest.h>

#include "core/values/job_values.h"

namespace lathe {
namespace {

/// Changes the n-th value inside a job, counting depth first; a list counts once more, for its length.
class Changer {
 public:
  explicit Changer(std::size_t wanted) : wanted_(wanted) {}
  bool changed() const { return changed_; }

  template <detail::Described T>
  void visit(T& value) {
    detail::forEachField(value, [this](std::string_view, auto& member) { this->visit(member); });
  }
  void visit(std::string& value) {
    if (reached()) value += "~";
  }
  void visit(bool& value) {
    if (reached()) value = !value;
  }
  void visit(std::uint32_t& value) {
    if (reached()) value += 1;
  }
  void visit(OptLevel& value) {
    if (reached()) value = value == OptLevel::O0 ? OptLevel::O1 : OptLevel::O0;
  }
  void visit(EntryAbi& value) {
    if (reached()) value = value == EntryAbi::bare ? EntryAbi::state : EntryAbi::bare;
  }
  template <class T, std::size_t n>
  void visit(std::array<T, n>& values) {
    for (T& value : values) visit(value);
  }
  template <class T>
  void visit(std::vector<T>& values) {
    for (T& value : values) visit(value);
    if (reached()) values.emplace_back();
  }
  void visit(std::map<std::string, std::string>& values) {
    for (auto& [key, value] : values) visit(value);
    if (reached()) values["~"] = "";
  }

 private:
  bool reached() {
    if (next_++ != wanted_) return false;
    changed_ = true;
    return true;
  }
  std::size_t wanted_;
  std::size_t next_ = 0;
  bool changed_ = false;
};

/// Every job that differs from `job` in one value.
std::vector<Job> neighboursOf(const Job& job) {
  std::vector<Job> out;
  for (std::size_t i = 0;; ++i) {
    Job copy = job;
    Changer changer(i);
    changer.visit(copy);
    if (!changer.changed()) return out;
    out.push_back(std::move(copy));
  }
}

/// A job with no empty field.
Job fullJob() {
  Job job;
  job.source = {"dir/saxpy.cpp", "LATHE_KERNEL void saxpy() {}\n", "kernel"};
  job.headers = {{"a.h", "int a;"}, {"b.h", ""}};
  job.entries = {"saxpy<float>", "ns::blur"};
  job.target = "cuda";
  job.arch = "sm_90";
  job.features = "+ptx83";
  job.emit = "ptx";
  job.options.defines = {"A", "B=1"};
  job.options.undefines = {"C"};
  job.options.includeDirs = {"/x", "/y"};
  job.options.launchBounds = {256, 2, 64, {16, 16, 1}};
  job.options.parameters = {{"k", "3"}, {"unroll", "4"}};
  return job;
}

class JobValues : public testing::TestWithParam<Job> {};

TEST_P(JobValues, RoundTripAsBytesAndJson) {
  const Job& job = GetParam();
  const auto fromBytes = jobFromBytes(canonicalBytes(job));
  ASSERT_TRUE(fromBytes) << fromBytes.error().message;
  EXPECT_EQ(*fromBytes, job);
  const auto fromJson = jobFromJson(toJson(job));
  ASSERT_TRUE(fromJson) << fromJson.error().message;
  EXPECT_EQ(*fromJson, job);
}

TEST_P(JobValues, EveryFieldCounts) {
  const Job& job = GetParam();
  const auto neighbours = neighboursOf(job);
  ASSERT_GT(neighbours.size(), 20U);
  std::set<JobHash> hashes = {hashOf(job)};
  std::set<std::string> texts = {toJson(job)};
  for (const Job& changed : neighbours) {
    ASSERT_NE(changed, job);
    EXPECT_TRUE(hashes.insert(hashOf(changed)).second) << toJson(changed);
    EXPECT_TRUE(texts.insert(toJson(changed)).second) << toJson(changed);
    const auto fromBytes = jobFromBytes(canonicalBytes(changed));
    ASSERT_TRUE(fromBytes) << fromBytes.error().message;
    EXPECT_EQ(*fromBytes, changed);
    const auto fromJson = jobFromJson(toJson(changed));
    ASSERT_TRUE(fromJson) << fromJson.error().message;
    EXPECT_EQ(*fromJson, changed);
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, JobValues, testing::Values(Job{}, fullJob()));

TEST(JobBytes, NeighbouringTextsDoNotRunTogether) {
  Job a, b;
  a.options.defines = {"AB", ""};
  b.options.defines = {"A", "B"};
  EXPECT_NE(canonicalBytes(a), canonicalBytes(b));
}

TEST(JobBytes, TruncatedOrExtendedIsAnError) {
  const std::string bytes = canonicalBytes(fullJob());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = jobFromBytes(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(read) << "of " << size << " bytes";
    EXPECT_EQ(read.error().code, ErrorCode::InvalidArgument);
  }
  EXPECT_FALSE(jobFromBytes(bytes + '\0'));
}

TEST(JobBytes, DamagedIsAnErrorOrAnotherJob) {
  const std::string bytes = canonicalBytes(fullJob());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto read = jobFromBytes(damaged);
    // One spelling for each job: what is read must be written the same.
    if (read) {
      EXPECT_EQ(canonicalBytes(*read), damaged) << "bit " << bit;
    }
  }
}

TEST(JobHash, HexHas64LowerCaseDigits) {
  const std::string hex = hashOf(fullJob()).hex();
  EXPECT_EQ(hex.size(), 64U);
  EXPECT_EQ(hex.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(hex, hashOf(fullJob()).hex());
}

TEST(JobJson, KeepsBytesThatAreNoText) {
  Job job;
  job.source.text = std::string("BC\xC0\xDE\0\xFF\n", 7);
  job.options.parameters["\xFF"] = "\xFE";
  const std::string json = toJson(job);
  EXPECT_NE(json.find("base64"), std::string::npos);
  const auto read = jobFromJson(json);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, job);
}

TEST(JobJson, MissingKeysHaveTheirDefaults) {
  const auto read = jobFromJson(R"({"target": "cuda", "options": {"optLevel": "O1"}})");
  ASSERT_TRUE(read) << read.error().message;
  Job expected;
  expected.target = "cuda";
  expected.options.optLevel = OptLevel::O1;
  EXPECT_EQ(*read, expected);
}

TEST(JobJson, ErrorsNameTheKey) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"tagret": "cuda"})", "job: unknown key 'tagret'; did you mean 'target'?"},
      {R"({"options": {"optlevel": "O1"}})", "job.options: unknown key 'optlevel'; did you mean 'optLevel'?"},
      {R"({"options": {"optLevel": "O4"}})", "job.options.optLevel: expected one of O0 O1 O2 O3, found \"O4\""},
      {R"({"options": {"fastMath": 1}})", "job.options.fastMath: expected true or false, found 1"},
      {R"({"options": {"launchBounds": {"maxItems": -1}}})",
       "job.options.launchBounds.maxItems: expected a whole number below 2^32, found -1"},
      {R"({"options": {"launchBounds": {"maxItems": 4294967296}}})",
       "job.options.launchBounds.maxItems: expected a whole number below 2^32, found 4294967296"},
      {R"({"options": {"launchBounds": {"groupSize": [1, 2]}}})",
       "job.options.launchBounds.groupSize: expected a list of 3, found [1,2]"},
      {R"({"headers": [{"name": "a"}, {"name": 3}]})",
       "job.headers[1].name: expected a string or {\"base64\": \"…\"}, found 3"},
      {R"({"target": "a", "target": "b"})", "job: key 'target' appears twice"},
      {R"({"options": {"parameters": {"a": "1", "a": "2"}}})", "job: key 'a' appears twice"},
      {"{\n  \"target\" \"cuda\"}", "job: malformed JSON at 2:17"},
      {"[]", "job: expected an object, found []"},
      {"", "job: malformed JSON at 1:1"},
  };
  for (const auto& [json, message] : cases) {
    const auto read = jobFromJson(json);
    ASSERT_FALSE(read) << json;
    EXPECT_EQ(read.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(read.error().message, message) << json;
  }
}

TEST(JobJson, TruncatedIsAnError) {
  const std::string json = toJson(fullJob());
  for (std::size_t size = 0; size + 2 < json.size(); ++size)
    EXPECT_FALSE(jobFromJson(std::string_view(json).substr(0, size)));
}

TEST(JobText, SaysWhatIsCompiled) {
  EXPECT_EQ(describe(fullJob()), "saxpy<float>, ns::blur from dir/saxpy.cpp for cuda:sm_90 at O3 as ptx");
  EXPECT_EQ(describe(Job{}), "every kernel from kernel.cpp for cpu at O3");
}

}  // namespace
}  // namespace lathe
