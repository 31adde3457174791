// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static members of members in constant expressions, as CUDA's compiler takes them: the object is not evaluated. Members
// that are not static stay no constants.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: FileCheck %s --implicit-check-not=anyObject < %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[8] --print 0 | FileCheck %s --check-prefix=RESULT
// RUN: not %compile %s -t cuda:sm_80 -DREAD -o %t.limg 2>&1 | FileCheck %s --check-prefix=READ
// QUIET-NOT: warning
// CHECK-LABEL: .entry all(
// RESULT: 3 5 7 2 1 4 8 0
// READ: constexpr if condition is not a constant expression

template <int count>
struct Guard {
  static constexpr bool isActive = count > 0;
  static constexpr int bits = count;
  static __device__ constexpr int doubled() { return 2 * count; }
  int state = count;
};

struct Shape {
  virtual __device__ int area() const = 0;  // no variable may have this type
};

template <int count>
class Iterator {
 public:
  __device__ explicit Iterator(int* out) : out_(out) {
    if constexpr (guard_.isActive) out_[0] = 3;
    if constexpr (!this->guard_.isActive || this->inner_.guard.isActive) out_[1] = 5;
  }
  __device__ void load() const {
    if constexpr (guard_.doubled() == 2 && sizeof(guard_.state) == 4) out_[2] = 7;
    constexpr int twice = guard_.doubled();
    out_[3] = twice;
    const auto nested = [this](auto value) {
      if constexpr (guard_.bits == 1) out_[4] = value;
    };
    nested(1);
#ifdef READ
    if constexpr (guard_.state > 0) out_[7] = 1;
#endif
  }

 private:
  struct Inner {
    Guard<count> guard;
  };
  int* out_;
  Guard<count> guard_;
  Inner inner_;
};

template <class T>
struct Tile : Shape {
  Guard<4> guard;
  __device__ int area() const override {
    if constexpr (sizeof(this->guard.state) == sizeof(T)) return Guard<4>::bits;
    return 0;
  }
};

template <class T>
__device__ T chosen(T value) {
  constexpr Guard<8> local{};
  if constexpr (local.state == 8) return value + local.state;  // an object that is constant itself
  return value;
}

extern "C" __global__ void all(int* out) {
  Iterator<1> iterator(out);
  iterator.load();
  out[5] = Tile<int>().area();
  out[6] = chosen(0);
}
