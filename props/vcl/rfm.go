package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/rfm"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/derivative"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// recursive pairs a round with machines that are fitted to random samples.
var recursive = props.Spec{
	Statement: &theory.RFM,
	Checks: []props.Check{
		props.Drawn[machineRound, roundClaim]{
			Name:    "matrix after a round",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Regimes: ranks,
			Draw:    drawRound,
			Claim:   machineRound.next,
			Judge: func(r *props.Record, s machineRound, claim roundClaim) {
				r.Regime(rankOf(s.M))
				r.WithinMatrix("M⁺", s.AGOP, claim(s), s.rounding(r.Unit()))
			},
			Controls: []props.Wrong[machineRound, roundClaim]{
				{Name: "gradients without the matrix", Alter: func(s *machineRound) { s.AGOP = s.round().Inner() }},
				{Name: "one sample left out of the mean", Alter: func(s *machineRound) {
					_, count := s.X.Dims()
					s.AGOP = algebra.Scaled(float64(count)/float64(count-1), s.AGOP)
				}},
				{Name: "V in place of MVM", Instead: func(s machineRound) *mat.Dense { return s.round().Inner() }},
				{Name: "sum in place of the mean", Instead: func(s machineRound) *mat.Dense {
					_, count := s.X.Dims()
					return algebra.Scaled(float64(count), s.next())
				}},
			},
		},
		props.Drawn[exactRound, roundClaim]{
			Name:    "matrix after a round, on integers",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Tries:   12,
			Regimes: ranks,
			Draw:    func(t *props.T) exactRound { return drawExactRound(t, func(*mat.Dense) {}, ofDistance) },
			Claim:   machineRound.next,
			Judge: func(r *props.Record, s exactRound, claim roundClaim) {
				r.Regime(rankOf(s.M))
				r.ExactlyMatrix("M⁺", s.AGOP, claim(machineRound(s)))
			},
			Controls: []props.Wrong[exactRound, roundClaim]{
				{Name: "a kernel of the inner product", Assumption: "radial",
					Draw: func(t *props.T) exactRound {
						return drawExactRound(t, func(*mat.Dense) {}, func(m *mat.Dense, at, sample mat.Vector) float64 {
							return -mat.Inner(at, m, sample)
						})
					}},
				{Name: "a matrix that is not symmetric", Assumption: "symmetric",
					Draw: func(t *props.T) exactRound {
						return drawExactRound(t, func(m *mat.Dense) {
							m.Set(0, 1, m.At(0, 1)+1)
							m.Set(1, 0, m.At(1, 0)-1)
						}, ofDistance)
					}},
				{Name: "MV in place of MVM",
					Instead: func(s machineRound) *mat.Dense { return algebra.Product(s.M, s.round().Inner()) }},
			},
		},
		props.Drawn[twoMachines, struct{}]{
			Name:    "plain machine on transformed samples",
			Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 10000},
			Regimes: ranks,
			Draw: func(t *props.T) twoMachines {
				return drawMachines(t, func(ridge float64) float64 { return ridge }, turnSamples)
			},
			Judge: judgeMachines,
			Controls: []props.Wrong[twoMachines, struct{}]{
				{Name: "another ridge", Assumption: "same-ridge", Criterion: "predictions",
					Draw: func(t *props.T) twoMachines {
						return drawMachines(t, func(ridge float64) float64 { return 1.5 * ridge }, turnSamples)
					}},
				{Name: "samples transformed by B in place of Bᵀ", Criterion: "predictions",
					Draw: func(t *props.T) twoMachines {
						return drawMachines(t, func(ridge float64) float64 { return ridge }, turnBack)
					}},
				{Name: "the plain machine's matrix, not turned back", Criterion: "M⁺", Alter: func(s *twoMachines) {
					if n, rank := s.B.Dims(); rank == n {
						s.Back = s.PlainAGOP
					}
				}},
			},
		},
	},
}.Claim()

// ranks are the regimes of the matrix of a distance.
var ranks = []string{"M regular", "M singular"}

func rankOf(m *mat.Dense) string {
	if n, _ := m.Dims(); layers.Rank(m) < n {
		return ranks[1]
	}
	return ranks[0]
}

// roundClaim is the matrix after a round.
type roundClaim func(machineRound) *mat.Dense

// next is MVM.
func (s machineRound) next() *mat.Dense { return s.round().Next() }

// machineRound is a machine at its samples, and the average outer product of its gradients there.
type machineRound struct {
	X      *mat.Dense `npy:"X"`      // n×N
	Alpha  *mat.Dense `npy:"alpha"`  // N×k
	Slopes *mat.Dense `npy:"slopes"` // N×N
	M      *mat.Dense `npy:"M"`      // n×n
	AGOP   *mat.Dense `npy:"AGOP"`   // n×n
}

// Valid names the violated hypothesis.
func (s machineRound) Valid() error {
	if !mat.EqualApprox(s.M, s.M.T(), 1e-6*mat.Norm(s.M, 2)) {
		return errors.New("the matrix M must be symmetric")
	}
	return nil
}

func (s machineRound) round() theory.Round {
	return theory.Round{X: s.X, Alpha: s.Alpha, Slopes: s.Slopes, M: s.M}
}

// rounding is (4N+10n+2Nk+40)·u of the size of the terms, see the statement. All gradients may vanish.
func (s machineRound) rounding(unit float64) float64 {
	n, count := s.X.Dims()
	_, outputs := s.Alpha.Dims()
	return float64(4*count+10*n+2*count*outputs+40)*unit*s.round().Size() + underflow
}

// drawFactor draws B with M = BBᵀ, of n rows and of n columns or fewer.
func drawFactor(t *props.T, limit int, entries func(rows, cols int) *mat.Dense) *mat.Dense {
	n := 1 + gen.Dim(t.T, "n−1", limit-1)
	r := n
	if rapid.Bool().Draw(t.T, "singular") {
		r = gen.Dim(t.T, "rank", n-1)
	}
	return entries(n, r)
}

// drawMachine fits a machine to random samples and targets, and returns the factor of its matrix.
func drawMachine(t *props.T) (*rfm.Machine, fitted) {
	r := t.Stream("entries")
	size := gen.LogUniform(t.T, "size", 0.1, 3)
	b := drawFactor(t, 5, func(rows, cols int) *mat.Dense {
		return layers.WithSingularValues(r, rows, cols, gen.Gaussian(r, 1, cols, size).RawRowView(0))
	})
	n, _ := b.Dims()
	count, outputs := 1+gen.Dim(t.T, "N−1", 7), gen.Dim(t.T, "outputs", 2)
	f := fitted{B: b, X: gen.Gaussian(r, n, count, 1), Y: gen.Gaussian(r, count, outputs, 1),
		Ridge:  gen.LogUniform(t.T, "λ", 1e-3, 1),
		Kernel: rapid.SampledFrom([]string{rfm.Gaussian.Name, rfm.Rational.Name}).Draw(t.T, "kernel")}
	return f.machine(algebra.Product(b, b.T()), f.X, f.Ridge), f
}

// fitted holds the data to which a machine is fitted.
type fitted struct {
	B, X, Y *mat.Dense
	Ridge   float64
	Kernel  string
}

func (f fitted) kernel() rfm.Kernel {
	if f.Kernel == rfm.Rational.Name {
		return rfm.Rational
	}
	return rfm.Gaussian
}

func (f fitted) machine(m, x *mat.Dense, ridge float64) *rfm.Machine {
	return must.Get(rfm.Fit(f.kernel(), m, x, f.Y, ridge))
}

func drawRound(t *props.T) machineRound {
	f, _ := drawMachine(t)
	n, count := f.X.Dims()
	s := machineRound{X: f.X, Alpha: f.Alpha, Slopes: mat.NewDense(count, count, nil), M: f.M, AGOP: f.AGOP()}
	s.Slopes.Apply(func(i, k int, _ float64) float64 {
		by := mat.NewVecDense(n, nil)
		by.SubVec(f.X.ColView(i), f.X.ColView(k))
		return f.Kernel.Slope(mat.Inner(by, f.M, by))
	}, s.Slopes)
	return s
}

// exactRound is a round without rounding.
type exactRound machineRound

// drawExactRound takes the gradients of f(x) = −Σ αₖ(x−xₖ)ᵀM(x−xₖ) by differences of step 1, on integers. N is dyadic.
func drawExactRound(t *props.T, change func(m *mat.Dense),
	form func(m *mat.Dense, at, sample mat.Vector) float64) exactRound {
	r := t.Stream("entries")
	b := drawFactor(t, 3, func(rows, cols int) *mat.Dense { return gen.Integers(r, rows, cols, 2) })
	n, _ := b.Dims()
	count, outputs := 2<<rapid.IntRange(0, 1).Draw(t.T, "log2 N − 1"), gen.Dim(t.T, "outputs", 2)
	s := exactRound{X: gen.Integers(r, n, count, 3), Alpha: gen.Integers(r, count, outputs, 3),
		M: algebra.Product(b, b.T()), Slopes: mat.NewDense(count, count, nil)}
	s.Slopes.Apply(func(_, _ int, _ float64) float64 { return -1 }, s.Slopes)
	change(s.M)
	jacobian := mat.NewDense(count*outputs, n, nil)
	for row := range count * outputs {
		x := mat.Col(nil, row/outputs, s.X)
		jacobian.SetRow(row, derivative.Quadratic(x, 1, func() (sum float64) {
			for k := range count {
				sum -= s.Alpha.At(k, row%outputs) * form(s.M, mat.NewVecDense(n, x), s.X.ColView(k))
			}
			return sum
		}))
	}
	s.AGOP = algebra.Scaled(1/float64(count), algebra.Product(jacobian.T(), jacobian))
	return s
}

// ofDistance is (x−y)ᵀM(x−y).
func ofDistance(m *mat.Dense, x, y mat.Vector) float64 {
	var by mat.VecDense
	by.SubVec(x, y)
	return mat.Inner(&by, m, &by)
}

// twoMachines are a machine with M = BBᵀ and the plain one on the samples Bᵀx, seen through their predictions at the
// samples and their matrices.
type twoMachines struct {
	fitted
	M, Alpha              *mat.Dense
	Predicted, Plain      *mat.Dense // N×k
	AGOP, PlainAGOP, Back *mat.Dense // Back is B·PlainAGOP·Bᵀ
}

// turnSamples are the samples Bᵀx.
func turnSamples(from fitted) *mat.Dense { return algebra.Product(from.B.T(), from.X) }

// turnBack are the samples Bx, where there are such.
func turnBack(from fitted) *mat.Dense {
	if n, r := from.B.Dims(); n != r {
		return turnSamples(from)
	}
	return algebra.Product(from.B, from.X)
}

func drawMachines(t *props.T, ridge func(float64) float64, turn func(fitted) *mat.Dense) twoMachines {
	f, from := drawMachine(t)
	turned := turn(from)
	r, _ := turned.Dims()
	one := mat.NewDense(r, r, nil)
	for i := range r {
		one.Set(i, i, 1)
	}
	plain := from.machine(one, turned, ridge(from.Ridge))
	out := twoMachines{fitted: from, M: f.M, Alpha: f.Alpha, Predicted: atOwnSamples(f), Plain: atOwnSamples(plain),
		AGOP: f.AGOP(), PlainAGOP: plain.AGOP()}
	out.Back = algebra.Product(from.B, out.PlainAGOP, from.B.T())
	return out
}

func atOwnSamples(f *rfm.Machine) *mat.Dense {
	out := mat.DenseCopyOf(f.Alpha)
	_, count := f.X.Dims()
	for i := range count {
		out.SetRow(i, f.Predict(mat.Col(nil, i, f.X)))
	}
	return out
}

func judgeMachines(r *props.Record, s twoMachines, _ struct{}) {
	r.Regime(rankOf(s.M))
	n, rank := s.B.Dims()
	count, outputs := s.Alpha.Dims()
	size, b, alpha, u := float64(count), mat.Norm(s.B, 2), mat.Norm(s.Alpha, 2), r.Unit()
	d, slopes, pulls := 0.0, 0.0, 0.0 // the largest distance, Σκ′² and Σκ′²‖xᵢ−xₖ‖²
	for i := range count {
		for k := range count {
			var by mat.VecDense
			by.SubVec(s.X.ColView(i), s.X.ColView(k))
			slope, distance := s.kernel().Slope(mat.Inner(&by, s.M, &by)), mat.Norm(&by, 2)
			d, slopes, pulls = max(d, distance), slopes+slope*slope, pulls+math.Pow(slope*distance, 2)
		}
	}
	squares := 2 * float64(2*n+8+rank) * u * b * b * d * d
	kernel := squares*math.Sqrt(slopes) + 8*size*u + (3*size+1)*u*size*(1+s.Ridge)
	r.WithinMatrix("predictions", s.Plain, s.Predicted, 4*kernel*alpha+2*size*(size+8)*u*alpha)
	relative := 2*kernel/s.Ridge + 2*squares + float64(count+4*n+count*outputs+10)*u
	largest := 4 * math.Pow(b, 4) * alpha * alpha * float64(outputs) * pulls / size
	r.WithinMatrix("M⁺", s.AGOP, s.Back, 2*relative*largest+underflow)
}
