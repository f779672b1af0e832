package width

import (
	"math"
	"testing"
)

func TestLazy(t *testing.T) {
	near(t, "α = 2", ScaledSquare{2, 1}.Output(0.3), .770980040048, 1e-12)
	near(t, "α = 10", ScaledSquare{10, 1}.Output(0.3), .713796669158, 1e-12)
	s := ScaledSquare{4, 3}
	near(t, "start", s.Output(0), 0, 0)
	near(t, "end", s.Output(1e3), 3, 1e-15)
	near(t, "kernel at the end", s.KernelChange(1e3), 0.75, 1e-15)
	near(t, "out of reach", ScaledSquare{2, -5}.Output(1e3), -2, 1e-15)
	near(t, "on the edge", ScaledSquare{2, -2}.Output(0.5), -2*2./3, 1e-15)
	e := math.Exp(-1.2)
	near(t, "first order", 1e6*(ScaledSquare{1e6, 1}.Output(0.3)-ScaledSquare{1e6, 1}.Linear(0.3)), e*(1.2-1+e), 1e-5)
	near(t, "α = 100", 100*(ScaledSquare{100, 1}.Output(0.3)-ScaledSquare{100, 1}.Linear(0.3)), .150858, 1e-6)
	near(t, "bound", LazyBound(2, 1, -3), 3, 1e-15)
	for name, got := range map[string]float64{
		"α = 0": ScaledSquare{0, 1}.Output(1), "negative time": ScaledSquare{1, 1}.Linear(-1), "rises": LazyBound(1, 0, 1),
	} {
		near(t, name, got, math.NaN(), 0)
	}
}
