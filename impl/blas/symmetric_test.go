package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
)

// halve poisons the triangle that is not stored.
func halve(s stored, ul gblas.Uplo) stored {
	s = s.clone()
	for i := range s.rows {
		for j := range s.cols {
			if i != j && (i > j) == (ul == gblas.Upper) {
				s.data[i*s.ld+j] = poison
			}
		}
	}
	return s
}

// TestSymmetric: the symmetric routines have the bits of Dgemm on the full matrices.
func TestSymmetric(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 1))
		for _, s := range [][2]int{{1, 1}, {3, 2}, {8, 9}, {17, 30}, {50, 7}, {65, 400}, {390, 20}} {
			for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
				for _, tA := range transposes {
					rankCase(t, rng, ul, tA, s[0], s[1])
				}
				symmCase(t, rng, gblas.Left, ul, s[0], s[1])
				symmCase(t, rng, gblas.Right, ul, s[1], s[0])
			}
		}
	})
}

func flip(t gblas.Transpose) gblas.Transpose {
	if t == gblas.NoTrans {
		return gblas.Trans
	}
	return gblas.NoTrans
}

func rankCase(t *testing.T, rng *rand.Rand, ul gblas.Uplo, tA gblas.Transpose, n, k int) {
	t.Helper()
	const alpha, beta = 0.7, -1.1
	impl := Implementation{}
	rows, cols := shape(tA, n, k)
	a, b, full := newStored(rng, rows, cols, 1), newStored(rng, rows, cols, 2), newStored(rng, n, n, 1)
	c, c2 := halve(full, ul), halve(full, ul)
	full2 := full.clone()
	id := fmt.Sprintf("triangle %c, op %c, n=%d k=%d", ul, tA, n, k)

	impl.Dgemm(tA, flip(tA), n, n, k, alpha, a.data, a.ld, a.data, a.ld, beta, full.data, full.ld)
	impl.Dsyrk(ul, tA, n, k, alpha, a.data, a.ld, beta, c.data, c.ld)
	if err := sameBits(c.data, halve(full, ul).data); err != nil {
		t.Errorf("syrk %s: %v", id, err)
	}
	if 2*k <= kc {
		ab, ba := joined(tA, n, k, a, b), joined(tA, n, k, b, a)
		impl.Dgemm(tA, flip(tA), n, n, 2*k, alpha, ab.data, ab.ld, ba.data, ba.ld, beta, full2.data, full2.ld)
	} else {
		impl.Dgemm(tA, flip(tA), n, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, full2.data, full2.ld)
		impl.Dgemm(tA, flip(tA), n, n, k, alpha, b.data, b.ld, a.data, a.ld, 1, full2.data, full2.ld)
	}
	impl.Dsyr2k(ul, tA, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c2.data, c2.ld)
	if err := sameBits(c2.data, halve(full2, ul).data); err != nil {
		t.Errorf("syr2k %s: %v", id, err)
	}
}

// joined is the stored matrix whose op is op(x) beside op(y), n×2k.
func joined(t gblas.Transpose, n, k int, x, y stored) stored {
	rows, cols := shape(t, n, 2*k)
	z := newStored(rand.New(rand.NewPCG(0, 0)), rows, cols, 0)
	for i := range rows {
		for j := range cols {
			from, r, c := x, i, j
			if t == gblas.NoTrans && j >= k {
				from, c = y, j-k
			}
			if t != gblas.NoTrans && i >= k {
				from, r = y, i-k
			}
			z.data[i*z.ld+j] = from.data[r*from.ld+c]
		}
	}
	return z
}

func symmCase(t *testing.T, rng *rand.Rand, side gblas.Side, ul gblas.Uplo, m, n int) {
	t.Helper()
	const alpha, beta = 0.7, -1.1
	impl := Implementation{}
	order := n
	if side == gblas.Left {
		order = m
	}
	a, b, c := newStored(rng, order, order, 1), newStored(rng, m, n, 2), newStored(rng, m, n, 1)
	for i := range order {
		for j := range i {
			a.data[i*a.ld+j] = a.data[j*a.ld+i]
		}
	}
	want := c.clone()
	if side == gblas.Left {
		impl.Dgemm('N', 'N', m, n, m, alpha, a.data, a.ld, b.data, b.ld, beta, want.data, want.ld)
	} else {
		impl.Dgemm('N', 'N', m, n, n, alpha, b.data, b.ld, a.data, a.ld, beta, want.data, want.ld)
	}
	stored := halve(a, ul)
	impl.Dsymm(side, ul, m, n, alpha, stored.data, stored.ld, b.data, b.ld, beta, c.data, c.ld)
	if err := sameBits(c.data, want.data); err != nil {
		t.Errorf("symm side %c, triangle %c, %d×%d: %v", side, ul, m, n, err)
	}
}
