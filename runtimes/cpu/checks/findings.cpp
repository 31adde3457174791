// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report does not depend on which thread found what first: of each pair of lines it tells the first group and item.
#include "runtimes/cpu/checks/findings.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/support/diagnostics.h"

namespace lathe::detail {
namespace {

/// Lines told of in one report.
constexpr std::size_t mostLines = 16;

constexpr const char* waitHint =
    "the launch was ended; groups of a plain launch run one after another on each thread: launch it cooperative, so "
    "that all run at once (LaunchOptions::cooperative, lathe run --cooperative); items of one group run one after "
    "another up to the next barrier or lathe::yield()";

std::string_view fileOf(const abi::CheckedSite* site) {
  return site && site->file ? site->file : "";
}

SourceLocation locationOf(const abi::CheckedSite& site) {
  if (!site.file) return {};
  return {site.file, site.line, site.column};
}

std::string text(const Finding::Position& at) {
  return fmt::format("{},{},{}", at[0], at[1], at[2]);
}

/// Order of the group, then of the item: z slowest.
auto placeOf(const Finding& finding) {
  const auto& [gx, gy, gz] = finding.group;
  const auto& [x, y, z] = finding.item;
  return std::tuple(gz, gy, gx, z, y, x);
}

std::string_view verb(const abi::CheckedSite& site) {
  if ((site.does & abi::access::atomic) != 0) return "atomic access";
  return (site.does & abi::access::write) != 0 ? "write" : "read";
}

std::string memoryOf(const Finding& finding) {
  const abi::CheckedObject* const object = finding.site->object;
  const bool named = object && *object->name != '\0';
  const std::string name = named ? fmt::format("'{}'", object->name) : "a buffer";
  if (finding.null) return named ? name + ", which is null" : "null";
  return fmt::format("{}{} {} bytes", name, named ? ", which has" : " of", finding.memoryBytes);
}

std::string whereOf(const Finding& finding) {
  std::string out = fmt::format("group {}", text(finding.group));
  if (finding.itemKnown) out += fmt::format(", item {}", text(finding.item));
  return out;
}

std::string waitOf(const Finding& finding) {
  const abi::CheckedObject* const object = finding.site->object;
  const bool named = object && *object->name != '\0';
  return fmt::format(
      "loop that waits for another item to write {} does not end: for {:g} s nothing else of the launch "
      "has gone on; {}",
      named ? fmt::format("'{}'", object->name) : "what it reads",
      std::chrono::duration<double>(finding.waited).count(), whereOf(finding));
}

std::string messageOf(const Finding& finding) {
  const std::string_view does = verb(*finding.site);
  const auto access = [&](std::string_view kind) {
    return fmt::format("{}{} of {} bytes at byte {} of {}; {}", kind, does, finding.bytes, finding.offset,
                       memoryOf(finding), whereOf(finding));
  };
  switch (finding.kind) {
    case Finding::Kind::outOfBounds:
      return access("out-of-bounds ");
    case Finding::Kind::uninitialised:
      return access("uninitialised shared memory: ");
    case Finding::Kind::race:
      return access(finding.shared ? "race in shared memory: " : "race in global memory: ");
    case Finding::Kind::wait:
      return waitOf(finding);
    case Finding::Kind::barrier:
      break;
  }
  if (finding.other)
    return fmt::format("barrier that not all items reach: {} waits here, item {} of the group at another one",
                       whereOf(finding), text(finding.otherItem));
  return fmt::format("barrier that not all items reach: {} of {} items of group {} do, item {} does not",
                     finding.arrived, finding.expected, text(finding.group), text(finding.otherItem));
}

std::vector<Note> notesOf(const Finding& finding) {
  if (!finding.other) return {};
  const std::string item = text(finding.otherItem);
  std::string message =
      finding.kind == Finding::Kind::race
          ? fmt::format("the other is a {} by item {}; nothing orders the two", verb(*finding.other), item)
          : fmt::format("where item {} waits", item);
  return {{.message = std::move(message), .location = locationOf(*finding.other)}};
}

}  // namespace

bool Findings::add(const Finding& finding) {
  const abi::CheckedSite *one = finding.site, *two = finding.other;
  const auto place = [](const abi::CheckedSite* site) {
    return site ? std::tuple(fileOf(site), site->line, site->column) : std::tuple(std::string_view(), 0U, 0U);
  };
  // Whichever of two racing lines came last, the race is one.
  if (two && place(two) < place(one)) std::swap(one, two);
  const std::scoped_lock lock(mutex_);
  const Key key(fileOf(one), one->line, one->column, finding.kind, fileOf(two), two ? two->line : 0,
                two ? two->column : 0);
  Counted& entry = found_[key];
  if (entry.count++ == 0 || placeOf(finding) < placeOf(entry.first)) entry.first = finding;
  return ++total_ < most;
}

/// A read that races with the first write may come before it.
bool Findings::isConsequence(const Finding& finding) const {
  return finding.kind == Finding::Kind::uninitialised && std::ranges::any_of(found_, [&](const auto& entry) {
           const Finding& other = entry.second.first;
           return other.kind == Finding::Kind::race && (other.site == finding.site || other.other == finding.site);
         });
}

Error Findings::error(std::string_view kernel) const {
  std::vector<Diagnostic> out;
  std::size_t lines = 0;
  for (const auto& [key, entry] : found_) {
    if (isConsequence(entry.first) || ++lines > mostLines) continue;
    std::string message = fmt::format("kernel '{}': {}", kernel, messageOf(entry.first));
    if (entry.count > 1) message += fmt::format(" (and {} more)", entry.count - 1);
    out.push_back({.code = ErrorCode::CheckFailed,
                   .message = std::move(message),
                   .location = locationOf(*entry.first.site),
                   .notes = notesOf(entry.first)});
  }
  Diagnostic& last = out.back();
  if (lines > mostLines)
    last.notes.push_back({.message = fmt::format("{} more lines have findings", lines - mostLines)});
  if (total_ >= most) last.notes.push_back({.message = fmt::format("the launch was ended after {} findings", total_)});
  const auto has = [&](Finding::Kind kind) {
    return std::ranges::any_of(found_, [&](const auto& entry) { return entry.second.first.kind == kind; });
  };
  last.hint = has(Finding::Kind::wait) ? waitHint
              : has(Finding::Kind::outOfBounds)
                  ? "accesses outside of memory were redirected; what the launch computed means nothing"
                  : "what the launch computed may be different next time, or on another target";
  Error error = combined(std::move(out), {}, "cpu");
  error.hint = error.diagnostics.back().hint;
  return error;
}

}  // namespace lathe::detail
