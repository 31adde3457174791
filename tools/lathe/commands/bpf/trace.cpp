// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/commands/bpf/trace.h"

#include <algorithm>
#include <list>
#include <map>
#include <thread>

#include <fmt/format.h>

#include <lathe/bpf_types.h>

#include "tools/lathe/commands/bpf/printk.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

/// Prints records, or keeps them for the document.
class Sink {
 public:
  Sink(std::size_t most, Output& out) : most_(most), out_(out), start_(std::chrono::steady_clock::now()) {}
  [[nodiscard]] bool isFull() const { return most_ != 0 && count_ >= most_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  void add(const std::string& from, Json record) {
    if (isFull()) return;
    ++count_;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (out_.json())
      records_.push_back({{"seconds", seconds}, {"from", from}, {"record", std::move(record)}});
    else
      out_.text(fmt::format("{:9.3f} {}: {}\n", seconds, out_.paint(Style::bold, from),
                            record.is_string() ? record.get<std::string>() : record.dump()));
  }
  [[nodiscard]] Json takeRecords() { return std::move(records_); }

 private:
  std::size_t most_, count_ = 0;
  Output& out_;
  Json records_ = Json::array();
  std::chrono::steady_clock::time_point start_;
};

/// Every ring and perf buffer of an object.
class Buffers {
 public:
  /// `types` has "MAP=TYPE". Errors: InvalidArgument (no such map or type), those of opening a buffer.
  Result<void> open(const bpf::Object& object, const BpfInput& input, const std::vector<std::string>& types,
                    Sink& sink) {
    if (auto read = readTypes(object, input, types); !read) return read;
    for (const bpf::RawMap& map : object.maps()) {
      const auto give = [this, &sink, name = map.name()](std::span<const std::byte> record) {
        sink.add(name, shownRecord(name, record));
      };
      if (map.kind() == "ringbuf") {
        auto buffer = bpf::RingBuffer::open(map, give);
        if (!buffer) return std::move(buffer).error();
        rings_.push_back(*std::move(buffer));
      } else if (map.kind() == "perf_event_array") {
        auto buffer = bpf::PerfBuffer::open(map, [give](int, std::span<const std::byte> record) { give(record); });
        if (!buffer) return std::move(buffer).error();
        perfs_.push_back(*std::move(buffer));
      }
    }
    return {};
  }
  Result<std::size_t> consume() {
    std::size_t total = 0;
    for (auto& ring : rings_) {
      auto got = ring.consume();
      if (!got) return got;
      total += *got;
    }
    for (auto& perf : perfs_) {
      auto got = perf.consume();
      if (!got) return got;
      total += *got;
    }
    return total;
  }
  [[nodiscard]] std::uint64_t lost() const {
    std::uint64_t sum = 0;
    for (const auto& perf : perfs_) sum += perf.lost();
    return sum;
  }
  /// Of the records of each buffer that has one.
  [[nodiscard]] Json types() const {
    Json out = Json::object();
    for (const auto& [map, layout] : layouts_) out[map] = typeJson(layout);
    return out;
  }
  [[nodiscard]] bool isEmpty() const { return rings_.empty() && perfs_.empty(); }

 private:
  Result<void> readTypes(const bpf::Object& object, const BpfInput& input, const std::vector<std::string>& named) {
    const auto types = bpf::Types::ofObject(std::as_bytes(std::span(input.elf)));
    if (!types && !named.empty()) return types.error();
    for (const std::string& text : named) {
      const std::size_t at = text.find('=');
      if (at == std::string::npos)
        return Error{ErrorCode::InvalidArgument, fmt::format("--record: '{}' is not MAP=TYPE", text)};
      if (auto map = object.rawMap(text.substr(0, at)); !map) return std::move(map).error();
      auto layout = types->layout(text.substr(at + 1));
      if (!layout) return std::move(layout).error();
      layouts_.emplace(text.substr(0, at), *std::move(layout));
    }
    for (const bpf::RawMap& map : object.maps()) {
      if (auto record = types ? types->recordOf(map.name()) : std::nullopt)
        layouts_.emplace(map.name(), *std::move(record));
    }
    return {};
  }
  /// Perf buffers fill records up, so that a longer one is still of its type.
  Json shownRecord(const std::string& map, std::span<const std::byte> record) const {
    const auto found = layouts_.find(map);
    if (found == layouts_.end() || found->second.size > record.size()) return shownValue(nullptr, record);
    return shownValue(&found->second, record.first(found->second.size));
  }

  std::map<std::string, TypeLayout> layouts_;
  std::list<bpf::RingBuffer> rings_;
  std::list<bpf::PerfBuffer> perfs_;
};

}  // namespace

void BpfTrace::configure(CLI::App& app) {
  attachment_.configure(app);
  app.add_option("--record", types_, "the type of a buffer's records, where its definition has none; repeatable")
      ->type_name("MAP=TYPE")
      ->allow_extra_args(false);
  addNumber(app, "--count", most_, "end after so many records (default: 0, no limit)", "N");
}

ExitCode BpfTrace::run(const bpf::Object& object, const BpfInput& input, Output& out) {
  const EndBySignal signals;
  Sink sink(most_, out);
  Buffers buffers;
  if (auto opened = buffers.open(object, input, types_, sink); !opened) return out.fail(opened.error());
  auto printk = PrintkReader::open();
  if (!printk) {
    if (buffers.isEmpty()) return out.fail(printk.error());
    out.note(printk.error().message + "; its texts are not shown\n");
  }
  auto links = attachment_.attach(object, out);
  if (!links) return out.fail(links.error());
  attachment_.start();

  const auto takeAll = [&]() -> Result<std::size_t> {
    const std::size_t before = sink.count();
    if (auto got = buffers.consume(); !got) return got;
    if (printk)
      for (PrintkReader::Line& line : printk->take()) sink.add(line.task, std::move(line.text));
    return sink.count() - before;
  };
  constexpr auto pause = std::chrono::milliseconds(5);
  while (!attachment_.isOver() && !sink.isFull() && std::ferror(stdout) == 0) {
    auto got = takeAll();
    if (!got) return out.fail(got.error());
    if (*got == 0) std::this_thread::sleep_for(pause);
    if (*got != 0) std::fflush(stdout);
  }
  for (Attached& one : *links) {
    if (auto done = one.link.detach(); !done) return out.fail(done.error());
  }
  if (auto rest = takeAll(); !rest) return out.fail(rest.error());
  if (out.json())
    out.document({{"records", sink.takeRecords()}, {"lost", buffers.lost()}, {"types", buffers.types()}});
  else if (buffers.lost() != 0)
    out.note(fmt::format("{} records were lost: the perf buffers were full\n", buffers.lost()));
  return ExitCode::ok;
}

}  // namespace lathe::tool
