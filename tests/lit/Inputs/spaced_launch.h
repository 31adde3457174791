// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests/lit/cuda/spaced_launches.cu.
inline void launch(void* to) {
  scale<short, 7> << <1, 32 >> >(static_cast<short*>(to), 1);
}
