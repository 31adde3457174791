// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe batch`: the jobs of a file, on all processors. What was compiled is in the cache when its line is in the
// index, so the same command goes on where an earlier one was stopped or killed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <lathe/bundle.h>
#include <lathe/fat_image.h>

#include "tools/lathe/arguments/job_list.h"
#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/progress_line.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

constexpr std::string_view examples = R"(Example of jobs.yaml:
  defaults:
    targets: [cuda:sm_90, cpu:x86-64-v3]
    options: {optLevel: O2}
  jobs:
    - source: saxpy.cpp
    - source: blur.cpp
      name: blur-wide
      options: {defines: [WIDTH=8]}

  lathe batch jobs.yaml -j 16 -d images)";

/// Set by Ctrl-C: no job is begun any more. A second one ends the process.
std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void stopAtInterrupt() {
  struct sigaction action{};
  action.sa_handler = [](int) { stopped = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM}) ::sigaction(number, &action, nullptr);
}

/// The file with the results, a line for each job, written as they come.
using Index = std::unique_ptr<std::FILE, decltype([](std::FILE* file) { std::fclose(file); })>;

class BatchCommand final : public Command {
 public:
  std::string_view name() const override { return "batch"; }
  std::string_view summary() const override { return "compile the jobs of a file, on all processors"; }

  void configure(CLI::App& app) override {
    app.add_option("jobs", path_, "the jobs, as YAML or JSON")->type_name("FILE")->required();
    addNumber(app, "-j,--jobs", threads_, "compile so many at once (default: one for each processor)", "N", 1, 4096);
    app.add_option("-d,--dir", folder_, "where images and index.jsonl go (default: here)")->type_name("DIR");
    app.add_flag("-q,--quiet", quiet_, "show no progress, and nothing but warnings and errors");
    options_.configureCompiler(app, "in-process");
    app.footer(std::string(examples));
  }

  ExitCode run(Output& out) override {
    options_.prepare(out);
    if (quiet_) progress_.hide();
    const auto jobs = readJobList(path_);
    if (!jobs) return out.fail(jobs.error());
    const auto compiler = options_.compiler();
    if (!compiler) return out.fail(compiler.error());
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    const auto indexPath = std::filesystem::path(folder_) / indexName;
    index_.reset(std::fopen(indexPath.c_str(), "w"));
    if (!index_)
      return out.fail({ErrorCode::FileUnwritable, fmt::format("{}: it cannot be written: {}", indexPath.string(),
                                                              std::generic_category().message(errno))});
    stopAtInterrupt();
    total_ = jobs->size();
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    const unsigned wanted = threads_ ? threads_ : std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t i = 0; i < std::min<std::size_t>(wanted, total_); ++i) {
      threads.emplace_back([&] {
        for (std::size_t at = next++; at < total_ && !stopped; at = next++) work(*compiler, (*jobs)[at], out);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return finish(indexPath, out);
  }

 private:
  /// Compiles, writes the image, and says so in the index.
  void work(const Compiler& compiler, const ListedJob& job, Output& out) {
    const auto begin = std::chrono::steady_clock::now();
    CompileRequest request = options_.request();
    request.durable = true;
    Json line = {{"name", job.name}};
    std::vector<Diagnostic> warnings;
    bool isNew = false;
    const auto written = [&]() -> Result<void> {
      if (job.unreadable) return *job.unreadable;
      std::vector<Image> images;
      for (auto& result : compiler.compileTogether(job.jobs, request)) {
        if (!result) return std::move(result).error();
        const Job& one = job.jobs[images.size()];
        line["results"].push_back({{"job", describe(one)},
                                   {"hash", lathe::hashOf(one).hex()},
                                   {"image", lathe::hashOf(result->image)},
                                   {"origin", cacheOriginName(result->origin)}});
        isNew |= result->origin == CacheOrigin::compiled;
        warnings.insert(warnings.end(), result->warnings.begin(), result->warnings.end());
        images.push_back(std::move(result->image));
      }
      const auto path = std::filesystem::path(folder_) / job.output;
      std::error_code failed;
      std::filesystem::create_directories(path.parent_path(), failed);
      line["output"] = job.output;
      if (images.size() == 1) return images.front().save(path);
      const auto fat = FatImage::build(images);
      return fat ? fat->save(path) : fat.error();
    }();
    const std::lock_guard lock(mutex_);
    // What Ctrl-C did to a worker is no result.
    if (stopped && !written && errorFamily(written.error().code) != ErrorFamily::caller) return;
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    line["milliseconds"] = time.count();
    for (const Diagnostic& warning : warnings) {
      line["warnings"].push_back(tool::toJson(warning));
      out.warning(warning);
    }
    if (!written) line["error"] = tool::toJson(written.error());
    std::fprintf(index_.get(), "%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    std::fflush(index_.get());
    ++done_;
    compiled_ += written && isNew ? 1 : 0;
    progress_.show(done_, total_, job.name);
    if (written) return;
    ++failed_;
    worst_ = std::max(worst_, exitCodeOf(written.error()));
    if (!out.json()) out.note(fmt::format("{}{}: {}", progress_.cleared(), job.name, out.failureText(written.error())));
  }

  ExitCode finish(const std::filesystem::path& indexPath, Output& out) {
    progress_.clear();
    const bool isWritten = std::ferror(index_.get()) == 0 && std::fclose(index_.release()) == 0;
    if (!isWritten)
      return out.fail({ErrorCode::FileUnwritable, indexPath.string() + ": it could not be written whole"});
    const std::size_t served = done_ - failed_ - compiled_;
    if (out.json()) {
      out.document({{"jobs", total_},
                    {"compiled", compiled_},
                    {"served", served},
                    {"failed", failed_},
                    {"left", total_ - done_},
                    {"index", indexPath.string()}});
    } else if (!quiet_) {
      out.text(fmt::format("{} of {} jobs: {} compiled, {} from the cache, {} failed; {}\n", done_, total_, compiled_,
                           served, failed_, indexPath.string()));
      if (done_ < total_) out.note("stopped; the same command goes on with what is left\n");
    }
    return done_ < total_ ? std::max(worst_, ExitCode::failed) : worst_;
  }

  JobOptions options_;
  std::string path_;
  unsigned threads_ = 0;
  std::string folder_ = ".";
  bool quiet_ = false;
  ProgressLine progress_;

  std::mutex mutex_;  ///< of what follows, and of `out`
  Index index_;
  std::size_t total_ = 0, done_ = 0, compiled_ = 0, failed_ = 0;
  ExitCode worst_ = ExitCode::ok;
};

}  // namespace

std::unique_ptr<Command> makeBatchCommand() {
  return std::make_unique<BatchCommand>();
}

}  // namespace lathe::tool
