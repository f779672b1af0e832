package blaskit

import "math"

// unit is the largest relative error of one rounding.
const unit = 0x1p-53

// gamma is the relative error that n roundings can add up to: γ_n = n·u/(1 − n·u) (Higham, Accuracy and Stability of
// Numerical Algorithms, lemma 3.1).
func gamma(n int) float64 { return float64(n) * unit / (1 - float64(n)*unit) }

// sum is an unevaluated sum hi + lo that is added to with twice the working precision (Ogita, Rump, Oishi, Accurate sum
// and dot product, SIAM J. Sci. Comput. 26(6), 2005, algorithm Dot2). Its error after n products is at most
// u|result| + γ_n²·Σ|x·y|, which is nothing beside the tolerances here, of at least u·Σ|x·y|.
type sum struct{ hi, lo float64 }

// add adds x.
func (s *sum) add(x float64) {
	t := s.hi + x
	z := t - s.hi
	s.lo += (s.hi - (t - z)) + (x - z)
	s.hi = t
}

// addProduct adds x·y.
func (s *sum) addProduct(x, y float64) {
	product := x * y
	s.add(product)
	s.lo += math.FMA(x, y, -product)
}

// addMultiple adds c·t.
func (s *sum) addMultiple(c float64, t sum) {
	s.addProduct(c, t.hi)
	s.lo += c * t.lo
}

// value is the sum, rounded.
func (s sum) value() float64 { return s.hi + s.lo }

// minus is the difference to a number near it.
func (s sum) minus(x float64) float64 {
	s.add(-x)
	return s.value()
}
