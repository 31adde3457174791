// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that nobody waits for, one piece after another on a thread that lives while there is some: a process that does
// not compile has no thread of ours.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

#include "llvm/ADT/FunctionExtras.h"

namespace lathe::detail {

/// Thread-safe. The destructor waits for what is left.
class Background {
 public:
  using Work = llvm::unique_function<void()>;

  Background() = default;
  Background(const Background&) = delete;
  ~Background() { drain(); }

  /// Does `work` soon. Where no thread can be had, now.
  void add(Work work) {
    std::unique_lock lock(mutex_);
    queue_.push_back(std::move(work));
    ++added_;
    if (isRunning_) return;
    if (thread_.joinable()) thread_.join();  // it has left its loop
    isRunning_ = true;
    try {
      thread_ = std::thread([this] { loop(); });
    } catch (const std::system_error&) {
      lock.unlock();
      loop();
    }
  }

  /// Waits until everything is done that was added before.
  void settle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this, until = added_] { return done_ >= until; });
  }

  /// Waits until all is done and the thread has ended.
  void drain() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return !isRunning_; });
    if (thread_.joinable()) thread_.join();
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) {
      Work work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      work();
      work = {};  // with what it holds
      lock.lock();
      ++done_;
      idle_.notify_all();
    }
    isRunning_ = false;
    idle_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable idle_;
  std::deque<Work> queue_;
  std::uint64_t added_ = 0, done_ = 0;
  std::thread thread_;
  bool isRunning_ = false;
};

}  // namespace lathe::detail
