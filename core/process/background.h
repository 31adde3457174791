// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that nobody waits for, in turn on threads that live while there is some: a process that does not compile has no
// thread of ours.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace lathe::detail {

/// Thread-safe. The destructor waits for what is left.
class Background {
 public:
  /// At most so many pieces of work at a time.
  explicit Background(unsigned most = 1) : most_(most) {}
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() { drain(); }

  /// Calls `work` soon, once. Where no thread can be had, now.
  template <class Work>
  void add(Work work) {
    // What is moved only cannot be in a std::function.
    enqueue([kept = std::make_shared<Work>(std::move(work))] { (*kept)(); });
  }

  /// Waits until as much is done as was added before: of one thread, all of that.
  void settle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this, until = added_] { return done_ >= until; });
  }

  /// Waits until all is done and the threads have ended.
  void drain() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return running_ == 0; });
    join();
  }

 private:
  using Threads = std::list<std::thread>;

  void enqueue(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    queue_.push_back(std::move(work));
    ++added_;
    if (running_ == most_) return;
    join();
    const auto self = threads_.emplace(threads_.end());
    ++running_;
    try {
      *self = std::thread([this, self] { loop(self); });
    } catch (const std::system_error&) {
      lock.unlock();
      loop(self);
    }
  }

  /// Joins those that have left their loop.
  void join() {
    for (std::thread& thread : left_)
      if (thread.joinable()) thread.join();
    left_.clear();
  }

  void loop(Threads::iterator self) {
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) {
      std::function<void()> work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      work();
      work = nullptr;  // with what it holds
      lock.lock();
      ++done_;
      idle_.notify_all();
    }
    left_.splice(left_.end(), threads_, self);
    --running_;
    idle_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> queue_;
  std::uint64_t added_ = 0, done_ = 0;
  unsigned most_;
  unsigned running_ = 0;
  Threads threads_, left_;
};

}  // namespace lathe::detail
