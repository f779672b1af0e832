package faulty

import (
	"bytes"
	"maps"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/props/kernelkit"
	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
	"github.com/thm-suite/thm/props/results"
)

// TestNaNLoses turns the results of every routine into NaN. What compares with a definition must notice, whatever it
// subtracts.
func TestNaNLoses(t *testing.T) {
	compare := []string{"rounding bound", "exact arithmetic", "rounding growth", "alpha zero", "powers of two", "probe",
		"partition",
		"agreement with gemm", "aliasing"}
	seen := map[string]bool{}
	for _, c := range blaskit.Checks() {
		name, property, _ := strings.Cut(c.Name, "/")
		r := blaskit.RoutineNamed(name)
		if r == nil || !slices.Contains(compare, property) {
			continue
		}
		k := interpose(builtin.Thm(), r, after(func(r *routine, a *args) {
			changeAll(r, a, func(float64) float64 { return math.NaN() })
		})())
		out := kernelkit.Judge(t.Context(), c, k, kernelkit.Options{})
		require.Equal(t, results.Refuted, out.Verdict, c.Name)
		require.True(t, math.IsInf(float64(out.Ratio), 1), c.Name)
		seen[property] = true
	}
	require.Len(t, seen, len(compare))
}

// TestEveryCheckHasFaults finds checks without a fault, and faults that are assigned to a check that does not exist.
func TestEveryCheckHasFaults(t *testing.T) {
	checks, properties := map[string]bool{}, map[string]bool{}
	for _, c := range kernelkit.Checks() {
		checks[c.Name] = true
		name, property, _ := strings.Cut(c.Name, "/")
		if blaskit.RoutineNamed(name) != nil {
			properties[property] = true
		}
		var names []string
		for _, f := range Of(c.Name) {
			names = append(names, f.Name)
		}
		require.NotEmpty(t, names, c.Name)
		slices.Sort(names)
		require.Equal(t, slices.Compact(slices.Clone(names)), names, c.Name)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(scalarFaults)),
		slices.Collect(maps.Keys(factorFaults))) {
		require.True(t, checks[name], name)
	}
	for _, g := range genericFaults {
		for property := range strings.SplitSeq(g.properties, ", ") {
			require.True(t, properties[property], g.name)
		}
	}
	require.Empty(t, Of("gemm/no such property"))
	require.Empty(t, Of("no such check"))
}

// TestGaps asks that a matrix with a hole is called incomplete.
func TestGaps(t *testing.T) {
	holds, failed := kernelkit.Holds, kernelkit.Failed
	whole := KillRow{Check: "a", Verdict: holds, Faults: []Kill{{Fault: "f", Own: true, Rejected: true}, {Fault: "g"}}}
	require.Empty(t, (&KillMatrix{Rows: []KillRow{whole}}).Gaps())
	for name, m := range map[string]KillMatrix{
		"empty":    {},
		"accepted": {Rows: []KillRow{whole, {Check: "b", Verdict: holds, Faults: []Kill{{Fault: "f", Own: true}}}}},
		"no fault": {Rows: []KillRow{{Check: "b", Verdict: holds, Faults: []Kill{{Fault: "f", Rejected: true}}}}},
		"sound failed": {Rows: []KillRow{{Check: "b", Verdict: failed,
			Faults: []Kill{{Fault: "f", Own: true, Rejected: true}}}}},
	} {
		require.Len(t, m.Gaps(), 1, name)
	}
}

// TestKillsFull runs the checks of a routine on the faults that they promise to reject, and one of them on every fault
// of the family. There a workspace that callers share waits in each call for a second caller, who does not come.
func TestKillsFull(t *testing.T) {
	sound := kernel.Kernel{Name: "sound", BLAS: gonum.Implementation{}}
	own, err := Kills(t.Context(), sound, kernelkit.Options{Match: "axpy/*"}, false)
	require.NoError(t, err)
	require.Empty(t, own.Gaps())
	m, err := Kills(t.Context(), sound, kernelkit.Options{Match: "axpy/alpha zero"}, true)
	require.NoError(t, err)
	require.Empty(t, m.Gaps())
	require.Greater(t, len(m.Rows[0].Faults), len(Of(m.Rows[0].Check)))
	var text bytes.Buffer
	require.NoError(t, m.Render(&text))
	require.Contains(t, text.String(), "axpy: wrong sign")
	require.NotContains(t, text.String(), "ACCEPTS")
}

// TestUsersLinkNoFaults asks that a test which imports kernelkit, as users' do, links neither the faulty kernels nor
// the loader of libraries. That this package links itself shows that the question is one.
func TestUsersLinkNoFaults(t *testing.T) {
	const module = "github.com/thm-suite/thm/"
	const here, loader = module + "props/kernelkit/faulty", module + "impl/dlblas"
	links := func(pkg string) []string {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).Output()
		require.NoError(t, err)
		return strings.Fields(string(out))
	}
	user := links(module + "props/kernelkit")
	require.Contains(t, user, module+"props/kernelkit/internal/blaskit")
	require.NotContains(t, user, here)
	require.NotContains(t, user, loader)
	require.Contains(t, links(here), here)
	require.Contains(t, links(module+"bench/kernels"), loader)
}
