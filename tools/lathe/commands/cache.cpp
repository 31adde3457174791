// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe cache stats|list|verify|prune|clear|why-miss|warm|export|import`: the folder that compiles are kept in.
#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <lathe/cache.h>

#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/table.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

constexpr std::string_view examples = R"(Examples:
  lathe cache stats
  lathe cache why-miss blur.cpp -t cuda:sm_90 -I include     what changed since it was compiled
  lathe cache prune --to 500MB
  lathe cache warm blur.cpp -t cuda:sm_90 -t cpu             compile now, so that others need not
  lathe cache export team.cache                              for 'lathe cache import' on another machine)";

/// A count in Prometheus' text format.
struct Metric {
  const char* name;
  const char* type;
  const char* help;
  std::uint64_t value;
};

std::vector<Metric> metricsOf(const CacheStats& stats) {
  return {{"lathe_cache_entries", "gauge", "results in the folder", stats.entries},
          {"lathe_cache_bytes", "gauge", "size of the folder's files", stats.bytes},
          {"lathe_cache_memory_hits_total", "counter", "results taken from a process's memory", stats.memoryHits},
          {"lathe_cache_disk_hits_total", "counter", "results taken from the folder", stats.diskHits},
          {"lathe_cache_misses_total", "counter", "compiles", stats.misses},
          {"lathe_cache_stores_total", "counter", "results put into the folder", stats.stores},
          {"lathe_cache_damaged_total", "counter", "damaged files removed", stats.damaged},
          {"lathe_cache_evicted_total", "counter", "files removed to make room", stats.evicted},
          {"lathe_cache_remote_hits_total", "counter", "results taken from a network", stats.remoteHits},
          {"lathe_cache_remote_failures_total", "counter", "requests that failed", stats.remoteFailures},
          {"lathe_cache_uploads_total", "counter", "results that a server took", stats.uploads}};
}

class CacheCommand final : public Command {
 public:
  std::string_view name() const override { return "cache"; }
  std::string_view summary() const override { return "look into the cache of compiles, and keep it in order"; }

  void configure(CLI::App& app) override {
    app.require_subcommand(1);
    stats_ = app.add_subcommand("stats", "show what is in the folder and how often it served");
    stats_->add_flag("--prometheus", prometheus_, "in Prometheus' text format");
    list_ = app.add_subcommand("list", "list the jobs whose results are there, what was used last first");
    verify_ = app.add_subcommand("verify", "read everything and remove what is damaged");
    prune_ = app.add_subcommand("prune", "remove what was not used longest, and what killed processes left");
    prune_->add_option("--to", to_, "keep at most so much (default: the limit of 2 GiB)")
        ->type_name("SIZE")
        ->transform(sizeTransform());
    clear_ = app.add_subcommand("clear", "remove everything");
    whyMiss_ = app.add_subcommand("why-miss", "say why a compile would not be served from the folder");
    options_.configure(*whyMiss_, /*manyTargets=*/true);
    whyMiss_->add_option("-e,--emit", emit_, "format, as `compile` is given it (default: image)")->type_name("FORMAT");
    warm_ = app.add_subcommand("warm", "compile a source for one or more targets and keep the results, nothing else");
    warmOptions_.configure(*warm_, /*manyTargets=*/true);
    export_ = app.add_subcommand("export", "write everything to one file");
    import_ =
        app.add_subcommand("import", "add what 'export' wrote; whoever wrote the file decides what compiles give");
    for (CLI::App* sub : {export_, import_})
      sub->add_option("file", file_, "the file for another folder or machine")->type_name("FILE")->required();
    for (CLI::App* sub : {stats_, list_, verify_, prune_, clear_, export_, import_}) {
      sub->add_option("--folder", config_.folder, "a folder other than the one that compiles use")->type_name("DIR");
    }
    for (CLI::App* sub : {stats_, list_, verify_, prune_, clear_, whyMiss_, warm_, export_, import_})
      sub->fallthrough();
    app.footer(std::string(examples));
  }

  ExitCode run(Output& out) override {
    if (*whyMiss_) return explainMiss(out);
    if (*warm_) return warm(out);
    config_.readOnly = *stats_ || *list_ || *export_;
    auto cache = Cache::open(config_);
    if (!cache) return out.fail(cache.error());
    if (*stats_) return showStats(cache->stats(), out);
    if (*list_) return showEntries(cache->entries(), out);
    if (cache->readOnly() && !config_.readOnly) {
      return out.fail({.code = ErrorCode::InvalidArgument,
                       .message = fmt::format("{}: this cache folder is only read", cacheFolder(config_).string()),
                       .hint = "LATHE_CACHE=readonly says so, or the rights of the folder"});
    }
    if (*verify_) return removed(cache->verify(), "damaged", out);
    if (*prune_) return removed(cache->prune(to_), "not used for longest", out);
    if (*export_) return moved(cache->exportTo(file_), "written", out);
    if (*import_) return moved(cache->importFrom(file_), "new", out);
    return removed(cache->clear(), "", out);
  }

 private:
  static ExitCode moved(const Result<std::uint64_t>& count, std::string_view what, Output& out) {
    if (!count) return out.fail(count.error());
    if (out.json())
      out.document({{"entries", *count}});
    else
      out.text(fmt::format("{} entr{} {}\n", *count, *count == 1 ? "y" : "ies", what));
    return ExitCode::ok;
  }

  static Error notKept(const Job& job, const std::vector<std::string>& reasons) {
    Error error{.code = ErrorCode::FileUnwritable,
                .message = describe(job) + ": compiled, but its result is not in the cache"};
    for (const std::string& reason : reasons) error.notes.push_back({.message = reason});
    return error;
  }

  ExitCode warm(Output& out) {
    auto jobs = warmOptions_.jobs();
    if (!jobs) return out.fail(jobs.error());
    auto compiler = warmOptions_.compiler();
    if (!compiler) return out.fail(compiler.error());
    CompileRequest request = warmOptions_.request();
    request.durable = true;  // what follows asks whether it is kept
    const auto results = compiler->compileTogether(*jobs, request);
    Json list = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto& result = results[i];
      if (!result) return out.fail(result.error());
      const bool isNew = result->origin == CacheOrigin::compiled;
      Result<std::vector<std::string>> missing = std::vector<std::string>{};
      if (isNew) missing = compiler->whyMiss((*jobs)[i]);
      if (!missing) return out.fail(missing.error());
      if (!missing->empty()) return out.fail(notKept((*jobs)[i], *missing));
      list.push_back({{"job", describe((*jobs)[i])}, {"compiled", isNew}});
      if (!out.json()) out.text(fmt::format("{}: {}\n", describe((*jobs)[i]), isNew ? "compiled" : "was there"));
    }
    if (out.json()) out.document({{"jobs", std::move(list)}});
    return ExitCode::ok;
  }

  ExitCode showStats(const CacheStats& stats, Output& out) const {
    const auto metrics = metricsOf(stats);
    if (prometheus_) {
      for (const Metric& metric : metrics) {
        out.text(fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", metric.name, metric.help, metric.type,
                             metric.value));
      }
      return ExitCode::ok;
    }
    if (out.json()) {
      Json document = {{"folder", stats.folder}, {"limit", stats.diskBytes}};
      for (const Metric& metric : metrics) {
        std::string key(metric.name + std::string_view("lathe_cache_").size());
        if (key.ends_with("_total")) key.resize(key.size() - std::string_view("_total").size());
        document[key] = metric.value;
      }
      document["remotes"] = Json::array();
      for (const CacheRemote& remote : stats.remotes) {
        document["remotes"].push_back(
            {{"address", remote.address}, {"read_only", remote.readOnly}, {"problem", remote.problem}});
      }
      out.document(document);
      return ExitCode::ok;
    }
    const std::uint64_t hits = stats.memoryHits + stats.diskHits + stats.remoteHits, asked = hits + stats.misses;
    out.text(fmt::format("{}: {} result{}, {} of {}\n", stats.folder, stats.entries, stats.entries == 1 ? "" : "s",
                         humanBytes(static_cast<double>(stats.bytes)),
                         humanBytes(static_cast<double>(stats.diskBytes))));
    out.text(fmt::format("{} of {} compiles were served ({} from disk, {} from memory{})\n", hits, asked,
                         stats.diskHits, stats.memoryHits,
                         stats.remoteHits ? fmt::format(", {} from a network", stats.remoteHits) : ""));
    if (stats.uploads || stats.remoteFailures)
      out.text(fmt::format("{} uploaded, {} requests failed\n", stats.uploads, stats.remoteFailures));
    for (const CacheRemote& remote : stats.remotes) {
      out.text(fmt::format("{}: {}{}\n", remote.address, remote.readOnly ? "only read" : "read and written",
                           remote.problem.empty() ? "" : ", not asked for a minute: " + remote.problem));
    }
    if (stats.damaged || stats.evicted)
      out.text(fmt::format("{} damaged files and {} to make room were removed\n", stats.damaged, stats.evicted));
    return ExitCode::ok;
  }

  static ExitCode showEntries(const std::vector<CacheEntry>& entries, Output& out) {
    const auto time = [](std::int64_t seconds) {
      return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(seconds)));
    };
    if (out.json()) {
      Json list = Json::array();
      for (const CacheEntry& entry : entries) {
        list.push_back({{"key", entry.key},
                        {"description", entry.description},
                        {"variants", entry.variants},
                        {"bytes", entry.bytes},
                        {"lastUse", entry.lastUse}});
      }
      out.document({{"entries", std::move(list)}});
      return ExitCode::ok;
    }
    Table table({{"key"}, {"last use (UTC)"}, {"size", Table::Align::right}, {"job"}});
    constexpr std::size_t shownDigits = 12;
    for (const CacheEntry& entry : entries) {
      table.add({entry.key.substr(0, shownDigits), time(entry.lastUse), humanBytes(static_cast<double>(entry.bytes)),
                 entry.description});
    }
    out.text(table.render(out));
    return ExitCode::ok;
  }

  static ExitCode removed(std::uint64_t count, std::string_view why, Output& out) {
    if (out.json()) {
      out.document({{"removed", count}});
    } else {
      out.text(fmt::format("{} {}file{} removed\n", count, why.empty() ? "" : std::string(why) + " ",
                           count == 1 ? "" : "s"));
    }
    return ExitCode::ok;
  }

  ExitCode explainMiss(Output& out) {
    auto jobs = options_.jobs();
    if (!jobs) return out.fail(jobs.error());
    auto compiler = options_.compiler();
    if (!compiler) return out.fail(compiler.error());
    Json list = Json::array();
    for (Job& job : *jobs) {
      if (!emit_.empty() && job.emit != Job().emit)
        return out.usage(JobOptions::formatsTwice, "lathe cache why-miss --help");
      if (!emit_.empty()) job.emit = emit_;
      const auto reasons = compiler->whyMiss(job);
      if (!reasons) return out.fail(reasons.error());
      list.push_back({{"job", describe(job)}, {"hit", reasons->empty()}, {"reasons", *reasons}});
      if (out.json()) continue;
      // Of several, each by its name.
      if (reasons->empty() || jobs->size() > 1)
        out.text(describe(job) + (reasons->empty() ? ": would be served\n" : ":\n"));
      for (const std::string& reason : *reasons) out.text((jobs->size() > 1 ? "  " : "") + reason + "\n");
    }
    if (out.json()) out.document(jobs->size() == 1 ? list.front() : Json{{"jobs", std::move(list)}});
    return ExitCode::ok;
  }

  CacheConfig config_;
  JobOptions options_;
  JobOptions warmOptions_;
  std::string file_;
  std::string emit_;
  std::uint64_t to_ = CacheConfig{}.diskBytes;
  bool prometheus_ = false;
  CLI::App *stats_ = nullptr, *list_ = nullptr, *verify_ = nullptr, *prune_ = nullptr, *clear_ = nullptr,
           *whyMiss_ = nullptr, *warm_ = nullptr, *export_ = nullptr, *import_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> makeCacheCommand() {
  return std::make_unique<CacheCommand>();
}

}  // namespace lathe::tool
