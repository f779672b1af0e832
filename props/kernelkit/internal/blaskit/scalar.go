package blaskit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// scalarChecks lists the checks of routines that return numbers and are defined in another way than by sums of
// products; add here.
var scalarChecks = []kit.Check{
	scalarCheck("nrm2/huge and tiny", "The norm of a vector of any scale, near overflow, subnormal, or graded over "+
		"hundreds of powers of two, has a relative error of at most γ_{3n+4} (a scaled sum takes three roundings per "+
		"element), or half of the smallest subnormal number.", hugeAndTiny, "nrm2"),
	scalarCheck("idamax/first largest", "The index of the first element of largest magnitude, −1 for an empty "+
		"vector; bad arguments panic.", firstLargest, "amax"),
	scalarCheck("level1/negative increment", "With a negative increment nrm2 and asum are 0, idamax is −1, and scal "+
		"does nothing, as documented for the BLAS.", negativeIncrement, "nrm2", "asum", "amax", "scal"),
	scalarCheck("rotg/rotation", "c² + s² = 1, c·a + s·b = r, c·b = s·a, each within ten roundings, for a and b of "+
		"any scale at which r is not subnormal; c = 1, s = 0 for zeros; and z is what c and s can be reconstructed "+
		"from.", rotation, "rotg"),
	scalarCheck("rotmg/modified rotation", "H·(x, y)ᵀ = (x', 0)ᵀ and Hᵀ·diag(d₁', d₂')·H = diag(d₁, d₂), so that the "+
		"scaled H is a rotation, each within twenty roundings of the magnitudes that are added.", modifiedRotation, "rotmg"),
}

func scalarCheck(name, doc string, judge func(*props.T, kernel.Kernel) props.Ratio, needs ...string) kit.Check {
	return kit.Check{Name: name, Doc: doc, Part: kit.BLASPart, Needs: needs, Make: func(k kernel.Kernel) props.Check {
		return props.Property{Name: name, Cases: props.Scale{Quick: 120, Standard: 1800, Deep: 50000},
			Prop: func(t *props.T) props.Ratio {
				return judge(t, k)
			}}
	}}
}

// strided draws a vector among poison, with entries made by value.
func strided(t *props.T, p roundoff.Precision, value func(i int) float64) (n int, x Cells, inc int) {
	n = rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 64, 100, 257}).Draw(t.T, "n")
	inc = rapid.SampledFrom(forwards).Draw(t.T, "increment")
	x = fillWith(newCells(p, rectangle(n, 1, inc)), func(int) float64 { return poison })
	for i := range n {
		x.Set(i*inc, value(i))
	}
	t.Show("n", n)
	t.Show("increment", inc)
	t.Show("x", x.Slice())
	return n, x, inc
}

func hugeAndTiny(t *props.T, k kernel.Kernel) props.Ratio {
	p, r := kit.PrecisionOf(k), t.Stream("entries")
	far := p.Far()
	scale := rapid.SampledFrom([]int{0, far, far + 15, -far * 3 / 5, -far, p.Lowest + 24, p.Lowest + 4}).Draw(t.T, "scale")
	spread := rapid.SampledFrom([]int{0, 10, far * 7 / 10}).Draw(t.T, "spread")
	n, x, inc := strided(t, p, func(int) float64 { return math.Ldexp(symmetricUniform(r), scale-r.IntN(spread+1)) })
	got := 0.0
	if !kit.Survives(t, func() { got = ask(k, "nrm2", n, x, inc) }) {
		return kit.Failed
	}
	largest := 0.0
	for i := range n {
		largest = max(largest, math.Abs(x.At(i*inc)))
	}
	_, e := math.Frexp(largest)
	var squares doubledouble.Sum
	for i := range n {
		v := math.Ldexp(x.At(i*inc), -e)
		squares.AddProduct(v, v)
	}
	want := math.Sqrt(squares.Float64())
	t.Show("norm", fmt.Sprintf("%v, want %v", got, math.Ldexp(want, e)))
	if n == 0 {
		return props.Exactly(got)
	}
	return props.Within(math.Ldexp(got, -e)-want,
		(p.Gamma(3*n+4)+p.Unit)*want+math.Ldexp(1, max(p.Lowest-e, -1074)))
}

// ask calls a routine on one vector that returns a number.
func ask(k kernel.Kernel, routine string, n int, x Cells, inc int) float64 {
	a := Args{N: n, X: x, IncX: inc}
	RoutineNamed(routine).Call(k, &a)
	return a.Result()
}

func firstLargest(t *props.T, k kernel.Kernel) props.Ratio {
	r := t.Stream("entries")
	n, x, inc := strided(t, kit.PrecisionOf(k), func(int) float64 { return smallInteger(r) })
	var got int
	if !kit.Survives(t, func() { got = int(ask(k, "idamax", n, x, inc)) }) {
		return kit.Failed
	}
	want := -1
	for i := range n {
		if want < 0 || math.Abs(x.At(i*inc)) > math.Abs(x.At(want*inc)) {
			want = i
		}
	}
	t.Show("index", fmt.Sprintf("%d, want %d", got, want))
	panics := true
	for _, bad := range []func(){
		func() { ask(k, "idamax", -1, x, inc) },
		func() { ask(k, "idamax", n, x, 0) },
		func() { ask(k, "idamax", n+1, x, inc) },
	} {
		_, panicked := kit.Attempt(bad)
		panics = panics && panicked
	}
	t.Show("bad arguments panic", panics)
	return props.Condition(got == want && panics)
}

func negativeIncrement(t *props.T, k kernel.Kernel) props.Ratio {
	r := t.Stream("entries")
	n, x, inc := strided(t, kit.PrecisionOf(k), func(int) float64 { return symmetricUniform(r) })
	y := x.Clone()
	var norm, total, index float64
	if !kit.Survives(t, func() {
		norm, total, index = ask(k, "nrm2", n, x, -inc), ask(k, "asum", n, x, -inc), ask(k, "idamax", n, x, -inc)
		RoutineNamed("scal").Call(k, &Args{N: n, Alpha: 2, X: x, IncX: -inc})
	}) {
		return kit.Failed
	}
	t.Show("nrm2, asum, idamax", []any{norm, total, index})
	t.Show("x after scal", x.Slice())
	return props.Condition(norm == 0 && total == 0 && index == -1 && SameBits(x, y))
}

// anyScale draws zero, one, or a number of any magnitude, whose square may overflow or underflow, but which is not
// subnormal.
func anyScale(t *props.T, name string, p roundoff.Precision) float64 {
	r, far := t.Stream(name), p.Far()
	e := rapid.SampledFrom([]int{0, 1, -3, far * 6 / 100, far * 3 / 5, far, -far * 3 / 5, -far}).Draw(t.T,
		"scale of "+name)
	return p.Round(rapid.SampledFrom([]float64{1, 0, -1, symmetricUniform(r), symmetricUniform(r)}).Draw(t.T,
		"value of "+name) * math.Ldexp(1, e))
}

func rotation(t *props.T, k kernel.Kernel) props.Ratio {
	p := kit.PrecisionOf(k)
	a, b := anyScale(t, "a", p), anyScale(t, "b", p)
	args := Args{Alpha: a, Beta: b}
	program := rotationProgram{k, rotg, []float64{a, b}}
	defer func() { t.Show(kit.Reproducer, program) }()
	if !kit.Survives(t, func() { rotg.Call(k, &args) }) {
		return kit.Failed
	}
	c, s, r, z := args.Results[0], args.Results[1], args.Results[2], args.Results[3]
	t.Show("a, b", []float64{a, b})
	t.Show("c, s, r, z", []float64{c, s, r, z})
	if a == 0 && b == 0 {
		return props.Condition(c == 1 && s == 0 && r == 0 && z == 0)
	}
	_, e := math.Frexp(max(math.Abs(a), math.Abs(b)))
	a, b, r = math.Ldexp(a, -e), math.Ldexp(b, -e), math.Ldexp(r, -e)
	underflow := math.Ldexp(1, p.Lowest+1) // of c or s, whose factor here is at most one
	return props.Worst(
		equation(p, 10, underflow, c, c, s, s, -1, 1),
		equation(p, 10, underflow, c, a, s, b, -1, r),
		equation(p, 10, underflow, c, b, -s, a),
		reconstructed(p, c, s, z),
	)
}

// equation holds a sum of products to zero, within so many roundings of the magnitudes that are added and an absolute
// slack.
func equation(p roundoff.Precision, roundings int, slack float64, factors ...float64) props.Ratio {
	var s doubledouble.Sum
	size := 0.0
	for i := 0; i < len(factors); i += 2 {
		s.AddProduct(factors[i], factors[i+1])
		size += math.Abs(factors[i] * factors[i+1])
	}
	return props.Within(s.Float64(), p.Gamma(roundings)*size+slack)
}

// reconstructed holds c and s to what the definition of z says they are. Each is within ten roundings; 1 − z² has no
// cancellation worth more than a factor two, because |z| ≤ 1/√2 there.
func reconstructed(p roundoff.Precision, c, s, z float64) props.Ratio {
	wantCosine, wantSine := 0.0, 1.0
	switch {
	case math.Abs(z) < 1:
		wantCosine, wantSine = math.Sqrt(1-z*z), z
	case math.Abs(z) > 1:
		wantCosine = 1 / z
		wantSine = math.Sqrt(1 - wantCosine*wantCosine)
	}
	return props.Worst(props.Within(c-wantCosine, p.Gamma(20)), props.Within(s-wantSine, p.Gamma(20)))
}

func modifiedRotation(t *props.T, k kernel.Kernel) props.Ratio {
	precision, r := kit.PrecisionOf(k), t.Stream("entries")
	number := func(name string, lo, hi int) float64 {
		e := rapid.IntRange(lo, hi).Draw(t.T, "scale of "+name)
		return precision.Round(math.Ldexp(1+r.Float64(), e))
	}
	d1, d2, x, y := number("d1", -40, 40), number("d2", -40, 40), number("x", -20, 20), -number("y", -20, 20)
	if rapid.IntRange(0, 7).Draw(t.T, "zero y") == 7 {
		y = 0
	}
	args := Args{D1: d1, D2: d2, Alpha: x, Beta: y}
	program := rotationProgram{k, rotmg, []float64{d1, d2, x, y}}
	defer func() { t.Show(kit.Reproducer, program) }()
	if !kit.Survives(t, func() { rotmg.Call(k, &args) }) {
		return kit.Failed
	}
	p, e1, e2, rx := args.Param, args.Results[0], args.Results[1], args.Results[2]
	t.Show("d1, d2, x, y", []float64{d1, d2, x, y})
	t.Show("flag, H, d1', d2', x'", []any{p.Flag, p.H, e1, e2, rx})
	h11, h21, h12, h22 := p.H[0], p.H[1], p.H[2], p.H[3]
	switch p.Flag {
	case blas.Identity:
		h11, h21, h12, h22 = 1, 0, 0, 1
	case blas.OffDiagonal:
		h11, h22 = 1, 1
	case blas.Diagonal:
		h21, h12 = -1, 1
	}
	slack := math.Ldexp(1, precision.Normal+22)
	return props.Worst(
		equation(precision, 20, slack, h21, x, h22, y),
		equation(precision, 20, slack, h11, x, h12, y, -1, rx),
		equation(precision, 20, slack, h11*h11, e1, h21*h21, e2, -1, d1),
		equation(precision, 20, slack, h12*h12, e1, h22*h22, e2, -1, d2),
		equation(precision, 20, slack, h11*h12, e1, h21*h22, e2),
	)
}
