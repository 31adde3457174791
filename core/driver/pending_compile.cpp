// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles on threads of the Compiler's own.
#include <condition_variable>
#include <mutex>

#include "core/driver/compiler_impl.h"
#include "core/support/cancelled.h"

namespace lathe {

struct PendingCompile::State {
  enum class Phase : std::uint8_t { waiting, running, ended };

  /// Whether the compile is to run; it was cancelled else.
  bool begin() {
    const std::lock_guard lock(mutex);
    if (phase != Phase::waiting) return false;
    phase = Phase::running;
    return true;
  }
  void end(Result<CompileResult> outcome) {
    const std::lock_guard lock(mutex);
    result = std::move(outcome);
    phase = Phase::ended;
    changed.notify_all();
  }
  /// Keeps a compile from beginning, or has it end.
  void cancel() {
    stop.request_stop();
    const std::lock_guard lock(mutex);
    if (phase != Phase::waiting) return;
    result = detail::cancelled();
    phase = Phase::ended;
    changed.notify_all();
  }
  /// The same, and waits for the end. Nothing that its caller lent is used any more.
  void abandon() {
    cancel();
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return phase == Phase::ended; });
  }

  std::stop_source stop;
  std::mutex mutex;
  std::condition_variable changed;
  Phase phase = Phase::waiting;
  CompileProgress progress;
  std::optional<Result<CompileResult>> result;
  std::optional<std::stop_callback<std::function<void()>>> callers;  ///< of CompileRequest::stop
};

PendingCompile::PendingCompile(std::shared_ptr<State> state) : state_(std::move(state)) {}
PendingCompile::PendingCompile(PendingCompile&&) noexcept = default;
PendingCompile& PendingCompile::operator=(PendingCompile&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
PendingCompile::~PendingCompile() {
  if (state_) state_->abandon();
}

bool PendingCompile::isReady() const {
  return waitFor({});
}

bool PendingCompile::waitFor(std::chrono::nanoseconds time) const {
  constexpr std::chrono::nanoseconds longest = std::chrono::hours(24 * 365);  // added to a clock's time
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, std::min(time, longest),
                                  [this] { return state_->phase == State::Phase::ended; });
}

void PendingCompile::cancel() const noexcept {
  state_->cancel();
}

CompileProgress PendingCompile::progress() const {
  const std::lock_guard lock(state_->mutex);
  return state_->progress;
}

Result<CompileResult> PendingCompile::get() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->phase == State::Phase::ended; });
  if (auto result = std::exchange(state_->result, std::nullopt)) return *std::move(result);
  return Error{.code = ErrorCode::InvalidArgument, .message = "the result of this compile was taken before"};
}

PendingCompile Compiler::compileAsync(Job job, CompileRequest request) const {
  auto state = std::make_shared<PendingCompile::State>();
  state->callers.emplace(std::move(request.stop), [raw = state.get()] { raw->cancel(); });
  impl_->pending.add([impl = impl_.get(), state, job = std::move(job), request = std::move(request)]() mutable {
    if (!state->begin()) return;
    const std::stop_callback end(impl->ended.get_token(), [&] { state->stop.request_stop(); });
    request.stop = state->stop.get_token();
    request.progress = [&state, told = std::move(request.progress)](const CompileProgress& progress) {
      {
        const std::lock_guard lock(state->mutex);
        state->progress = progress;
      }
      if (told) told(progress);
    };
    state->end(impl->compiled(job, request, nullptr));
  });
  return PendingCompile(std::move(state));
}

}  // namespace lathe
