// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A runtime whose only kernel waits for a gate and then appends a digit to a number: `log = 10 * log + digit`. With
// RUNTIME_QUEUES its streams have threads of their own; without, nothing of streams and events is written, so that the
// SDK's own serve.
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include <lathe/sdk/runtime.h>

namespace {

using lathe::Error;
using lathe::ErrorCode;
using lathe::Result;
using Clock = std::chrono::steady_clock;

constexpr unsigned failingDigit = 9;

struct Arguments {
  std::atomic<unsigned>* gate;
  unsigned* log;
  unsigned digit;
};

Result<void> perform(const Arguments& arguments) {
  while (arguments.gate->load() == 0) std::this_thread::yield();
  if (arguments.digit == failingDigit) return Error{.code = ErrorCode::DeviceFault, .message = "logging: no 9"};
  *arguments.log = 10 * *arguments.log + arguments.digit;
  return {};
}

#if RUNTIME_QUEUES
class Stream;
/// The streams there are, for a wait for all of them.
std::mutex allMutex;
std::vector<Stream*> all;

class Event final : public lathe::sdk::RuntimeEvent {
 public:
  struct Point {
    std::atomic<bool> reached = false;
    Clock::time_point at;
  };
  Result<void> synchronize() override {
    point->reached.wait(false);
    return {};
  }
  Result<double> elapsedUntil(lathe::sdk::RuntimeEvent& later) override {
    auto& end = static_cast<Event&>(later);
    (void)synchronize();
    (void)end.synchronize();
    return std::chrono::duration<double, std::milli>(end.point->at - point->at).count();
  }
  std::shared_ptr<Point> point = std::make_shared<Point>();
};

class Stream final : public lathe::sdk::RuntimeStream {
 public:
  Stream() {
    const std::scoped_lock lock(allMutex);
    all.push_back(this);
  }
  ~Stream() override {
    {
      const std::scoped_lock lock(allMutex);
      std::erase(all, this);
    }
    push([this] { stopping_ = true; });
    thread_.join();
  }
  Result<void> synchronize() override {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return pending_ == 0; });
    return std::exchange(failure_, {});
  }
  Result<std::unique_ptr<lathe::sdk::RuntimeEvent>> record() override {
    auto event = std::make_unique<Event>();
    push([point = event->point] {
      point->at = Clock::now();
      point->reached = true;
      point->reached.notify_all();
    });
    return std::unique_ptr<lathe::sdk::RuntimeEvent>(std::move(event));
  }
  Result<void> wait(lathe::sdk::RuntimeEvent& event) override {
    push([point = static_cast<Event&>(event).point] { point->reached.wait(false); });
    return {};
  }
  void launch(Arguments arguments) {
    push([this, arguments] {
      auto done = perform(arguments);
      const std::scoped_lock lock(mutex_);
      if (!done && failure_) failure_ = std::move(done);
    });
  }

 private:
  void push(std::function<void()> task) {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
    ++pending_;
    pushed_.notify_one();
  }
  void serve() {
    while (!stopping_) {
      std::unique_lock lock(mutex_);
      pushed_.wait(lock, [this] { return !tasks_.empty(); });
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
      --pending_;
      done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable pushed_, done_;
  std::deque<std::function<void()>> tasks_;
  int pending_ = 0;
  bool stopping_ = false;  // of the thread
  Result<void> failure_;
  std::thread thread_{[this] { serve(); }};
};
#endif

class Kernel final : public lathe::sdk::RuntimeKernel {
 public:
  Result<void> launch(const lathe::LaunchOptions&, std::span<const void* const> arguments) override {
    return perform(read(arguments));
  }
#if RUNTIME_QUEUES
  Result<void> launchOn(lathe::sdk::RuntimeStream& stream, const lathe::LaunchOptions&,
                        std::span<const void* const> arguments) override {
    static_cast<Stream&>(stream).launch(read(arguments));
    return {};
  }
#endif

 private:
  static Arguments read(std::span<const void* const> arguments) {
    Arguments out{};
    std::memcpy(&out.gate, arguments[0], sizeof out.gate);
    std::memcpy(&out.log, arguments[1], sizeof out.log);
    std::memcpy(&out.digit, arguments[2], sizeof out.digit);
    return out;
  }
};

class Module final : public lathe::sdk::RuntimeModule {
 public:
  Result<std::unique_ptr<lathe::sdk::RuntimeKernel>> kernel(const lathe::EntryPoint&) override {
    return std::unique_ptr<lathe::sdk::RuntimeKernel>(std::make_unique<Kernel>());
  }
  Result<std::pair<void*, std::size_t>> global(const lathe::GlobalVariable&) override {
    return Error{.code = ErrorCode::InvalidArgument, .message = "logging: has no variables"};
  }
};

class Device final : public lathe::sdk::RuntimeDevice {
 public:
  [[nodiscard]] lathe::DeviceInfo info() const override {
    lathe::DeviceInfo out;
    out.name = "a log";
    out.maxItemsPerGroup = 1;
    out.maxGroup = out.maxGrid = {1, 1, 1};
    return out;
  }
  Result<std::unique_ptr<lathe::sdk::RuntimeModule>> load(const lathe::Image&) override {
    return std::unique_ptr<lathe::sdk::RuntimeModule>(std::make_unique<Module>());
  }
  Result<void*> allocate(std::size_t bytes) override { return ::operator new(bytes); }
  void free(void* address) noexcept override { ::operator delete(address); }
  Result<void> upload(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Result<void> download(void* to, const void* from, std::size_t bytes) override { return upload(to, from, bytes); }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    std::memset(to, value, bytes);
    return {};
  }
#if RUNTIME_QUEUES
  Result<std::unique_ptr<lathe::sdk::RuntimeStream>> createStream() override {
    return std::unique_ptr<lathe::sdk::RuntimeStream>(std::make_unique<Stream>());
  }
  Result<void> synchronize() override {
    const std::scoped_lock lock(allMutex);
    Result<void> first;
    for (Stream* stream : all) {
      if (auto done = stream->synchronize(); !done && first) first = std::move(done);
    }
    return first;
  }
#endif
};

Result<int> deviceCount() {
  return 1;
}

Result<std::unique_ptr<lathe::sdk::RuntimeDevice>> open(int) {
  return std::unique_ptr<lathe::sdk::RuntimeDevice>(std::make_unique<Device>());
}

}  // namespace

LATHE_RUNTIME_PLUGIN(RUNTIME_NAME, "1.0", deviceCount, open);
