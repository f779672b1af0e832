package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestDiagonal(t *testing.T) {
	p := Potential{Inputs: mat.NewDense(2, 4, []float64{1, 2, 0, 1, 0, 1, 1, -1}), Labels: []float64{2, 1}}
	for alpha, want := range map[float64][5]float64{
		2:  {.2937477231603, .8237576991387, .2349791794236, .0587368785623, .05143239780858},
		1:  {.288515586321, .8269858644052, .2305268204634, .05751268486857, .2035288657808},
		.1: {.04922702415052, .9721174426436, .03442064791883, .006538090562383, 3.570688587719},
	} {
		p.Scale = alpha
		b, err := p.Minimum()
		if err != nil {
			t.Fatal(err)
		}
		for i := range b {
			agrees(t, "β", b[i], want[i], 1e-11)
		}
		agrees(t, "potential", p.at(b), want[4], 1e-11)
	}
	deep := Potential{p.Inputs, p.Labels, 0.5, 3}
	b, err := deep.Minimum()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{.1461148526106, .9137525195841, .112627588637, .02638010822111} {
		agrees(t, "D = 3", b[i], want, 1e-11)
	}
	agrees(t, "no potential of D = 3", deep.at(b), math.NaN(), 0)
	p.Scale = 1e4
	b, _ = p.Minimum()
	short, coefficient, err := p.LeastNorm()
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		agrees(t, "limit for large α", b[i], []float64{5. / 17, 14. / 17, 4. / 17, 1. / 17}[i], 1e-12)
		agrees(t, "least norm", short[i], []float64{5. / 17, 14. / 17, 4. / 17, 1. / 17}[i], 1e-14)
		agrees(t, "coefficient", coefficient[i], []float64{-.00594162, .00366674, -.00505861, -.00139187}[i], 5e-6)
	}
	p.Scale = 1
	agrees(t, "q(1)", p.at([]float64{1}), .2451438475598, 1e-12)
	agrees(t, "q(5)", p.at([]float64{5}), 4.850990924721, 1e-12)
	agrees(t, "q(1e-8)", p.at([]float64{1e-8}), 2.5e-17, 1e-12)

	hand := Potential{mat.NewDense(1, 2, []float64{1, 2}), []float64{4.5}, math.Sqrt(0.5), 2}
	b, _ = hand.Minimum()
	agrees(t, "by hand", b[0], 0.75, 1e-14)
	agrees(t, "by hand", b[1], 1.875, 1e-14)
	tie := Potential{mat.NewDense(1, 3, []float64{1, 1, .5}), []float64{2}, 1e-3, 0}
	b, _ = tie.Minimum()
	agrees(t, "tie", b[0], .99975, 1e-5)
	agrees(t, "off the support", b[2], .00099987, 1e-3)
	agrees(t, "no start", Potential{hand.Inputs, hand.Labels, 0, 2}.at(b), math.NaN(), 0)
	if _, err := (Potential{mat.NewDense(2, 1, nil), []float64{1, 1}, 1, 2}).Minimum(); err == nil {
		t.Error("more samples than inputs are accepted")
	}
}
