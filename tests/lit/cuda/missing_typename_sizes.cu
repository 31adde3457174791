// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of dependent classes without `typename` in `sizeof`, and arrays of them, as CUDA's compiler takes them; elsewhere the
// keyword counts.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DVALUE 2>&1 | FileCheck %s --check-prefix=VALUE
// CHECK: st.global.b32 {{.*}}, 64;
// CHECK: st.global.b32 {{.*}}, 4;
// CHECK: st.global.b32 {{.*}}, 192;
// CHECK: st.global.b32 {{.*}}, 96;
// CHECK: st.global.b32 {{.*}}, 4;
// VALUE: error: missing 'typename' prior to dependent type name 'Layout<float>::Tile'
template <class T>
struct Layout {
  struct Tile {
    alignas(16) T values[8];
  };
  static constexpr int count = 3;
};
template <class T>
struct Room {
  static constexpr int some = sizeof(Layout<T>::Tile[3]);
};
template <class T>
struct Names {
  using type = T;
  static constexpr int values[2] = {1, 2};
};
template <class T>
__global__ void sizes(int* to) {
  to[0] = sizeof(Layout<T>::Tile) * 2;
  to[1] = sizeof( Layout<T>::count );
  to[2] = sizeof(Layout<T>::Tile[2][3]);
  to[3] = Room<T>::some;
  to[4] = sizeof(Names<T>::values[1]);
#ifdef VALUE
  to[5] = (Layout<T>::Tile) + 1;
#endif
}
template __global__ void sizes<float>(int*);
