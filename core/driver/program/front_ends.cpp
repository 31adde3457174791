// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source is compiled as if it were alone, by a job that has it as its only source. Which of them has the kernels
// that the job names is known when all are compiled: a source that must make an instance of a template for it is
// compiled again.
#include "core/driver/program/front_ends.h"

#include <iterator>
#include <optional>

#include <fmt/ranges.h>

#include "llvm/IR/Module.h"

#include "core/driver/program/link_modules.h"
#include "core/frontend/dialect.h"
#include "core/frontend/entry_layout.h"
#include "core/frontend/files/file_looks.h"
#include "core/frontend/ir_reader.h"
#include "core/support/diagnostics.h"
#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

/// "fill" of "ns::fill<float>": the name that a kernel has where it is declared.
std::string_view lastName(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

std::vector<Diagnostic> diagnosticsOf(Error error) {
  if (error.diagnostics.empty()) {
    return {{.code = error.code,
             .message = std::move(error.message),
             .location = std::move(error.location),
             .notes = std::move(error.notes),
             .hint = std::move(error.hint)}};
  }
  return std::move(error.diagnostics);
}

class Program {
 public:
  Program(const FrontendRequest& request, std::span<const SourceReader> readers, llvm::LLVMContext& context)
      : request_(request), readers_(readers), context_(context), entries_(request.job.entries.size()) {}

  Result<FrontendResult> run() {
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      auto result = read(i, {});
      if (!result) {
        failures_.push_back(std::move(result).error());
        continue;
      }
      results_.push_back(*std::move(result));
    }
    if (!failures_.empty()) return failure();
    if (request_.scanOnly) return FrontendResult{};
    if (auto found = findEntries(); !found) return std::move(found).error();
    return linked();
  }

 private:
  const Source& source(std::size_t i) const { return sourceOf(request_.job, i); }

  /// A source's name; of an image, that of the source that it is of: linked code does not depend on files' names.
  std::string nameOf(std::size_t i) const {
    const std::string& own = results_[i].module->getSourceFileName();
    return looksLikeIr(source(i).text) && !own.empty() ? own : source(i).name;
  }

  /// The front end's result for one source, and the kernels of it that `entries` name.
  Result<FrontendResult> read(std::size_t i, const std::vector<std::string>& entries) {
    Job own = request_.job;
    own.source = source(i);
    own.furtherSources.clear();
    own.entries = entries;
    // What is kept for other jobs is kept with the files of this source alone.
    FileLooks looks;
    std::optional<FileLog> log;
    if (request_.files.log && request_.reuse) log.emplace(looks, request_.files.log->map());
    FileAccess files = request_.files;
    if (log) files.log = &*log;
    if (files.record) files.recorded = files.record->size();
    const FrontendRequest alone{own,
                                request_.descriptor,
                                request_.headers,
                                request_.invocations,
                                files,
                                request_.scanOnly,
                                request_.errorRecovery,
                                request_.reuse,
                                readers_[i].toolkit,
                                request_.stop,
                                request_.epoch,
                                request_.preludes};
    auto out = readers_[i].dialect ? compileWithClang(alone, *readers_[i].dialect, context_) : readIr(alone, context_);
    if (log) request_.files.log->add(looks);
    return out;
  }

  /// One error for those of all sources.
  Error failure() {
    if (failures_.size() == 1) return std::move(failures_.front());
    std::vector<Diagnostic> all;
    for (Error& error : failures_) std::ranges::move(diagnosticsOf(std::move(error)), std::back_inserter(all));
    return combined(std::move(all), "frontend");
  }

  /// The one function of a source that is called `wanted`, or that without the source's name before it; none that
  /// linking gives another name.
  std::optional<NamedEntry> entryCalled(std::size_t i, const std::string& wanted) const {
    const std::string own = prefixOf(nameOf(i)) + "::";
    auto out = plainlyCalled(i, wanted);
    if (out || !wanted.starts_with(own)) return out;
    if ((out = plainlyCalled(i, wanted.substr(own.size())))) out->name = wanted;
    return out;
  }

  std::optional<NamedEntry> plainlyCalled(std::size_t i, const std::string& wanted) const {
    const FrontendResult& result = results_[i];
    for (const NamedEntry& entry : result.entries) {
      if (entry.name == wanted && !newPrefix(i, entry.symbol)) return entry;
    }
    std::optional<NamedEntry> out;
    for (const llvm::Function& function : *result.module) {
      if (function.isDeclaration() || !function.hasMetadata(entryMetadata) || entryOf(function).name != wanted ||
          newPrefix(i, function.getName()))
        continue;
      if (out) return std::nullopt;  // overloaded: Clang says so
      out = NamedEntry{wanted, function.getName().str()};
    }
    return out;
  }

  /// The prefix that linking gives the name of a kernel; null: none.
  const std::string* newPrefix(std::size_t i, llvm::StringRef symbol) const {
    const auto found = llvm::find_if(
        prefixed_, [&](const PrefixedKernel& kernel) { return kernel.source == i && kernel.symbol == symbol; });
    return found == prefixed_.end() ? nullptr : &found->prefix;
  }

  /// The kernel that has the name `wanted` when all are linked, of those that get another one then.
  const PrefixedKernel* prefixedCalled(const std::string& wanted) const {
    const auto found = llvm::find_if(prefixed_, [&](const PrefixedKernel& kernel) {
      if (!wanted.starts_with(kernel.prefix + "::")) return false;
      const FrontendResult& result = results_[kernel.source];
      const auto image = std::ranges::find(result.entries, kernel.symbol, &NamedEntry::symbol);
      const std::string name =
          image != result.entries.end() ? image->name : entryOf(*result.module->getFunction(kernel.symbol)).name;
      return wanted == kernel.prefix + "::" + name;
    });
    return found == prefixed_.end() ? nullptr : &*found;
  }

  Result<void> findEntries() {
    const std::vector<std::string>& wanted = request_.job.entries;
    if (wanted.empty()) return {};
    std::vector<std::pair<std::string, llvm::Module*>> modules;
    for (std::size_t i = 0; i < results_.size(); ++i) modules.emplace_back(nameOf(i), results_[i].module.get());
    prefixed_ = prefixedKernels(modules);
    std::vector<std::vector<std::size_t>> instances(results_.size());  // of templates, by source
    for (std::size_t w = 0; w < wanted.size(); ++w) {
      if (const PrefixedKernel* const found = prefixedCalled(wanted[w])) {
        entries_[w] = {wanted[w], found->symbol};
        owners_.push_back({w, found->source});
        continue;
      }
      std::optional<std::size_t> template_;
      bool isExact = false;  ///< the template is called so with its namespaces
      for (std::size_t i = 0; i < results_.size() && entries_[w].symbol.empty(); ++i) {
        if (auto found = entryCalled(i, wanted[w])) {
          entries_[w] = *std::move(found);
          owners_.push_back({w, i});
        } else if (const bool exact = hasTemplate(results_[i], wanted[w], true);
                   (exact && !isExact) || (!template_ && hasTemplate(results_[i], wanted[w], false))) {
          template_ = i;
          isExact = exact;
        }
      }
      if (!entries_[w].symbol.empty()) continue;
      if (!template_) return unknown(wanted[w]);
      instances[*template_].push_back(w);
    }
    for (std::size_t i = 0; i < instances.size(); ++i) {
      if (instances[i].empty()) continue;
      std::vector<std::string> names;
      for (const std::size_t w : instances[i]) names.push_back(wanted[w]);
      auto again = read(i, names);
      if (!again) return std::move(again).error();
      if (again->entries.size() != names.size()) return unknown(names.front());  // of a source with errors
      results_[i] = *std::move(again);
      for (std::size_t n = 0; n < names.size(); ++n) {
        entries_[instances[i][n]] = results_[i].entries[n];
        owners_.push_back({instances[i][n], i});
      }
    }
    return {};
  }

  /// Whether the source has a kernel that is called as `wanted` is without its arguments: with all its namespaces, or
  /// by its last name.
  static bool hasTemplate(const FrontendResult& result, const std::string& wanted, bool exactly) {
    return std::ranges::any_of(result.kernelNames, [&](const std::string& name) {
      return exactly ? name == wanted.substr(0, wanted.find('<')) : lastName(name) == lastName(wanted);
    });
  }

  Error unknown(const std::string& wanted) const {
    std::vector<std::string> known;
    for (const FrontendResult& result : results_) {
      known.insert(known.end(), result.kernelNames.begin(), result.kernelNames.end());
      for (const llvm::Function& function : *result.module) {
        const bool described = !function.isDeclaration() && function.hasMetadata(entryMetadata);
        if (described && result.kernelNames.empty()) known.push_back(entryOf(function).name);
      }
    }
    std::string sources;
    for (std::size_t i = 0; i < readers_.size(); ++i)
      sources += (i == 0 ? "" : i + 1 == readers_.size() ? " and " : ", ") + source(i).name;
    return {.code = ErrorCode::UnknownKernel,
            .message = "none of " + sources + " has a kernel '" + wanted + "'" + didYouMean(wanted, known),
            .hint = known.empty() ? "" : "kernels: " + fmt::format("{}", fmt::join(known, ", ")),
            .stage = "frontend"};
  }

  Result<FrontendResult> linked() {
    FrontendResult out;
    std::vector<SourceModule> modules;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      FrontendResult& result = results_[i];
      const std::string name = nameOf(i);
      modules.push_back(
          {.source = name, .module = std::move(result.module), .entries = {}, .isAsked = !entries_.empty()});
      const auto add = [](auto& to, auto& from) { std::ranges::move(from, std::back_inserter(to)); };
      add(out.warnings, result.warnings);
      add(out.kernelNames, result.kernelNames);
      add(out.erroneousFunctions, result.erroneousFunctions);
      add(out.diagnostics, result.diagnostics);
      // An image's kernels keep the names that they were asked for by, where no other kernel has them.
      if (entries_.empty()) modules.back().entries = std::move(result.entries);
    }
    for (const auto& [entry, owner] : owners_) modules[owner].entries.push_back(entries_[entry]);
    if (auto done = linkModules(modules); !done) return std::move(done).error();
    if (entries_.empty()) {
      out.namesAll = false;
      for (SourceModule& module : modules) {
        std::ranges::move(module.entries, std::back_inserter(out.entries));
        std::ranges::move(module.newNames, std::back_inserter(out.entries));
      }
    } else {
      out.entries = inOrder(modules);
    }
    out.module = std::move(modules.front().module);
    return out;
  }

  /// The entries with their symbols in the linked module, as the job lists them.
  std::vector<NamedEntry> inOrder(const std::vector<SourceModule>& modules) const {
    std::vector<NamedEntry> out = entries_;
    std::vector<std::size_t> next(modules.size());
    for (const auto& [entry, owner] : owners_) out[entry] = modules[owner].entries[next[owner]++];
    return out;
  }

  struct Owner {
    std::size_t entry, source;
  };

  const FrontendRequest& request_;
  std::span<const SourceReader> readers_;
  llvm::LLVMContext& context_;
  std::vector<FrontendResult> results_;
  std::vector<Error> failures_;
  std::vector<NamedEntry> entries_;  ///< those that the job names
  std::vector<Owner> owners_;
  std::vector<PrefixedKernel> prefixed_;
};

}  // namespace

Result<FrontendResult> compileSources(const FrontendRequest& request, std::span<const SourceReader> readers,
                                      llvm::LLVMContext& context) {
  if (readers.size() > 1) return Program(request, readers, context).run();
  FrontendRequest alone = request;
  alone.toolkit = readers.front().toolkit;
  return readers.front().dialect ? compileWithClang(alone, *readers.front().dialect, context) : readIr(alone, context);
}

NamedKernels::NamedKernels(const Job& job) : job_(job) {
  if (!llvm::is_contained(job.entries, everyKernel)) return;
  named_ = job;
  std::erase(named_->entries, everyKernel);
}

Result<FrontendResult> NamedKernels::amongAll(Result<FrontendResult> found) const {
  if (found && named_) found->namesAll = false;
  return found;
}

}  // namespace lathe::detail
