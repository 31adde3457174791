// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of the formats that outlive a process: canonical jobs and the hash made of them, JSON, bundles, and images.
// The digests were taken before these formats were written from descriptions. A change here is a change of a public
// format, and needs a new version of it.
#include <gtest/gtest.h>

#include <lathe/bundle.h>
#include <lathe/image.h>
#include <lathe/job.h>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

namespace lathe {
namespace {

std::string digest(std::string_view bytes) {
  return llvm::toHex(llvm::BLAKE3::hash<16>(llvm::arrayRefFromStringRef(llvm::StringRef(bytes.data(), bytes.size()))),
                     /*LowerCase=*/true);
}
std::string digest(const Image& image) {
  return digest({reinterpret_cast<const char*>(image.bytes().data()), image.bytes().size()});
}

Job exampleJob() {
  Job job;
  job.source = {"dir/saxpy.cpp", "LATHE_KERNEL void saxpy() {}\n\xff", "kernel"};
  job.furtherSources = {{"second.bc", "BC\xc0\xde", "ir"}, {"third.cu", "", ""}};
  job.headers = {{"a.h", "int a;"}, {"b.h", ""}};
  job.entries = {"saxpy<float>", "ns::blur"};
  job.target = "cuda";
  job.arch = "sm_90";
  job.features = "+ptx83";
  job.emit = "ptx";
  Options& options = job.options;
  options.optLevel = OptLevel::O1;
  options.debugInfo = options.approximateMath = options.flushDenormals = options.checked = true;
  options.entryAbi = EntryAbi::state;
  options.coarsening = 4;
  options.languageStandard = "c++23";
  options.defines = {"A", "B=1"};
  options.undefines = {"C"};
  options.includeDirs = {"/x", "/y"};
  options.prefixMap = {"/x=."};
  options.launchBounds = {256, 2, 64, {16, 15, 1}};
  options.promises = {{{"n", "1024"}}, true, 16};
  options.parameters = {{"k", "3"}, {"unroll", "4"}};
  return job;
}

TypeLayout layout(TypeKind kind, std::string name, std::uint64_t size) {
  TypeLayout out;
  out.kind = kind;
  out.name = std::move(name);
  out.size = size;
  out.align = 4;
  return out;
}

Image exampleImage() {
  TypeLayout array = layout(TypeKind::array, "float[3]", 12);
  array.count = 3;
  array.element.push_back(layout(TypeKind::floating, "float", 4));
  TypeLayout record = layout(TypeKind::record, "ns::Particle", 16);
  record.fields = {{"position", 0, array}, {"alive", 12, layout(TypeKind::boolean, "bool", 1)}};
  EntryPoint entry;
  entry.name = "move<float>";
  entry.symbol = "_Z4moveIfEv";
  entry.parameters = {{"p", record, 8, true}, {"n", layout(TypeKind::signedInteger, "int", 4), 24, false}};
  entry.hidden = {{"state", layout(TypeKind::opaque, "state", 24), 32, false}};
  entry.parameterBytes = 56;
  entry.parameterAlign = 8;
  entry.abi = EntryAbi::state;
  entry.bounds = {256, 2, 64, {16, 15, 1}};
  entry.cluster = {{2, 3, 1}, 8, true};
  entry.coarse = {"kernel$coarse4", 4, 16384};
  entry.parameters[1].fixed = {7};
  entry.parameters[0].byReference = true;
  entry.pointerAlign = 16;
  entry.resources = {31, 4096, -1, 5, 6, -1};
  entry.dynamicShared = true;
  entry.section = "xdp/first";
  entry.kind = "xdp";
  ImageInfo info;
  info.target = "cuda";
  info.arch = "sm_90";
  info.features = "+ptx83";
  info.runtime = "cuda";
  info.entries = {entry, EntryPoint{}};
  info.globals = {{"table", "table_symbol", "constant", layout(TypeKind::unsignedInteger, "unsigned", 4)}};
  info.requires_ = {"inline-asm", "\xff"};
  info.provenance = {"lathe 0.1.0", "clang 22", "00ff", "k.cpp", "move from k.cpp"};
  info.optLevel = 2;
  return Image::build(info, {{"ptx", "sm_90", "text"}, {"ir", "", ""}});
}

JobBundle exampleBundle() {
  JobBundle bundle{.job = exampleJob()};
  bundle.producer = "lathe 0.1.0";
  bundle.compiler = "clang 22";
  bundle.imageHash = "0123";
  bundle.failure = "source-error";
  bundle.inputs = {.workingDirectory = "/work",
                   .arch = "sm_90",
                   .plugin = "name 1.0",
                   .files = {{"/a", "bytes", ""}, {"/b", "", "/a"}},
                   .libraries = {{"library", "/path", "code"}},
                   .descriptors = {{"base", "built in", "yaml"}, {"own", "/own.yaml", "text"}},
                   .settings = {{"arch", "sm_90", "job"}}};
  return bundle;
}

TEST(ValuesKeepTheirBytes, Jobs) {
  EXPECT_EQ(digest(canonicalBytes(exampleJob())), "5caf82031ff26ddbcb346b07772397dc");
  EXPECT_EQ(hashOf(exampleJob()).hex(), "5caf82031ff26ddbcb346b07772397dcea6c43e23b80fbab1fc7f07651b8cd76");
  EXPECT_EQ(digest(canonicalBytes(Job{})), "a8102ee785239d2738fc7f76f8d73070");
  EXPECT_EQ(digest(toJson(exampleJob())), "eb586dd3ccd8b2e86673b12bf0ef8f27");
  EXPECT_EQ(digest(toJson(Job{})), "1a4fdcc62f1aabf72dd9233fad31860f");
}

TEST(ValuesKeepTheirBytes, Bundles) {
  EXPECT_EQ(digest(bundleBytes(exampleBundle())), "3f985e0b08365194639cd734b64cd99a");
}

TEST(ValuesKeepTheirBytes, Images) {
  EXPECT_EQ(digest(exampleImage()), "73219b25a97f62ac6a4c206e9470ca80");
  EXPECT_EQ(digest(toJson(exampleImage())), "d191a49551c8ef0d6c4713186cdc79cb");
}

}  // namespace
}  // namespace lathe
