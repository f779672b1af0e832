// symv/NaN and infinities of blis: symv(uplo=U, n=6, alpha=1, lda=6, incX=1, beta=1, incY=2)
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

static real a_before[68], a[68] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.88597452466957494, -0.081334515206884062, 0, -0.19645756972165374, NAN, 0.032002208793981524, NAN, 0, 0, -0.0682291133028472, 0.43847701369816927, 0, NAN, NAN, -0.17068898365495477, 0.50366949938634153, 0, 0.88245802394457074, NAN, NAN, NAN, -0.83391294499933522, 0.90892599795630225, -0.36623996891847965, NAN, NAN, NAN, NAN, 0, -0.73200135730979032, NAN, NAN, NAN, NAN, NAN, -0.5268751098892055, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[38], x[38] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0.96905097435792764, 0.39480320905417887, 0.14421474628044839, 0.76627508009453282, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real y_before[43], y[43] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.18068110452199027, NAN, 0.15111557213831772, NAN, 0, NAN, 0.58480568687971268, NAN, 0, NAN, -0.61461737364842683, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry y_entries[] = {{16, NAN, 0}, {18, 0.47726993666558387, 5.5172447187934968e-16}, {20, 0.0052480105660292712, 1.5545912064360211e-16}, {22, 1.2937633309153587, 1.8502126452411947e-15}, {24, NAN, 0}, {26, -0.87995171683670503, 1.7505399754808678e-15}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, real, real *, int, real *, int, real, real *, int) = dlsym(library, "cblas_dsymv");
  if (!call) return puts("no cblas_dsymv in the library"), 2;
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
