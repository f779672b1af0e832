package risk

import (
	"math"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

type setup struct {
	Name string
	theory.Risk
	Run nn.Activation
}

func (s setup) run() nn.Activation { return s.Run }

var (
	setting1 = theory.Teacher{Coefficients: []float64{0, 1}, Noise: 1}
	setting2 = theory.Teacher{Coefficients: []float64{0, 1, math.Sqrt(0.5)}}
	_        = network.Map[int, int]
)
