// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static members of members in constant expressions, as CUDA's compiler takes them: the object is not evaluated. Members
// that are not static stay no constants.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: FileCheck %s --implicit-check-not=anyObject < %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[10] --print 0 | FileCheck %s --check-prefix=RESULT
// RUN: not %compile %s -t cuda:sm_80 -DREAD -o %t.limg 2>&1 | FileCheck %s --check-prefix=READ
// QUIET-NOT: warning
// CHECK-LABEL: .entry all(
// RESULT: 3 5 7 2 1 4 8 0 12 6
// READ-DAG: constexpr variable 'count' must be initialized by a constant expression
// READ-DAG: constexpr if condition is not a constant expression

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

struct Model {
  static constexpr float pixels = 4;
  static constexpr __device__ int lines() { return 6; }
  enum { faces = 2 };
  int count;
};
struct Parameters {
  Model model;
};

__device__ int ofReference(const Parameters& parameters, const Model* other) {
  const Model& model = parameters.model;
  constexpr float scale = 8 / model.pixels;
  constexpr int lines = model.lines() + parameters.model.faces + other->faces;
  int table[lines];  // what is constant in the language
  table[threadIdx.x] = static_cast<int>(scale);
#ifdef READ
  constexpr int count = model.count;
#endif
  return sizeof(table) / sizeof(int) + table[0];
}

template <class T>
__device__ T ofDependent(const Parameters& parameters) {
  const auto& model = parameters.model;
  constexpr T lines = model.lines();
  return lines;
}

extern "C" __global__ void all(int* out) {
  Iterator<1> iterator(out);
  iterator.load();
  out[5] = Tile<int>().area();
  out[6] = chosen(0);
  const Parameters parameters{{5}};
  out[8] = ofReference(parameters, &parameters.model);
  out[9] = ofDependent<int>(parameters);
}
