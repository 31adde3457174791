// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the kernel in C++ sources. Clang has the attributes of BPF for C only, though its code generation asks no
// language: the dialect spells them as annotations (macros, below), and KernelTypes gives the AST what they stand
// for. Structures that are certainly the kernel's are relocated (CO-RE) without an attribute: the source declares them
// with some of their members, and accesses at the offsets of that declaration would read something else.
#pragma once

#include <memory>
#include <string_view>

#include "clang/AST/ASTConsumer.h"

namespace lathe::dialects::bpf {

// The attributes' names as annotations, for Clang's option -D.
inline constexpr std::string_view preservedMacro =
    "preserve_access_index=annotate(\"lathe.bpf.preserve_access_index\")";
inline constexpr std::string_view typeTagMacro = "btf_type_tag(tag)=annotate(\"lathe.bpf.btf_type_tag:\" tag)";
inline constexpr std::string_view declTagMacro = "btf_decl_tag(tag)=annotate(\"lathe.bpf.btf_decl_tag:\" tag)";

/// The consumer that sees each declaration before code generation does. The kernel's structures are, unless a system
/// header defines them:
///   - those with `preserve_access_index`,
///   - those that Lathe's headers declare and the source defines (task_struct),
///   - the parameters of BPF_PROG (lathe::bpf::kernel_word), what the context of an iterator points to, and what
///     functions of the kernel (`__ksym`) take and return,
///   - all that these consist of or point to.
std::unique_ptr<clang::ASTConsumer> kernelTypes();

}  // namespace lathe::dialects::bpf
