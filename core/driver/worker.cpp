// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker processes. A call goes in as one frame on a pipe and comes back as one frame: a byte that tells success, then
// bytes. Structured values travel as CBOR.
#include "core/driver/worker.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

#include <nlohmann/json.hpp>

#include <lathe/worker.h>

#include "core/driver/recovery.h"

extern char** environ;

namespace lathe::detail {
namespace {

using Json = nlohmann::json;

// --- values ------------------------------------------------------------------------------------------------------

Json toJson(const SourceLocation& at) {
  return {at.file, at.line, at.column};
}
SourceLocation locationFrom(const Json& json) {
  return {json.at(0), json.at(1), json.at(2)};
}

Json toJson(const std::vector<Note>& notes) {
  Json out = Json::array();
  for (const Note& note : notes) out.push_back({note.message, toJson(note.location), note.snippet});
  return out;
}
std::vector<Note> notesFrom(const Json& json) {
  std::vector<Note> out;
  for (const Json& note : json) out.push_back({note.at(0), locationFrom(note.at(1)), note.at(2)});
  return out;
}

Json toJson(const std::vector<Diagnostic>& diagnostics) {
  Json out = Json::array();
  for (const Diagnostic& d : diagnostics) {
    out.push_back({static_cast<int>(d.severity), static_cast<int>(d.code), d.message, toJson(d.location), d.snippet,
                   toJson(d.notes), d.hint});
  }
  return out;
}
std::vector<Diagnostic> diagnosticsFrom(const Json& json) {
  std::vector<Diagnostic> out;
  for (const Json& d : json) {
    out.push_back({static_cast<Severity>(d.at(0).get<int>()), static_cast<ErrorCode>(d.at(1).get<int>()), d.at(2),
                   locationFrom(d.at(3)), d.at(4), notesFrom(d.at(5)), d.at(6)});
  }
  return out;
}

Json toJson(const Error& e) {
  return {static_cast<int>(e.code), e.message, toJson(e.notes), e.hint, e.stage, e.target, toJson(e.location),
          toJson(e.diagnostics)};
}
Error errorFrom(const Json& json) {
  return {.code = static_cast<ErrorCode>(json.at(0).get<int>()),
          .message = json.at(1),
          .notes = notesFrom(json.at(2)),
          .hint = json.at(3),
          .stage = json.at(4),
          .target = json.at(5),
          .location = locationFrom(json.at(6)),
          .diagnostics = diagnosticsFrom(json.at(7))};
}

Json bytesOf(std::string_view bytes) {
  return Json::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}
std::string stringOf(const Json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}
std::string encoded(const Json& json) {
  std::string out;
  Json::to_cbor(json, out);
  return out;
}

Error brokenFrame() {
  return {.code = ErrorCode::Internal,
          .message = "a worker and its caller do not understand each other; are they of one version?"};
}

// --- frames ------------------------------------------------------------------------------------------------------

bool writeAll(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool readAll(int from, std::string& out) {
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) return true;
    out.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::string answerFrame(const Result<std::string>& answer) {
  return answer ? "\1" + *answer : std::string("\0", 1) + encoded(toJson(answer.error()));
}

/// What a child wrote and how it ended, as a result.
Result<std::string> readAnswer(const std::string& frame, int status) {
  if (WIFSIGNALED(status)) {
    const char* const name = sigabbrev_np(WTERMSIG(status));
    return Error{.code = ErrorCode::CompilerCrash,
                 .message = std::string("the compiler's process died of SIG") + (name ? name : "?"),
                 .hint =
                     "this is a defect of Lathe or LLVM: please report it with the source; a simpler form of the "
                     "kernel may compile"};
  }
  if (frame.empty()) {
    return Error{
        .code = ErrorCode::CompilerCrash,
        .message = "the compiler's process ended without an answer, exit code " + std::to_string(WEXITSTATUS(status))};
  }
  if (frame.front() == '\1') return frame.substr(1);
  const Json error = Json::from_cbor(frame.begin() + 1, frame.end(), true, false);
  try {
    return errorFrom(error);
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

// --- children ----------------------------------------------------------------------------------------------------

bool isSingleThreaded() {
  DIR* const tasks = opendir("/proc/self/task");
  if (!tasks) return false;
  unsigned count = 0;
  while (const dirent* entry = readdir(tasks)) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count == 1;
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void close(int end) {
    if (ends[end] >= 0) ::close(std::exchange(ends[end], -1));
  }
};

Error noProcess(const char* what) {
  return {.code = ErrorCode::OutOfHostMemory,
          .message = std::string("no worker process can be started: ") + what + ": " + std::strerror(errno)};
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Result<std::string> runByFork(const WorkerCall& call) {
  Pipe answer;
  if (!answer.open()) return noProcess("pipe");
  const pid_t child = fork();
  if (child < 0) return noProcess("fork");
  if (child == 0) {
    (void)writeAll(answer.ends[1], answerFrame(serve(call)));
    _exit(0);  // destructors and buffers belong to the parent
  }
  answer.close(1);
  std::string frame;
  (void)readAll(answer.ends[0], frame);
  return readAnswer(frame, waitFor(child));
}

std::filesystem::path& configuredProgram() {
  static std::filesystem::path program;
  return program;
}
std::mutex& programLock() {
  static std::mutex lock;
  return lock;
}

/// The worker program: the configured one, else `lathe` in the bin folder beside this library, else on PATH.
std::filesystem::path workerProgram() {
  {
    const std::lock_guard lock(programLock());
    if (!configuredProgram().empty()) return configuredProgram();
  }
  Dl_info self{};
  std::error_code ignored;
  if (dladdr(reinterpret_cast<const void*>(&workerProgram), &self) && self.dli_fname) {
    const std::filesystem::path folder = std::filesystem::canonical(self.dli_fname, ignored).parent_path();
    for (const std::filesystem::path& candidate : {folder / "lathe", folder.parent_path() / "bin" / "lathe"}) {
      if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, ignored))
        return candidate;
    }
  }
  return "lathe";
}

Result<std::string> runBySpawn(const WorkerCall& call) {
  Pipe input, output;
  if (!input.open() || !output.open()) return noProcess("pipe");
  const std::string program = workerProgram().string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, output.ends[1], 1);
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>("worker"), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    return Error{.code = ErrorCode::ToolMissing,
                 .message = "the worker program '" + program + "' cannot be started: " + std::strerror(failed),
                 .hint = "install the lathe tool beside the library, or set CompilerConfig::workerProgram"};
  }
  input.close(0);
  output.close(1);
  // The child reads all of its input before it writes, so writing first cannot deadlock. A child that died makes the
  // write fail: its exit status tells why.
  sigset_t pipeSignal, before;
  sigemptyset(&pipeSignal);
  sigaddset(&pipeSignal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
  (void)writeAll(input.ends[1], std::string(1, static_cast<char>(call.task)) + call.payload);
  const timespec now{};
  while (sigtimedwait(&pipeSignal, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  input.close(1);
  std::string frame;
  (void)readAll(output.ends[0], frame);
  return readAnswer(frame, waitFor(child));
}

}  // namespace

void setWorkerProgram(std::filesystem::path program) {
  const std::lock_guard lock(programLock());
  if (!program.empty()) configuredProgram() = std::move(program);
}

/// After a crash only a fresh process will do: a fork would inherit the count of crashes, which asks for a worker, and
/// whatever the crashed compile left locked.
Result<std::string> runInWorker(const WorkerCall& call) {
  return isSingleThreaded() && containedCrashes() == 0 ? runByFork(call) : runBySpawn(call);
}

Result<std::string> serve(const WorkerCall& call) {
  switch (call.task) {
    case WorkerTask::compile:
      return serveCompile(call.payload);
    case WorkerTask::link:
      return linkHere(call.payload);
  }
  return brokenFrame();
}

std::string encodeCompile(const Job& job, const CompileRequest& request,
                          const std::vector<std::filesystem::path>& targetPath) {
  Json out;
  out["job"] = bytesOf(canonicalBytes(job));
  out["time"] = request.timeStages;
  out["dump"] = request.dumpAfter;
  out["replace"] = Json::object();
  for (const auto& [stage, file] : request.replaceAt) out["replace"][stage] = file.string();
  out["path"] = Json::array();
  for (const auto& folder : targetPath) out["path"].push_back(folder.string());
  return encoded(out);
}

Result<std::string> serveCompile(std::string_view payload) {
  const Json in = Json::from_cbor(payload.begin(), payload.end(), true, false);
  try {
    auto job = jobFromBytes(stringOf(in.at("job")));
    if (!job) return std::move(job).error();
    CompilerConfig config;
    config.containCrashes = true;
    for (const Json& folder : in.at("path")) config.targetPath.emplace_back(folder.get<std::string>());
    CompileRequest request;
    request.isolation = Isolation::inProcess;
    request.timeStages = in.at("time");
    request.dumpAfter = in.at("dump").get<std::vector<std::string>>();
    for (const auto& [stage, file] : in.at("replace").items()) request.replaceAt[stage] = file.get<std::string>();
    auto compiler = Compiler::create(std::move(config));
    if (!compiler) return std::move(compiler).error();
    auto result = compiler->compile(*job, request);
    if (!result) return std::move(result).error();
    Json out;
    const auto image = result->image.bytes();
    out["image"] = bytesOf({reinterpret_cast<const char*>(image.data()), image.size()});
    out["warnings"] = toJson(result->warnings);
    out["times"] = Json::array();
    for (const StageTime& time : result->times) out["times"].push_back({time.stage, time.milliseconds});
    out["dumps"] = Json::array();
    for (const StageDump& dump : result->dumps) out["dumps"].push_back({dump.stage, dump.ir});
    return encoded(out);
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

Result<CompileResult> decodeCompileResult(std::string_view bytes) {
  const Json in = Json::from_cbor(bytes.begin(), bytes.end(), true, false);
  try {
    const auto& raw = in.at("image").get_binary();
    auto image = Image::fromBytes(std::as_bytes(std::span(raw)));
    if (!image) return std::move(image).error();
    CompileResult out{*std::move(image), diagnosticsFrom(in.at("warnings")), {}, {}};
    for (const Json& time : in.at("times")) out.times.push_back({time.at(0), time.at(1)});
    for (const Json& dump : in.at("dumps")) out.dumps.push_back({dump.at(0), dump.at(1)});
    return out;
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

}  // namespace lathe::detail

int lathe::serveWorker(int input, int output) {
  std::string frame;
  if (!detail::readAll(input, frame) || frame.empty()) return 2;
  const detail::WorkerCall call{static_cast<detail::WorkerTask>(frame.front()), frame.substr(1)};
  return detail::writeAll(output, detail::answerFrame(detail::serve(call))) ? 0 : 1;
}
