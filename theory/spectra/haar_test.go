package spectra

import (
	"math"
	"testing"
)

func TestOrthogonal(t *testing.T) {
	for _, size := range []int{2, 3, 5, 20} {
		o, n := Orthogonal{size}, float64(size)
		for _, c := range []struct {
			rows, columns []int
			want          float64
		}{
			{[]int{0, 0}, []int{1, 1}, 1 / n},
			{[]int{0, 0, 0, 0}, []int{0, 0, 0, 0}, 3 / (n * (n + 2))},
			{[]int{0, 0, 0, 0}, []int{0, 0, 1, 1}, 1 / (n * (n + 2))},
			{[]int{0, 0, 1, 1}, []int{0, 0, 1, 1}, (n + 1) / (n * (n - 1) * (n + 2))},
			{[]int{0, 0, 1, 1}, []int{0, 1, 0, 1}, -1 / (n * (n - 1) * (n + 2))},
			{[]int{0, 0, 0}, []int{0, 0, 0}, 0},
		} {
			near(t, "fourth", o.Moment(c.rows, c.columns), c.want, 1e-13)
		}
	}
	zeros := make([]int, 6)
	near(t, "O₁₁⁶, n = 3", Orthogonal{3}.Moment(zeros, zeros), 1./7, 1e-13)
	near(t, "O₁₁⁶, n = 5", Orthogonal{5}.Moment(zeros, zeros), 1./21, 1e-13)
	three, two := []int{0, 0, 1, 1, 2, 2}, []int{0, 0, 0, 0, 1, 1}
	near(t, "three, n = 3", Orthogonal{3}.Moment(three, three), 8./105, 1e-13)
	near(t, "three, n = 5", Orthogonal{5}.Moment(three, three), 19./1890, 1e-13)
	near(t, "two, n = 3", Orthogonal{3}.Moment(two, two), 3./35, 1e-13)
	// Over a row the squares add up to 1.
	sum := 0.0
	for j := range 5 {
		sum += Orthogonal{5}.Moment([]int{0, 0, 1, 1}, []int{j, j, 1, 1})
	}
	near(t, "row", sum, 0.2, 1e-13)
	near(t, "trace", Orthogonal{3}.Trace(3), 15, 0)
	a := Form{N: 3, Trace: 1, Spread: 26. / 3}
	near(t, "turned", Orthogonal{3}.Turned(a, a), 2*math.Pow(26./3, 2)/10, 1e-15)
	near(t, "on the sphere", Orthogonal{3}.Turned(a, Form{N: 3, Trace: 1, Spread: 2. / 3}), a.OnSphere(), 1e-15)
	for _, bad := range []float64{Orthogonal{0}.Trace(0), Orthogonal{2}.Trace(3), Orthogonal{2}.Moment(zeros, zeros),
		Orthogonal{2}.Moment(zeros, two[:2]), Orthogonal{2}.Moment([]int{2, 2}, []int{0, 0}),
		Orthogonal{2}.Moment([]int{0, 0}, []int{-1, -1}), Orthogonal{1}.Turned(Form{N: 1}, Form{N: 1})} {
		near(t, "outside", bad, math.NaN(), 0)
	}
}
