package linear

import (
	"math"
	"testing"
)

func TestRidge(t *testing.T) {
	agrees(t, "penalty by hand", Penalty(math.Ln2, 1), 1, 1e-15)
	for s, want := range map[float64]float64{4: .001342300803365, 1: .1565176427497, .25: .3853735206342, 0: 0.5} {
		agrees(t, "penalty", Penalty(2, s), want, 1e-12)
	}
	agrees(t, "penalty ≥ 1/t − s/2", 0.5-Penalty(2, 1e-9), 5e-10, 1e-6)
	d := Directions{Eigenvalues: []float64{4, 1, .25}, Coefficients: []float64{1, -1, 2}, Noise: 0.1}
	agrees(t, "flow", d.Flow(.5), 3.541093942492, 1e-12)
	agrees(t, "ridge", d.Ridge(2), 3.743209876543, 1e-12)
	agrees(t, "flow", d.Flow(2), 1.651508501732, 1e-12)
	agrees(t, "ridge", d.Ridge(.5), 2.00987654321, 1e-12)

	agrees(t, "worst ratio", WorstRatio(1), 1.685909058278, 1e-12)
	agrees(t, "attained where", Directions{[]float64{1.793282132901}, []float64{0}, 1, false}.Flow(1)/
		Directions{[]float64{1.793282132901}, []float64{0}, 1, false}.Ridge(1), 1.298425607526*1.298425607526, 1e-12)
	agrees(t, "λ = 1/(2t)", WorstRatio(0.5), 1.4715, 1e-4)
	agrees(t, "λ = 2/t", WorstRatio(2), 4, 0)
	agrees(t, "best calibration", BestCalibration(), .578999485798, 1e-11)
	agrees(t, "its ratio", WorstRatio(BestCalibration()), 1.285189721433158, 1e-14)
	agrees(t, "tuned", TunedRatio(), 1.214661840835, 1e-12)

	for k, want := range map[int]float64{1: 4, 2: 2.44140625, 5: 1.93027, 20: 1.74162, 100: 1.69679} { // few steps
		largest := 0.0
		for i := range 1000*k + 1 {
			x := float64(i) / 1000 // hks
			largest = max(largest, math.Pow(DescentFilter(1/float64(k), k, x)*(1+x), 2))
		}
		agrees(t, "few steps", largest, want, 1e-5)
	}
	agrees(t, "ts underflows", Penalty(1e-9, 1e-320), 1e9, 1e-15)
	agrees(t, "no time", Penalty(0, 1), math.NaN(), 0)
	agrees(t, "negative eigenvalue", Directions{[]float64{-1}, []float64{1}, 1, false}.Flow(1), math.NaN(), 0)
	agrees(t, "no penalty", d.Ridge(0), math.NaN(), 0)
	agrees(t, "no step", DescentFilter(0, 1, 1), math.NaN(), 0)
	agrees(t, "no calibration", WorstRatio(0), math.NaN(), 0)
}
