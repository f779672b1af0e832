// trmv/NaN and infinities of blis-single: trmv(uplo=L, tA=T, diag=U, n=6, lda=6, incX=1)
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

static real a_before[68], a[68] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.43159395456314087, NAN, NAN, NAN, NAN, NAN, 0, -0.3619636595249176, NAN, NAN, NAN, NAN, 0.33490690588951111, -0.36943590641021729, 0.22874224185943604, NAN, NAN, NAN, -0.61867165565490723, 0, 0, 0.26671439409255981, NAN, NAN, NAN, -0.66529601812362671, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[38], x[38] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.39539685845375061, -0.58811336755752563, -0.0037860383745282888, 0.054796140640974045, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry x_entries[] = {{16, NAN, 0}, {17, -0.60698662113785962, 3.2708346149233091e-07}, {18, 0.0087481536809330684, 7.7820960102489736e-09}, {19, 0.054796140640974045, 2.2862741024852126e-08}, {20, 0, 0}, {21, 0, 0}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real *, int, real *, int) = dlsym(library, "cblas_strmv");
  if (!call) return puts("no cblas_strmv in the library"), 2;
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
