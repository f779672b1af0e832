package recorded

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props/results"
)

// Criterion is one comparison on one layer in one step.
type Criterion struct {
	Name    string          `json:"name"`
	Verdict results.Verdict `json:"verdict"`
	Ratio   results.Number  `json:"ratio"`
	Notices results.Number  `json:"notices"` // the smallest relative error of the claim that these numbers would show
	Sides   *results.Sides  `json:"sides,omitempty"`
	Agrees  string          `json:"agrees,omitempty"` // of what is refuted, the mistake that the numbers agree with
}

// coarsest is the resolution beyond which numbers say nothing of a claim: a tenth of what is claimed.
const coarsest = 0.1

// compare judges two matrices. Where float64 does not hold what is claimed or allowed, nothing is decided.
func compare(name string, obtained, claimed *mat.Dense, allowed float64) Criterion {
	off, size := algebra.Distance(obtained, claimed), mat.Norm(claimed, 2)
	c := Criterion{Name: name, Verdict: results.Holds, Ratio: results.Number(off / allowed),
		Notices: results.Number((allowed + off) / size)}
	switch {
	case off > allowed || math.IsNaN(off):
		c.Verdict = results.Refuted
		c.Sides = sides(obtained, claimed, allowed)
	case !(allowed+off <= coarsest*size) || math.IsInf(size, 1):
		c.Verdict = results.Undecided
	}
	return c
}

// sides shows the entry that is off most.
func sides(obtained, claimed *mat.Dense, allowed float64) *results.Sides {
	difference := algebra.Difference(obtained, claimed)
	rows, cols := difference.Dims()
	at, largest := [2]int{}, -1.0
	for i := range rows {
		for j := range cols {
			if d := math.Abs(difference.At(i, j)); !(d <= largest) {
				at, largest = [2]int{i, j}, d
			}
		}
	}
	return &results.Sides{Obtained: results.Number(obtained.At(at[0], at[1])),
		Claimed:    results.Number(claimed.At(at[0], at[1])),
		Difference: results.Number(mat.Norm(difference, 2)), Allowed: results.Number(allowed),
		Entry: fmt.Sprintf("[%d, %d]", at[0], at[1])}
}

// chain is the links of one layer in one step.
type chain struct {
	*Layer
	arithmetic
	gradient product // ΓHᵀ, m×n
	inputs   product // (WᵀΓ)ᵀ, N×n: a row for each sample
	links    map[string]Criterion
	kernel   *mat.Dense // see tangent
}

// The links, in their order.
const (
	linkGradient = "G = ΓHᵀ"
	linkInputs   = "P = WᵀΓ"
	linkSides    = "WᵀG = PHᵀ"
	linkUpdate   = "W⁺ = W − γG"
	linkFirst    = "order γ of the identity"
	linkSecond   = "order γ² of the identity"
)

// chainOf judges all links of a layer.
func chainOf(l *Layer) *chain {
	c := &chain{Layer: l, arithmetic: arithmetics[l.Products], links: map[string]Criterion{}}
	m, n := l.W.Dims()
	_, columns := l.H.Dims()
	c.gradient = multiply(columns, func(from, to int) (a, b mat.Matrix) {
		return l.Gamma.Slice(0, m, from, to), l.H.Slice(0, n, from, to).T()
	}, c.arithmetic)
	c.inputs = multiply(m, func(from, to int) (a, b mat.Matrix) {
		return l.Gamma.Slice(from, to, 0, columns).T(), l.W.Slice(from, to, 0, n)
	}, c.arithmetic)
	c.judge(linkGradient, l.G, c.gradient.Dense, c.gradient.allowed()+c.underflow())
	p := mat.DenseCopyOf(c.inputs.T())
	if l.ImageGrad != nil { // what is folded is a sum of at most overlap entries
		overlap := float64(l.Conv.Kernel[0] * l.Conv.Kernel[1])
		c.judge(linkInputs, l.ImageGrad, l.Conv.Fold(p), overlap*c.inputs.allowed()+c.underflow())
	} else if l.P != nil {
		c.judge(linkInputs, l.P, p, c.inputs.allowed()+c.underflow())
		p = l.P
	}
	if c.plain() == "" {
		c.links[linkUpdate] = c.update()
	}
	c.identity(p)
	return c
}

// underflow bounds what sums lose of terms that are smaller than all normal numbers.
func (c *chain) underflow() float64 {
	m, n := c.W.Dims()
	_, columns := c.H.Dims()
	return c.quantum * float64(columns+m) * math.Sqrt(float64(m*n+n*columns))
}

func (c *chain) judge(name string, obtained, claimed *mat.Dense, allowed float64) {
	found := compare(name, obtained, claimed, allowed)
	if found.Verdict == results.Refuted {
		found.Agrees = c.diagnose(name, obtained, allowed)
	}
	c.links[name] = found
}

// identity compares the coefficients of WᵀW's change in γ. With P = WᵀΓ and G = ΓHᵀ the change −γ(WᵀG + GᵀW) + γ²GᵀG
// is the shift −γ(HPᵀ + PHᵀ) + γ²PPᵀ and the residual γ²(HΓᵀΓHᵀ − WᵀΓΓᵀW). Errors of G and P enter by their rows and
// columns; those of the products of this package are the last term.
func (c *chain) identity(p *mat.Dense) {
	m, n := c.W.Dims()
	_, columns := c.H.Dims()
	left, right := algebra.Product(c.W.T(), c.G), algebra.Product(p, c.H.T())
	inG := func(of *mat.Dense) float64 {
		return c.gradient.behind(func(i int) float64 { return normSquare(of.RawRowView(i)) })
	}
	inP := func(of *mat.Dense) float64 {
		if c.P == nil {
			return 0
		}
		squares := columnSquares(of)
		return c.inputs.behind(func(i int) float64 { return squares[i] })
	}
	own := deviations * ours * math.Sqrt(float64(m+columns))
	w, g, h, q := mat.Norm(c.W, 2), mat.Norm(c.G, 2), mat.Norm(c.H, 2), mat.Norm(p, 2)
	tiny := c.underflow() * (w + g + h + q)
	c.follow(linkSides, left, right, inG(c.W)+inP(c.H)+own*(w*g+h*q)+tiny)
	c.follow(linkFirst, symmetric(left), symmetric(right), 2*(inG(c.W)+inP(c.H)+own*(w*g+h*q)+tiny))
	obtained, claimed := algebra.Product(c.G.T(), c.G), algebra.Product(c.gradient.T(), c.gradient.Dense)
	obtained.Sub(obtained, algebra.Product(p, p.T()))
	claimed.Sub(claimed, algebra.Product(c.inputs.T(), c.inputs.Dense))
	errG, errP := c.gradient.allowed(), 0.0
	if c.P != nil {
		errP = c.inputs.allowed()
	}
	own = deviations * ours * math.Sqrt(float64(m+columns+n))
	c.follow(linkSecond, obtained, claimed, 2*(inG(c.gradient.Dense)+inP(p))+errG*errG+errP*errP+2*own*(g*g+q*q)+2*tiny)
}

// follow judges what rests on the links of the gradient and the inputs. Their mistakes are its own.
func (c *chain) follow(name string, obtained, claimed *mat.Dense, allowed float64) {
	found := compare(name, obtained, claimed, allowed)
	if found.Verdict == results.Refuted {
		for _, before := range []string{linkGradient, linkInputs} {
			if why := c.links[before].Agrees; why != "" && found.Agrees == "" {
				found.Agrees = why
			}
		}
	}
	c.links[name] = found
}

func symmetric(a *mat.Dense) *mat.Dense { return algebra.Sum(a, a.T()) }

func columnSquares(a *mat.Dense) []float64 {
	rows, cols := a.Dims()
	out := make([]float64, cols)
	for i := range rows {
		for j, x := range a.RawRowView(i) {
			out[j] += x * x
		}
	}
	return out
}

// update compares the new weights with W − γG bit for bit, in the network's own arithmetic: γ is one of its numbers,
// and an implementation may round the product before the difference or not. Weight decay λ is in the gradient. An error
// ε of γG shows in the entry where it is the largest part of what a rounding hides.
func (c *chain) update() Criterion {
	out := Criterion{Name: linkUpdate, Verdict: results.Holds, Notices: results.Number(math.Inf(1))}
	rows, cols := c.W.Dims()
	unit, wide := kept[c.DType], c.DType // what it computes in before it rounds to what it keeps
	if wide == "bfloat16" || wide == "float16" {
		wide = "float32"
	}
	rate, decay := round(c.Rate, wide), round(c.Number("weight_decay"), wide)
	worst := 0.0
	for i := range rows {
		w, next, g := c.W.RawRowView(i), c.Next.RawRowView(i), c.G.RawRowView(i)
		for j := range cols {
			gradients := []float64{g[j]}
			if decay != 0 {
				gradients = []float64{round(math.FMA(decay, w[j], g[j]), wide),
					round(g[j]+round(decay*w[j], wide), wide)}
			}
			right, nearest := false, math.Inf(1)
			for _, d := range gradients {
				product := round(rate*d, wide)
				for _, claim := range []float64{round(math.FMA(-rate, d, w[j]), wide), round(w[j]-product, wide)} {
					claim = round(claim, c.DType)
					right = right || claim == next[j]
					nearest = min(nearest, math.Abs(claim-next[j]))
				}
			}
			step := math.Abs(c.Rate * gradients[0])
			hidden := unit*(math.Abs(next[j])+step) + 0x1p-1074
			out.Notices = min(out.Notices, results.Number(2*hidden/step))
			// A sum that float64 rounds to the middle between two numbers of float32 may go to the other one.
			if !right && wide != "float64" && nearest <= 2.1*hidden {
				exact := w[j] - c.Rate*gradients[0]
				right = math.Abs(next[j]-exact) <= unit*math.Abs(next[j])*(1+0x1p-20)
			}
			if ratio := 1 + nearest/hidden; !right && !(ratio <= worst) { // a NaN is worse than all
				worst = ratio
				out.Ratio, out.Verdict = results.Number(ratio), results.Refuted
				claim := w[j] - c.Rate*gradients[0]
				out.Sides = &results.Sides{Obtained: results.Number(next[j]), Claimed: results.Number(claim),
					Difference: results.Number(next[j] - claim), Allowed: 0, Entry: fmt.Sprintf("[%d, %d]", i, j)}
			}
		}
	}
	if out.Verdict == results.Holds && !(out.Notices <= coarsest) {
		out.Verdict = results.Undecided
	}
	if out.Verdict == results.Refuted {
		out.Agrees = c.diagnoseUpdate()
	}
	return out
}
