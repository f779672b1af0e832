package factorkit

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
	"github.com/thm-suite/thm/props/results"
)

// rotationChecks are the checks of Dlasr; add here.
func rotationChecks() []kit.Check {
	check := func(name, doc string, prop func(subject, *props.T) props.Ratio) kit.Check {
		return kit.Check{Name: "dlasr/" + name, Doc: doc, Part: kit.RotationsPart,
			Make: func(k kernel.Kernel) props.Check {
				return props.Property{Name: "dlasr/" + name, Cases: props.Scale{Quick: 40, Standard: 300, Deep: 3000},
					Prop: func(t *props.T) props.Ratio { return prop(subject{k}, t) }}
			}}
	}
	return []kit.Check{
		check("exact integers", "All twelve modes on small integers, also for c and s (dlasr does not ask for c² + "+
			"s² = 1), where everything is exact, equal one rotation after the other: no tolerance.",
			rotationsExact),
		check("rounding bound", "All twelve modes against one rotation after the other in double-double, ‖error‖₂ ≤ "+
			"3(z-1)u‖x‖₂ for each vector x that is turned (worst case: every rotation adds at most 2√2·u‖x‖₂, and "+
			"later ones preserve it).",
			rotationsRounding),
		check("inverse", "A sweep and then the reversed sweep with the opposite sines gives the matrix back, within "+
			"twice the rounding bound.",
			rotationsInverse),
		check("transposition", "Turning the columns of Aᵀ is turning the rows of A, on small integers: no tolerance.",
			rotationsTransposed),
		check("surroundings", "Storage outside the matrix, the cosines and the sines stay as they are, and nothing "+
			"outside is read (it is poisoned).",
			rotationsSurroundings),
		check("identity", "Rotations with c = 1 and s = 0 change nothing.",
			rotationsIdentity),
		check("not finite", "Where one rotation after the other gives NaN, or ±Inf, the kernel gives one of these, "+
			"and nowhere else. No value is skipped because it is zero.",
			rotationsNotFinite),
		check("repeatable", "The same bits again, on 1, 2 and 3 threads where that can be chosen, and in eight "+
			"concurrent calls.",
			rotationsRepeatable),
		check("empty", "A matrix without rows or columns, or with a single one to turn, is left alone; without "+
			"entries not even storage is needed.",
			rotationsEmpty),
		check("bad arguments", "Illegal modes, negative sizes, a short leading dimension and short slices panic.",
			rotationsBad),
	}
}

// eachMode judges every mode on an instance. The first that fails is the counterexample.
func eachMode(t *props.T, k subject, w turning, judge func(rotationMode, turning) props.Ratio) props.Ratio {
	worst := props.Ratio{}
	for _, d := range rotationModes() {
		var got turning
		var r props.Ratio
		if !kit.Survives(t, func() { got = w.apply(k.Rotations, d); r = judge(d, got) }) {
			t.Show("mode", d)
			return kit.Failed
		}
		if r.Verdict() != results.Holds {
			w.show(t, d, got)
			return r
		}
		worst = props.Worst(worst, r)
	}
	return worst
}

func rotationsExact(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 20, true)
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		return got.against(d, w.definition(d), func([]doubledouble.Number) float64 { return 0 })
	})
}

func rotationsRounding(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 40, false)
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		return got.against(d, w.definition(d), func(x []doubledouble.Number) float64 {
			return 3 * float64(len(x)-1) * k.precision().Unit * norm2(x)
		})
	})
}

// against compares with the definition, vector by vector: the vectors that are turned run across the lines of want.
func (w turning) against(d rotationMode, want [][]doubledouble.Number,
	allowed func(x []doubledouble.Number) float64) props.Ratio {
	worst := props.Ratio{}
	for j := range want[0] {
		x, e := make([]doubledouble.Number, len(want)), make([]doubledouble.Number, len(want))
		for i := range want {
			x[i] = want[i][j]
			e[i] = want[i][j].Minus(doubledouble.Number{Hi: w.entry(d, i, j)})
		}
		r := props.Exactly(norm2(e))
		if tolerance := allowed(x); tolerance > 0 {
			r = props.Within(norm2(e), tolerance)
		}
		worst = props.Worst(worst, r)
	}
	return worst
}

func norm2(x []doubledouble.Number) float64 {
	sum := 0.0
	for _, v := range x {
		sum = math.Hypot(sum, v.Hi)
	}
	return sum
}

func rotationsInverse(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 20, false)
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		got.c, got.s = w.c, make([]float64, len(w.s))
		for i, s := range w.s {
			got.s[i] = -s
		}
		back := got.apply(k.Rotations, d.reversed())
		return back.against(d, lines(w, d),
			func(x []doubledouble.Number) float64 { return 6 * float64(len(x)-1) * k.precision().Unit * norm2(x) })
	})
}

// lines are the rows or columns that a mode turns.
func lines(w turning, d rotationMode) [][]doubledouble.Number {
	count, others := w.m, w.n
	if d.side == blas.Right {
		count, others = w.n, w.m
	}
	x := make([][]doubledouble.Number, count)
	for i := range x {
		for j := range others {
			x[i] = append(x[i], doubledouble.Number{Hi: w.entry(d, i, j)})
		}
	}
	return x
}

func rotationsTransposed(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 20, true)
	flipped := w
	flipped.m, flipped.n, flipped.lda = w.n, w.m, w.m+2
	flipped.a = inside(transposed(w.dense()), flipped.lda)
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		other := flipped.apply(k.Rotations, d.transposed())
		return got.against(d, lines(other, d.transposed()), func([]doubledouble.Number) float64 { return 0 })
	})
}

func rotationsSurroundings(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 12, false)
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		ok := true
		for i, v := range got.a {
			inside := i%w.lda < w.n && i/w.lda < w.m
			ok = ok && math.IsNaN(v) != inside
		}
		for i := range w.count(d) - 1 {
			ok = ok && got.c[i] == w.c[i] && got.s[i] == w.s[i]
		}
		return props.Condition(ok)
	})
}

func rotationsIdentity(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 12, false)
	for i := range w.c {
		w.c[i], w.s[i] = 1, 0
	}
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		return got.against(d, lines(w, d), func([]doubledouble.Number) float64 { return 0 })
	})
}

// rotationsNotFinite puts a NaN or an infinity into one entry or one cosine, next to a row of zeros, and looks which
// entries of the definition are finite. All other cosines and sines are away from zero.
func rotationsNotFinite(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 12, false)
	r := t.Stream("poison")
	for i := range w.c {
		w.c[i], w.s[i] = 0.6, 0.8
	}
	zero, poison := r.IntN(w.m), [...]float64{math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(3)]
	for j := range w.n {
		w.a[zero*w.lda+j] = 0
	}
	if r.IntN(2) == 0 {
		w.a[r.IntN(w.m)*w.lda+r.IntN(w.n)] = poison
	} else {
		w.c[max(0, zero-1)] = math.NaN() // the rotation that turns the zero row first, in one of the modes
	}
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		want := w.definition(d)
		ok := true
		for i := range want {
			for j, x := range want[i] {
				v := got.entry(d, i, j)
				// In double-double an infinity turns into NaN; only "not finite" is known.
				finite := !math.IsNaN(x.Hi) && !math.IsInf(x.Hi, 0)
				ok = ok && finite == (!math.IsNaN(v) && !math.IsInf(v, 0))
			}
		}
		return props.Condition(ok)
	})
}

func rotationsRepeatable(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 30, false)
	return eachMode(t, k, w, func(d rotationMode, got turning) props.Ratio {
		ok := true
		kit.EachThreads(k.Kernel, func() { ok = ok && kit.SameBits(got.a, w.apply(k.Rotations, d).a) })
		return props.Condition(ok && kit.Together(func() bool { return kit.SameBits(got.a, w.apply(k.Rotations, d).a) }))
	})
}

func rotationsEmpty(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 6, false)
	return eachMode(t, k, w, func(d rotationMode, _ turning) props.Ratio {
		k.Rotations.Dlasr(d.side, d.pivot, d.direct, 0, w.n, nil, nil, nil, w.n)
		k.Rotations.Dlasr(d.side, d.pivot, d.direct, w.m, 0, nil, nil, nil, 1)
		single := w
		if d.side == blas.Left {
			single.m = 1
		} else {
			single.n = 1
		}
		return props.Condition(kit.SameBits(single.a, single.apply(k.Rotations, d).a))
	})
}

// rotationsBad changes one argument of a valid call for the worse.
func rotationsBad(k subject, t *props.T) props.Ratio {
	w := drawTurning(t, 8, false)
	w.m, w.n, w.lda = w.m+1, w.n+1, w.n+1 // so that each side has something to turn
	w.a, w.c, w.s = make([]float64, w.m*w.lda), make([]float64, max(w.m, w.n)), make([]float64, max(w.m, w.n))
	for _, d := range rotationModes() {
		z := w.count(d) - 1
		c, s := w.c[:z], w.s[:z]
		for name, call := range map[string]func(){
			"side":  func() { k.Rotations.Dlasr('?', d.pivot, d.direct, w.m, w.n, c, s, w.a, w.lda) },
			"pivot": func() { k.Rotations.Dlasr(d.side, '?', d.direct, w.m, w.n, c, s, w.a, w.lda) },
			"direct": func() {
				k.Rotations.Dlasr(d.side, d.pivot, lapack.Direct('?'), w.m, w.n, c, s, w.a, w.lda)
			},
			"m":                 func() { k.Rotations.Dlasr(d.side, d.pivot, d.direct, -1, w.n, c, s, w.a, w.lda) },
			"n":                 func() { k.Rotations.Dlasr(d.side, d.pivot, d.direct, w.m, -1, c, s, w.a, w.lda) },
			"leading dimension": func() { k.Rotations.Dlasr(d.side, d.pivot, d.direct, w.m, w.n, c, s, w.a, w.n-1) },
			"length of c": func() {
				k.Rotations.Dlasr(d.side, d.pivot, d.direct, w.m, w.n, c[:z-1:z-1], s, w.a, w.lda)
			},
			"length of s": func() {
				k.Rotations.Dlasr(d.side, d.pivot, d.direct, w.m, w.n, c, s[:z-1:z-1], w.a, w.lda)
			},
			"length of a": func() {
				k.Rotations.Dlasr(d.side, d.pivot, d.direct, w.m, w.n, c, s, w.a[:(w.m-1)*w.lda+w.n-1], w.lda)
			},
		} {
			if _, panicked := kit.Attempt(call); !panicked {
				t.Show("mode", d)
				t.Show("accepted", name)
				return kit.Failed
			}
		}
	}
	return props.Ratio{}
}
