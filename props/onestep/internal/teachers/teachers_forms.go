package teachers

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Own are the rank-one parts that F₀ has of its own when c₂ ≠ 0: c₂(|x|²/d − 1)1ᵀ, and for Gaussian rows c₂1(|w|² −
// 1)ᵀ.
func (d Draw) Own(c2 float64, gaussianRows bool) features.Added {
	var out features.Added
	if c2 == 0 {
		return out
	}
	excess, ones := lengths(d.Fresh, 1/math.Sqrt(float64(d.dim()))), constant(d.width())
	excess.Scale(c2, excess)
	out.Left, out.Right = append(out.Left, excess), append(out.Right, ones)
	if gaussianRows {
		left := constant(d.samples())
		left.Scale(c2, left)
		out.Left, out.Right = append(out.Left, left), append(out.Right, lengths(d.W, 1))
	}
	return out
}

func (d Draw) samples() int { n, _ := d.Fresh.Dims(); return n }
func (d Draw) dim() int     { _, dim := d.Fresh.Dims(); return dim }
func (d Draw) width() int   { n, _ := d.W.Dims(); return n }

// lengths is the row of |scale·x|² − 1 for the rows of x.
func lengths(x *mat.Dense, scale float64) *mat.Dense {
	n, _ := x.Dims()
	out := mat.NewDense(1, n, nil)
	for i := range n {
		row := x.RawRowView(i)
		out.Set(0, i, scale*scale*floats.Dot(row, row)-1)
	}
	return out
}

// constant is a row of ones.
func constant(n int) *mat.Dense {
	out := mat.NewDense(1, n, nil)
	floats.AddConst(1, out.RawRowView(0))
	return out
}

// Forms are the scalar products of the labels of each teacher with all that is added to the linear and the independent
// part of F₀: F₀'s own parts, what the step adds, and an intercept. Linear parts are Xv for these samples.
func (d Draw) Forms(own, added features.Added, risk theory.Risk) []theory.Forms {
	lefts := slices.Concat(own.Left, added.Left, added.Free)
	penalty := must.Get(theory.Penalty(gram(slices.Concat(own.Right, added.Right)), len(lefts)))
	count, n := d.Labels.Dims()
	polynomials := terms(risk)
	out, rest := make([]theory.Forms, count), mat.NewDense(1+len(lefts), n, nil)
	toTruth, toBeta := make([]float64, 1+len(lefts)), make([]float64, 1+len(lefts)) // linear parts over Xβ⋆ and Xβ
	toTruth[0] = risk.Teacher.Coefficient(1)
	for t := range count {
		inputs, projection := d.Inputs.RawRowView(t), d.Projection.RawRowView(t)
		copy(toBeta[1+len(own.Left):], slopes(polynomials, floats.Norm(d.Beta.RawRowView(t), 2)))
		floats.AddScaledTo(rest.RawRowView(0), d.Labels.RawRowView(t), -toTruth[0], inputs)
		for i, left := range lefts {
			rows, _ := left.Dims()
			floats.AddScaledTo(rest.RawRowView(i+1), left.RawRowView(min(t, rows-1)), -toBeta[i+1], projection)
		}
		linear := mat.NewSymDense(1+len(lefts), nil)
		one, both, two := floats.Dot(inputs, inputs), floats.Dot(inputs, projection), floats.Dot(projection, projection)
		for i := range linear.SymmetricDim() {
			for j := range i + 1 {
				linear.SetSym(i, j, (toTruth[i]*toTruth[j]*one+(toTruth[i]*toBeta[j]+toBeta[i]*toTruth[j])*both+
					toBeta[i]*toBeta[j]*two)/float64(n))
			}
		}
		out[t] = theory.Forms{Linear: linear, Rest: products(rest, 1/float64(n)), Penalty: penalty}
	}
	return out
}

// Claimed are the mean errors that follow from these forms and traces. The test error belongs to samples left out, for
// which tr R is taken from the fit. A failure is a NaN, which no criterion accepts.
func Claimed(forms []theory.Forms, fits []features.Fit, lambda float64, traces theory.Resolvent) theory.Errors {
	var mean theory.Errors
	for i, f := range forms {
		e, err := f.Errors(lambda, traces)
		if err != nil {
			e.Objective, e.Test = math.NaN(), math.NaN()
		}
		mean.Objective += e.Objective / float64(len(forms))
		mean.Test += e.Test * math.Pow(traces.All/fits[i].Trace, 2) / float64(len(forms))
	}
	return mean
}

// Solved are the limits of the errors; a failure is a NaN, which no criterion accepts.
func Solved(r theory.Risk) theory.Errors {
	e, err := r.Errors()
	if err != nil {
		e.Objective, e.Train, e.Test = math.NaN(), math.NaN(), math.NaN()
	}
	return e
}

// slopes are E P′(u) for u ~ N(0, |β|²), which Stein's lemma makes the linear parts of the terms, as multiples of u:
// terms are coefficients of powers of u.
func slopes(terms [][]float64, length float64) []float64 {
	out := make([]float64, len(terms))
	for k, term := range terms {
		for p := 1; p < len(term); p += 2 {
			out[k] += float64(p) * term[p] * math.Pow(length, float64(p-1)) * hermite.DoubleFactorial(p-2)
		}
	}
	return out
}

// terms are the coefficients of powers of u in the left vectors of the terms, without those that vanish.
func terms(risk theory.Risk) [][]float64 {
	var out [][]float64
	f := risk.Features()
	for k := 1; k <= risk.Terms; k++ {
		left := f.Left(k)
		if !slices.ContainsFunc(left, func(q float64) bool { return q != 0 }) {
			continue
		}
		if !math.IsInf(risk.Eta, 1) {
			floats.Scale(math.Pow(risk.Eta, float64(k)), left)
		}
		out = append(out, left)
	}
	return out
}

// gram are the scalar products of matrices of one row, and nil where there are none.
func gram(rows []*mat.Dense) *mat.SymDense {
	if len(rows) == 0 {
		return nil
	}
	all := mat.NewDense(len(rows), rows[0].RawMatrix().Cols, nil)
	for i, r := range rows {
		all.SetRow(i, r.RawRowView(0))
	}
	return products(all, 1)
}

// products are the scalar products of the rows, times a factor.
func products(rows *mat.Dense, factor float64) *mat.SymDense {
	k, _ := rows.Dims()
	out := mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			out.SetSym(i, j, factor*floats.Dot(rows.RawRowView(i), rows.RawRowView(j)))
		}
	}
	return out
}
