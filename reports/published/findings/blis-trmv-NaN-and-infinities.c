// trmv/NaN and infinities of blis: trmv(uplo=L, tA=T, diag=U, n=6, lda=6, incX=1)
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

static real a_before[68], a[68] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.4315939520672647, NAN, NAN, NAN, NAN, NAN, 0, -0.3619636592808424, NAN, NAN, NAN, NAN, 0.33490691361386116, -0.36943590675566407, 0.2287422426985537, NAN, NAN, NAN, -0.61867164589891721, 0, 0, 0.26671438722532481, NAN, NAN, NAN, -0.66529599086301583, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[38], x[38] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.39539687198837203, -0.58811337128478458, -0.0037860383994470226, 0.054796141923844965, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry x_entries[] = {{16, NAN, 0}, {17, -0.60698662534989067, 6.0924010034517319e-16}, {18, 0.0087481539954415155, 1.449527679605429e-17}, {19, 0.054796141923844965, 4.2585156897136382e-17}, {20, 0, 0}, {21, 0, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real *, int, real *, int) = dlsym(library, "cblas_dtrmv");
  if (!call) return puts("no cblas_dtrmv in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(x_before, x, sizeof x);
  call(101, 122, 112, 132, 6, a + 16, 6, x + 16, 1);
  same("a", a_before, a, 68, 0, 0);
  for (int i = 0; i < 6; i++)
    entry("x", x_entries[i].at, x[x_entries[i].at], x_entries[i].want, x_entries[i].slack);
  same("x", x_before, x, 38, x_entries, 6);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
