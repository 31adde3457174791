// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CO-RE by pointers to members: field<&task_struct::tgid>(task). The structures are the program's own declarations of
// what the kernel has; the loader finds each member by its name in the kernel's BTF, and what it finds there decides
// offsets, sizes and existence. The functions of namespace detail have no use of their own: the compiler puts relocated
// accesses in their place.
#ifndef LATHE_BPF_FIELD_H
#define LATHE_BPF_FIELD_H

namespace lathe::bpf {

#define LATHE_BPF_INLINE inline __attribute__((always_inline))

namespace detail {
template <auto Member>
struct member;
template <class Object, class Type, Type Object::*Member>
struct member<Member> {
  using object = Object;
  using type = __remove_cv(Type);
};
/// The relocated address of a member.
template <auto Member>
__attribute__((noinline)) const typename member<Member>::type* lathe_bpf_member(
    const typename member<Member>::object* object) {
  return &(object->*Member);
}
/// What the kernel has of a member: its offset (0), size (1) or existence (2), as in enum bpf_core_relo_kind.
template <auto Member, unsigned Kind>
__attribute__((noinline)) unsigned lathe_bpf_member_info() {
  return Kind;
}
}  // namespace detail

/// The address of a member of `object`. Programs whose pointers the verifier knows (tp_btf, fentry, iter, lsm) read
/// from it directly.
template <auto Member>
LATHE_BPF_INLINE const typename detail::member<Member>::type* field_address(
    const typename detail::member<Member>::object* object) {
  return detail::lathe_bpf_member<Member>(object);
}

/// The value of a member, by a checked read; zeros if the address is not readable. Behind a pointer more members may
/// follow: field<&task_struct::real_parent, &task_struct::tgid>(task).
template <auto Member, auto... More>
LATHE_BPF_INLINE auto field(const typename detail::member<Member>::object* object) {
  static_assert(!__is_array(typename detail::member<Member>::type),
                "an array is read from field_address<&T::member>(object), with bpf_probe_read_kernel");
  typename detail::member<Member>::type value;
  bpf_probe_read_kernel(&value, sizeof(value), detail::lathe_bpf_member<Member>(object));
  if constexpr (sizeof...(More) == 0)
    return value;
  else
    return field<More...>(value);
}

/// Whether the kernel has the member, how many bytes it has there, and where.
template <auto Member>
LATHE_BPF_INLINE bool has_field() {
  return detail::lathe_bpf_member_info<Member, 2>() != 0;
}
template <auto Member>
LATHE_BPF_INLINE unsigned field_size() {
  return detail::lathe_bpf_member_info<Member, 1>();
}
template <auto Member>
LATHE_BPF_INLINE unsigned field_offset() {
  return detail::lathe_bpf_member_info<Member, 0>();
}

/// Whether the kernel has a type of this name, and its bytes there.
template <class Type>
LATHE_BPF_INLINE bool has_type() {
  return __builtin_preserve_type_info(*static_cast<Type*>(nullptr), 0) != 0;
}
template <class Type>
LATHE_BPF_INLINE unsigned type_size() {
  return __builtin_preserve_type_info(*static_cast<Type*>(nullptr), 1);
}

#undef LATHE_BPF_INLINE

}  // namespace lathe::bpf

#endif
