package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

// bed identifies a test bed: the size, the step size, 1/λ₁ or the best one, and the right-hand side, that of our notes
// or the eigenvector that converges last.
type bed struct {
	N           int
	Best, Worst bool
}

const bedResidual = 1e-6

// newBed returns the matrix min(i, j)/n, and a right-hand side that has a jump.
func newBed(n int) (*mat.SymDense, []float64) {
	k, y := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, float64(i+1)/float64(n))
		}
		x := float64(i+1) / float64(n)
		if y[i] = math.Sin(2 * math.Pi * x); x > 0.5 {
			y[i]++
		}
	}
	return k, y
}

// lastToConverge returns the eigenvector of the smallest eigenvalue.
func lastToConverge(n int) []float64 {
	return list.Fill(n, func(i int) float64 { return math.Sin(float64((2*n-1)*(i+1)) * math.Pi / float64(2*n+1)) })
}

var stepCounts = props.Grid[bed, counted, bedClaim]{
	Name: "steps on the test bed",
	Cells: func(e props.Effort) []bed {
		cells := []bed{{4, false, false}, {8, true, false}, {16, false, false}, {16, true, false}, {32, true, false},
			{16, false, true}, {16, true, true}}
		if e != props.Quick {
			cells = append(cells, bed{32, false, false}, bed{64, true, false}, bed{64, false, false})
		}
		return cells
	},
	Measure: func(_ *props.Trial, b bed) counted { return b.count(b.right()) },
	Claim:   bedClaim{steps: bed.counted, bound: bed.bound, condition: bed.condition, growth: bed.growth},
	Judge: func(r *props.Record, b bed, m counted, claim bedClaim) {
		steps, bound := float64(m.Steps), claim.bound(b)
		r.Within("steps", steps, claim.steps(b), 1)
		r.AtMost("steps against the bound", steps, bound, 1e-9*bound)
		order := 16 * float64(b.N*b.N) / (math.Pi * math.Pi)
		noise := 30 * float64(b.N) * r.Unit() * (b.condition() + 1) * b.condition()
		low, high := claim.growth(b)
		r.Within("κ", m.Condition, claim.condition(b), noise)
		r.AtLeast(conditionAtLeast, m.Condition/order, low, noise/order)
		r.AtMost(conditionAtMost, m.Condition/order, high, noise/order)
	},
	Cost: func(b bed) float64 { return math.Pow(float64(b.N), 4) },
	Controls: []props.WrongCell[bed, counted, bedClaim]{
		{Reading: "n-steps", Criterion: "steps",
			Claim: func(c *bedClaim) { c.steps = func(b bed) float64 { return float64(b.N) } }},
		{Name: "another right-hand side", Criterion: "steps",
			Measure: func(_ *props.Trial, b bed) counted { return b.count(constant(b.N, 1)) }},
		{Name: "conjugate gradients", Criterion: "steps", Measure: func(_ *props.Trial, b bed) counted {
			k, _ := newBed(b.N)
			m := b.count(b.right())
			m.Steps = ridge.ConjugateGradients(k, b.right(),
				ridge.Stop{Iterations: 1000, Tolerance: bedResidual}).Iterations
			return m
		}},
		{Name: "bound with √κ, which is that of conjugate gradients", Criterion: "steps against the bound",
			Claim: func(c *bedClaim) {
				c.bound = func(b bed) float64 { return theory.PlainSteps(math.Sqrt(b.condition()), bedResidual) }
			}},
		{Name: "κ of the next order", Criterion: "κ",
			Claim: func(c *bedClaim) { c.condition = func(b bed) float64 { return bed{N: b.N + 1}.condition() } }},
		{Name: exchangedBounds, Criterion: conditionAtLeast, Claim: func(c *bedClaim) {
			c.growth = func(b bed) (low, high float64) {
				low, high = b.growth()
				return high, low
			}
		}},
		{Name: "bounds of κ exchanged, from above", Criterion: conditionAtMost, As: exchangedBounds},
	},
	Replicates: 1, // nothing is random
}

// The criteria for the growth of κ, and their control.
const (
	conditionAtLeast = "κ over 16n²/π², at least"
	conditionAtMost  = "κ over 16n²/π², at most"
	exchangedBounds  = "bounds of κ exchanged"
)

// bedClaim holds the claimed steps on the test bed and their bound, κ, and the bounds of κ over 16n²/π².
type bedClaim struct {
	steps, bound, condition func(bed) float64
	growth                  func(bed) (low, high float64)
}

// counted holds the steps on the test bed, and its condition number by a factorisation.
type counted struct {
	Steps     int
	Condition float64
}

// right returns the right-hand side.
func (b bed) right() []float64 {
	if b.Worst {
		return lastToConverge(b.N)
	}
	_, y := newBed(b.N)
	return y
}

// count counts the steps until the residual is small, and computes the condition number.
func (b bed) count(y []float64) counted {
	k, _ := newBed(b.N)
	values, _, err := linalg.SymEigen(k, false)
	if err != nil {
		panic(err)
	}
	stop := ridge.Stop{Iterations: 1000000, Tolerance: bedResidual}
	return counted{ridge.Richardson(k, y, b.eta(), stop).Iterations, values[b.N-1] / values[0]}
}

func (b bed) eta() float64 {
	spectrum := theory.Brownian{N: b.N}
	if b.Best {
		return 2 / (spectrum.Eigenvalue(1) + spectrum.Eigenvalue(b.N))
	}
	return 1 / spectrum.Eigenvalue(1)
}

func (b bed) condition() float64 {
	spectrum := theory.Brownian{N: b.N}
	return spectrum.Eigenvalue(1) / spectrum.Eigenvalue(b.N)
}

func (b bed) growth() (low, high float64) { return theory.Brownian{N: b.N}.Growth() }

// counted computes the number of steps from the factors of all components.
func (b bed) counted() float64 {
	spectrum, factors := theory.Brownian{N: b.N}, make([]float64, b.N)
	for k := range factors {
		factors[k] = 1 - b.eta()*spectrum.Eigenvalue(k+1)
	}
	return float64(theory.Steps(factors, spectrum.Coefficients(b.right()), bedResidual))
}

func (b bed) bound() float64 {
	if b.Best {
		return theory.BestSteps(b.condition(), bedResidual)
	}
	return theory.PlainSteps(b.condition(), bedResidual)
}
