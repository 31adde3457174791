// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context that a program takes, against the one that the kernel hands to its type (libbpf's docs, "Program Types
// and ELF Sections"; the kernel's linux/bpf.h). The verifier only sees offsets: where the wrong structure has a member
// at a place that the right one allows, the program loads and reads something else.
#include "targets/bpf/checks/checks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace lathe::targets::bpf {
namespace {

/// Sections that begin so, up to their end, a slash or a dot, the structure that their programs take, and the one that
/// it begins with and that programs take as well.
struct Context {
  llvm::StringLiteral section, type, beginsWith = "";
};
constexpr Context contexts[] = {
    {"xdp", "xdp_md"},
    {"tc", "__sk_buff"},
    {"tcx", "__sk_buff"},
    {"netkit", "__sk_buff"},
    {"classifier", "__sk_buff"},
    {"action", "__sk_buff"},
    {"socket", "__sk_buff"},
    {"cgroup_skb", "__sk_buff"},
    {"sk_skb", "__sk_buff"},
    {"lwt_in", "__sk_buff"},
    {"lwt_out", "__sk_buff"},
    {"lwt_xmit", "__sk_buff"},
    {"flow_dissector", "__sk_buff"},
    {"raw_tp", "bpf_raw_tracepoint_args"},
    {"raw_tracepoint", "bpf_raw_tracepoint_args"},
    {"perf_event", "bpf_perf_event_data", "pt_regs"},
    {"kprobe", "pt_regs"},
    {"kretprobe", "pt_regs"},
    {"ksyscall", "pt_regs"},
    {"kretsyscall", "pt_regs"},
    {"uprobe", "pt_regs"},
    {"uretprobe", "pt_regs"},
    {"usdt", "pt_regs"},
    {"sockops", "bpf_sock_ops"},
    {"sk_msg", "sk_msg_md"},
    {"sk_lookup", "bpf_sk_lookup"},
    {"sk_reuseport", "sk_reuseport_md"},
    {"cgroup/skb", "__sk_buff"},
    {"cgroup/dev", "bpf_cgroup_dev_ctx"},
    {"cgroup/sysctl", "bpf_sysctl"},
    {"cgroup/getsockopt", "bpf_sockopt"},
    {"cgroup/setsockopt", "bpf_sockopt"},
    {"cgroup/connect4", "bpf_sock_addr"},
    {"cgroup/connect6", "bpf_sock_addr"},
    {"cgroup/bind4", "bpf_sock_addr"},
    {"cgroup/bind6", "bpf_sock_addr"},
    {"cgroup/sendmsg4", "bpf_sock_addr"},
    {"cgroup/sendmsg6", "bpf_sock_addr"},
    {"cgroup/recvmsg4", "bpf_sock_addr"},
    {"cgroup/recvmsg6", "bpf_sock_addr"},
    {"cgroup/sock", "bpf_sock"},
    {"cgroup/sock_create", "bpf_sock"},
    {"cgroup/sock_release", "bpf_sock"},
};

bool isOf(llvm::StringRef section, llvm::StringRef prefix) {
  return section.consume_front(prefix) && (section.empty() || section.front() == '/' || section.front() == '.');
}

/// The name of the structure that the function's first parameter points to; empty if it does not.
llvm::StringRef takenBy(const llvm::Function& function) {
  const llvm::DISubprogram* const source = function.getSubprogram();
  if (!source || !source->getType()) return {};
  const llvm::DITypeRefArray types = source->getType()->getTypeArray();  // the result, then the parameters
  if (types.size() < 2) return {};
  const llvm::DIType* type = types[1];
  unsigned pointers = 0;
  while (const auto* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    pointers += derived->getTag() == llvm::dwarf::DW_TAG_pointer_type;
    type = derived->getBaseType();
  }
  const auto* const structure = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  return structure && pointers == 1 ? structure->getName() : llvm::StringRef();
}

}  // namespace

void checkContext(const llvm::Function& program, Findings& findings) {
  llvm::StringRef section = program.getSection();
  section.consume_front("?");
  const auto* const wanted = llvm::find_if(contexts, [&](const Context& one) { return isOf(section, one.section); });
  if (wanted == std::end(contexts)) return;
  const llvm::StringRef taken = takenBy(program);
  const bool isAnothers = llvm::any_of(contexts, [&](const Context& one) { return one.type == taken; });
  if (!isAnothers || taken == wanted->type || taken == wanted->beginsWith) return;
  findings.add("context", declarationOf(program),
               ("program '" + program.getName() + "' takes a '" + taken +
                "', and the kernel hands programs in section '" + section + "' a '" + wanted->type + "'")
                   .str(),
               ("take a 'struct " + wanted->type + "*', or name the section of the programs that are meant").str());
}

}  // namespace lathe::targets::bpf
