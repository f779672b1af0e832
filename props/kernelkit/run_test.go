package kernelkit

import (
	"context"
	"encoding/json"
	"go/parser"
	"go/token"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/props"
)

// small is a pattern of few and cheap checks.
const small = "axpy/*"

func sound() Kernel { return Kernel{Name: "sound", BLAS: gonum.Implementation{}} }

func waiver(check, expires string) Waiver {
	return Waiver{Kernel: "sound", Check: check, Reason: "a reason", Expires: expires}
}

var today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// negated is a sound BLAS whose Daxpy subtracts.
type negated struct{ gonum.Implementation }

func (n negated) Daxpy(count int, alpha float64, x []float64, incX int, y []float64, incY int) {
	n.Implementation.Daxpy(count, -alpha, x, incX, y, incY)
}

// panicking is a BLAS whose Daxpy does not work at all.
type panicking struct{ gonum.Implementation }

func (panicking) Daxpy(int, float64, []float64, int, []float64, int) { panic("out of cheese") }

func TestRunSound(t *testing.T) {
	result, err := Run(t.Context(), sound(), Options{Match: small})
	require.NoError(t, err)
	require.True(t, result.OK())
	require.Equal(t, props.Quick, result.Effort)
	require.Equal(t, len(result.Checks), result.Counts[Holds]+1) // its threads cannot be chosen
	require.Equal(t, 1, result.Counts[NotOffered])
}

func TestRunFaulty(t *testing.T) {
	k := sound()
	k.BLAS = negated{}
	result, err := Run(t.Context(), k, Options{Match: "axpy/rounding bound"})
	require.NoError(t, err)
	require.False(t, result.OK())
	require.Equal(t, Failed, result.Checks[0].Verdict)
	require.Contains(t, result.Checks[0].Counterexample, "axpy(n=1")
}

func TestPanicIsAFailure(t *testing.T) {
	k := sound()
	k.BLAS = panicking{}
	result, err := Run(t.Context(), k, Options{Match: "axpy/rounding bound"})
	require.NoError(t, err)
	require.Equal(t, Failed, result.Checks[0].Verdict)
	require.Contains(t, result.Checks[0].Counterexample, "panic = out of cheese")
}

// A type in lower case cannot be imported: the program that shows its failure is a test beside it.
func TestReproducerOfAnUnexportedKernel(t *testing.T) {
	k := sound()
	k.BLAS = deaf{}
	result, err := Run(t.Context(), k, Options{Match: "scal/exact arithmetic"})
	require.NoError(t, err)
	require.Contains(t, result.Checks[0].Reproducer, "\npackage kernelkit\n")
	require.Contains(t, result.Checks[0].Reproducer, "\tdeaf{}.Dscal(")
	_, err = parser.ParseFile(token.NewFileSet(), "", result.Checks[0].Reproducer, 0)
	require.NoError(t, err)
}

// deaf scales nothing.
type deaf struct{ gonum.Implementation }

func (deaf) Dscal(int, float64, []float64, int) {}

func TestNotOffered(t *testing.T) {
	result, err := Run(t.Context(), Kernel{Name: "nothing"}, Options{})
	require.NoError(t, err)
	require.False(t, result.OK(), "nothing was checked")
	require.Equal(t, len(Checks()), result.Counts[NotOffered])
}

func TestMatchErrors(t *testing.T) {
	for _, pattern := range []string{"no such check", "[", "gemm/*,["} {
		_, err := Run(t.Context(), sound(), Options{Match: pattern})
		require.Error(t, err, pattern)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := Run(ctx, sound(), Options{Match: small})
	require.NoError(t, err)
	require.False(t, result.OK())
	require.Equal(t, len(result.Checks), result.Counts[Incomplete]+result.Counts[NotOffered])
}

func TestWaivers(t *testing.T) {
	const check = "axpy/rounding bound"
	broken := sound()
	broken.BLAS = negated{}
	for _, c := range []struct {
		name      string
		kernel    Kernel
		waiver    Waiver
		verdict   Verdict
		complaint string
	}{
		{"accepted", broken, waiver(check, "2026-11-21"), Waived, ""},
		{"expired", broken, waiver(check, "2026-11-20"), Failed, "expired"},
		{"not needed", sound(), waiver(check, "2027-01-01"), Holds, "not needed"},
		{"expired and not needed", sound(), waiver(check, "2025-01-01"), Holds, "expired"},
		{"unknown", sound(), waiver("axpy/speed", "2027-01-01"), Holds, "no such check"},
		{"not selected", sound(), waiver("gemm/rounding bound", "2027-01-01"), Holds, ""},
		{"another kernel", sound(), Waiver{Kernel: "other", Check: check}, Holds, ""},
	} {
		result, err := Run(t.Context(), c.kernel, Options{Match: check, Waivers: []Waiver{c.waiver}, Today: today})
		require.NoError(t, err, c.name)
		require.Equal(t, c.verdict, result.Checks[0].Verdict, c.name)
		if c.complaint == "" {
			require.Empty(t, result.Complaints, c.name)
			require.True(t, result.OK(), c.name)
			continue
		}
		require.Len(t, result.Complaints, 1, c.name)
		require.Contains(t, result.Complaints[0], c.complaint, c.name)
		require.False(t, result.OK(), c.name)
	}
}

func TestMalformedWaivers(t *testing.T) {
	one := waiver("axpy/rounding bound", "2027-01-01")
	mute := one
	mute.Reason = " "
	for name, list := range map[string][]Waiver{
		"date":   {waiver("axpy/rounding bound", "next year")},
		"reason": {mute},
		"twice":  {one, one},
	} {
		_, err := Run(t.Context(), sound(), Options{Match: small, Waivers: list})
		require.Error(t, err, name)
	}
}

// TestReproducible asks for the same result, counterexamples included, for any number of jobs.
func TestReproducible(t *testing.T) {
	k := sound()
	k.BLAS = negated{}
	var first []byte
	for _, jobs := range []int{1, 2, 5} {
		result, err := Run(t.Context(), k, Options{Match: small, Jobs: jobs, Seed: 7})
		require.NoError(t, err)
		text, err := json.Marshal(result)
		require.NoError(t, err)
		if first == nil {
			first = text
		}
		require.Equal(t, string(first), string(text))
	}
	var back Result
	require.NoError(t, json.Unmarshal(first, &back))
	require.Equal(t, Schema, back.Schema)
	require.Equal(t, "sound", back.Kernel)
}

func TestChecksAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks() {
		require.False(t, seen[c.Name], c.Name)
		seen[c.Name] = true
		require.NotEmpty(t, c.Doc, c.Name)
		require.Equal(t, c.Name, props.CheckName(c.Make(Kernel{})))
	}
}

// TestPrepare asks that the choice of inner routines is undone, and made only for the run.
func TestPrepare(t *testing.T) {
	before := builtin.InUse()
	var during string
	k := builtin.OnInner(sound(), "portable")
	k.BLAS = watching{gonum.Implementation{}, func() { during = builtin.InUse() }}
	_, err := Run(t.Context(), k, Options{Match: "axpy/rounding bound", Jobs: 1})
	require.NoError(t, err)
	require.Equal(t, "portable", during)
	require.Equal(t, before, builtin.InUse())

	_, err = Run(t.Context(), builtin.OnInner(sound(), "abacus"), Options{Match: small})
	require.ErrorContains(t, err, "abacus")
}

// watching calls a function in every Daxpy.
type watching struct {
	blas.Float64
	watch func()
}

func (w watching) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	w.watch()
	w.Float64.Daxpy(n, alpha, x, incX, y, incY)
}

// looping is a BLAS whose Daxpy does not return before it is told to.
type looping struct {
	gonum.Implementation
	stop chan struct{}
}

func (l looping) Daxpy(int, float64, []float64, int, []float64, int) { <-l.stop }

// A kernel that does not return has failed its check, with the call, and the checks after it run.
func TestLimit(t *testing.T) {
	k := sound()
	stop := make(chan struct{})
	defer close(stop)
	k.BLAS = looping{stop: stop}
	result, err := Run(t.Context(), k, Options{Match: "axpy/determinism,copy/determinism", Limit: time.Second, Seed: 1})
	require.NoError(t, err)
	require.Equal(t, Failed, result.Checks[0].Verdict)
	require.Contains(t, result.Checks[0].Message, "no answer within 1s")
	require.Regexp(t, `s ago: axpy\(n=[0-9]+, alpha=`, result.Checks[0].Counterexample)
	require.Equal(t, Holds, result.Checks[1].Verdict)
}
