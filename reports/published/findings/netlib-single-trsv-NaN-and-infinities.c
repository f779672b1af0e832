// trsv/NaN and infinities of netlib-single: trsv(uplo=U, tA=T, diag=N, n=2, lda=2, incX=1)
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

static real a_before[36], a[36] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, 2.1010689735412598, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[34], x[34] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry x_entries[] = {{16, NAN, 0}, {17, NAN, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real *, int, real *, int) = dlsym(library, "cblas_strsv");
  if (!call) return puts("no cblas_strsv in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(x_before, x, sizeof x);
  call(101, 121, 112, 131, 2, a + 16, 2, x + 16, 1);
  same("a", a_before, a, 36, 0, 0);
  for (int i = 0; i < 2; i++)
    entry("x", x_entries[i].at, x[x_entries[i].at], x_entries[i].want, x_entries[i].slack);
  same("x", x_before, x, 34, x_entries, 2);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
