// trsv/NaN and infinities of blis-single: trsv(uplo=L, tA=T, diag=N, n=13, lda=13, incX=1)
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

static real a_before[201], a[201] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 2.6395926475524902, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.071044407784938812, 2.2331893444061279, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.011235306970775127, 0, 2.7699651718139648, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.017535898834466934, 0.060648169368505478, 0.041539926081895828, 2.2130622863769531, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.055871237069368362, 0, 0, 0.07058059424161911, 2.6080436706542969, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0.036599099636077881, -0.016751797869801521, 0.060678929090499878, -0.056008696556091309, 0.076675824820995331, 2.8579673767089844, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0.066179260611534119, 0.073037520051002502, 0, -0.063754536211490631, -0.0097208302468061447, 2.94533371925354, NAN, NAN, NAN, NAN, NAN, NAN, -0.04309382289648056, 0, 0, 0.071712397038936615, 0.063126496970653534, -0.046429965645074844, 0, 2.2595384120941162, NAN, NAN, NAN, NAN, NAN, 0, 0, 0.070128105580806732, -0.0014661421300843358, 0, 0.06123717874288559, 0.065108813345432281, 0.038133356720209122, 2.2576541900634766, NAN, NAN, NAN, NAN, -0.056158889085054398, 0.061567425727844238, 0, 0, -0.068847447633743286, 0, 0, 0, 0, 2.4557514190673828, NAN, NAN, NAN, NAN, 0.0051639997400343418, 0, 0.040353521704673767, 0.053152218461036682, 0, -0.073542080819606781, 0, 0.06633390486240387, 0.074279271066188812, 2.5344665050506592, NAN, NAN, -0.067990772426128387, 0, 0.04784075915813446, -0.020853985100984573, 0.015920398756861687, -0.0048564434982836246, -0.017688266932964325, 0.039600592106580734, 0, 0.041685290634632111, -0.047558102756738663, 2.5102074146270752, NAN, -0.02583109587430954, 0.050707895308732986, 0.02787579782307148, -0.0074846176430583, 0, 0, 0, 0.044397898018360138, 0.037629716098308563, -0.018163049593567848, 0, 0, 2.6431014537811279, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static real x_before[45], x[45] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, -0.34119293093681335, 0.12310539931058884, -0.36675405502319336, -0.26697924733161926, -0.25770905613899231, -0.57708954811096191, 0, 0, 0, 0, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
static const struct entry x_entries[] = {{16, NAN, 2.1278879070013399e-05}, {17, 0.056945274504963075, 2.1278879070013399e-05}, {18, -0.12613914975927956, 2.1278879070013399e-05}, {19, -0.12278615279044806, 2.1278879070013399e-05}, {20, -0.092876680280737159, 2.1278879070013399e-05}, {21, -0.20192307050596703, 2.1278879070013399e-05}, {22, 0, 2.1278879070013399e-05}, {23, 0, 2.1278879070013399e-05}, {24, 0, 2.1278879070013399e-05}, {25, 0, 2.1278879070013399e-05}, {26, 0, 2.1278879070013399e-05}, {27, 0, 2.1278879070013399e-05}, {28, 0, 2.1278879070013399e-05}};

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "/usr/lib/x86_64-linux-gnu/blis-pthread/libblis.so.4", RTLD_NOW);
  if (!library) return puts(dlerror()), 2;
  void (*call)(int, int, int, int, int, real *, int, real *, int) = dlsym(library, "cblas_strsv");
  if (!call) return puts("no cblas_strsv in the library"), 2;
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
