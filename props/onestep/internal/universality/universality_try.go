package universality

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// sizes are what a simulation needs beyond the parameters of the prediction.
var sizes = []statement.Param{
	{Name: "n", Symbol: "n", Meaning: "samples", Domain: statement.IntegerBetween(4, 4000), Default: "600"},
}

// try regresses teachers on one network and on the Gaussian matrix in its place.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	r := theory.RiskFrom(v)
	size := int(math.Round(v.Float("n") * math.Sqrt(r.Phi)))
	n, d, width := network.Setup{Phi: r.Phi, Psi: r.Psi}.Shape(size)
	if work := float64(n) * float64(n) * (float64(n) + float64(width) + 2*float64(d)); work > 3e10 {
		return nil, fmt.Errorf("n²(n + N + 2d) = %.2g is more than 3e10: choose a smaller n", work)
	}
	if r.Trained {
		return nil, fmt.Errorf("weights=gradient is not simulated here: choose weights=displayed")
	}
	if !math.IsInf(r.Eta, 1) {
		r.Width = float64(width)
	}
	s := setup{Act: network.Named(v.Choice("activation")), Risk: r}
	p := compare(t, s, size, asked{Gaussian: true, Whole: true, Cases: []string{strong}})
	own, other := p.Whole.Errors[strong], p.Gaussian.Errors[strong]
	return map[string]float64{"objective": own[0].Got, "equivalent": other[0].Got, "test": own[1].Got,
		"equivalent-test": other[1].Got}, nil
}
