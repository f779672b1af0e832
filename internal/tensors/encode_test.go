package tensors

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// finite draws any finite float64, the odd ones often.
func finite() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) float64 { return math.Float64frombits(rapid.Uint64().Draw(t, "bits")) }),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 5e-324, math.MaxFloat64, 0x1p-1022, 1.0 / 3}),
		rapid.Float64(),
	).Filter(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) })
}

func drawLayer(t *rapid.T) layer {
	extent := rapid.IntRange(1, 6)
	m, n, batch := extent.Draw(t, "m"), extent.Draw(t, "n"), extent.Draw(t, "B")
	matrix := func(rows, cols int, name string) *mat.Dense {
		wide := mat.NewDense(rows, cols+1, rapid.SliceOfN(finite(), rows*(cols+1), rows*(cols+1)).Draw(t, name))
		return wide.Slice(0, rows, 1, cols+1).(*mat.Dense) // with a stride
	}
	return layer{
		W: matrix(m, n, "W"), H: matrix(n, batch, "H"),
		B:    rapid.SliceOfN(finite(), m, m).Draw(t, "b"),
		Step: finite().Draw(t, "step"), Count: rapid.Int().Draw(t, "count"), Biased: rapid.Bool().Draw(t, "biased"),
		Name: activation(rapid.StringN(0, 20, -1).Filter(func(s string) bool {
			return !strings.HasSuffix(s, "\x00")
		}).Draw(t, "name")),
	}
}

// TestEncodeDecode asks that Decode gives back what Encode writes, bit for bit.
func TestEncodeDecode(t *testing.T) {
	params := append([]Field(nil), layerParams...)
	params[2].Integer, params[6].Choices = false, nil // any numbers, any string
	rapid.Check(t, func(t *rapid.T) {
		in := drawLayer(t)
		first, err := encode("layer.npz", in)
		require.NoError(t, err)
		file, err := readBytes(first)
		require.NoError(t, err)
		if file.Widened() == "" {
			require.Equal(t, 0x1p-53, file.Unit())
		}
		var out layer
		require.NoError(t, Decode(file, &out, params))
		require.Equal(t, bits(in.W), bits(out.W))
		require.Equal(t, bits(in.H), bits(out.H))
		require.Equal(t, bits(mat.NewDense(1, len(in.B), in.B)), bits(mat.NewDense(1, len(out.B), out.B)))
		require.Equal(t, math.Float64bits(in.Step), math.Float64bits(out.Step))
		in.W, in.H, in.B, in.Step = out.W, out.H, out.B, out.Step
		require.Equal(t, in, out)

		second, err := encode("layer.npz", &out)
		require.NoError(t, err)
		require.Equal(t, first, second, "equal structs give equal bytes")
	})
}

// bits lists the dimensions of a matrix and the bits of its elements.
func bits(a *mat.Dense) []uint64 {
	rows, cols := a.Dims()
	list := []uint64{uint64(rows), uint64(cols)}
	for i := range rows {
		for j := range cols {
			list = append(list, math.Float64bits(a.At(i, j)))
		}
	}
	return list
}

func TestEncodeErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.npz")
	sound := layer{W: mat.NewDense(2, 3, nil), H: mat.NewDense(3, 1, nil), B: []float64{1, 2}}
	for want, degrade := range map[string]func(*layer){
		"W[1, 2] is NaN, wanted finite numbers": func(l *layer) {
			l.W.Set(1, 2, math.NaN())
		},
		"b[1] is +Inf, wanted finite numbers": func(l *layer) {
			l.B[1] = math.Inf(1)
		},
		"step is -Inf, wanted finite numbers": func(l *layer) {
			l.Step = math.Inf(-1)
		},
		"W is empty, wanted at least one element": func(l *layer) { l.W = nil },
		"H is empty, wanted at least one element": func(l *layer) {
			l.H = &mat.Dense{}
		},
		"b is empty, wanted at least one element":                                    func(l *layer) { l.B = nil },
		`activation is the string "a\x00", wanted UTF-8 that does not end in a zero`: func(l *layer) { l.Name = "a\x00" },
		`activation is the string "\xff", wanted UTF-8 that does not end in a zero`:  func(l *layer) { l.Name = "\xff" },
		"activation is a string of 1025 characters, wanted at most 1024": func(l *layer) {
			l.Name = activation(strings.Repeat("a", 1025))
		},
		"H has shape 1×67108864, wanted at most 67108864 elements in all arrays together": func(l *layer) {
			l.H = new(mat.Dense) // without elements: none may be asked for
			l.H.SetRawMatrix(blas64.General{Rows: 1, Cols: 1 << 26, Stride: 1 << 26})
		},
	} {
		degraded := sound
		degraded.W, degraded.B = mat.DenseCopyOf(sound.W), append([]float64(nil), sound.B...)
		degrade(&degraded)
		require.EqualError(t, Encode(path, degraded), path+": "+want)
	}
	require.EqualError(t, Encode("x.npy", sound), "x.npy: wanted a name that ends in .npz")
	require.Error(t, Encode(filepath.Join(dir, "none", "x.npz"), sound))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "nothing is written")
	require.Panics(t, func() { _ = Encode(path, 3) })
	type outer struct {
		layer
		Extra int `npy:"extra"`
	}
	require.NoError(t, Encode(path, outer{layer: sound}))
	f, err := Read(path)
	require.NoError(t, err)
	require.Len(t, f.Arrays, 8)
}
