// syr2/NaN and infinities of netlib: syr2(uplo=L, n=8, alpha=1, incX=1, incY=1, lda=8)
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

static real x_before[40], x[40] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.1589414667012039, 0.79404401325817564, -0.083643586444028362, -0.50624400094531241, 0, 0.44258570378414785, 0.77327325185572859, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real y_before[40], y[40] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.014409713887430842, 0.24899465804412912, 0.70083703660959906, -0.13331901226792175, -0.74535514806843484, 0, -0.60863375233198802, 0.8630568919623467, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real a_before[96], a[96] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.094403455092636701, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.43391400626894017, 0.48529528224080432, NAN, NAN, NAN, NAN, NAN, NAN, -0.69664686155659483, -0.32659843031663405, 0, NAN, NAN, NAN, NAN, NAN, -0.11887314869375731, 0, -0.68095838091124161, -0.95429737386159008, NAN, NAN, NAN, NAN, 0, -0.98697576503926299, -0.6658557047072089, -0.92754711188046013, -0.083099701297803419, NAN, NAN, NAN, -0.68558969942377246, 0.27807723663518291, 0, 0.64817787683312367, -0.81349740283116656, 0, NAN, NAN, 0, 0, 0.69793296511382152, -0.83424319209712894, -0.20818114971660573, 0, 0, NAN, 0, 0.69675852285839035, -0.71953378753840824, 0.52954759621456216, 0.7696707349935803, -0.55615998259107657, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry a_entries[] = {{16, NAN, 0}, {24, NAN, 0}, {25, 0.56444643454140153, 3.7599685667726444e-16}, {32, NAN, 0}, {33, -0.017493646246171661, 4.2346340726446621e-16}, {34, 1.1129909063789061, 7.4140087827617071e-16}, {40, NAN, 0}, {41, -0.042016725553234678, 2.7988761677134408e-17}, {42, -0.84544006771090985, 5.6317621746798251e-16}, {43, -0.93199481320706135, 6.5054623988832962e-16}, {48, NAN, 0}, {49, -1.2314956573888229, 8.2034090013537935e-16}, {50, -1.6124950432060106, 1.0741374744367506e-15}, {51, -0.79771098394890649, 7.0435873121522524e-16}, {52, 0.67156344326889694, 5.5806216039256129e-16}, {56, NAN, 0}, {57, 0.27807723663518291, 1.8523665044191104e-16}, {58, 0, 0}, {59, 0.64817787683312367, 4.3177320174766994e-16}, {60, -0.81349740283116656, 5.4189812825755667e-16}, {61, 0, 0}, {64, NAN, 0}, {65, 0.013464334689450663, 1.3784881053199821e-16}, {66, 0.52483143089360329, 9.9346891080759531e-16}, {67, -0.84233997109360059, 6.2893463160493998e-16}, {68, -0.22994749660270772, 5.6367035598049433e-16}, {69, 0, 0}, {70, -0.53874519524527931, 3.5887639210049094e-16}, {72, NAN, 0}, {73, 1.0264749600339571, 6.8376968089853241e-16}, {74, 0.50770990494553825, 1.2968143092855362e-15}, {75, 0.35426639631498552, 4.6951029471884855e-16}, {76, -0.24360983817115103, 1.187684156461741e-15}, {77, -0.55615998259107657, 3.7047697082864396e-16}, {78, -0.088663558919996041, 5.6795691002908316e-16}, {79, 1.334757618768444, 8.8912718439034485e-16}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, real, real *, int, real *, int, real *, int) = dlsym(library, "cblas_dsyr2");
  if (!call) return puts("no cblas_dsyr2 in the library"), 2;
  memcpy(x_before, x, sizeof x);
  memcpy(y_before, y, sizeof y);
  memcpy(a_before, a, sizeof a);
  call(101, 122, 8, 1, x + 16, 1, y + 16, 1, a + 16, 8);
  same("x", x_before, x, 40, 0, 0);
  same("y", y_before, y, 40, 0, 0);
  for (int i = 0; i < 36; i++)
    entry("a", a_entries[i].at, a[a_entries[i].at], a_entries[i].want, a_entries[i].slack);
  same("a", a_before, a, 96, a_entries, 36);
  puts(wrong ? "wrong" : "right");
  return wrong;
}
