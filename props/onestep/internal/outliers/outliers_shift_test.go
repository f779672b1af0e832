//go:build system

package outliers

import (
	"math"
	"testing"

	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// What is off by 1/d, times d, as means over networks of a small size with their standard errors: what is allowed for
// is above that up to three standard errors, and little above it in the setup that is off most.
func TestShift(t *testing.T) {
	worst := map[string]float64{}
	for _, s := range setups {
		const size, networks = 64, 2000
		sums, d := map[string][2]float64{}, 0.0
		for k := range networks {
			trial := &props.Trial{Rand: streams.New(uint64(k), "shift", s.Name), Effort: props.Quick}
			m := at(trial, s, size)
			d = float64(m.D)
			for name, x := range m.deviations(s, stated) {
				sum := sums[name]
				sums[name] = [2]float64{sum[0] + x*d/networks, sum[1] + x*d*x*d/networks}
			}
		}
		for _, name := range []string{place, left, right, below} {
			mean := sums[name][0]
			scatter := math.Sqrt((sums[name][1] - mean*mean) / networks)
			t.Logf("%s, %s: %.3f ± %.3f", s.Regime, name, mean, scatter)
			if !(math.Abs(mean)+3*scatter <= 1.1*shift[name]) {
				t.Errorf("%s, %s: %.3f ± %.3f, allowed %.2f", s.Regime, name, mean, scatter, shift[name])
			}
			worst[name] = max(worst[name], math.Abs(mean)+3*scatter)
		}
	}
	for name, x := range worst {
		if !(shift[name] <= 1.4*x) {
			t.Errorf("%s: %.2f is allowed, and at most %.3f was seen", name, shift[name], x)
		}
	}
}
