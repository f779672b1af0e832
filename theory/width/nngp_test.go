package width

import (
	"math"
	"testing"
)

func TestHomogeneous(t *testing.T) {
	relu := func(widths ...int) Homogeneous { return Homogeneous{widths, 1, 0} }
	for _, c := range []struct {
		net  Homogeneous
		k    int
		want float64
	}{
		{relu(64), 1, 1}, {relu(64), 2, 1.078125}, {relu(64), 3, 1.2451171875}, {relu(64), 4, 1.53215789795},
		{relu(64, 64, 64, 64), 2, 4.05319708586 / 3},
		{relu(1), 2, 6}, {relu(1), 3, 60}, {relu(1), 4, 840}, // R = 2Z² on half of the line
		{Homogeneous{[]int{1}, 1, 1}, 2, 3}, {Homogeneous{[]int{1}, 1, -1}, 4, 105}, // R = Z²
		{Homogeneous{[]int{10}, 1, 0.1}, 2, 1.488236}, // κ = 4.88236
		{Homogeneous{nil, 1, 0}, 2, 1},
	} {
		if got := c.net.Moment(c.k); !(math.Abs(got/c.want-1) < 1e-6) {
			t.Errorf("%+v: moment %d is %.15g, want %.15g", c.net, c.k, got, c.want)
		}
	}
	close12(t, "E R²", relu(64).Moment(2), 1.078125)
	close12(t, "E R³", relu(64).Moment(3), 1.2451171875)
	close12(t, "E R⁴", relu(64).Moment(4), 1.53215789795)
	close12(t, "kurtosis", 3*relu(64, 64, 64, 64).Moment(2), 4.05319708586)
	for _, bad := range []Homogeneous{relu(0), {[]int{3}, 0, 0}, {[]int{3}, 1, math.NaN()}, {[]int{3}, math.Inf(1), 0}} {
		if !math.IsNaN(bad.Moment(2)) {
			t.Errorf("%+v has a moment", bad)
		}
	}
	if !math.IsNaN(relu(3).Moment(5)) {
		t.Error("a fifth moment")
	}
}

// Of n neurons B are active, half of them on average, and R is 2/n times a χ² of B degrees of freedom: all powers of
// it have a mean, and its logarithm has one where a neuron is active.
func TestPowersOfALayer(t *testing.T) {
	const n = 64
	share := func(s float64) (mean float64) {
		for k := 1.0; k <= n; k++ {
			all, _ := math.Lgamma(n + 1)
			active, _ := math.Lgamma(k + 1)
			rest, _ := math.Lgamma(n - k + 1)
			next, _ := math.Lgamma(k/2 + s)
			first, _ := math.Lgamma(k / 2)
			mean += math.Exp(all - active - rest - n*math.Ln2 + next - first + s*math.Log(4./n))
		}
		return mean
	}
	for k := range 5 {
		close12(t, "E Rᵏ", share(float64(k))/Homogeneous{[]int{n}, 1, 0}.Moment(k), 1)
	}
	const h = 1e-2
	slope := (8*(share(h)-share(-h)) - (share(2*h) - share(-2*h))) / (12 * h) // off by O(h⁴)
	if math.Abs(slope+.0401085988357) > 1e-11 {
		t.Errorf("E ln R = %.13f", slope)
	}
}
