package spectra

import (
	"math"
	"testing"
)

func TestProduct(t *testing.T) {
	for k := 1; k <= 4; k++ {
		one := math.Pow([]float64{1, 3, 15, 105}[k-1], 3) // powers of a product of three normal numbers
		near(t, "widths 1", Product{[]int{1, 1, 1, 1}}.Moment(k), one, 1e-14)
		fuss := []float64{1, 3, 12, 55}[k-1] // C(3k, k)/(2k+1)
		near(t, "two square factors", Product{[]int{7, 7, 7}}.FreeMoment(k), fuss, 1e-14)
		near(t, "one factor", Product{[]int{2, 4}}.FreeMoment(k), MP{0.5}.Moment(k), 1e-14)
		near(t, "one factor", Product{[]int{5, 10}}.Moment(k), []float64{1, 1.6, 3.24, 7.56}[k-1], 1e-14)
	}
	near(t, "m₂ = 1 + Σγ", Product{[]int{6, 3, 2}}.FreeMoment(2), 1+2+3, 1e-14)
	for _, n := range []int{1, 2, 5, 80} {
		x := 1 / float64(n)
		two := Product{[]int{n, n, n}}
		near(t, "two factors", two.Moment(2), 3+3*x+3*x*x, 1e-14)
		near(t, "first order", float64(n)*(two.Moment(2)-two.FreeMoment(2)), 3+3*x, 1e-12)
		near(t, "two factors", Square{n, 2}.Second(), two.Moment(2), 1e-14)
		near(t, "trace", two.Variance(), 6*x*x+2*x*x*x, 1e-14)
	}
	near(t, "trace, wide", Product{[]int{1e6, 1e6}}.Variance(), 2e-12, 1e-15)
	near(t, "by hand", Product{[]int{2, 3}}.Variance(), 2./6, 1e-14) // 2nd/(nd)²
	near(t, "one narrow factor after another", Square{1, 4}.Second(), 81, 1e-14)
	near(t, "wide", Square{1e12, 1}.Second(), 2+1e-12, 1e-15)
	near(t, "deep", Square{9, 9}.DeepSecond(), (math.Exp(2)-math.Exp(-1))/3, 1e-14)
	near(t, "deep", Square{1e12, 1}.DeepSecond(), 1e-12, 1e-11)
	for _, bad := range []float64{Product{}.Moment(2), Product{[]int{1, 0}}.FreeMoment(2), Square{}.Second(),
		Product{[]int{1, 1}}.Moment(5), Square{}.DeepSecond()} {
		near(t, "outside", bad, math.NaN(), 0)
	}
}
