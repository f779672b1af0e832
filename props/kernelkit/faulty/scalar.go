package faulty

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// scalarFaults are those that the checks of routines that return numbers must reject; add here.
var scalarFaults = map[string][]Fault{
	"nrm2/huge and tiny": {numbersFault("nrm2: squares summed as they are", numbers{nrm2: naiveNorm})},
	"idamax/first largest": {
		numbersFault("idamax: last of several", numbers{idamax: lastLargest}),
		numbersFault("idamax: sign not dropped", numbers{idamax: largestSigned}),
		numbersFault("idamax: bad arguments accepted", numbers{idamax: tolerantIdamax}),
	},
	"level1/negative increment": {
		numbersFault("nrm2: negative increment taken as positive",
			numbers{nrm2: func(b blas.Float64, n int, x []float64, inc int) float64 {
				return b.Dnrm2(n, x, max(inc, -inc))
			}}),
	},
	"rotg/rotation": {
		numbersFault("rotg: wrong sign of the sine", numbers{rotg: oppositeSine}),
		numbersFault("rotg: overflow in the squares", numbers{rotg: naiveRotation}),
		numbersFault("rotg: z is always the sine", numbers{rotg: sineForZ}),
	},
	"rotmg/modified rotation": {
		numbersFault("rotmg: H transposed", numbers{rotmg: transposedH}),
		numbersFault("rotmg: factors not updated", numbers{rotmg: staleFactors}),
	},
}

// numbers is a sound BLAS with other versions of routines that return numbers, where they are given.
type numbers struct {
	blas.Float64
	nrm2   func(b blas.Float64, n int, x []float64, inc int) float64
	idamax func(b blas.Float64, n int, x []float64, inc int) int
	rotg   func(k blas.Float64, a, b float64) (c, s, r, z float64)
	rotmg  func(b blas.Float64, d1, d2, x, y float64) (blas.DrotmParams, float64, float64, float64)
}

func numbersFault(name string, f numbers) Fault {
	return Fault{Name: name, Break: func(k kernel.Kernel) kernel.Kernel {
		f := f
		f.Float64 = k.BLAS
		k.BLAS = f
		return k
	}}
}

func (f numbers) Dnrm2(n int, x []float64, inc int) float64 {
	if f.nrm2 == nil {
		return f.Float64.Dnrm2(n, x, inc)
	}
	return f.nrm2(f.Float64, n, x, inc)
}

func (f numbers) Idamax(n int, x []float64, inc int) int {
	if f.idamax == nil {
		return f.Float64.Idamax(n, x, inc)
	}
	return f.idamax(f.Float64, n, x, inc)
}

func (f numbers) Drotg(a, b float64) (c, s, r, z float64) {
	if f.rotg == nil {
		return f.Float64.Drotg(a, b)
	}
	return f.rotg(f.Float64, a, b)
}

func (f numbers) Drotmg(d1, d2, x, y float64) (blas.DrotmParams, float64, float64, float64) {
	if f.rotmg == nil {
		return f.Float64.Drotmg(d1, d2, x, y)
	}
	return f.rotmg(f.Float64, d1, d2, x, y)
}

func naiveNorm(_ blas.Float64, n int, x []float64, inc int) float64 {
	s := 0.0
	for i := range n {
		s += x[i*inc] * x[i*inc]
	}
	return math.Sqrt(s)
}

func lastLargest(_ blas.Float64, n int, x []float64, inc int) int {
	best := -1
	for i := range n {
		if best < 0 || math.Abs(x[i*inc]) >= math.Abs(x[best*inc]) {
			best = i
		}
	}
	return best
}

func largestSigned(_ blas.Float64, n int, x []float64, inc int) int {
	best := -1
	for i := range n {
		if best < 0 || x[i*inc] > x[best*inc] {
			best = i
		}
	}
	return best
}

func tolerantIdamax(b blas.Float64, n int, x []float64, inc int) (index int) {
	_, _ = kit.Attempt(func() { index = b.Idamax(n, x, inc) })
	return index
}

func oppositeSine(b blas.Float64, x, y float64) (c, s, r, z float64) {
	c, s, r, z = b.Drotg(x, y)
	return c, -s, r, z
}

func naiveRotation(b blas.Float64, x, y float64) (c, s, r, z float64) {
	_, _, _, z = b.Drotg(x, y)
	r = math.Sqrt(x*x + y*y)
	return x / r, y / r, r, z
}

func sineForZ(b blas.Float64, x, y float64) (c, s, r, z float64) {
	c, s, r, _ = b.Drotg(x, y)
	return c, s, r, s
}

func transposedH(b blas.Float64, d1, d2, x, y float64) (blas.DrotmParams, float64, float64, float64) {
	p, rd1, rd2, rx := b.Drotmg(d1, d2, x, y)
	p.H[1], p.H[2] = p.H[2], p.H[1]
	return p, rd1, rd2, rx
}

func staleFactors(b blas.Float64, d1, d2, x, y float64) (blas.DrotmParams, float64, float64, float64) {
	p, _, _, rx := b.Drotmg(d1, d2, x, y)
	return p, d1, d2, rx
}
