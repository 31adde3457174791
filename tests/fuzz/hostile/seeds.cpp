// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what Lathe itself makes in each format, from small kernels. The tests replay it as it is now; the kept corpus
// began with it, and has what fuzzers found beside.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <lathe/bundle.h>
#include <lathe/compiler.h>
#include <lathe/fat_image.h>
#include <lathe/formats/offload_bundle.h>

#include "core/cache/cache_file.h"
#include "core/cache/compile_cache.h"
#include "core/cache/result_frame.h"
#include "core/driver/worker_values.h"
#include "core/store/compiled_code.h"
#include "core/values/cbor.h"
#include "core/values/frame.h"
#include "tools/lathe/arguments/npy.h"

using namespace lathe;

namespace {

constexpr const char* kernels = R"(#include <lathe/device.h>
struct Point { float x, y; unsigned char tag[3]; };
LATHE_CONSTANT float table[4];
LATHE_GLOBAL unsigned counter;
template <class T> LATHE_KERNEL void saxpy(unsigned n, T a, const T* x, T* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] += a * x[i] + T(table[i & 3]);
}
LATHE_KERNEL void poke(Point p, Point* out, unsigned long long big) {
  LATHE_SHARED unsigned seen;
  if (lathe::item_id().x == 0) seen = unsigned(big);
  lathe::barrier();
  out[lathe::global_id().x] = p;
  counter = seen;
}
)";

std::filesystem::path folder;

void write(const std::string& format, const std::string& name, std::string_view bytes) {
  std::filesystem::create_directories(folder / format);
  std::ofstream(folder / format / name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string_view viewOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  std::fputs(result.error().render().c_str(), stderr);
  std::exit(1);
}

Job jobFor(std::string target, std::string emit = "image") {
  Job job;
  job.source = {.name = "kernels.cpp", .text = kernels, .dialect = {}};
  job.target = std::move(target);
  job.arch = job.target == "cpu" ? "x86-64-v3" : "";
  job.emit = std::move(emit);
  job.entries = {"saxpy<float>", "poke"};
  return job;
}

void writeImages(const Compiler& compiler) {
  std::vector<Image> images;
  for (const auto& [name, job] :
       {std::pair("cpu", jobFor("cpu")), {"cuda", jobFor("cuda")}, {"portable", jobFor("cuda", "portable")}}) {
    const CompileResult result = must(compiler.compile(job));
    const std::string_view bytes = viewOf(result.image.bytes());
    write("image", name, bytes);
    write("manifest", name, bytes);
    write("frame", std::string("result_") + name, "\1" + detail::encodeCompileResult(result, nullptr));
    if (const Code* const code = result.image.find("elf")) write("elf_object", "kernels.o", viewOf(code->bytes));
    images.push_back(result.image);
  }
  const FatImage fat = must(FatImage::build(std::span(images).first(2)));
  write("fat_image", "plain", viewOf(fat.bytes()));
  write("fat_image", "with_feature", viewOf(must(fat.withFeature({"note", false, "text"})).bytes()));
  Job debug = jobFor("cpu");
  debug.options.debugInfo = true;
  const CompileResult result = must(compiler.compile(debug));
  write("elf_object", "kernels_lines.o", viewOf(result.image.find("elf")->bytes));
  // One that says itself what is in it.
  Job host = jobFor("object", "object");
  host.arch = "x86-64-v3";
  write("elf_object", "host.o", viewOf(must(compiler.compile(host)).image.code().front().bytes));
}

void writeOffloadBundles(const Compiler& compiler) {
  std::vector<Image> images;
  for (const char* arch : {"gfx942", "gfx1100"}) {
    Job job = jobFor("amdgpu");
    job.arch = arch;
    job.options.entryAbi = EntryAbi::bare;
    job.entries = {"saxpy<float>"};
    images.push_back(must(compiler.compile(job)).image);
  }
  write("offload_bundle", "plain", must(offloadBundle(images, /*compressed=*/false)));
  write("offload_bundle", "compressed", must(offloadBundle(images, /*compressed=*/true)));
}

void writeJobs(const Compiler& compiler) {
  Job job = jobFor("cpu");
  job.options.defines = {"A=1", "B"};
  write("job_json", "job", toJson(job));
  JobBundle bundle = must(compiler.bundle(job));
  // Some of each list, not all that a compile reads.
  bundle.inputs.files.resize(std::min<std::size_t>(bundle.inputs.files.size(), 2));
  bundle.inputs.libraries.clear();
  for (auto& descriptor : bundle.inputs.descriptors)
    descriptor.yaml.resize(std::min<std::size_t>(descriptor.yaml.size(), 200));
  write("bundle", "small", bundleBytes(bundle));
  const CompileRequest request;
  CompilerConfig config;
  config.targetPath = {"/targets"};
  config.workerProgram = "/bin/lathe";
  write("frame", "compile",
        "\2" + detail::encodeCompile(
                   {.job = job, .request = request, .config = config, .mode = {.inputs = &bundle.inputs}}));
  job.source.text = "LATHE_KERNEL void broken( {}";
  const auto failed = compiler.compile(job);
  write("frame", "error", std::string(1, '\0') + detail::encodeError(failed.error()));
  CompileRecord record = bundle.inputs;
  write("frame", "failed", "\1" + detail::encodeCompileResult(failed, &record));
}

void writeCacheEntries() {
  detail::CacheInputs inputs;
  inputs.description = "kernels.cpp for cpu";
  inputs.key = {.job = canonicalBytes(jobFor("cpu")), .parts = {{"architecture", "x86-64-v3"}, {"compiler", "0123"}}};
  inputs.variants.push_back(
      {.files = {.looks = {{.path = "a.h", .kind = detail::LookKind::read, .digest = std::string(32, 'd'), .sameAs = 0},
                           {.path = "b.h", .kind = detail::LookKind::absent, .digest = {}, .sameAs = 0}},
                 .repeatable = true},
       .result = std::string(32, 'r')});
  detail::CborWriter out;
  detail::writeValue(out, inputs);
  const std::string value = out.take();
  write("cache_entry", "inputs", std::string(1, '\0') + value);
  write("cache_entry", "file", "\1" + detail::packEntry(std::string(32, 'k'), value));
  write("cache_entry", "code",
        "\2" + detail::packCompiledCode({.question = "what", .surroundings = "a 1\nb", .image = "image"}));
}

void writeEntries() {
  write(
      "portable_image", "entry",
      R"({"parameters":[{"name":"x","read_only":true,"type":{"kind":"pointer","name":"const Point *","size":8,"align":8,"element":{"kind":"record","name":"Point","size":12,"align":4,"fields":[{"name":"tag","offset":8,"type":{"kind":"array","name":"unsigned char[3]","size":3,"align":1,"count":3,"element":{"kind":"uint","name":"unsigned char","size":1,"align":1}}}]}}},{"name":"n","read_only":false,"type":{"kind":"uint","name":"unsigned int","size":4,"align":4}}],"result":{"kind":"float","name":"float","size":4,"align":4}})");
}

void writeArrays() {
  for (const char* type : {"<f4", "|u1", "<f8"}) {
    tool::Array array;
    array.type = *tool::elementOfNpyName(type);
    array.shape = {2, 3};
    array.bytes.resize(6 * array.type.bytes());
    write("npy", std::string(type + 1) + ".npy", tool::npyBytes(array));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: lathe_hostile_seeds FOLDER\n", stderr), 2;
  folder = argv[1];
  const Compiler compiler = must(Compiler::create({}));
  writeImages(compiler);
  writeOffloadBundles(compiler);
  writeJobs(compiler);
  writeEntries();
  writeCacheEntries();
  writeArrays();
}
