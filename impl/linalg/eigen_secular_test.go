package linalg

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
)

// exactly is 1/ρ + Σ z²/(p - λ) and the sum of the moduli of the terms for λ = p_origin + shift, in 400 bits.
func exactly(q *secular, origin int, shift float64) (f, size float64) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	pole := func(i int) *big.Float {
		p := number(q.d[i])
		if q.squared {
			p.Mul(p, number(q.d[i]))
		}
		return p
	}
	sum := number(1)
	sum.Quo(sum, number(q.rho))
	moduli := new(big.Float).Copy(sum)
	for i := range q.d {
		gap := pole(i)
		gap.Sub(gap, pole(origin))
		gap.Sub(gap, number(shift))
		term := number(q.z[i])
		term.Mul(term, term).Quo(term, gap)
		sum.Add(sum, term)
		moduli.Add(moduli, term.Abs(term))
	}
	f, _ = sum.Float64()
	size, _ = moduli.Float64()
	return f, size
}

// TestSecularRoots: the roots interlace the poles, and f there is of the size of its rounding errors: one for each of n
// terms in a sum of 8 lanes, and the few of a term itself, of which the largest is in its distance from the pole, all
// relative to the sum of the moduli; and where a root is so close to its pole that f is steep, what half a rounding of
// the shift makes of f.
func TestSecularRoots(t *testing.T) {
	for _, squared := range []bool{false, true} {
		for _, kind := range []string{"random", "close poles", "small z", "one large z", "graded poles"} {
			for _, n := range []int{1, 2, 3, 8, 33} {
				q := secularCase(kind, n, squared)
				for j := range n {
					where := fmt.Sprintf("%s n = %d squared %v root %d", kind, n, squared, j)
					delta := make([]float64, n)
					origin, shift, err := q.root(j, delta)
					require.NoError(t, err, where)
					slope := 0.0
					for i, x := range delta {
						if i <= j && !(x < 0) || i > j && !(x > 0) {
							t.Fatalf("%s: distance %v of pole %d", where, x, i)
						}
						slope += q.z[i] * q.z[i] / (x * x)
					}
					f, size := exactly(q, origin, shift)
					if allowed := (float64(n)/8+8)*roundoff.Ulp*size + roundoff.Unit*math.Abs(shift)*slope; !(math.Abs(f) <= allowed) {
						t.Errorf("%s: f = %.3g, allowed %.3g", where, f, allowed)
					}
				}
			}
		}
	}
}

// secularCase has the conditions that deflation leaves: ascending poles at least a rounding apart, z not much below a
// rounding.
func secularCase(kind string, n int, squared bool) *secular {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	q := &secular{d: make([]float64, n), z: make([]float64, n), rho: 1, squared: squared}
	if !squared {
		q.rho = r.Float64() + 0.1
	}
	at := 0.0
	for i := range n {
		q.d[i], q.z[i] = at, r.NormFloat64()
		step := r.Float64() + 0.1
		switch kind {
		case "close poles":
			if i%3 != 0 {
				step = 1e-15 * (1 + at)
			}
		case "small z":
			if i%2 == 1 {
				q.z[i] = 1e-15
			}
		case "one large z":
			if i != n/2 {
				q.z[i] *= 1e-8
			}
		case "graded poles":
			step = math.Pow(10, -15+15*float64(i)/float64(n))
		}
		at += step
	}
	return q
}

// TestReflectorMaps: H·x is a multiple of the first unit vector, of the length of x, for lengths from subnormal to
// large, and H is orthogonal, which is tau·(1 + Σ v_i²) = 2 up to the rounding of a dot of n.
func TestReflectorMaps(t *testing.T) {
	for _, scale := range []float64{1, 0x1p300, 0x1p-300, 0x1p-1000, 0x1p-1030} {
		r := rand.New(rand.NewPCG(1, 1))
		const n = 20
		x := make([]float64, n)
		for i := range x {
			x[i] = scale * r.NormFloat64()
		}
		before := append([]float64{}, x...)
		beta, tau := reflector(x)
		product, square, length := 0.0, 0.0, 0.0
		for i, v := range x {
			product += v * (before[i] / scale)
			square += v * v
			length = math.Hypot(length, before[i]/scale)
		}
		if d := math.Abs(tau*square - 2); !(d <= n*roundoff.Ulp) {
			t.Errorf("scale %v: tau·vᵀv is off 2 by %v", scale, d)
		}
		grid := 0x1p-1074 / scale // a subnormal beta is rounded to this
		if d := math.Abs(math.Abs(beta/scale) - length); !(d <= n*roundoff.Ulp*length+grid) {
			t.Errorf("scale %v: beta %v, length %v", scale, beta, length)
		}
		for i, v := range x {
			want := 0.0
			if i == 0 {
				want = beta / scale
			}
			if d := math.Abs(before[i]/scale - tau*product*v - want); !(d <= n*roundoff.Ulp*length+grid) {
				t.Errorf("scale %v: entry %d of H·x is off by %v", scale, i, d)
			}
		}
	}
	x := []float64{-3, 0, 0}
	beta, tau := reflector(x)
	require.Equal(t, []float64{-3, 0}, []float64{beta, tau})
}

// TestRefine: a step from a distance ε from orthonormal rows leaves 3/4·ε², and the rounding of the Gram matrix and of
// the result.
func TestRefine(t *testing.T) {
	const k, m, eps = 20, 30, 1e-6
	r := rand.New(rand.NewPCG(2, 2))
	x := new(workspace).blank(k, m)
	for i := range k {
		x.Data[i*m+i] = 1
		for j := range m {
			x.Data[i*m+j] += eps / m * r.NormFloat64()
		}
	}
	new(workspace).refine(x)
	for i := range k {
		for j := range k {
			dot := kernels.Ddot(m, rowOf(x, i), 1, rowOf(x, j), 1)
			if i == j {
				dot--
			}
			if !(math.Abs(dot) <= eps*eps+4*roundoff.Ulp) {
				t.Errorf("rows %d and %d: %v", i, j, dot)
			}
		}
	}
}

// TestDriftedRowsAreFound: an error of rank one that makes the ratio of orthogonality 10, in a basis too large to be
// refineed always.
func TestDriftedRowsAreFound(t *testing.T) {
	const n = refineAlways + 50
	x := new(workspace).blank(n, n)
	for i := range n {
		x.Data[i*n+i] = 1
	}
	require.False(t, new(workspace).drifted(x))
	for i := range x.Data { // X·Xᵀ - I has entries 20·unit, and columns of n times that
		x.Data[i] += 10 * roundoff.Ulp
	}
	require.True(t, new(workspace).drifted(x))
	x.Data[0] = math.NaN()
	require.True(t, new(workspace).drifted(x))
}
