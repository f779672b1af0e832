// symv/NaN and infinities of blis-single: symv(uplo=U, n=6, alpha=1, lda=6, incX=1, beta=1, incY=2)
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

static real a_before[68], a[68] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.88597452640533447, -0.081334516406059265, 0, -0.19645756483078003, NAN, 0.03200221061706543, NAN, 0, 0, -0.068229116499423981, 0.43847700953483582, 0, NAN, NAN, -0.17068898677825928, 0.50366950035095215, 0, 0.88245803117752075, NAN, NAN, NAN, -0.83391296863555908, 0.90892601013183594, -0.36623996496200562, NAN, NAN, NAN, NAN, 0, -0.73200136423110962, NAN, NAN, NAN, NAN, NAN, -0.52687513828277588, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[38], x[38] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0.96905100345611572, 0.39480319619178772, 0.14421474933624268, 0.76627510786056519, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real y_before[43], y[43] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.18068110942840576, NAN, 0.15111556649208069, NAN, 0, NAN, 0.58480566740036011, NAN, 0, NAN, -0.61461734771728516, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry y_entries[] = {{16, NAN, 0}, {18, 0.47726993933436734, 2.9620499933133255e-07}, {20, 0.0052480132066285989, 8.3461530052273128e-08}, {22, 1.2937633288655723, 9.9332595425185381e-07}, {24, NAN, 0}, {26, -0.87995172557747203, 9.3981454838515237e-07}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, real, real *, int, real *, int, real, real *, int) = dlsym(library, "cblas_ssymv");
  if (!call) return puts("no cblas_ssymv in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(x_before, x, sizeof x);
  memcpy(y_before, y, sizeof y);
  call(101, 121, 6, 1, a + 16, 6, x + 16, 1, 1, y + 16, 2);
  same("a", a_before, a, 68, 0, 0);
  same("x", x_before, x, 38, 0, 0);
  for (int i = 0; i < 6; i++)
    entry("y", y_entries[i].at, y[y_entries[i].at], y_entries[i].want, y_entries[i].slack);
  same("y", y_before, y, 43, y_entries, 6);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
