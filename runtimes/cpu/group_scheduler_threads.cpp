// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups on a pool of threads of our own, for builds without oneTBB. Each launch is a job on its caller's stack;
// threads take ranges from it by one atomic addition. The ranges shrink towards the end (guided self-scheduling,
// Polychronopoulos and Kuck 1987), so that nobody is left with a long last one. Who waits looks for work a little while
// before it sleeps: to be woken takes longer than many launches.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "runtimes/cpu/group_scheduler.h"

namespace lathe::detail {

namespace {

/// How long a thread looks before it sleeps: about what it takes to wake it.
constexpr std::chrono::microseconds patience{30};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Returns when `ready()` is true, or after a while.
template <class Ready>
void lookFor(const Ready& ready) {
  const auto end = std::chrono::steady_clock::now() + patience;
  do {
    for (int i = 0; i < 16; ++i) {
      if (ready()) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
}

}  // namespace

struct GroupScheduler::Pool {
  struct Job {
    std::uint64_t count;
    ErasedBody call;
    const void* body;
    std::atomic<std::uint64_t> next = 0;
    std::atomic<unsigned> helpers = 0;  ///< pool threads in it now; changed under `mutex`
    Job* following = nullptr;
  };

  Pool() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 1; i < cores; ++i) threads.emplace_back([this] { serve(); });
  }
  ~Pool() {
    {
      const std::scoped_lock lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& thread : threads) thread.join();
  }

  void work(Job& job) const {
    const std::uint64_t shares = 4 * (threads.size() + 1);
    std::uint64_t first = job.next.load(std::memory_order_relaxed);
    while (first < job.count) {
      const std::uint64_t last = first + std::max<std::uint64_t>(1, (job.count - first) / shares);
      if (job.next.compare_exchange_weak(first, last, std::memory_order_relaxed)) {
        job.call(job.body, first, last);
        first = job.next.load(std::memory_order_relaxed);
      }
    }
  }

  /// A job with groups left, or null. Under `mutex`.
  [[nodiscard]] Job* open() const {
    for (Job* job = jobs; job; job = job->following) {
      if (job->next.load(std::memory_order_relaxed) < job->count) return job;
    }
    return nullptr;
  }

  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      Job* job = open();
      if (!job && !stopping) {
        const unsigned seen = posted.load(std::memory_order_relaxed);
        lock.unlock();
        lookFor([&] { return posted.load(std::memory_order_relaxed) != seen; });
        lock.lock();
        wake.wait(lock, [&] { return stopping || (job = open()); });
      }
      if (!job) return;
      ++job->helpers;
      lock.unlock();
      work(*job);
      lock.lock();
      if (--job->helpers == 0) done.notify_all();
    }
  }

  void run(Job& job) {
    {
      const std::scoped_lock lock(mutex);
      job.following = jobs;
      jobs = &job;
      posted.fetch_add(1, std::memory_order_relaxed);
    }
    wake.notify_all();
    work(job);
    // Out of the list first: then only those already inside are waited for.
    std::unique_lock lock(mutex);
    for (Job** link = &jobs;; link = &(*link)->following) {
      if (*link != &job) continue;
      *link = job.following;
      break;
    }
    if (job.helpers == 0) return;
    lock.unlock();
    lookFor([&] { return job.helpers.load(std::memory_order_relaxed) == 0; });
    lock.lock();
    done.wait(lock, [&] { return job.helpers == 0; });
  }

  std::mutex mutex;
  std::condition_variable wake, done;
  Job* jobs = nullptr;
  std::atomic<unsigned> posted = 0;  ///< jobs so far
  bool stopping = false;
  std::vector<std::thread> threads;
};

GroupScheduler::GroupScheduler() : pool_(std::make_unique<Pool>()) {}
GroupScheduler::~GroupScheduler() = default;

void GroupScheduler::runErased(std::uint64_t count, ErasedBody call, const void* body) const {
  if (count <= 1) {
    if (count == 1) call(body, 0, 1);
    return;
  }
  Pool::Job job{.count = count, .call = call, .body = body};
  pool_->run(job);
}

std::string GroupScheduler::description() const {
  return "Lathe's thread pool";
}

}  // namespace lathe::detail
