// gemm/NaN and infinities of blis-single: gemm(tA=T, tB=N, m=3, n=1, k=3, alpha=1, lda=3, ldb=1, beta=1, ldc=1)
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

static real a_before[41], a[41] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.22629120945930481, -0.71627718210220337, 0, NAN, 0.66694158315658569, 0, 0, -0.78917330503463745, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real b_before[35], b[35] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.2585698664188385, 0, -0.3213086724281311, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real c_before[35], c[35] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, -0.53735971450805664, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry c_entries[] = {{16, NAN, 0}, {17, -0.46899918284668551, 4.0727569510020392e-07}, {18, 0, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, int, real, real *, int, real *, int, real, real *, int) = dlsym(library, "cblas_sgemm");
  if (!call) return puts("no cblas_sgemm in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(b_before, b, sizeof b);
  memcpy(c_before, c, sizeof c);
  call(101, 112, 111, 3, 1, 3, 1, a + 16, 3, b + 16, 1, 1, c + 16, 1);
  same("a", a_before, a, 41, 0, 0);
  same("b", b_before, b, 35, 0, 0);
  for (int i = 0; i < 3; i++)
    entry("c", c_entries[i].at, c[c_entries[i].at], c_entries[i].want, c_entries[i].slack);
  same("c", c_before, c, 35, c_entries, 3);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
