// symm/threads of openblas-single: symm(side=L, uplo=U, m=250, n=60, alpha=1, lda=250, ldb=60, beta=1, ldc=60)
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

static real a_before[62532], a[62532];

static real b_before[15032], b[15032];

static real c_before[15032], c[15032];

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real, real *, int, real *, int, real, real *, int) = dlsym(library, "cblas_ssymm");
  if (!call) return puts("no cblas_ssymm in the library"), 2;
  fill(a, 62532);
  memcpy(a_before, a, sizeof a);
  fill(b, 15032);
  memcpy(b_before, b, sizeof b);
  fill(c, 15032);
  memcpy(c_before, c, sizeof c);
  void (*threads)(int) = dlsym(library, "openblas_set_num_threads");
  real first[sizeof c / sizeof *c];
  for (int n = 1; n < 4; n++) {
    if (threads) threads(n);
    memcpy(c, c_before, sizeof c);
    call(101, 141, 121, 250, 60, 1, a + 16, 250, b + 16, 60, 1, c + 16, 60);
    if (n == 1) memcpy(first, c, sizeof first);
    if (memcmp(first, c, sizeof first))
      printf("other bits in call %d, on as many threads\n", n), wrong = 1;
  }
  same("a", a_before, a, 62532, 0, 0);
  same("b", b_before, b, 15032, 0, 0);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
