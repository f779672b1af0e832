// syr2k/NaN and infinities of netlib: syr2k(uplo=U, tA=T, n=4, k=1, alpha=1, lda=4, ldb=4, beta=1, ldc=4)
// cc reproducer.c -ldl -lm && ./a.out LIBRARY
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double real;
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

static real a_before[36], a[36] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.4792010667484925, 0, NAN, 0.95050330468034727, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real b_before[36], b[36] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.86867482101854132, 0, 0, -0.16488468796849998, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real c_before[48], c[48] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.90400290851343579, -0.65599007724412894, 0, -0.57389842465387719, NAN, 0, 0.59592203546092759, 0.51207142901305103, NAN, NAN, -0.35379678747301146, -0.35533544358208213, NAN, NAN, NAN, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry c_entries[] = {{16, 0.071463106734154194, 1.1567698201271694e-15}, {17, -0.65599007724412894, 4.3697717260924049e-16}, {18, NAN, 0}, {19, -1.4785896310896074, 9.8493855144461973e-16}, {21, 0, 0}, {22, NAN, 0}, {23, 0.51207142901305103, 3.4110809444579764e-16}, {26, NAN, 0}, {27, NAN, 0}, {31, -0.31344688161049422, 2.0879756697655591e-16}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real, real *, int, real *, int, real, real *, int) = dlsym(library, "cblas_dsyr2k");
  if (!call) return puts("no cblas_dsyr2k in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(b_before, b, sizeof b);
  memcpy(c_before, c, sizeof c);
  call(101, 121, 112, 4, 1, 1, a + 16, 4, b + 16, 4, 1, c + 16, 4);
  same("a", a_before, a, 36, 0, 0);
  same("b", b_before, b, 36, 0, 0);
  for (int i = 0; i < 10; i++)
    entry("c", c_entries[i].at, c[c_entries[i].at], c_entries[i].want, c_entries[i].slack);
  same("c", c_before, c, 48, c_entries, 10);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
