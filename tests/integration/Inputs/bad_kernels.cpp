// One thing in each kernel that devices have not, most of them behind a function. bad_input.test counts lines.
#include <lathe/device.h>

int onHost(int x);

struct Shape {
  virtual int area(int) = 0;
};
struct Box : Shape {
  int area(int x) override { return x; }
};

int thrower(int n) {
  if (n > 3) throw n;
  return n;
}
int catcher(int n) {
  try {
    return thrower(n);
  } catch (int code) {
    return code;
  }
}
thread_local int counter = 3;
int isBox(Shape* s) {
  return dynamic_cast<Box*>(s) ? 1 : 2;
}
int assembly(int x) {
  int y;
  asm volatile("frobnicate %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
long double scaled(long double x) {
  return x * 3.0L;
}
int paths(int n, const int* next) {
  return n < 2 ? 1 : paths(next[n], next) + 2 * paths(next[n + 1], next);
}

LATHE_KERNEL void exceptions(int* p) {
  p[0] = catcher(p[1]);
}
LATHE_KERNEL void threadLocal(int* p) {
  p[0] = counter++;
}
LATHE_KERNEL void typeInformation(int* p, Shape* s) {
  p[0] = isBox(s);
}
LATHE_KERNEL void inlineAssembly(int* p) {
  p[0] = assembly(p[1]);
}
LATHE_KERNEL void longDouble(double* p) {
  p[0] = static_cast<double>(scaled(p[1]));
}
LATHE_KERNEL void hostFunction(int* p) {
  p[0] = onHost(p[1]);
}
LATHE_KERNEL void indirect(int* p, int (*f)(int)) {
  p[0] = f(p[1]);
}
LATHE_KERNEL void recursion(int* p) {
  p[0] = paths(p[1], p);
}
LATHE_KERNEL void misspelt(int* p) {
  p[0] = lathe::groop_id().x;
}
LATHE_KERNEL void shared(float* p) {
  LATHE_SHARED float tile[30000];
  LATHE_SHARED float more[20000];
  tile[p[0] > 1] = 1;
  more[p[1] > 2] = 2;
  lathe::barrier();
  p[2] = tile[1] + more[0];
}
