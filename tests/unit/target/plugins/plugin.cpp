// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plugin that behaves, and its misbehaving brothers, by PLUGIN_FAULT.
#include <stdexcept>

#include <unistd.h>

#include <lathe/sdk/plugin.h>

#define FAULT_NONE 0
#define FAULT_ABI 1
#define FAULT_LLVM 2
#define FAULT_SYMBOL 3
#define FAULT_TWICE 4
#define FAULT_REFUSES 5
#define FAULT_THROWS 6
#define FAULT_INCOMPLETE 7
#define FAULT_UNNAMED 8
#define FAULT_SMALL 9
#define FAULT_CRASHES 10
#define FAULT_EXITS 11
#define FAULT_CRASHES_LATER 12
#define FAULT_DIALECT_TWICE 13
#define FAULT_DIALECT_KNOWN 14
#define FAULT_DIALECT_SMALL 15

namespace {

#if PLUGIN_FAULT == FAULT_CRASHES
[[gnu::constructor]] void initialise() {
  __builtin_trap();
}
#elif PLUGIN_FAULT == FAULT_EXITS
[[gnu::constructor]] void initialise() {
  _exit(0);
}
#endif

class PluginHooks final : public lathe::sdk::TargetHooks {
 public:
  llvm::Error describe(lathe::sdk::TargetContext&, std::string_view, std::string_view,
                       std::vector<lathe::EntryPoint>& entries) override {
    entries.push_back({});
    return llvm::Error::success();
  }
};

constexpr const char* descriptor =
    "lathe: 1\nname: plugged\ndescription: from a plugin\ntriple: x86_64-unknown-linux-gnu\n"
    "architectures: {default: x86-64, pattern: x86-64}\n";

constexpr std::string_view arguments[] = {"-triple", "nvptx64-nvidia-cuda", "-x", "c++"};

constexpr lathe::sdk::Dialect dialect = {
    .structSize = PLUGIN_FAULT == FAULT_DIALECT_SMALL ? 8 : sizeof(lathe::sdk::Dialect),
    .name = PLUGIN_FAULT == FAULT_DIALECT_KNOWN ? "kernel" : "spelled",
    .description = "from a plugin",
    .clangArguments = arguments,
};

[[maybe_unused]] int registerTargets(lathe::sdk::PluginRegistrar* registrar) {
  lathe::sdk::PluginTarget target;
  target.name = PLUGIN_FAULT == FAULT_UNNAMED ? nullptr : "plugged";
  target.structSize = PLUGIN_FAULT == FAULT_SMALL ? 8 : sizeof(target);
  target.descriptor = descriptor;
  target.device = "BC";
  target.deviceBytes = 2;
  target.createHooks = []() -> lathe::sdk::TargetHooks* { return new PluginHooks; };
  int status = registrar->addTarget(registrar, &target);
  if (PLUGIN_FAULT == FAULT_TWICE) status = registrar->addTarget(registrar, &target);
  // The same hooks, for a descriptor that is a file.
  target.name = "filed";
  target.descriptor = nullptr;
  if (PLUGIN_FAULT == FAULT_NONE && PLUGIN_FOR_FILE) status = registrar->addTarget(registrar, &target);
  if (!PLUGIN_FOR_FILE && status == 0) status = lathe::sdk::addDialect(registrar, &dialect);
  if (PLUGIN_FAULT == FAULT_DIALECT_TWICE) status = lathe::sdk::addDialect(registrar, &dialect);
  if (PLUGIN_FAULT == FAULT_CRASHES_LATER) __builtin_trap();
  if (PLUGIN_FAULT == FAULT_THROWS) throw std::runtime_error("no");
  return PLUGIN_FAULT == FAULT_REFUSES ? 7 : status;
}

}  // namespace

#if PLUGIN_FAULT == FAULT_SYMBOL
extern "C" __attribute__((visibility("default"))) const int some_other_symbol = 1;
#elif PLUGIN_FAULT == FAULT_NONE || PLUGIN_FAULT > FAULT_SYMBOL && PLUGIN_FAULT != FAULT_INCOMPLETE
LATHE_PLUGIN("sample", "1.2", registerTargets);
#else
extern "C" __attribute__((visibility("default"))) const lathe::sdk::Plugin lathe_plugin;
const lathe::sdk::Plugin lathe_plugin = {PLUGIN_FAULT == FAULT_ABI ? 999 : lathe::sdk::pluginAbiVersion,
                                         sizeof(lathe::sdk::Plugin),
                                         PLUGIN_FAULT == FAULT_LLVM ? "14.0.6" : LLVM_VERSION_STRING,
                                         PLUGIN_FAULT == FAULT_INCOMPLETE ? nullptr : "sample",
                                         "1.2",
                                         registerTargets};
#endif
