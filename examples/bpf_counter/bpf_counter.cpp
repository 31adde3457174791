// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles counter.bpf.cpp in this process, loads it with libbpf, lets it run for a moment and shows which processes
// were switched to most. Needs the rights to load tracing programs; says so and ends well where they are missing.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <lathe/compiler.h>

namespace {

struct Close {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
  void operator()(bpf_link* link) const { bpf_link__destroy(link); }
};

lathe::Result<lathe::Image> compileProgram(const char* path) {
  auto compiler = lathe::Compiler::create();
  if (!compiler) return compiler.error();
  lathe::Job job;
  job.target = "bpf";
  job.source.name = path;
  std::ifstream file(path);
  job.source.text.assign(std::istreambuf_iterator<char>(file), {});
  auto compiled = compiler->compile(job);
  if (!compiled) return compiled.error();
  return std::move(compiled->image);
}

/// What a kernel or a container refuses is not the program's fault.
int refused(const char* what) {
  std::printf("skipped: %s: %s\n", what, errno == EPERM ? "not permitted here" : std::strerror(errno));
  return errno == EPERM || errno == ENOENT || errno == ENOSYS ? 77 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto image = compileProgram(argc > 1 ? argv[1] : "counter.bpf.cpp");
  if (!image) return std::fputs(image.error().render().c_str(), stderr), 1;
  const lathe::Code& code = image->code().front();
  const std::unique_ptr<bpf_object, Close> object(bpf_object__open_mem(code.bytes.data(), code.bytes.size(), nullptr));
  if (!object) return std::perror("libbpf does not open the object"), 1;
  if (bpf_object__load(object.get()) != 0) return refused("the kernel does not load the program");
  bpf_program* const program = bpf_object__find_program_by_name(object.get(), "count_switches");
  const std::unique_ptr<bpf_link, Close> link(program ? bpf_program__attach(program) : nullptr);
  if (!link) return refused("the program cannot be attached");

  for (int i = 0; i < 100; ++i) usleep(1000);  // each sleep is a switch

  const int map = bpf_object__find_map_fd_by_name(object.get(), "switches");
  std::vector<std::pair<unsigned long long, unsigned>> counts;
  unsigned long long count = 0;
  for (unsigned previous = 0, *at = nullptr, key = 0; bpf_map_get_next_key(map, at, &key) == 0; previous = key) {
    at = &previous;
    previous = key;
    if (bpf_map_lookup_elem(map, &key, &count) == 0) counts.emplace_back(count, key);
  }
  std::sort(counts.rbegin(), counts.rend());
  std::printf("%8s %8s\n", "process", "switches");
  for (std::size_t i = 0; i < std::min<std::size_t>(counts.size(), 5); ++i)
    std::printf("%8u %8llu\n", counts[i].second, counts[i].first);
  const auto own = std::find_if(counts.begin(), counts.end(),
                                [](const auto& row) { return row.second == static_cast<unsigned>(getpid()); });
  std::printf("this process: %llu\n", own == counts.end() ? 0 : own->first);
  return own != counts.end() && own->first >= 100 ? 0 : 1;
}
