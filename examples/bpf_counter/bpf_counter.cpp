// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles counter.bpf.cpp in this process, loads it into the kernel, lets it run for a moment and shows which
// processes were switched to most. Needs the rights to load tracing programs; says so and ends well where they are
// missing.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <lathe/bpf_host.h>
#include <lathe/compiler.h>

namespace {

using Counts = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

lathe::Result<lathe::Image> compileProgram(const char* path) {
  auto compiler = lathe::Compiler::create();
  if (!compiler) return compiler.error();
  lathe::Job job;
  job.target = "bpf";
  job.source.name = path;
  std::ifstream file(path);
  if (!file)
    return lathe::Error{.code = lathe::ErrorCode::FileUnreadable, .message = std::string(path) + ": cannot be read"};
  job.source.text.assign(std::istreambuf_iterator<char>(file), {});
  auto compiled = compiler->compile(job);
  if (!compiled) return compiled.error();
  return std::move(compiled->image);
}

/// Context switches of each process while the program was attached.
lathe::Result<Counts> countSwitches(const lathe::Image& image) {
  auto object = lathe::bpf::Object::open(image);
  if (!object) return object.error();
  if (auto loaded = object->load(); !loaded) return loaded.error();
  auto program = object->program("count_switches");
  if (!program) return program.error();
  const auto link = program->attach();  // detached when `link` goes
  if (!link) return link.error();
  for (int i = 0; i < 100; ++i) usleep(1000);  // each sleep is a switch
  const auto switches = object->map<std::uint32_t, std::uint64_t>("switches");
  if (!switches) return switches.error();
  return switches->entries();
}

}  // namespace

int main(int argc, char** argv) {
  const auto image = compileProgram(argc > 1 ? argv[1] : "counter.bpf.cpp");
  if (!image) return std::fputs(image.error().render().c_str(), stderr), 1;
  auto counts = countSwitches(*image);
  if (!counts) {
    // What a kernel or a container refuses is not the program's fault.
    std::printf("skipped: %s", counts.error().render().c_str());
    return lathe::errorFamily(counts.error().code) == lathe::ErrorFamily::environment ? 77 : 1;
  }
  std::ranges::sort(*counts, std::greater(), &Counts::value_type::second);
  std::printf("%8s %8s\n", "process", "switches");
  for (std::size_t i = 0; i < std::min<std::size_t>(counts->size(), 5); ++i)
    std::printf("%8u %8llu\n", (*counts)[i].first, static_cast<unsigned long long>((*counts)[i].second));
  const auto own = std::ranges::find(*counts, static_cast<std::uint32_t>(getpid()), &Counts::value_type::first);
  std::printf("this process: %llu\n", own == counts->end() ? 0ULL : static_cast<unsigned long long>(own->second));
  return own != counts->end() && own->second >= 100 ? 0 : 1;
}
