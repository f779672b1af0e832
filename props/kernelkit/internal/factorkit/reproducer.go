package factorkit

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// drivers are the calls of LAPACK by what they are symbols of, without the letter of the precision: what they are
// called with, and what makes of the result a matrix u with m rows, numbers s and a matrix vt with n columns whose
// product is the matrix.
var drivers = map[string]struct{ arguments, after string }{
	"gesdd": {`"S", &m, &n, w, &m, s, u, &m, vt, &k, work, &lwork, iwork, &info, (size_t)1`, ""},
	"gesvd": {`"S", "S", &m, &n, w, &m, s, u, &m, vt, &k, work, &lwork, &info, (size_t)1, (size_t)1`, ""},
	"syevd": {`"V", "L", &n, w, &n, s, work, &lwork, iwork, &liwork, &info, (size_t)1, (size_t)1`,
		"u[i + j * m] = w[i + j * m], vt[j + i * k] = u[i + j * m];"},
	"syevr": {`"V", "A", "L", &n, w, &n, &zero, &zero, &found, &found, &zero, &found, s, u, &n, support, work, &lwork,
       iwork, &liwork, &info, (size_t)1, (size_t)1, (size_t)1`, "vt[j + i * k] = u[i + j * m];"},
	"geqrf": {"&m, &n, w, &m, s, work, &lwork, &info", ""}, // and orgqr after it
	"potrf": {`"U", &n, w, &n, &info, (size_t)1`,
		"u[j + i * m] = vt[i + j * k] = i <= j ? w[i + j * m] : 0, s[j] = 1;"},
}

// reproducer is a program in C that factorises a matrix with the routine of LAPACK that the kernel calls, looks for
// marks behind its workspaces, and multiplies the factors.
func (k subject) reproducer(check string, a *mat.Dense) string {
	if k.C == nil {
		return ""
	}
	part, _, _ := strings.Cut(check, "/")
	symbol, file := k.C(part)
	m, n := a.Dims()
	if symbol == "" || m*n > 2500 {
		return ""
	}
	driver := drivers[symbol[1:len(symbol)-1]]
	var numbers []string
	for j := range n {
		for i := range m {
			numbers = append(numbers, fmt.Sprintf("%.17g", a.At(i, j)))
		}
	}
	norm := mat.Norm(a, 1)
	allowed := k.promised() * float64(max(m, n)) * k.precision().Ulp()
	orgqr := ""
	if part == "qr" {
		orgqr = fmt.Sprintf(`  for (int j = 0; j < n; j++) for (int i = 0; i < k; i++)
    vt[i + j * k] = i <= j ? w[i + j * m] : 0;
  void (*form)() = dlsym(library, "%corgqr_");
  lwork = ROOM - MARKS, form(&m, &k, &k, w, &m, s, work, &lwork, &info);
  for (int i = 0; i < m * k; i++) u[i] = w[i];
  for (int i = 0; i < k; i++) s[i] = 1;
`, symbol[0])
	}
	first := "" // the BLAS that this LAPACK was examined with
	if k.File != file {
		first = fmt.Sprintf("  dlopen(\"%s\", RTLD_NOW | RTLD_GLOBAL);\n", k.File)
	}
	orthogonal := "0"
	if part != "cholesky" {
		orthogonal = "1"
	}
	after := ""
	if driver.after != "" {
		after = "  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) " + driver.after + "\n"
	}
	return fmt.Sprintf(`// %s of %s
// cc -std=c17 reproducer.c -ldl -lm && ./a.out LIBRARY
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

%senum { ROOM = 200000, MARKS = 64 };
int m = %d, n = %d, k = %d, info, lwork = -1, liwork = -1, found, iwork[ROOM], support[ROOM];
real a[] = {%s}; // by columns
real w[%d], u[%d], s[%d], vt[%d], work[ROOM], zero;

%s  int wrong = 0;
  for (int i = 0; i < m * n; i++) w[i] = a[i];
  call(%s);
  lwork = work[0], liwork = iwork[0];
  for (int i = lwork < 0 ? 0 : lwork; i < ROOM; i++) work[i] = 77;
  call(%s);
  for (int i = lwork < 0 ? 0 : lwork; i < ROOM; i++)
    if (work[i] != 77) return printf("work[%%d] is written, of %%d\n", i, lwork), 1;
  if (info) printf("info = %%d\n", info), wrong = 1;
%s%s  for (int j = 0; j < n; j++) {
    double column = 0;
    for (int i = 0; i < m; i++) {
      double x = a[i + j * m];
      for (int l = 0; l < k; l++) x -= (double)u[i + l * m] * s[l] * vt[l + j * k];
      column += fabs(x);
    }
    if (!(column <= %.3g)) printf("column %%d of the product is off by %%.3g\n", j, column), wrong = 1;
  }
  for (int j = 0; %s && j < k; j++) {
    double column = 0;
    for (int l = 0; l < k; l++) {
      double x = -(j == l);
      for (int i = 0; i < m; i++) x += (double)u[i + l * m] * u[i + j * m];
      column += fabs(x);
    }
    if (!(column <= %.3g)) printf("column %%d is off orthogonal by %%.3g\n", j, column), wrong = 1;
  }
  for (int i = 0; i < k; i++) printf("%%.17g%%c", s[i], i + 1 < k ? ' ' : '\n');
  puts(wrong ? "wrong" : "right");
  return wrong;
}
`, check, k.Name, kit.Reals(k.precision()), m, n, min(m, n), strings.Join(numbers, ", "), m*n, m*m, max(m, n),
		n*n, kit.Main(first, file, "void (*call)()", symbol), driver.arguments, driver.arguments, orgqr, after,
		2*allowed*norm, orthogonal, k.promised()*float64(m)*k.precision().Ulp())
}

// reproduced adds the program to the note of a failure.
func (f finding) reproduced(k subject, check string, a *mat.Dense) finding {
	if program := k.reproducer(check, a); program != "" && !strings.HasSuffix(check, "/repeatable") {
		f.note += kit.Reproducer + " = " + program
	}
	return f
}
