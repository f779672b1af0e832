package twosteps

import (
	"math"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// sizes are what a simulation needs beyond the parameters of the prediction.
var sizes = []statement.Param{
	{Name: "n", Symbol: "n", Meaning: "samples", Domain: statement.IntegerBetween(2, 8000), Default: "2000"},
}

// try takes the directions of one pair of batches.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := setup{Phi: v.Float("phi"), Noise: v.Float("noise"), Link: theory.Links[v.Choice("teacher")]}
	o := s.sample(t, max(1, int(math.Round(v.Float("n")*math.Sqrt(s.Phi)))), true)
	return map[string]float64{"same1": o.Same[0], "same2": o.Same[1], "fresh1": o.Fresh[0], "fresh2": o.Fresh[1]}, nil
}
