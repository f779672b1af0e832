// rotg of openblas
// cc reproducer.c -ldl -lm && ./a.out LIBRARY
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

typedef double real;

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void *call = dlsym(library, "cblas_drotg");
  if (!call) return puts("no cblas_drotg in the library"), 2;
  real x[] = {1, 4.149515568880993e+180};
  real a = x[0], b = x[1], c, s;
  ((void (*)(real *, real *, real *, real *))call)(&a, &b, &c, &s);
  printf("c, s, r, z = %.17g %.17g %.17g %.17g\n", c, s, a, b);
  double C = c, S = s, zero[][3] = {{C * C, S * S, -1}, {C * x[0], S * x[1], -a}, {C * x[1], -S * x[0]}};
  int wrong = 0;
  for (unsigned i = 0; i < sizeof zero / sizeof *zero; i++) {
    double *z = zero[i], sum = z[0] + z[1] + z[2], size = fabs(z[0]) + fabs(z[1]) + fabs(z[2]);
    if (!(fabs(sum) <= 2.22e-15 * size)) printf("equation %u is off by %.3g\n", i + 1, sum), wrong = 1;
  }
  puts(wrong ? "wrong" : "right");
  return wrong;
}
