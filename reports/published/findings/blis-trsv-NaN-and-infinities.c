// trsv/NaN and infinities of blis: trsv(uplo=L, tA=T, diag=N, n=13, lda=13, incX=1)
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

static real a_before[201], a[201] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 2.6395927389871767, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.071044410061934266, 2.2331893250515149, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.011235307418514461, 0, 2.7699652292233647, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.017535899229472414, 0.060648170413906986, 0.041539927476783284, 2.2130621959849641, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.055871236675044539, 0, 0, 0.070580596921348215, 2.6080436228468584, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.036599100371111234, -0.016751797583056362, 0.060678929647630046, -0.056008696345954477, 0.076675823409168231, 2.8579674008887537, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0.066179261800910189, 0.073037517542235253, 0, -0.063754537903848052, -0.0097208299520739061, 2.9453338266033144, NAN, NAN, NAN, NAN, NAN, NAN, -0.043093822872768757, 0, 0, 0.07171240039399894, 0.06312649477716975, -0.046429963961466258, 0, 2.2595385137609383, NAN, NAN, NAN, NAN, NAN, 0, 0, 0.070128102909267492, -0.0014661421393571063, 0, 0.061237179621774378, 0.065108815006097082, 0.038133357045668045, 2.2576542337627479, NAN, NAN, NAN, NAN, -0.056158889257921535, 0.061567425328786479, 0, 0, -0.068847444884178322, 0, 0, 0, 0, 2.4557514189509244, NAN, NAN, NAN, NAN, 0.0051639995726335819, 0, 0.040353520670109826, 0.053152217022597044, 0, -0.073542081065806258, 0, 0.066333907891396912, 0.074279272212988412, 2.53446657635123, NAN, NAN, -0.067990770301313425, 0, 0.047840759947155295, -0.020853984980197946, 0.015920398940652787, -0.0048564436557387508, -0.017688267520708026, 0.03960059383302051, 0, 0.041685289718537799, -0.047558102043569091, 2.5102073439954493, NAN, -0.025831096345102261, 0.050707896832739956, 0.027875797155681201, -0.0074846174585711054, 0, 0, 0, 0.044397898175248758, 0.037629715278887331, -0.018163048717188948, 0, 0, 2.6431014353129934, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[45], x[45] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.34119293529024297, 0.12310539857183067, -0.36675405363433455, -0.26697924346630231, -0.25770906390619697, -0.57708953358921922, 0, 0, 0, 0, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry x_entries[] = {{16, NAN, 3.9634959386824837e-14}, {17, 0.056945274878227897, 3.9634959386824837e-14}, {18, -0.12613914664776679, 3.9634959386824837e-14}, {19, -0.12278615559642971, 3.9634959386824837e-14}, {20, -0.092876685270328732, 3.9634959386824837e-14}, {21, -0.20192306371645785, 3.9634959386824837e-14}, {22, 0, 3.9634959386824837e-14}, {23, 0, 3.9634959386824837e-14}, {24, 0, 3.9634959386824837e-14}, {25, 0, 3.9634959386824837e-14}, {26, 0, 3.9634959386824837e-14}, {27, 0, 3.9634959386824837e-14}, {28, 0, 3.9634959386824837e-14}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real *, int, real *, int) = dlsym(library, "cblas_dtrsv");
  if (!call) return puts("no cblas_dtrsv in the library"), 2;
  memcpy(a_before, a, sizeof a);
  memcpy(x_before, x, sizeof x);
  call(101, 122, 112, 131, 13, a + 16, 13, x + 16, 1);
  same("a", a_before, a, 201, 0, 0);
  for (int i = 0; i < 13; i++)
    entry("x", x_entries[i].at, x[x_entries[i].at], x_entries[i].want, x_entries[i].slack);
  same("x", x_before, x, 45, x_entries, 13);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
