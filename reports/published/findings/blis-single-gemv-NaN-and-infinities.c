// gemv/NaN and infinities of blis-single: gemv(tA=N, m=1, n=1, alpha=1, lda=1, incX=1, beta=1, incY=1)
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

static real a_before[33], a[33] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[33], x[33] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real y_before[33], y[33] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.51732724905014038, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry y_entries[] = {{16, NAN, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, real, real *, int, real *, int, real, real *, int) = dlsym(library, "cblas_sgemv");
  if (!call) return puts("no cblas_sgemv in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(x_before, x, sizeof x);
  memcpy(y_before, y, sizeof y);
  call(101, 111, 1, 1, 1, a + 16, 1, x + 16, 1, 1, y + 16, 1);
  same("a", a_before, a, 33, 0, 0);
  same("x", x_before, x, 33, 0, 0);
  for (int i = 0; i < 1; i++)
    entry("y", y_entries[i].at, y[y_entries[i].at], y_entries[i].want, y_entries[i].slack);
  same("y", y_before, y, 33, y_entries, 1);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
