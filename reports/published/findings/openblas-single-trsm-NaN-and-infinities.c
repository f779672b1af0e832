// trsm/NaN and infinities of openblas-single: trsm(side=L, uplo=U, tA=N, diag=N, m=4, n=1, alpha=1, lda=4, ldb=1)
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

static real a_before[48], a[48] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 2.7935287952423096, 0, -0.090604372322559357, -0.1451333612203598, NAN, 2.2914855480194092, 0.13470067083835602, 0, NAN, NAN, 2.1535766124725342, 0.008641459047794342, NAN, NAN, NAN, 2.541649341583252, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real b_before[36], b[36] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry b_entries[] = {{16, NAN, 0}, {17, NAN, 0}, {18, 0, 0}, {19, 0, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, int, int, real, real *, int, real *, int) = dlsym(library, "cblas_strsm");
  if (!call) return puts("no cblas_strsm in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(b_before, b, sizeof b);
  call(101, 141, 121, 111, 131, 4, 1, 1, a + 16, 4, b + 16, 1);
  same("a", a_before, a, 48, 0, 0);
  for (int i = 0; i < 4; i++)
    entry("b", b_entries[i].at, b[b_entries[i].at], b_entries[i].want, b_entries[i].slack);
  same("b", b_before, b, 36, b_entries, 4);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
