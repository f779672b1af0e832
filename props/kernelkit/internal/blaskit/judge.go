package blaskit

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// componentwise holds every entry of the results to the worst case of rounding. A sum of K products, in any order, with
// or without fused multiply-adds, with alpha multiplied into an operand or into the sum, and beta times the old entry,
// has at most K+4 roundings on the way of each summand, so that
//
//	|got − want| ≤ γ_{K+4}·(|alpha|·Σ|x·y| + |beta·old|)
//
// For a solve by substitution in any order, with division by the diagonal or multiplication by its reciprocal,
// |op(A)X − alpha·B| obeys the same (Higham, theorem 8.5; alpha·B is one rounding more).
func (r *run) componentwise(t *props.T) props.Ratio {
	return r.worstEntry(t, func(got float64, want doubledouble.Sum, size float64, products int) (float64, props.Ratio) {
		allowed := r.args.Precision.Gamma(products+4) * size
		if size == 0 {
			return allowed, props.Exactly(want.Minus(got))
		}
		return allowed, props.Within(want.Minus(got), allowed)
	})
}

// exact holds every entry of the results to the definition without tolerance. Zeros of either sign are equal.
func (r *run) exact(t *props.T) props.Ratio {
	return r.worstEntry(t, func(got float64, want doubledouble.Sum, _ float64, _ int) (float64, props.Ratio) {
		return 0, props.Exactly(want.Minus(got))
	})
}

// entryJudge judges an entry by the sum of the magnitudes that are added and the number of products.
type entryJudge func(got float64, want doubledouble.Sum, size float64, products int) (allowed float64, _ props.Ratio)

// worstEntry judges every entry and shows the worst.
func (r *run) worstEntry(t *props.T, judge entryJudge) props.Ratio {
	worst, shown := props.Ratio{}, ""
	for n := range r.outputs {
		out := &r.outputs[n]
		out.each(func(i, j int) {
			got, want, size, products := r.sides(out, i, j)
			allowed, ratio := judge(got, want, size, products)
			if out.copies {
				allowed, ratio = 0, props.Condition(got == want.Hi)
			}
			if ratio.Value > worst.Value {
				shown = fmt.Sprintf("%s[%d,%d] = %v, want %v ± %.3g", out.name(), i, j, got, want.Float64(), allowed)
				if out.solve {
					shown = fmt.Sprintf("in the equation for %s[%d,%d]: right-hand side %v, left %v ± %.3g", out.name(),
						i, j, got, want.Float64(), allowed)
				}
			}
			worst = props.Worst(worst, ratio)
		})
	}
	if shown != "" {
		t.Show("worst entry", shown)
	}
	return worst
}

func (out *output) name() string {
	if out.to == nil {
		return "result"
	}
	return out.to.name
}

// surroundings holds everything that is not an entry of a result to what it was: operands that are only read, padding,
// the other triangle, and what lies before and behind in memory.
func (r *run) surroundings(t *props.T) props.Ratio {
	for _, o := range r.operands {
		var own []bool
		if o.written {
			own = o.entries()
		}
		after := r.backing[o.index]
		for i := range after.Len() {
			if own != nil && own[i] {
				continue
			}
			if after.Bits(i) != o.before.Bits(i) {
				t.Show("changed", fmt.Sprintf("element %d of %s (of %d), which is no result: %v, was %v", i-o.offset,
					o.name, o.size, after.At(i), o.before.At(i)))
				return kit.Failed
			}
		}
	}
	return props.Ratio{}
}

// growth holds each result to the size that rounding errors reach when they do not conspire (Gates et al., BLAS++,
// SLATE working note 2; √k in place of the worst case k):
//
//	‖got − want‖_F ≤ u·(√(K+2)·|alpha|·‖A‖_F·‖B‖_F + 2·|beta|·‖C‖_F)
//
// with K the longest sum. It is for sizes at which the errors have had a chance to average.
func (r *run) growth(t *props.T) props.Ratio {
	ratios := []props.Ratio{{}}
	for n := range r.outputs {
		out := &r.outputs[n]
		err, old, longest := 0.0, 0.0, 0
		out.each(func(i, j int) {
			got, want, _, products := r.sides(out, i, j)
			err = math.Hypot(err, want.Minus(got))
			old = math.Hypot(old, out.beta*out.old(i, j))
			longest = max(longest, products)
		})
		if out.beta == 0 {
			old = 0
		}
		ratios = append(ratios, props.Within(err, r.allowance(out, longest, old)))
	}
	ratio := props.Worst(ratios...)
	t.Show("ratio", ratio.Value)
	return ratio
}

// allowance is the right-hand side of growth.
func (r *run) allowance(out *output, longest int, old float64) float64 {
	size := 0.0
	for _, term := range out.terms {
		size += math.Abs(term.coef) * r.norm(term.left) * r.norm(term.right)
	}
	return r.args.Precision.Unit * (math.Sqrt(float64(longest+2))*size + 2*old)
}

// norm is the Frobenius norm of what a view shows.
func (r *run) norm(v view) float64 {
	rows, cols := v.dims()
	s := 0.0
	for i := range rows {
		for j := range cols {
			if x, present := v.at(r, i, j); present {
				s += x * x
			}
		}
	}
	return math.Sqrt(s)
}

// class returns the class of a number, by which NaN and infinities are compared.
func class(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "+Inf"
	case math.IsInf(x, -1):
		return "-Inf"
	}
	return "finite"
}

// classes holds the results to being NaN, infinite and finite where the definition in floating-point arithmetic says
// so. In what order a sum is formed makes no difference to that as long as nothing overflows.
func (r *run) classes(t *props.T) props.Ratio {
	for n := range r.outputs {
		out := &r.outputs[n]
		want := r.plain(out)
		ok, shown := true, ""
		out.each(func(i, j int) {
			if got := r.got(out, i, j); ok && class(got) != class(want[[2]int{i, j}]) {
				ok = false
				shown = fmt.Sprintf("%s[%d,%d] = %v, want %s", out.name(), i, j, got, class(want[[2]int{i, j}]))
			}
		})
		if !ok {
			t.Show("swallowed or made", shown)
			return kit.Failed
		}
	}
	return props.Ratio{}
}

// plain evaluates the definition of an output by loops in floating-point arithmetic, term by term. It is slow.
func (r *run) plain(out *output) map[[2]int]float64 {
	want := map[[2]int]float64{}
	if out.solve {
		r.substitute(out, want)
		return want
	}
	out.each(func(i, j int) {
		s := 0.0
		if out.beta != 0 {
			s = out.beta * out.old(i, j)
		}
		for _, t := range out.terms {
			if t.coef == 0 {
				continue
			}
			_, inner := t.left.dims()
			for p := range inner {
				x, ok1 := t.left.at(r, i, p)
				y, ok2 := t.right.at(r, p, j)
				if ok1 && ok2 {
					s += t.coef * (x * y)
				}
			}
		}
		if out.root {
			s = math.Sqrt(s)
		}
		want[[2]int{i, j}] = s
	})
	return want
}

// substitute solves op(A)·X = beta·B or X·op(A) = beta·B for the matrix want.
func (r *run) substitute(out *output, want map[[2]int]float64) {
	if out.beta == 0 {
		out.each(func(i, j int) { want[[2]int{i, j}] = 0 })
		return
	}
	t := out.terms[0]
	left := t.right.o == out.to // the triangle is on the left
	order := out.to.cols
	if left {
		order = out.to.rows
	}
	for step := range order {
		s := step
		if !out.forward {
			s = order - 1 - step
		}
		out.each(func(i, j int) {
			if left && i != s || !left && j != s {
				return
			}
			x, pivot := out.beta*out.old(i, j), 0.0
			for p := range order {
				at, other := [2]int{p, j}, t.left
				a, ok := other.at(r, i, p)
				if !left {
					at, other = [2]int{i, p}, t.right
					a, ok = other.at(r, p, j)
				}
				switch {
				case !ok:
				case p == s:
					pivot = a
				default:
					x -= a * want[at]
				}
			}
			want[[2]int{i, j}] = x / pivot
		})
	}
}

// entriesOf holds a result to given values, without tolerance. Zeros of either sign are equal.
func (r *run) entriesOf(t *props.T, out *output, want func(i, j int) float64) props.Ratio {
	ok, shown := true, ""
	out.each(func(i, j int) {
		if got := r.got(out, i, j); ok && got != want(i, j) {
			ok, shown = false, fmt.Sprintf("%s[%d,%d] = %v, want exactly %v", out.name(), i, j, got, want(i, j))
		}
	})
	if !ok {
		t.Show("first difference", shown)
	}
	return props.Condition(ok)
}
