//go:build system && linux

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
)

// ownLibrary is a matrix product with Fortran's name and storage. BAD adds a dot product that crashes and a sum that
// never ends, WRONG a last row that is off where there are 15 modulo 16, and a QR factorisation that writes behind its
// workspace.
const ownLibrary = `
void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc) {
  for (long j = 0; j < *n; j++)
    for (long i = 0; i < *m; i++) {
      double s = 0;
      for (long l = 0; l < *k && *alpha != 0; l++)
        s += (*ta == 'N' ? a[i + l * *lda] : a[l + i * *lda]) * (*tb == 'N' ? b[l + j * *ldb] : b[j + l * *ldb]);
      double *d = &c[i + j * *ldc];
      *d = (*alpha == 0 ? 0 : *alpha * s) + (*beta == 0 ? 0 : *beta * *d);
#ifdef WRONG
      if (*n % 16 == 15 && j == *n - 1) *d += 1; // a row of the transpose
#endif
    }
}
#ifdef BAD
double ddot_(const int *n, const double *x, const int *ix, const double *y, const int *iy) {
  return *(volatile double *)8;
}
double dasum_(const int *n, const double *x, const int *ix) { for (;;) __asm__ volatile(""); }
#endif
#ifdef WRONG
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work, const int *lwork,
             int *info) {
  work[*lwork < 0 ? 0 : *lwork] = *n;
  *info = 0;
}
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau, double *work,
             const int *lwork, int *info) {
  work[0] = *n, *info = 0;
}
#endif
`

// A library in a file is run under the standard names; a check in which it crashes or hangs has failed, and the others
// go on.
func TestOwnLibrary(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler: no library to examine")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.c"), []byte(ownLibrary), 0o644))
	for _, flags := range [][]string{{"-o", "libmine.so"}, {"-o", "libbad.so", "-DBAD"},
		{"-o", "libwrong.so", "-DWRONG"}} {
		cmd := exec.Command("cc", append(flags, "-O1", "-shared", "-fPIC", "mine.c")...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	kernels := func(words ...string) (string, int) {
		cmd := exec.Command("thm", append([]string{"kernels", "--no-speed", "--quiet"}, words...)...)
		cmd.Dir = dir
		out, _ := cmd.Output()
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, code := kernels("--lib", "libmine.so", "--check", "gemm/*")
	require.Equal(t, cli.Green, code, out)
	require.Regexp(t, `✓ mine: [0-9]+ holds`, out)

	out, code = kernels("--lib", "./libbad.so", "--timeout", "4s",
		"--check", "gemm/rounding bound,dot/determinism,asum/determinism")
	require.Equal(t, cli.Refuted, code, out)
	require.Contains(t, out, "the process ended: SIGSEGV")
	require.Regexp(t, `no answer within 4s.*\n +asked 4.. s ago: asum\(n=`, out)
	require.Contains(t, out, "✗ bad: 1 holds, 2 failed")
	require.Contains(t, out, "asked last: dot(n=")

	out, code = kernels("--lib", "./libwrong.so", "--check", "gemm/rounding bound,gemm/surroundings,qr/residual",
		"--reproducers", "programs", "--junit", "junit.xml", "--html", "page.html", "--badge", "badge.svg")
	require.Equal(t, cli.Refuted, code, out)
	require.Contains(t, out, "✗ wrong: 1 holds, 2 failed")
	require.Regexp(t, `call = gemm\(tA=N, tB=N, m=15, n=1, k=0?`, out)
	require.Contains(t, out, "dgeqrf writes behind a workspace")
	shows := map[string]string{"wrong-gemm-rounding-bound": "want", "wrong-qr-residual": "is written, of"}
	for program, says := range shows {
		cmd := exec.Command("cc", "-std=c17", "-Wall", "-Werror", "programs/"+program+".c", "-o", program, "-ldl", "-lm")
		cmd.Dir = dir
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, string(said))
		cmd = exec.Command("./" + program)
		cmd.Dir = dir
		said, _ = cmd.CombinedOutput()
		require.Equal(t, 1, cmd.ProcessState.ExitCode(), string(said))
		require.Contains(t, string(said), says)
	}
}
