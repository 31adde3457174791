// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases in processes of their own: code under test may write anywhere, never end, or take the device away, and the
// report has to come all the same. A forked child opens the device, runs case after case and answers each over a pipe.
// A child that saw a failure, a known gap too, serves no further case, because nobody knows what the failure left
// behind; another goes on. This process itself opens no device: a driver does not survive a fork.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/process/child.h"
#include "core/support/bytes.h"
#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {
namespace {

using detail::ByteReader;
using detail::ByteWriter;
using detail::Deadline;
using detail::Pipe;

/// What a frame says; its first byte.
enum class Word : char {
  opened,    ///< text: the device
  unopened,  ///< text: why there is none
  progress,  ///< text: what happens from now on; a CaseResult: what is known of the case so far
  result,    ///< text: none; a CaseResult
};

/// The kernel may have left anything behind.
bool isWrong(const CaseResult& result) {
  return result.outcome == Outcome::failed || result.outcome == Outcome::gap;
}

void put(ByteWriter& out, const std::set<std::string>& names) {
  out.number(static_cast<std::uint32_t>(names.size()));
  for (const std::string& name : names) out.text(name);
}

std::set<std::string> takeNames(ByteReader& in) {
  std::set<std::string> out;
  for (std::uint32_t left = in.count(sizeof(std::uint32_t)); left > 0; --left) out.emplace(in.text());
  return out;
}

std::string encode(Word word, std::string_view text, const CaseResult& result = {}) {
  ByteWriter out;
  out.number(static_cast<char>(word));
  out.text(text);
  out.number(static_cast<std::uint8_t>(result.outcome));
  out.number(static_cast<std::uint8_t>(result.launched));
  out.number(static_cast<std::uint8_t>(result.deviceLost));
  out.text(result.detail);
  put(out, result.entries);
  put(out, result.absent);
  return out.take();
}

struct Frame {
  Word word = Word::result;
  std::string text;
  CaseResult result;
};

/// Nothing if the bytes are no frame: code under test may have written them.
std::optional<Frame> decode(std::string_view bytes) {
  ByteReader in(std::as_bytes(std::span(bytes)));
  Frame out;
  out.word = static_cast<Word>(in.number<char>());
  out.text = in.text();
  out.result.outcome = static_cast<Outcome>(in.numberUpTo(static_cast<std::uint8_t>(Outcome::gap)));
  out.result.launched = in.number<std::uint8_t>() != 0;
  out.result.deviceLost = in.number<std::uint8_t>() != 0;
  out.result.detail = in.text();
  out.result.entries = takeNames(in);
  out.result.absent = takeNames(in);
  return in.atEnd() ? std::optional(std::move(out)) : std::nullopt;
}

void send(int to, const std::string& frame) {
  ByteWriter length;
  length.number(static_cast<std::uint32_t>(frame.size()));
  // A parent that is gone has ended this process already.
  (void)detail::writeAll(to, length.take() + frame);
}

/// A run's fixed part.
struct Plan {
  const Compiler& compiler;
  const TargetInfo& target;
  std::span<const Case> cases;
  const RunOptions& options;
};

/// The child: runs cases from `first` on until one fails.
void serve(const Plan& plan, std::size_t first, int to) {
  auto runner = plan.options.compileOnly
                    ? Result<Runner>(Runner::compiling(plan.compiler, plan.target, plan.options.arch))
                    : Runner::open(plan.compiler, plan.target, plan.options.arch);
  if (!runner) return send(to, encode(Word::unopened, runner.error().message));
  std::string device = "compiled only";
  if (!plan.options.compileOnly) {
    const DeviceInfo& info = runner->device().info();
    device = info.arch.empty() ? info.name : info.name + ", " + info.arch;
  }
  send(to, encode(Word::opened, device));
  runner->setModes(plan.options.checked, plan.options.coarsening, plan.options.debugInfo);
  runner->setProgress(
      [&](std::string_view what, const CaseResult& soFar) { send(to, encode(Word::progress, what, soFar)); });
  for (const Case& entry : plan.cases.subspan(first)) {
    const CaseResult result = runner->run(entry, plan.options.levels);
    std::fflush(nullptr);  // what kernels printed
    send(to, encode(Word::result, {}, result));
    if (isWrong(result)) return;
  }
}

/// One child as its parent sees it.
class Child {
 public:
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { (void)end(); }

  /// False if there can be no child.
  bool start(const Plan& plan, std::size_t first) {
    std::fflush(nullptr);  // or the child would write this process's text again
    if (!answers_.open()) return false;
    id_ = detail::forkChild(answers_, [&](int to) { serve(plan, first, to); });
    return id_ > 0;
  }

  /// The next frame, or nothing at the deadline, when the child has died and when it sent no frame.
  std::optional<Frame> next(const Deadline& deadline) {
    constexpr std::uint32_t most = 64U << 20;  // a wild write could ask for any length
    std::string length, frame;
    if (!detail::readExactly(answers_.ends[0], sizeof(std::uint32_t), length, deadline)) return std::nullopt;
    const auto size = detail::loadAt<std::uint32_t>(std::as_bytes(std::span(length)), 0).value_or(0);
    if (size == 0 || size > most || !detail::readExactly(answers_.ends[0], size, frame, deadline)) return std::nullopt;
    return decode(frame);
  }

  /// Ends the child if it is still there: "died of SIGSEGV", "ended with exit code 3".
  std::string end() {
    if (id_ <= 0) return {};
    ::kill(id_, SIGKILL);
    const int status = detail::waitFor(std::exchange(id_, 0));
    const std::string signal = detail::endingSignal(status);
    return signal.empty() ? fmt::format("ended with exit code {}", WEXITSTATUS(status)) : "died of " + signal;
  }

 private:
  Pipe answers_;
  pid_t id_ = 0;
};

class ContainedRun {
 public:
  explicit ContainedRun(const Plan& plan)
      : plan_(plan),
        out_{placeOf(plan.target, plan.options.arch),
             {},
             {},
             std::vector<std::optional<CaseResult>>(plan.cases.size())} {
    out_.compiledOnly = plan.options.compileOnly;
  }

  TargetRun run() {
    while (next_ < plan_.cases.size() && out_.reason.empty()) runSome();
    if (!deathWithOthers_.empty()) record({});  // no second child could be had
    return std::move(out_);
  }

 private:
  /// What a case was at when it was last heard of.
  struct Progress {
    std::string what;
    CaseResult soFar;
  };

  /// Runs cases in one child, as far as it comes: one at least, unless there is a reason why none can run.
  void runSome() {
    Child child;
    if (!child.start(plan_, next_)) {
      out_.reason = "no process can be started for it";
      return;
    }
    const std::size_t first = next_;
    Progress at{"the device was opened", {}};
    Deadline deadline(plan_.options.caseLimit);
    while (next_ < plan_.cases.size()) {
      auto frame = child.next(deadline);
      if (!frame) return recordEnd(child, deadline, std::move(at), first);
      switch (frame->word) {
        case Word::unopened:
          out_.reason = std::move(frame->text);
          return;
        case Word::opened:
          out_.device = std::move(frame->text);
          break;
        case Word::progress:
          at = {std::move(frame->text), std::move(frame->result)};
          break;
        case Word::result:
          record(std::move(frame->result));
          if (isWrong(*out_.results[next_ - 1])) return;
          deadline = Deadline(plan_.options.caseLimit);
          at = {"the case began", {}};
      }
    }
  }

  void record(CaseResult result) {
    if (!deathWithOthers_.empty() && !isWrong(result)) {
      result.outcome = Outcome::failed;
      result.detail = deathWithOthers_ + "; alone it passes: an earlier case may have written beyond its arrays";
    } else if (result.detail.empty() && result.outcome == Outcome::failed) {
      result.detail = deathWithOthers_;
    }
    deathWithOthers_.clear();
    if (plan_.options.heard) plan_.options.heard(next_, result);
    out_.results[next_++] = std::move(result);
  }

  /// The child has died, or has to, in the case `next_`. If other cases ran in it before, a second child with this case
  /// first tells which is to blame.
  void recordEnd(Child& child, const Deadline& deadline, Progress at, std::size_t first) {
    const bool late = deadline.hasPassed();
    const std::string how = child.end();
    CaseResult result = std::move(at.soFar);
    result.outcome = Outcome::failed;
    result.detail = late
                        ? fmt::format("took longer than {:g} s and was ended as {}", deadline.limitInSeconds(), at.what)
                        : fmt::format("the process {} as {}", how, at.what);
    if (!late && next_ != first) {
      deathWithOthers_ = std::move(result.detail);
      return;
    }
    if (out_.device.empty()) out_.reason = result.detail;
    record(std::move(result));
  }

  const Plan& plan_;
  TargetRun out_;
  std::size_t next_ = 0;         ///< the case whose result comes next
  std::string deathWithOthers_;  ///< how a child died in the case `next_` after it had run others
};

}  // namespace

std::string placeOf(const TargetInfo& target, const std::string& arch) {
  return arch.empty() ? target.name : target.name + ":" + arch;
}

TargetRun runAll(const Compiler& compiler, const TargetInfo& target, std::span<const Case> cases,
                 const RunOptions& options) {
  if (!options.compileOnly && !executes(target)) {
    TargetRun out{placeOf(target, options.arch), {}, {}, std::vector<std::optional<CaseResult>>(cases.size())};
    out.reason = target.runtime.empty() ? "it has no runtime" : "its runtime executes nothing";
    return out;
  }
  const Plan plan{compiler, target, cases, options};
  return ContainedRun(plan).run();
}

}  // namespace lathe::conformance
