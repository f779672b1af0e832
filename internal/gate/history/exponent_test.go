package history

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/stat"
)

// costs is one run of a family with the cost n^e, and a deviation that alternates.
func costs(name string, e, deviation float64, sizes ...int) []string {
	var out []string
	for i, n := range sizes {
		seconds := math.Pow(float64(n), e) * math.Exp(deviation*float64(1-2*(i%2)))
		out = append(out, fmt.Sprintf("%s 1 %.9g ns/op", strings.ReplaceAll(name, "%d", fmt.Sprint(n)), seconds))
	}
	return out
}

func TestFits(t *testing.T) {
	fit := func(lines []string) Fit {
		a := recorded(t, fixture{lines: lines}).Analyse(DefaultPolicy())
		require.Len(t, a.Fits, 1)
		return a.Fits[0]
	}
	const svd = "SVD/impl=x/m=%d/n=%d-2"
	sizes := []int{64, 128, 256, 512, 1024}
	f := fit(costs(svd, 3, 0.02, sizes...))
	require.Equal(t, "SVD/impl=x-2", f.Family)
	require.Equal(t, Consistent, f.Verdict)
	require.True(t, f.Lo < 3 && 3 < f.Hi && f.Hi-f.Lo < 0.2, "%+v", f)
	require.Contains(t, f.Sentence(), "consistent with n³ asymptotically (4n³")
	require.Equal(t, Inconsistent, fit(costs(svd, 2.8, 0.02, sizes...)).Verdict) // wrong exponents are rejected
	require.Equal(t, Inconsistent, fit(costs(svd, 4, 0.02, sizes...)).Verdict)
	require.Equal(t, Unsettled, fit(costs(svd, 3, 0.9, sizes...)).Verdict)   // too noisy to tell
	require.Equal(t, Unsettled, fit(costs(svd, 3, 0.02, 8, 16, 64)).Verdict) // one size is large enough
	f = fit(costs("Own/n=%d", 2, 0, 2, 4, 8))
	require.Equal(t, Undeclared, f.Verdict)
}

func TestSmallSizesAreShownAndNotFitted(t *testing.T) {
	lines := append(costs("SVD/m=%d/n=%d", 0, 0, 8, 16, 32), costs("SVD/m=%d/n=%d", 3, 0.001, 64, 128, 256, 512)...)
	// not square, no size
	lines = append(lines, "SVD/m=1024/n=64 1 9 ns/op", "SVD/m=9/n=x 1 9 ns/op", "Other 1 9 ns/op")
	f := recorded(t, fixture{lines: lines}).Analyse(DefaultPolicy()).Fits[0]
	require.Len(t, f.Sizes, 7)
	require.Equal(t, Consistent, f.Verdict)
	require.True(t, math.IsNaN(float64(f.Sizes[0].Slope)) && math.Abs(float64(f.Sizes[1].Slope)) < 1e-9)
	require.Contains(t, f.local()[0], "8–16: 0.00 (not fitted)")
	require.NotContains(t, f.local()[6-1], "not fitted")
}

// TestNewestRunIsFitted: not a mixture of runs.
func TestNewestRunIsFitted(t *testing.T) {
	a := recorded(t, fixture{lines: costs("SVD/m=%d/n=%d", 2, 0, 64, 128, 256, 512)},
		fixture{lines: costs("SVD/m=%d/n=%d", 3, 0, 64, 128, 256, 1024)}).
		Analyse(DefaultPolicy())
	require.Len(t, a.Fits, 1)
	require.Equal(t, 1, a.Fits[0].Run)
	require.True(t, math.Abs(float64(a.Fits[0].Exponent)-3) < 1e-6)
	require.Len(t, a.Fits[0].Sizes, 4)
}

// TestJudgeEachEnd: both ends of the interval must be less than ½ away, and an end may lie on the exponent itself.
func TestJudgeEachEnd(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{2.6, 3.4, Consistent}, {3, 3.4, Consistent}, {2.6, 3, Consistent},
		{2.9, 3.6, Unsettled}, {2.4, 3.1, Unsettled}, {2.4, 3.6, Unsettled},
		{2.5, 3.1, Unsettled}, {2.9, 3.5, Unsettled},
		{2.6, 2.9, Inconsistent}, {3.1, 3.4, Inconsistent}, {1, 2, Inconsistent}, {4, 9, Inconsistent},
	} {
		iv := stat.Interval{Estimate: (c.lo + c.hi) / 2, Lo: c.lo, Hi: c.hi}
		require.Equal(t, c.want, judge(iv, 3), "%v to %v", c.lo, c.hi)
	}
}

func TestJudgePoison(t *testing.T) {
	nan := math.NaN()
	for _, iv := range []stat.Interval{{Estimate: nan, Lo: nan, Hi: nan},
		{Estimate: 3, Lo: math.Inf(-1), Hi: math.Inf(1)}, {Estimate: 3, Lo: 2, Hi: nan}} {
		require.Equal(t, Unsettled, judge(iv, 3))
	}
	require.Equal(t, Undeclared, judge(stat.Interval{Estimate: 3, Lo: 2.9, Hi: 3.1}, nan))
}
