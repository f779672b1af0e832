package onestep

import (
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// planned is the half-width of an interval that a sample of that size is expected to need: the smallest zone in which
// a true claim, measured with standard deviation sd, is accepted with probability 1 − γ.
func planned(sd float64, count int) float64 {
	const gamma = 1e-4 // of an undecided verdict although the claim is true
	return stat.Zone(sd, count, stat.PartAlpha, gamma)
}

// tolerance collects the standard deviations and biases of the cells of a sweep.
type tolerance struct {
	variance, bias float64
	count          int
}

func (t *tolerance) add(sd, bias float64) {
	t.variance += sd * sd
	t.bias += bias
	t.count++
}

// zone is the mean bias plus what an interval needs at the mean variance.
func (t *tolerance) zone() float64 {
	count := float64(t.count)
	return t.bias/count + planned(math.Sqrt(t.variance/count), t.count)
}

// part is a statistical condition: the mean of the values is the claimed one, up to the zone.
func part(name string, values []float64, claimed, zone float64) (props.Part, props.Fact) {
	iv := stat.Mean(values, stat.PartAlpha)
	return props.Equality(name, iv, claimed, zone), props.Measured(name, iv, claimed)
}

// exponent is the least-squares slope of log y over log n.
func exponent(n, y []float64) float64 {
	logN, logY := make([]float64, len(n)), make([]float64, len(n))
	for i := range n {
		logN[i], logY[i] = math.Log(n[i]), math.Log(y[i])
	}
	return stat.Fit(logN, logY, 0.5).Slope.Estimate
}

// column collects f over the elements of xs.
func column[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// meanAndSpread returns the means of several series at each position, with the range of one standard deviation.
func meanAndSpread(series [][]float64) (mean, lo, hi []float64) {
	for k := range series[0] {
		values := column(series, func(s []float64) float64 { return s[k] })
		m, squares := 0.0, 0.0
		for _, v := range values {
			m += v / float64(len(values))
		}
		for _, v := range values {
			squares += (v - m) * (v - m)
		}
		sd := math.Sqrt(squares / float64(max(1, len(values)-1)))
		mean, lo, hi = append(mean, m), append(lo, m-sd), append(hi, m+sd)
	}
	return mean, lo, hi
}
