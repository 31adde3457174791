// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups on a pool of threads of our own, for builds without oneTBB. Each launch is a job on its caller's stack;
// threads take ranges from it by one atomic addition. The ranges shrink towards the end (guided self-scheduling,
// Polychronopoulos and Kuck 1987), so that nobody is left with a long last one.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "runtimes/cpu/group_scheduler.h"

namespace lathe::detail {

struct GroupScheduler::Pool {
  struct Job {
    std::uint64_t count;
    ErasedBody call;
    const void* body;
    std::atomic<std::uint64_t> next = 0;
    unsigned helpers = 0;  ///< pool threads in it now; under `mutex`
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
      Job* job = nullptr;
      wake.wait(lock, [&] { return stopping || (job = open()); });
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
    done.wait(lock, [&] { return job.helpers == 0; });
  }

  std::mutex mutex;
  std::condition_variable wake, done;
  Job* jobs = nullptr;
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
