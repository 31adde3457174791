// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tools of this folder share: the program for the kernel is compiled and loaded, and the tool waits until a
// number of seconds has passed or Ctrl-C.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <lathe/bpf_host.h>
#include <lathe/compiler.h>

namespace tool {

inline volatile std::sig_atomic_t interrupted = 0;

inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Compiles `path`, which may include the header of the same name (syscount.bpf.cpp: syscount.h).
inline lathe::Result<lathe::bpf::Object> open(const std::filesystem::path& path) {
  auto compiler = lathe::Compiler::create();
  if (!compiler) return compiler.error();
  lathe::Job job;
  job.target = "bpf";
  job.source.name = path.string();
  job.source.text = readFile(path);
  if (job.source.text.empty())
    return lathe::Error{.code = lathe::ErrorCode::FileUnreadable, .message = path.string() + ": there is no program"};
  const std::string header = path.stem().stem().string() + ".h";
  job.headers.push_back({header, readFile(path.parent_path() / header)});
  auto compiled = compiler->compile(job);
  if (!compiled) return compiled.error();
  return lathe::bpf::Object::open(compiled->image);
}

/// Loads it, too.
inline lathe::Result<lathe::bpf::Object> load(const std::filesystem::path& path) {
  auto object = open(path);
  if (!object) return object;
  if (auto loaded = object->load(); !loaded) return std::move(loaded).error();
  return object;
}

/// Waits so long for Ctrl-C, and calls `step` every 10 ms.
template <class Step>
void waitFor(double seconds, Step step) {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  std::fputs("attached; Ctrl-C ends\n", stderr);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!interrupted && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    step();
  }
}

/// The exit code of main(). What a kernel or a container refuses is not the program's fault: 77.
inline int report(const lathe::Result<void>& done) {
  if (done) return 0;
  const bool refused = lathe::errorFamily(done.error().code) == lathe::ErrorFamily::environment;
  std::fprintf(stderr, "%s%s", refused ? "skipped: " : "", done.error().render().c_str());
  return refused ? 77 : 1;
}

}  // namespace tool
