package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestGemmThin: the shapes with loops of their own, around the sizes where these begin and end.
func TestGemmThin(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 1))
		for _, s := range [][3]int{
			{15, 1, 9}, {16, 1, 3}, {16, 1, 4}, {17, 1, 7}, {31, 1, 13}, {32, 1, 7}, {48, 1, 1}, {50, 1, 386}, {64, 1, 15},
			{83, 1, 12}, {33, 1, 769},
			{15, 2, 40}, {32, 2, 35}, {47, 2, 41}, {16, 3, 33}, {40, 3, 50}, {31, 4, 39}, {48, 4, 401}, {40, 2, 32},
			{33, 3, 769},
			{16, 23, 1}, {16, 24, 1}, {3, 67, 1}, {1, 40, 1}, {5, 25, 385}, {9, 130, 769},
		} {
			for i := range 4 {
				gemmCase(t, rng, transposes[i/2], transposes[i%2], s[0], s[1], s[2], i, []float64{1.1, -1}[i%2],
					[]float64{0, 0.9, 1}[i%3])
			}
		}
	})
}

// TestGemmCacheAliased: rows 4 KiB apart are packed in other cases, with the same bits.
func TestGemmCacheAliased(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(14, 1))
		for _, s := range [][3]int{{13, 17, 8}, {13, 17, 9}, {12, 40, 33}, {30, 15, 40}, {41, 50, 60}} {
			for i := range 4 { // padded to a leading dimension of 512, whichever operand has m, n or k columns
				for _, cols := range s {
					gemmCase(t, rng, transposes[i/2], transposes[i%2], s[0], s[1], s[2], 512-cols, 1.1, 0.9)
				}
			}
		}
	})
}

// tricky draws from the numbers on which a multiplication and an addition differ from a fused one: zeros of both signs,
// and factors whose product underflows to a zero of either sign.
func tricky(rng *rand.Rand, s []float64) {
	for i := range s {
		s[i] = []float64{0, math.Copysign(0, -1), 0x1p-540, -0x1p-540, 1, -1}[rng.IntN(6)]
	}
}

// TestSignsOfZero: the kernels agree with the definition on the sign of every zero.
func TestSignsOfZero(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(12, 1))
		id := current().id
		for trial := range 400 {
			n := 1 + trial%40
			x, rows, start := make([]float64, n), make([]float64, 3*n), make([]float64, 3)
			tricky(rng, x)
			tricky(rng, rows)
			tricky(rng, start)
			for i, old := range start {
				row := rows[i*n : (i+1)*n]
				sum := dotPortable(row, x)
				if got := id.dot(row, x); math.Float64bits(got) != math.Float64bits(sum) {
					t.Errorf("dot, n=%d: got %v, want %v", n, got, sum)
				}
				want := math.FMA(-1.5, sum, old)
				if id.dotRows(-1.5, row, n, x, start[i:i+1]); math.Float64bits(start[i]) != math.Float64bits(want) {
					t.Errorf("dotRows, n=%d: got %v, want %v", n, start[i], want)
				}
			}
			got := append([]float64(nil), x...)
			addRows(id, -0.5, start, rows, n, got)
			for i, v := range start {
				axpyPortable(-0.5*v, rows[i*n:(i+1)*n], x)
			}
			if err := sameBits(got, x); err != nil {
				t.Errorf("addRows, n=%d: %v", n, err)
			}
			for _, s := range [][3]int{{3, 30, 1}, {20 + n, 1, n}, {20 + n, 2 + trial%3, 33 + n%5},
				{1 + trial%12, 1 + trial%67, 1 + n%5}} {
				trickyProduct(t, rng, s[0], s[1], s[2], float64(trial%3)-1.5, float64(trial%2))
			}
		}
	})
}

func trickyProduct(t *testing.T, rng *rand.Rand, m, n, k int, alpha, beta float64) {
	t.Helper()
	a, b, c := newStored(rng, m, k, 0), newStored(rng, k, n, 0), newStored(rng, m, n, 0)
	for _, s := range []stored{a, b, c} {
		tricky(rng, s.data)
	}
	want := c.clone()
	defined('N', 'N', m, n, k, alpha, a, b, beta, want)
	Implementation{}.Dgemm('N', 'N', m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data, c.ld)
	if err := sameBits(c.data, want.data); err != nil {
		t.Fatal(fmt.Sprint(m, n, k, alpha, beta), err)
	}
}

// TestChains: nothing beyond the end of b or of a row counts, not even times zero.
func TestChains(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 1))
		for k := 1; k <= 25; k++ {
			for i := range 4 * chainsColumns {
				rows, n := []int{8, 16, 31, 40}[i%4], 1+i/4
				a, b := newStored(rng, rows, k, 3), newStored(rng, 1, k*n, 8)
				var got, want [64]float64
				done := current().id.chains(rows, n, a.data, a.ld, b.data[:k*n], &got)
				for i := range done {
					for j := range n {
						for p := range k {
							want[j*done+i] = math.FMA(a.data[i*a.ld+p], b.data[p*n+j], want[j*done+i])
						}
					}
				}
				if err := sameBits(got[:], want[:]); err != nil {
					t.Fatalf("k=%d, rows=%d, n=%d: %v", k, rows, n, err)
				}
			}
		}
	})
}
