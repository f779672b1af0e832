package blas

import (
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
)

// oneByOne applies the rotations by their definition.
func oneByOne(side gblas.Side, backward bool, sweeps int, c, s []float64, ldr int, a stored) {
	z := a.cols
	if side == gblas.Left {
		z = a.rows
	}
	for q := range sweeps {
		for i := range z - 1 {
			j := i
			if backward {
				j = z - 2 - i
			}
			if side == gblas.Left {
				rotPortable(a.data[j*a.ld:j*a.ld+a.cols], a.data[(j+1)*a.ld:(j+1)*a.ld+a.cols], c[q*ldr+j], s[q*ldr+j])
				continue
			}
			for r := range a.rows {
				at := r*a.ld + j
				rotPortable(a.data[at:at+1], a.data[at+1:at+2], c[q*ldr+j], s[q*ldr+j])
			}
		}
	}
}

func TestApplyRotations(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 1))
		for _, shape := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {3, 5}, {4, 7}, {5, 5}, {6, 26}, {27, 6}, {33, 50}, {50, 49}} {
			for _, sweeps := range []int{0, 1, 3, 4, 5, 8, 11} {
				for _, side := range []gblas.Side{gblas.Left, gblas.Right} {
					for _, backward := range []bool{false, true} {
						rotationsCase(t, rng, side, backward, shape[0], shape[1], sweeps)
					}
				}
			}
		}
		rotationsCase(t, rng, gblas.Left, false, 2900, 2, 23) // so long that the sweeps come in two parts
		rotationsCase(t, rng, gblas.Right, true, 3, 2900, 22)
	})
}

func rotationsCase(t *testing.T, rng *rand.Rand, side gblas.Side, backward bool, m, n, sweeps int) {
	t.Helper()
	a := newStored(rng, m, n, sweeps%3)
	z := n
	if side == gblas.Left {
		z = m
	}
	cs := newStored(rng, 2*sweeps, z-1, 1)
	half := sweeps * cs.ld
	want := a.clone()
	oneByOne(side, backward, sweeps, cs.data[:half], cs.data[half:], cs.ld, want)
	ApplyRotations(side, backward, m, n, sweeps, cs.data[:half], cs.data[half:], cs.ld, a.data, a.ld)
	if err := sameBits(a.data, want.data); err != nil {
		t.Fatalf("%dx%d, %d sweeps, side %c, backward %v: %v", m, n, sweeps, side, backward, err)
	}
}

// TestRotateRows: a sweep has the bits of one rotation after the other.
func TestRotateRows(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 2))
		for _, count := range []int{1, 2, 7, 16} {
			for n := range 40 {
				a, cs := newStored(rng, count+1, max(1, n), n%3), newStored(rng, 2, count, 0)
				c, s := cs.data[:count], cs.data[count:2*count]
				want := a.clone()
				if n > 0 {
					oneByOne(gblas.Left, false, 1, c, s, count, want)
				}
				RotateRows(n, c, s, a.data, a.ld)
				if err := sameBits(a.data, want.data); err != nil {
					t.Fatalf("%d rotations of %d columns: %v", count, n, err)
				}
			}
		}
	})
}

func TestRotateRowsPanics(t *testing.T) {
	full := make([]float64, 12)
	for i, bad := range []func(){
		func() { RotateRows(-1, full[:2], full, full, 4) },
		func() { RotateRows(4, full[:2], full, full, 3) },
		func() { RotateRows(4, full[:2], full[:1], full, 4) },
		func() { RotateRows(4, full[:2], full, full[:11], 4) },
	} {
		if panics(bad) == "" {
			t.Errorf("bad call %d does not panic", i)
		}
	}
}
