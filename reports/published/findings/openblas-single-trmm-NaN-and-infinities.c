// trmm/NaN and infinities of openblas-single: trmm(side=R, uplo=U, tA=N, diag=N, m=1, n=2, alpha=1, lda=2, ldb=2)
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

static real a_before[36], a[36] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.33019071817398071, 0.97790563106536865, NAN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real b_before[34], b[34] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.33369329571723938, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry b_entries[] = {{16, -0.11018242896271779, 3.283693248023101e-08}, {17, NAN, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, int, int, real, real *, int, real *, int) = dlsym(library, "cblas_strmm");
  if (!call) return puts("no cblas_strmm in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(b_before, b, sizeof b);
  call(101, 142, 121, 111, 131, 1, 2, 1, a + 16, 2, b + 16, 2);
  same("a", a_before, a, 36, 0, 0);
  for (int i = 0; i < 2; i++)
    entry("b", b_entries[i].at, b[b_entries[i].at], b_entries[i].want, b_entries[i].slack);
  same("b", b_before, b, 34, b_entries, 2);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
