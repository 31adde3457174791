// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles, and the cache's folder. A process has one lathe::Compiler for each configuration that it asked for, the
// environment's variables included, so that os.environ means what it says.
#include <pthread.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <lathe/cache.h>
#include <lathe/compiler.h>
#include <lathe/log.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "binding.h"

namespace lathe::python {
namespace {

/// The compilers of this process. Thread-safe.
class Compilers {
 public:
  std::shared_ptr<const Compiler> get(const std::string& key, const CompilerConfig& config) {
    const std::lock_guard lock(mutex_);
    auto& known = known_[key];
    if (!known) known = std::make_shared<const Compiler>(need(Compiler::create(config)));
    return known;
  }
  /// Forgets them. Those that are in use go with their last compile; the others before this returns.
  void clear() {
    std::map<std::string, std::shared_ptr<const Compiler>> gone;
    const std::lock_guard lock(mutex_);
    gone.swap(known_);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Compiler>> known_;
};

/// Of this process: a fork begins with none, because the threads of those that it copied, and what they hold, are its
/// parent's.
Compilers* current = nullptr;

void renew() {
  current = new Compilers;
}

struct Settings {
  CompilerConfig config;
  std::string key;

  /// `cache` is what lathe.CacheConfig._fields() gives.
  Settings(const nb::dict& cache, bool inWorker) {
    CacheConfig& out = config.cache;
    out.enabled = nb::cast<bool>(cache["enabled"]);
    out.folder = nb::cast<std::string>(cache["folder"]);
    for (const auto& folder : nb::cast<std::vector<std::string>>(cache["read_only_folders"]))
      out.readOnlyFolders.emplace_back(folder);
    out.remotes = nb::cast<std::vector<std::string>>(cache["remotes"]);
    out.readOnly = nb::cast<bool>(cache["read_only"]);
    out.disk = nb::cast<bool>(cache["disk"]);
    out.diskBytes = nb::cast<std::uint64_t>(cache["disk_bytes"]);
    out.memoryBytes = nb::cast<std::uint64_t>(cache["memory_bytes"]);
    config.isolation = inWorker ? Isolation::worker : Isolation::inProcess;
    key = nb::cast<std::string>(nb::repr(cache)) + (inWorker ? "worker" : "");
    constexpr std::array variables = {"LATHE_CACHE",        "LATHE_CACHE_DIR", "LATHE_CACHE_READ_DIRS",
                                      "LATHE_CACHE_REMOTE", "XDG_CACHE_HOME",  "HOME",
                                      "LATHE_TARGET_PATH"};
    for (const char* name : variables) {
      const char* const value = std::getenv(name);
      key += std::string("\n") + name + (value ? std::string("=") + value : "");
    }
  }
};

/// What Python raised while a compile ran, which ends it. Thread-safe.
class Interruption {
 public:
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
  /// Calls `function` with the interpreter's lock, which the thread does not hold.
  template <class Function>
  void guard(const Function& function) {
    const nb::gil_scoped_acquire acquired;
    if (raised_) return;
    try {
      function();
    } catch (const nb::python_error& error) {
      raised_.emplace(error);
      stop_.request_stop();
    }
  }
  void end() { stop_.request_stop(); }
  void rethrow() const {
    if (raised_) throw nb::python_error(*raised_);
  }

 private:
  std::stop_source stop_;
  std::optional<nb::python_error> raised_;
};

bool isMainThread() {
  const nb::object threading = nb::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

/// Of each job the image's handle, where the result came from, its warnings as dicts, and the files that it depends on.
/// The first that fails is thrown. On the main thread, the only one that signals come to, they are looked for
/// meanwhile; on each, whether `stopped`, a function or None, says that the compile is to end.
nb::list compile(const nb::list& jobs, const nb::dict& cache, bool inWorker, bool durable, double seconds,
                 const nb::object& progress, const nb::object& stopped) {
  const Settings settings(cache, inWorker);
  std::vector<Job> values;
  for (const nb::handle job : jobs) values.push_back(need(jobFromBytes(view(nb::cast<nb::bytes>(job)))));
  CompileRequest request;
  request.timeLimit = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  request.durable = durable;
  Interruption interruption;
  request.stop = interruption.token();
  if (!progress.is_none()) {
    request.progress = [&](const CompileProgress& now) {
      interruption.guard([&] { progress(now.step, now.done, now.steps); });
    };
  }
  const bool looks = isMainThread() || !stopped.is_none();
  auto results = [&] {
    const nb::gil_scoped_release released;
    const auto run = [&] { return current->get(settings.key, settings.config)->compileTogether(values, request); };
    if (!looks) return run();
    auto compiled = std::async(std::launch::async, run);
    constexpr std::chrono::milliseconds pause{20};
    while (compiled.wait_for(pause) != std::future_status::ready) {
      interruption.guard([&] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!stopped.is_none() && nb::cast<bool>(stopped())) interruption.end();
      });
    }
    return compiled.get();
  }();
  interruption.rethrow();
  nb::list out;
  for (auto& result : results) {
    if (!result) throw Failure{std::move(result).error(), true};
    nb::list warnings;
    for (const Diagnostic& warning : result->warnings) warnings.append(toDict(warning));
    out.append(nb::make_tuple(result->image, cacheOriginName(result->origin), warnings, result->files));
  }
  return out;
}

void logTo(nb::object sink, const std::string& level) {
  const auto most = logLevelNamed(level);
  if (!most) throw nb::value_error("level is 'warning', 'info' or 'debug'");
  LogSink taken;
  if (!sink.is_none()) {
    // The object is used, and given back, with the interpreter's lock alone.
    const std::shared_ptr<nb::object> held(new nb::object(std::move(sink)), [](nb::object* gone) {
      const nb::gil_scoped_acquire acquired;
      delete gone;
    });
    taken = [held](const LogRecord& record) {
      const nb::gil_scoped_acquire acquired;
      try {
        (*held)(logLevelName(record.level), record.component, record.message);
      } catch (nb::python_error& error) {
        error.discard_as_unraisable("lathe.set_log");
      }
    };
  }
  const nb::gil_scoped_release released;
  setLog(std::move(taken), *most);
}

Cache openCache(const nb::dict& cache) {
  return need(Cache::open(Settings(cache, false).config.cache));
}

nb::dict statistics(const nb::dict& config) {
  const CacheStats stats = openCache(config).stats();
  nb::dict out;
  out["folder"] = stats.folder;
  out["entries"] = stats.entries;
  out["bytes"] = stats.bytes;
  out["disk_bytes"] = stats.diskBytes;
  out["memory_hits"] = stats.memoryHits;
  out["disk_hits"] = stats.diskHits;
  out["misses"] = stats.misses;
  out["stores"] = stats.stores;
  out["damaged"] = stats.damaged;
  out["evicted"] = stats.evicted;
  out["remote_hits"] = stats.remoteHits;
  out["remote_failures"] = stats.remoteFailures;
  out["uploads"] = stats.uploads;
  return out;
}

nb::list targets(const nb::dict& cache) {
  const Settings settings(cache, false);
  nb::list out;
  const auto found = [&] {
    const nb::gil_scoped_release released;
    return current->get(settings.key, settings.config)->targets();
  }();
  for (const TargetInfo& target : found) {
    nb::dict one;
    one["name"] = target.name;
    one["description"] = target.description;
    one["runtime"] = target.runtime;
    one["default_arch"] = target.defaultArch;
    one["architectures"] = target.architectures;
    one["formats"] = target.formats;
    one["unavailable"] = target.unavailable;
    out.append(one);
  }
  return out;
}

}  // namespace

void bindCompile(nb::module_& module) {
  renew();
  ::pthread_atfork(nullptr, nullptr, renew);
  module.attr("version") = version();
  module.attr("compiler_version") = compilerVersion();
  module.def("compile", compile, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
             nb::arg().none());
  module.def("set_log", logTo, nb::arg().none(), nb::arg());
  module.def("targets", targets);
  module.def("close", [] {
    const nb::gil_scoped_release released;
    current->clear();
  });
  module.def("cache_stats", statistics);
  module.def("cache_verify", [](const nb::dict& cache) { return openCache(cache).verify(); });
  module.def("cache_prune", [](const nb::dict& cache, std::uint64_t bytes) { return openCache(cache).prune(bytes); });
  module.def("cache_clear", [](const nb::dict& cache) { return openCache(cache).clear(); });
}

}  // namespace lathe::python
