package blas

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestUpdateGemv: the bits of one Dger after the other, and of a product whose rows are added by four, for every kernel
// and what is around its blocks.
func TestUpdateGemv(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 5))
		draw := func(n int) []float64 { return newStored(rng, 1, max(1, n), 0).data[:n] }
		for _, size := range [][2]int{{1, 1}, {1, 9}, {3, 4}, {4, 3}, {5, 7}, {6, 8}, {9, 13}, {12, 16}, {17, 31}, {23, 66}} {
			m, n := size[0], size[1]
			a := newStored(rng, m, n, 3)
			x, u, w := draw(m), draw(m), draw(m)
			v, y, z := draw(n), draw(n), draw(n)
			want, sum, impl := slices.Clone(a.data), slices.Clone(z), Implementation{}
			impl.Dger(m, n, -1, x, 1, v, 1, want, a.ld)
			impl.Dger(m, n, -1, u, 1, y, 1, want, a.ld)
			for i := 0; i < m; i += 4 {
				group, t := min(4, m-i), make([]float64, n)
				if group < 4 {
					t = sum
				}
				impl.Dgemv('T', group, n, 1, want[i*a.ld:], a.ld, w[i:i+group], 1, 1, t, 1)
				if group == 4 {
					impl.Daxpy(n, 1, t, 1, sum, 1)
				}
			}
			UpdateGemv(m, n, a.data, a.ld, x, v, u, y, w, z)
			for _, err := range []error{sameBits(want, a.data), sameBits(sum, z)} {
				if err != nil {
					t.Errorf("%d×%d: %v", m, n, err)
				}
			}
		}
	})
}

// TestTimesRows: the bits of the portable routine, which is a dot product up to rounding.
func TestTimesRows(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(4, 6))
		for m := range 10 {
			for n := range 35 {
				a := newStored(rng, max(1, m), max(1, n), 2)
				x := newStored(rng, 1, max(1, n), 0).data[:n]
				got, want := make([]float64, m), make([]float64, m)
				TimesRows(m, n, a.data, a.ld, x, got)
				timesRowsPortable(a.data, a.ld, x, want)
				if err := sameBits(want, got); err != nil {
					t.Errorf("%d×%d: %v", m, n, err)
				}
				for i, y := range got {
					at := func(v []float64) func(p int) float64 { return func(p int) float64 { return v[p] } }
					if value, _ := residual(n, at(a.data[i*a.ld:]), at(x), -y); value > 1e-14*float64(n+1) {
						t.Errorf("%d×%d: row %d is off by %g", m, n, i, value)
					}
				}
			}
		}
	})
}

// TestTimesBoth: the bits of TimesRows, and those of UpdateGemv where nothing is updated.
func TestTimesBoth(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 8))
		draw := func(n int) []float64 { return newStored(rng, 1, max(1, n), 0).data[:n] }
		for m := range 10 {
			for n := range 35 {
				a := newStored(rng, max(1, m), max(1, n), 2)
				x, w, y, z := draw(n), draw(m), draw(m), draw(n)
				rows, sum := make([]float64, m), slices.Clone(z)
				TimesRows(m, n, a.data, a.ld, x, rows)
				still := slices.Clone(a.data)
				UpdateGemv(m, n, still, a.ld, make([]float64, m), x, make([]float64, m), x, w, sum)
				TimesBoth(m, n, a.data, a.ld, x, w, y, z)
				for _, err := range []error{sameBits(rows, y), sameBits(sum, z), sameBits(still, a.data)} {
					if err != nil {
						t.Errorf("%d×%d: %v", m, n, err)
					}
				}
			}
		}
	})
}

func TestTimesBothPanics(t *testing.T) {
	full := make([]float64, 12)
	for i, bad := range []func(){
		func() { TimesBoth(-1, 4, full, 4, full, full, full, full) },
		func() { TimesBoth(3, -1, full, 4, full, full, full, full) },
		func() { TimesBoth(3, 4, full, 3, full, full, full, full) },
		func() { TimesBoth(3, 4, full[:11], 4, full, full, full, full) },
		func() { TimesBoth(3, 4, full, 4, full[:3], full, full, full) },
		func() { TimesBoth(3, 4, full, 4, full, full[:2], full, full) },
		func() { TimesBoth(3, 4, full, 4, full, full, full[:2], full) },
		func() { TimesBoth(3, 4, full, 4, full, full, full, full[:3]) },
	} {
		if panics(bad) == "" {
			t.Errorf("bad call %d does not panic", i)
		}
	}
}

func TestTimesRowsPanics(t *testing.T) {
	full := make([]float64, 12)
	for i, bad := range []func(){
		func() { TimesRows(-1, 4, full, 4, full, full) },
		func() { TimesRows(3, -1, full, 4, full, full) },
		func() { TimesRows(3, 4, full, 3, full, full) },
		func() { TimesRows(3, 4, full[:11], 4, full, full) },
		func() { TimesRows(3, 4, full, 4, full[:3], full) },
		func() { TimesRows(3, 4, full, 4, full, full[:2]) },
	} {
		if panics(bad) == "" {
			t.Errorf("bad call %d does not panic", i)
		}
	}
}

func TestUpdateGemvPanics(t *testing.T) {
	full := make([]float64, 12)
	short := full[:2]
	vectors := func(i int) (v [6][]float64) {
		for j := range v {
			if v[j] = full; i == j {
				v[j] = short
			}
		}
		return v
	}
	call := func(m, n int, a []float64, lda int, v [6][]float64) string {
		return panics(func() { UpdateGemv(m, n, a, lda, v[0], v[1], v[2], v[3], v[4], v[5]) })
	}
	for i := range 6 {
		if call(3, 4, full, 4, vectors(i)) == "" {
			t.Errorf("no panic where vector %d is short", i)
		}
	}
	for _, bad := range []string{
		call(-1, 4, full, 4, vectors(6)), call(3, -1, full, 4, vectors(6)), call(3, 4, full, 3, vectors(6)),
		call(3, 4, full[:11], 4, vectors(6)), call(3, 4, full, 1<<62, vectors(6)),
	} {
		if bad == "" {
			t.Error("no panic where a size is wrong")
		}
	}
	if got := call(3, 4, full, 4, vectors(6)); got != "" {
		t.Errorf("panic %q where nothing is wrong", got)
	}
}
