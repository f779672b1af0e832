// syr2/NaN and infinities of netlib-single: syr2(uplo=L, n=8, alpha=1, incX=1, incY=1, lda=8)
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

static real x_before[40], x[40] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.15894146263599396, 0.79404401779174805, -0.083643585443496704, -0.5062440037727356, 0, 0.44258570671081543, 0.77327322959899902, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real y_before[40], y[40] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.014409713447093964, 0.24899466335773468, 0.70083701610565186, -0.13331900537014008, -0.74535512924194336, 0, -0.60863375663757324, 0.86305689811706543, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real a_before[96], a[96] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.094403453171253204, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.43391400575637817, 0.48529529571533203, NAN, NAN, NAN, NAN, NAN, NAN, -0.69664686918258667, -0.32659843564033508, 0, NAN, NAN, NAN, NAN, NAN, -0.11887314915657043, 0, -0.68095839023590088, -0.95429736375808716, NAN, NAN, NAN, NAN, 0, -0.98697578907012939, -0.66585570573806763, -0.92754709720611572, -0.083099700510501862, NAN, NAN, NAN, -0.68558967113494873, 0.27807724475860596, 0, 0.6481778621673584, -0.81349742412567139, 0, NAN, NAN, 0, 0, 0.69793295860290527, -0.83424317836761475, -0.20818114280700684, 0, 0, NAN, 0, 0.69675850868225098, -0.71953380107879639, 0.52954757213592529, 0.76967072486877441, -0.55615997314453125, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry a_entries[] = {{16, NAN, 0}, {24, NAN, 0}, {25, 0.56444644768060259, 2.0186185224382455e-07}, {32, NAN, 0}, {33, -0.017493652329777731, 2.2734526859384574e-07}, {34, 1.1129908801714237, 3.9803669865421857e-07}, {40, NAN, 0}, {41, -0.042016724110243375, 1.5026356865143861e-08}, {42, -0.84544006974660491, 3.0235303834663983e-07}, {43, -0.93199480452424854, 3.4925947389056672e-07}, {48, NAN, 0}, {49, -1.2314956787913482, 4.404173323662331e-07}, {50, -1.6124950242684903, 5.7667336497611597e-07}, {51, -0.79771097471004015, 3.7814984244776977e-07}, {52, 0.67156342920947054, 2.9960744255945092e-07}, {56, NAN, 0}, {57, 0.27807724475860596, 9.9448207929187018e-08}, {58, 0, 0}, {59, 0.6481778621673584, 2.3180655025502753e-07}, {60, -0.81349742412567139, 2.9092945398871615e-07}, {61, 0, 0}, {64, NAN, 0}, {65, 0.013464339559789096, 7.4007043556951393e-08}, {66, 0.52483141118094068, 5.3336474830414875e-07}, {67, -0.84233995495022995, 3.3765682406232711e-07}, {68, -0.22994747964163764, 3.0261832303149189e-07}, {69, 0, 0}, {70, -0.53874520261899761, 1.9267036746360006e-07}, {72, NAN, 0}, {73, 1.0264749418946124, 3.6709617697863201e-07}, {74, 0.5077098687515047, 6.9622212665005597e-07}, {75, 0.35426638088617679, 2.5206649856049023e-07}, {76, -0.2436098227047836, 6.3763329150997069e-07}, {77, -0.55615997314453125, 1.9889837695702608e-07}, {78, -0.088663543453321836, 3.049196515354674e-07}, {79, 1.3347575898693549, 4.7734668274499333e-07}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, real, real *, int, real *, int, real *, int) = dlsym(library, "cblas_ssyr2");
  if (!call) return puts("no cblas_ssyr2 in the library"), 2;
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
