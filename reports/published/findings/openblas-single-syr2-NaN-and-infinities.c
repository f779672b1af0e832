// syr2/NaN and infinities of openblas-single: syr2(uplo=U, n=2, alpha=1, incX=1, incY=2, lda=2)
// cc reproducer.c -ldl -lm && ./a.out LIBRARY
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef float real;
struct entry { int at; double want, slack; };
int wrong;

void fill(real *x, int n) {
  unsigned s = 1;
  for (int i = 0; i < n; i++) s = s * 1664525u + 1013904223u, x[i] = s / 2147483648.0 - 1;
}

void entry(const char *name, int at, double got, double want, double slack) {
  if (isnan(want) ? isnan(got) : isinf(want) ? got == want : fabs(got - want) <= slack) return;
  printf("%s[%d] = %.17g, want %.17g within %.3g\n", name, at, got, want, slack), wrong = 1;
}

// Apart from the entries of the result, which are left out, nothing may change, bit by bit.
void same(const char *name, const real *before, const real *after, int n, const struct entry *e, int m) {
  for (int i = 0; i < n; i++) {
    int result = 0;
    for (int k = 0; k < m; k++) result |= e[k].at == i;
    if (!result && memcmp(before + i, after + i, sizeof *after))
      printf("%s[%d] = %.17g, was %.17g and is no result\n", name, i, after[i], before[i]), wrong = 1;
  }
}

static real x_before[34], x[34] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.002191504230722785, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real y_before[35], y[35] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real a_before[36], a[36] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.3106498122215271, 0.32264283299446106, NAN, -0.4573882520198822, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry a_entries[] = {{16, 0.3106498122215271, 1.110970699734439e-07}, {17, NAN, 0}, {19, NAN, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, real, real *, int, real *, int, real *, int) = dlsym(library, "cblas_ssyr2");
  if (!call) return puts("no cblas_ssyr2 in the library"), 2;
  memcpy(x_before, x, sizeof x);
  memcpy(y_before, y, sizeof y);
  memcpy(a_before, a, sizeof a);
  call(101, 121, 2, 1, x + 16, 1, y + 16, 2, a + 16, 2);
  same("x", x_before, x, 34, 0, 0);
  same("y", y_before, y, 35, 0, 0);
  for (int i = 0; i < 3; i++)
    entry("a", a_entries[i].at, a[a_entries[i].at], a_entries[i].want, a_entries[i].slack);
  same("a", a_before, a, 36, a_entries, 3);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
