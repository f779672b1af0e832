package stat

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

const rareRuns = 2000

// Each procedure keeps its level at the level used, on distributions like those of the claims' data, and the simulation
// knows it to a tenth.
func TestRareCalibration(t *testing.T) {
	rows := CalibrateRare(1, rareRuns)
	require.Len(t, rows, len(rareExperiments()))
	for _, row := range rows {
		t.Log(row)
		require.True(t, row.Kept(), "%+v", row)
		require.Less(t, row.RelativeError, 0.1, "%+v", row)
	}
}

// What the suite used to do fails this calibration: Student's interval for skewed draws, and margins that take skewed
// or heavy-tailed draws for normal ones. So do the new procedures, where their assumption does not hold.
func TestRareCalibrationNotices(t *testing.T) {
	skewed, eight := lognormalLaw("lognormal, skewness 1.4", 1.4), chiSquaredLaw("χ², 8 degrees of freedom", 8)
	mirrored, heavy := skewed.mirrored("lognormal, skewness -1.4"), studentLaw("Student's t, 5 degrees of freedom", 5)
	symmetric := func(xs []float64, _, alpha float64) Interval { return Median(xs, alpha) }
	loose := func(xs []float64, alpha float64) Interval { return Median(xs, 100*alpha) }
	for name, c := range map[string]struct {
		e       rare
		atLeast float64 // what is measured over what is promised
	}{
		"Student's interval at 1e-9 for 24 draws":     {studentMisses(skewed, 24, CriterionAlpha), 300},
		"Student's interval at 1e-8 for 24 draws":     {studentMisses(skewed, 24, PartAlpha), 150},
		"Student's interval at 1e-8 for 40 draws":     {studentMisses(skewed, 40, PartAlpha), 150},
		"Student's interval at 1e-8 for 40, mirrored": {studentMisses(mirrored, 40, PartAlpha), 150},
		"Student's interval at 1e-8 for 24 of a χ²":   {studentMisses(eight, 24, PartAlpha), 50},
		"the median for the mean of skewed draws":     {rankMisses(symmetric, skewed, 120), 2},
		"the median at 1e-7":                          {medianMisses(loose, skewed, 64), 10},
		"half of the variance of a χ²":                {subGammaMisses("half", SubGamma{1. / 8, 0}, eight, 40), 100},
		"a normal margin for skewed draws":            {medianSticks(NormalTail, skewed, 40), 1e5},
		"a normal margin for heavy tails":             {medianSticks(NormalTail, heavy, 40), 100},
	} {
		row := c.e.measure(1, rareRuns/2)
		t.Log(name, row)
		require.False(t, row.Kept(), "%s goes unnoticed: %+v", name, row)
		require.Greater(t, row.Measured, c.atLeast*row.Nominal, "%s: %+v", name, row)
	}
}

// Importance sampling agrees with plain simulation where that sees something, and with what is known exactly.
func TestRareIsWhatPlainSimulationSees(t *testing.T) {
	skewed := lognormalLaw("lognormal, skewness 1.4", 1.4)
	const n, alpha, runs = 12, 0.01, 40000
	weighed, plain, r := studentMisses(skewed, n, alpha).measure(1, rareRuns), 0, stream("plain")
	untilted := skewed.tilt(func(float64) float64 { return 0 })
	for range runs {
		if xs, weight := untilted.draw(r, n); !Mean(xs, alpha).covers(skewed.mean) {
			require.InDelta(t, 0, weight, 1e-9)
			plain++
		}
	}
	p := float64(plain) / runs
	sd := math.Hypot(math.Sqrt(p/runs), weighed.Measured*weighed.RelativeError)
	require.InDelta(t, p, weighed.Measured, 5*sd, "plain %v, weighed %+v", p, weighed)
	require.Greater(t, p, 2*alpha, "the level is off already here")

	for _, n := range []int{31, 40, 64} { // coverage of the median does not depend on the law
		exact := 2 * exactTail(lowRank(n, 0.5, CriterionAlpha/2), n)
		row := medianMisses(Median, skewed, n).measure(1, rareRuns)
		require.InEpsilon(t, exact, row.Measured, 5*row.RelativeError, "%+v", row)
	}
	row := studentMisses(normalLaw(), 24, CriterionAlpha).measure(1, rareRuns) // exact for normal draws
	require.InEpsilon(t, CriterionAlpha, row.Measured, 5*row.RelativeError, "%+v", row)
}

func TestCalibrateRareIsDeterministic(t *testing.T) {
	require.Equal(t, CalibrateRare(7, 20), CalibrateRare(7, 20))
	require.NotEqual(t, CalibrateRare(7, 20), CalibrateRare(8, 20))
	seen := map[string]bool{}
	for _, row := range CalibrateRare(7, 1) {
		key := fmt.Sprint(row.Procedure, row.Distribution, row.Quantity, row.Draws)
		require.False(t, seen[key], "%s occurs twice, with one stream", key)
		seen[key] = true
	}
}

// The laws are those that their names say, to the accuracy of their cells.
func TestLaws(t *testing.T) {
	for _, c := range []struct {
		law                *law
		mean, sd, skewness float64
	}{
		{normalLaw(), 0, 1, 0},
		{chiSquaredLaw("", 8), 1, 0.5, 1},
		{chiSquaredLaw("", 1), 1, math.Sqrt2, math.Sqrt(8)},
		{squaredCosineLaw("", 8), 1, math.Sqrt(1.4), math.Sqrt(5 / 1.75)},
		{studentLaw("", 5), 0, math.Sqrt(5. / 3), 0},
		{coinLaw("", 0.3), 0.3, math.Sqrt(0.21), 0.4 / math.Sqrt(0.21)},
	} {
		require.InDelta(t, c.mean, c.law.mean, 0.003)
		require.InDelta(t, c.sd, c.law.sd, 0.01)
		require.InDelta(t, c.skewness, c.law.skewness, 0.02)
	}
	l := lognormalLaw("", 1.4)
	require.InDelta(t, 0.5, l.below(l.median()), 1e-12)
	require.InDelta(t, 1, l.tilt(func(x float64) float64 { return -x }).law.sum[len(l.sum)-1], 1e-12)
	m := l.mirrored("")
	require.InDelta(t, -l.mean, m.mean, 1e-12)
	require.InDelta(t, -l.skewness, m.skewness, 1e-9)
	cut := l.cut(l.mean)
	require.InDelta(t, l.mean, cut.mean, 1e-12)
	require.Len(t, cut.mass, len(l.mass)+1)
}
