// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random values in every format: what is written is read back the same, and what is damaged is refused or is another
// value.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/cache/result_frame.h"
#include "core/driver/worker_values.h"
#include "core/image/metadata.h"
#include "core/values/cbor.h"
#include "core/values/frame.h"
#include "core/values/packed.h"
#include "random_values.h"

namespace lathe::detail {
namespace {

constexpr std::uint64_t seeds = 100;

template <class T>
std::string frameOf(const T& value) {
  CborWriter out;
  writeValue(out, value);
  return out.take();
}
template <class T>
std::string packed(const T& value) {
  PackedWriter out;
  writeValue(out, value);
  return out.take();
}
template <class T, class Reader>
std::optional<T> readWhole(Reader in) {
  T value{};
  readValue(in, value);
  if (!in.atEnd()) return std::nullopt;
  return value;
}

template <class T>
class Values : public testing::Test {};
using Structs = testing::Types<SourceLocation, Note, Diagnostic, Error, Source, Header, LaunchBounds, Options, Job,
                               TypeLayout, TypeLayout::Field, Parameter, ResourceUse, ClusterBounds, EntryPoint,
                               GlobalVariable, Provenance, ImageInfo, CompilerConfig, CompileRequest, InputFile,
                               InputLibrary, InputDescriptor, Setting, CompileRecord, StageTime, StageDump, JobBundle>;
TYPED_TEST_SUITE(Values, Structs);

TYPED_TEST(Values, RoundTripAsFrames) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto value = RandomValues(seed).make<TypeParam>();
    const auto read = readWhole<TypeParam>(CborReader(frameOf(value)));
    ASSERT_TRUE(read) << "seed " << seed;
    EXPECT_TRUE(sameValue(*read, value)) << "seed " << seed;
  }
}

TYPED_TEST(Values, RoundTripPacked) {
  if constexpr (!std::same_as<TypeParam, StageTime>) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto value = RandomValues(seed).make<TypeParam>();
      const std::string bytes = packed(value);
      EXPECT_GE(bytes.size(), leastPackedBytes<TypeParam>());
      const auto read = readWhole<TypeParam>(PackedReader(bytes));
      ASSERT_TRUE(read) << "seed " << seed;
      EXPECT_TRUE(sameValue(*read, value)) << "seed " << seed;
    }
  }
}

TYPED_TEST(Values, CutFramesAreRefused) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::string frame = frameOf(RandomValues(seed).make<TypeParam>());
    for (std::size_t size = 0; size < frame.size(); ++size)
      ASSERT_FALSE(readWhole<TypeParam>(CborReader(std::string_view(frame).substr(0, size)))) << seed << " " << size;
    EXPECT_FALSE(readWhole<TypeParam>(CborReader(frame + '\0')));
  }
}

TYPED_TEST(Values, DamagedFramesAreRefusedOrOtherValues) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::string frame = frameOf(RandomValues(seed).make<TypeParam>());
    for (std::size_t bit = 0; bit < std::min<std::size_t>(frame.size(), 500) * 8; ++bit) {
      std::string damaged = frame;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      if (const auto read = readWhole<TypeParam>(CborReader(damaged)); read && !std::same_as<TypeParam, StageTime>) {
        const auto again = readWhole<TypeParam>(CborReader(frameOf(*read)));
        EXPECT_TRUE(again && sameValue(*again, *read)) << seed << " " << bit;
      }
    }
  }
}

TEST(ValuesAsFrames, ErrorsRoundTrip) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto error = RandomValues(seed).make<Error>();
    EXPECT_EQ(decodeError(encodeError(error)), error);
  }
}

TEST(ValuesAsFrames, CompileCallsRoundTrip) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomValues random(seed);
    const Job job = random.make<Job>();
    CompileRequest request = random.make<CompileRequest>();
    const auto config = random.make<CompilerConfig>();
    const auto inputs = random.make<CompileRecord>();
    CompileRecord record;
    if (random.below(2) == 1) request.record = &record;
    const bool replays = random.below(2) == 1, scanOnly = random.below(2) == 1;
    const auto read = decodeCompile(
        encodeCompile({job, request, config, {.inputs = replays ? &inputs : nullptr, .scanOnly = scanOnly}, "/kept"}));
    ASSERT_TRUE(read) << read.error().render();
    EXPECT_EQ(read->job, job);
    EXPECT_TRUE(sameValue(read->request, request));
    EXPECT_TRUE(sameValue(read->config, config));
    ASSERT_EQ(read->inputs.has_value(), replays);
    if (replays) {
      EXPECT_EQ(*read->inputs, inputs);
    }
    EXPECT_EQ(read->recorded, request.record != nullptr);
    EXPECT_EQ(read->scanOnly, scanOnly);
    EXPECT_EQ(read->preludeFolder, "/kept");
    EXPECT_EQ(read->request.isolation, Isolation::inProcess);
    EXPECT_EQ(read->request.record, nullptr);
  }
}

TEST(ValuesAsFrames, CompileResultsRoundTrip) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomValues random(seed);
    CompileResult result{Image::build({}, {}), {}, {}, {}};
    random.fill(result);
    const auto record = random.make<CompileRecord>();
    const auto error = random.make<Error>();
    CompileRecord readRecord;
    const auto read = decodeCompileResult(encodeCompileResult(result, &record), &readRecord);
    ASSERT_TRUE(read) << read.error().render();
    EXPECT_TRUE(sameValue(*read, result));
    EXPECT_EQ(readRecord, record);
    const auto failed = decodeCompileResult(encodeCompileResult(error, nullptr), &readRecord);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error(), error);
  }
}

TEST(ValuesAsFrames, NumbersThatDoNotFitAreRefused) {
  const auto located = [](std::string_view line) {
    CborReader in(line);
    return readWhole<std::uint32_t>(in);
  };
  EXPECT_EQ(located(std::string_view("\x1a\xff\xff\xff\xff", 5)), UINT32_MAX);
  EXPECT_EQ(located(std::string_view("\x18\x05", 2)), 5U);  // more bytes than it needs
  for (const std::string_view wrong :
       {std::string_view("\x1b\0\0\0\x01\0\0\0\0", 9), std::string_view("\x20", 1), std::string_view("\xf5", 1),
        std::string_view("\xfb\0\0\0\0\0\0\0\0", 9), std::string_view("\x1c", 1), std::string_view("\xc1\x01", 2)})
    EXPECT_FALSE(located(wrong));
  const std::string_view least("\x3b\x7f\xff\xff\xff\xff\xff\xff\xff", 9), beyond("\x3b\x80\0\0\0\0\0\0\0", 9);
  EXPECT_EQ(readWhole<std::int64_t>(CborReader(least)), INT64_MIN);
  EXPECT_FALSE(readWhole<std::int64_t>(CborReader(beyond)));
}

TEST(ValuesAsFrames, EnumeratorsThatAreNoneAreRefused) {
  EXPECT_TRUE(readWhole<Severity>(CborReader("\x02")));
  EXPECT_FALSE(readWhole<Severity>(CborReader("\x03")));
  EXPECT_EQ(enumerators<ErrorCode>.size(), errorCodes().size());
  for (const ErrorCode code : enumerators<ErrorCode>) EXPECT_EQ(nameOf(code), errorName(code));
  for (const Severity severity : enumerators<Severity>) EXPECT_EQ(nameOf(severity), severityName(severity));
}

TEST(ValuesStored, JobsRoundTripAsBytesAndJson) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto job = RandomValues(seed).make<Job>();
    const auto fromBytes = jobFromBytes(canonicalBytes(job));
    ASSERT_TRUE(fromBytes) << fromBytes.error().message;
    EXPECT_EQ(*fromBytes, job);
    const auto fromJson = jobFromJson(toJson(job));
    ASSERT_TRUE(fromJson) << fromJson.error().message;
    EXPECT_EQ(*fromJson, job);
  }
}

TEST(ValuesStored, BundlesRoundTrip) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    auto bundle = RandomValues(seed).make<JobBundle>();
    bundle.inputs.descriptors.emplace_back();
    for (InputFile& file : bundle.inputs.files) {
      file.path.insert(0, "/");
      file.sameAs.clear();
    }
    const auto read = bundleFromBytes(bundleBytes(bundle));
    ASSERT_TRUE(read) << read.error().message;
    bundle.inputs.settings.clear();
    EXPECT_EQ(*read, bundle);
  }
}

TEST(ValuesStored, ImagesRoundTrip) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    RandomValues random(seed);
    const ImageInfo info = random.imageInfo();
    const std::vector<Image::CodeBlob> code = {{"a", "b", ""}, {"", "c", ""}};
    const std::string bytes = encode(info, code);
    const auto metadata = decode(std::as_bytes(std::span(bytes)), metadataVersion);
    ASSERT_TRUE(metadata);
    EXPECT_EQ(metadata->info, info);
    ASSERT_EQ(metadata->code.size(), 2U);
    EXPECT_EQ(metadata->code[1].arch, "c");
    const auto image = Image::fromBytes(Image::build(info, code).bytes());
    ASSERT_TRUE(image);
    EXPECT_EQ(image->info(), info);
  }
}

using Json = nlohmann::json;

std::string inWords(std::string_view name) {
  std::string out;
  for (const char c : name)
    out += c >= 'A' && c <= 'Z' ? std::string{'_', static_cast<char>(c + ('a' - 'A'))} : std::string{c};
  return out;
}

/// Expects every described field of `value` in `json`.
template <class T>
void expectIn(const Json& json, const T& value) {
  if constexpr (std::same_as<T, TypeLayout>) {
    EXPECT_EQ(json.at("kind"), nameOf(value.kind));
    EXPECT_EQ(json.at("size"), value.size);
  } else if constexpr (Described<T>) {
    forEachField(value, [&](std::string_view name, const auto& member) {
      ASSERT_TRUE(json.contains(inWords(name))) << name;
      expectIn(json.at(inWords(name)), member);
    });
  } else if constexpr (isA<T, std::vector> || isArray<T>) {
    ASSERT_EQ(json.size(), value.size());
    for (std::size_t i = 0; i < value.size(); ++i) expectIn(json.at(i), value[i]);
  } else if constexpr (Named<T>) {
    EXPECT_EQ(json, nameOf(value));
  } else if constexpr (std::same_as<T, std::int64_t>) {
    EXPECT_EQ(json, value < 0 ? Json(nullptr) : Json(value));
  } else if constexpr (!std::same_as<T, std::string>) {
    EXPECT_EQ(json, value);
  }
}

TEST(ValuesStored, ImagesHaveEveryFieldInJson) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Image image = RandomValues(seed).image();
    expectIn(Json::parse(toJson(image)), image.info());
  }
}

}  // namespace
}  // namespace lathe::detail
