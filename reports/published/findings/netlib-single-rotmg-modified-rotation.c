// rotmg of netlib-single
// cc reproducer.c -ldl -lm && ./a.out LIBRARY
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

typedef float real;

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void *call = dlsym(library, "cblas_srotmg");
  if (!call) return puts("no cblas_srotmg in the library"), 2;
  real x[] = {25004248, 28503242, 1.5196107625961304, -3.3077003955841064};
  real d1 = x[0], d2 = x[1], b = x[2], h[5];
  ((void (*)(real *, real *, real *, real, real *))call)(&d1, &d2, &b, x[3], h);
  if (h[0] == -2) h[1] = h[4] = 1, h[2] = h[3] = 0;
  if (h[0] == 0) h[1] = h[4] = 1;
  if (h[0] == 1) h[2] = -1, h[3] = 1;
  printf("flag, H = %g, %.17g %.17g %.17g %.17g\n", h[0], h[1], h[2], h[3], h[4]);
  double p = h[1], q = h[2], r = h[3], s = h[4];
  double zero[][3] = {{q * x[2], s * x[3]}, {p * x[2], r * x[3], -b}, {p * p * d1, q * q * d2, -x[0]},
                      {r * r * d1, s * s * d2, -x[1]}, {p * r * d1, q * s * d2}};
  int wrong = 0;
  for (unsigned i = 0; i < sizeof zero / sizeof *zero; i++) {
    double *z = zero[i], sum = z[0] + z[1] + z[2], size = fabs(z[0]) + fabs(z[1]) + fabs(z[2]);
    if (!(fabs(sum) <= 1.19e-06 * size)) printf("equation %u is off by %.3g\n", i + 1, sum), wrong = 1;
  }
  puts(wrong ? "wrong" : "right");
  return wrong;
}
