package procrustes_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/procrustes"
)

// TestKrylov: the Gram matrix is exact after every number of blocks, the distance falls with it, and at k = m the step
// equals the step of Polar.
func TestKrylov(t *testing.T) {
	p := generic(stream(8), 48, 150, 3, 0.1)
	best := solve(t, procrustes.Polar{}, p)
	want, smallest := procrustes.SGDGram.Gram(p), squared(p, best.W)
	before := math.Inf(1)
	for blocks := 1; blocks <= 8; blocks++ {
		step := solve(t, procrustes.Krylov{Blocks: blocks}, p)
		require.Equal(t, 6*blocks, step.Dim)
		d := gram(step.W)
		d.Sub(d, want)
		if e := mat.Norm(d, 2); !(e <= 1e-14*scale(p)) {
			t.Errorf("%d blocks: Gram off by %v", blocks, e)
		}
		distance := squared(p, step.W)
		if !(distance <= before*(1+1e-13)) || !(distance >= smallest*(1-1e-12)) {
			t.Errorf("%d blocks: squared distance %v after %v, least %v", blocks, distance, before, smallest)
		}
		before = distance
		if e := apart(p, step.W, best.W); blocks == 8 && !(e <= 1e-11) {
			t.Errorf("all dimensions: step off by %v", e)
		}
	}
	for _, gap := range []float64{1e-2, 1e-4, 1e-6} {
		step := solve(t, procrustes.Krylov{Gap: gap}, p)
		if e := squared(p, step.W)/smallest - 1; !(e <= gap) || !(step.Gap <= gap) || step.Dim == 48 {
			t.Errorf("asked for a gap of %v: %v in %d dimensions, estimated %v", gap, e, step.Dim, step.Gap)
		}
	}
}

// TestRationalBlocksCopeWithSquareLayers: where powers of WWᵀ leave a gap of a thousandth, as many inverses leave 10⁻⁶
// at most, with the same exact Gram matrix.
func TestRationalBlocksCopeWithSquareLayers(t *testing.T) {
	for _, seed := range []uint64{30, 31, 32} {
		p := generic(stream(seed), 96, 96, 2, 0.1)
		want, best := procrustes.SGDGram.Gram(p), solve(t, procrustes.Polar{}, p)
		smallest, before := squared(p, best.W), math.Inf(1)
		for blocks := 1; blocks <= 11; blocks++ {
			step := solve(t, procrustes.Krylov{Rational: true, Blocks: blocks}, p)
			d := gram(step.W)
			d.Sub(d, want)
			if e := mat.Norm(d, 2); !(e <= 1e-14*scale(p)) {
				t.Errorf("%d blocks: Gram off by %v", blocks, e)
			}
			distance := squared(p, step.W)
			if !(distance <= before*(1+1e-13)) || !(distance >= smallest*(1-1e-12)) {
				t.Errorf("%d blocks: squared distance %v after %v, least %v", blocks, distance, before, smallest)
			}
			before = distance
		}
		powers := squared(p, solve(t, procrustes.Krylov{Blocks: 11}, p).W)
		if !(before/smallest-1 <= 1e-6) || !(powers/smallest-1 > 1e-4) {
			t.Errorf("inverses leave a gap of %v, powers %v", before/smallest-1, powers/smallest-1)
		}
		for _, gap := range []float64{1e-2, 1e-4} {
			step := solve(t, procrustes.Krylov{Rational: true, Gap: gap}, p)
			if e := squared(p, step.W)/smallest - 1; !(e <= gap) || !(step.Gap <= gap) || step.Dim == 96 {
				t.Errorf("asked for a gap of %v: %v in %d dimensions, estimated %v", gap, e, step.Dim, step.Gap)
			}
		}
	}
}

// TestExhaustedInversesAreNearlyExact: other than powers they may stop short of the whole space that they span.
func TestExhaustedInversesAreNearlyExact(t *testing.T) {
	p := withValues(stream(33), 16, 7, 2, 0.05, []float64{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
	best := solve(t, procrustes.Krylov{}, p)
	require.Equal(t, 0.0, best.Gap)
	for _, gap := range []float64{0, 1e-12} {
		step := solve(t, procrustes.Krylov{Rational: true, Gap: gap}, p)
		require.Less(t, step.Dim, 16)
		require.Equal(t, 1e-10, step.Gap)
		if e := squared(p, step.W)/squared(p, best.W) - 1; !(math.Abs(e) <= 1e-10) {
			t.Errorf("the gap is %v", e)
		}
	}
}

// TestKrylovOnTheTrueShift: the space begins with dependent vectors here, and the Gram matrix shows at once when the
// basis is not orthonormal.
func TestKrylovOnTheTrueShift(t *testing.T) {
	p := generic(stream(9), 90, 30, 2, 0.02)
	p.H.(*mat.Dense).Scale(0.1, p.H)
	d := p.Shift()
	want, best := procrustes.TrueShift.Gram(p), solve(t, procrustes.Factor{}, p)
	for blocks := 1; blocks <= 12; blocks++ {
		step := solve(t, procrustes.Krylov{Target: procrustes.TrueShift, Blocks: blocks}, p)
		g := gram(step.W)
		g.Sub(g, want)
		if e := mat.Norm(g, 2); !(e <= 1e-12*mat.Norm(d, 2)) {
			t.Errorf("%d blocks: Gram off by %.3g of the shift", blocks, e/mat.Norm(d, 2))
		}
		if blocks == 12 { // the space is exhausted: W maps onto 30 of 90 dimensions
			require.LessOrEqual(t, step.Dim, 31)
			if e := apart(p, step.W, best.W); !(e <= 1e-9) {
				t.Errorf("exhausted space: step off by %v", e)
			}
		}
	}
}
