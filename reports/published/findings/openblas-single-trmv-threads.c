// trmv/threads of openblas-single: trmv(uplo=U, tA=N, diag=N, n=60, lda=60, incX=1)
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

static real a_before[3632], a[3632];

static real x_before[92], x[92];

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real *, int, real *, int) = dlsym(library, "cblas_strmv");
  if (!call) return puts("no cblas_strmv in the library"), 2;
  fill(a, 3632);
  memcpy(a_before, a, sizeof a);
  fill(x, 92);
  memcpy(x_before, x, sizeof x);
  void (*threads)(int) = dlsym(library, "openblas_set_num_threads");
  real first[sizeof x / sizeof *x];
  for (int n = 1; n < 4; n++) {
    if (threads) threads(n);
    memcpy(x, x_before, sizeof x);
    call(101, 121, 111, 131, 60, a + 16, 60, x + 16, 1);
    if (n == 1) memcpy(first, x, sizeof first);
    if (memcmp(first, x, sizeof first))
      printf("other bits in call %d, on as many threads\n", n), wrong = 1;
  }
  same("a", a_before, a, 3632, 0, 0);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
