//go:build system

package outliers

import (
	"math"
	"testing"

	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// What the extrapolation leaves of means over networks, with their standard errors: what is allowed for is above that
// up to three standard errors, and little above it for the squared cosines that are off most.
func TestLeaves(t *testing.T) {
	const size, networks = 80, 600
	worst := map[string]float64{}
	limits := map[string]props.Limit{}
	for _, s := range setups {
		sums := map[string][2]float64{}
		for k := range networks {
			trial := &props.Trial{Rand: streams.New(uint64(k), "leaves", s.Name), Effort: props.Quick}
			sizes := []shown{at(trial, s, size), at(trial, s, size/4)}
			for name, x := range extrapolated(s, sizes, stated) {
				sum := sums[name]
				sums[name] = [2]float64{sum[0] + x/networks, sum[1] + x*x/networks}
			}
			limits = limitsOf(sizes[0])
		}
		for name, sum := range sums {
			mean, scatter := sum[0], math.Sqrt((sum[1]-sum[0]*sum[0])/networks)
			t.Logf("%s, %s: %.4f ± %.4f, one cell %.4f, declared %.4f", s.Regime, name, mean, scatter,
				scatter*math.Sqrt(networks), limits[name].SD)
			if !(math.Abs(mean)-3*scatter <= limits[name].Bias) {
				t.Errorf("%s, %s: %.4f ± %.4f, allowed %.4f", s.Regime, name, mean, scatter, limits[name].Bias)
			}
			worst[name] = max(worst[name], math.Abs(mean)+3*scatter)
		}
	}
	for _, name := range []string{left, right} {
		if !(limits[name].Bias <= 1.4*worst[name]) {
			t.Errorf("%s: %.4f is allowed, and at most %.4f was seen", name, limits[name].Bias, worst[name])
		}
	}
}
