package dlblas

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
)

// TestSingle calls routines on small integers, with which single precision is exact in any order, and compares with
// gonum's: as bound by the names of cblas, and by Fortran's alone.
func TestSingle(t *testing.T) {
	eachLibrary(t, func(t *testing.T, l *Library) {
		h, err := open(l.File)
		require.NoError(t, err)
		bare := single{map[string]reflect.Value{}}
		for i := range singles.NumMethod() {
			bare.functions[singles.Method(i).Name] = reflect.New(functionOf(singles.Method(i))).Elem()
		}
		bare.bindFortran(h)
		require.Len(t, bare.Delegated(), 17, "19 routines are in common use")
		require.NotContains(t, l.single.Delegated(), "Sgemm")
		for name, b := range map[string]blas.Float32{"cblas": l.single, "Fortran": bare} {
			require.Equal(t, inSingle(gonums), inSingle(b), name)
			require.Panics(t, func() { b.Sgemm('N', 'N', 2, 2, 2, 1, nil, 2, nil, 2, 0, nil, 2) }, name)
			require.Panics(t, func() { b.Strsv('U', 'N', 'X', 1, []float32{1}, 1, []float32{1}, 1) }, name)
		}
	})
	var nothing handle
	require.Len(t, bindSingle(nothing).Delegated(), singles.NumMethod())
}

// inSingle calls routines with all kinds of arguments and prints what they return and what they leave in memory.
func inSingle(b blas.Float32) string {
	integers := func(n, seed int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32((i*i+seed*i+seed)%7 - 3)
		}
		return x
	}
	const m, n, ld = 3, 4, 5
	a, x, y, c := integers(m*ld, 1), integers(2*n, 2), integers(2*n, 3), integers(n*ld, 4)
	var out []any
	note := func(what ...any) {
		for _, w := range what {
			if s, ok := w.([]float32); ok {
				w = slices.Clone(s)
			}
			out = append(out, w)
		}
	}
	note(b.Sdot(n, x, 2, y, -1), b.Sasum(n, x, 2), b.Isamax(n, y, 1), b.Isamax(0, y, 1), b.Isamax(n, y, -1),
		b.Dsdot(n, x, 1, y, 2), b.Sdsdot(n, 2, x, 1, y, 2))
	b.Saxpy(n, 2, x, 2, y, 1)
	b.Sscal(n, 3, y, 2)
	b.Sscal(n, 3, y, -2)
	note(y)
	b.Sgemv('T', m, n, 2, a, ld, x, 1, -1, y, 1)
	b.Sger(m, n, 2, x, 1, y, 1, a, ld)
	note(y, a)
	b.Ssymv('L', m, 1, a, ld, x, 1, 2, y, 1)
	b.Strmv('U', 'T', 'U', m, a, ld, y, 1)
	b.Strsv('L', 'N', 'U', m, integers(m*ld, 5), ld, y, 1)
	note(y)
	b.Sgemm('N', 'T', n, m, 2, 1, c, ld, integers(m*ld, 6), ld, 0, integers(n*ld, 0), ld)
	b.Sgemm('N', 'N', m, n, 0, 1, a, ld, c, ld, 2, a, ld) // nothing to add, and a factor
	b.Ssymm('R', 'U', m, n, 1, c, ld, integers(m*ld, 6), ld, 1, a, ld)
	b.Ssyrk('U', 'T', n, m, 1, integers(m*ld, 6), ld, 1, c, ld)
	b.Strsm('R', 'L', 'N', 'U', m, n, 2, integers(n*ld, 1), ld, a, ld)
	note(a, c)
	b.Srotm(n, x, 1, y, 2, blas.SrotmParams{Flag: blas.OffDiagonal, H: [4]float32{1, 2, 3, 1}})
	b.Srot(n, x, 1, y, 2, 2, -1)
	note(x, y)
	return fmt.Sprint(out...)
}
