package doubledouble

// Sum adds products up faster than Number does: its parts may overlap, and cancellation costs digits. The error of n
// products is at most u|result| + γ_n²·Σ|x·y|, as if computed in twice the working precision and then rounded
// (T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26(6), 2005, algorithm 5.3 with a
// fused multiply-add). The zero value is zero.
type Sum struct{ Hi, Lo float64 }

// Add adds x.
func (s *Sum) Add(x float64) {
	t := TwoSum(s.Hi, x)
	s.Hi = t.Hi
	s.Lo += t.Lo
}

// AddProduct adds x·y.
func (s *Sum) AddProduct(x, y float64) {
	p := TwoProduct(x, y)
	s.Add(p.Hi)
	s.Lo += p.Lo
}

// AddMultiple adds c·t.
func (s *Sum) AddMultiple(c float64, t Sum) {
	s.AddProduct(c, t.Hi)
	s.Lo += float64(c * t.Lo)
}

// Float64 rounds s.
func (s Sum) Float64() float64 { return s.Hi + s.Lo }

// Minus is s − x, rounded.
func (s Sum) Minus(x float64) float64 {
	s.Add(-x)
	return s.Float64()
}
