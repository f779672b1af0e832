package recorded

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/tensors"
)

// TestFold: a gradient in patches is worth, for every image, what the folded one is worth for the image.
func TestFold(t *testing.T) {
	c := Conv{Kernel: [2]int{3, 2}, Stride: [2]int{2, 1}, Padding: [2]int{1, 1}, Dilation: [2]int{1, 2},
		Image: [4]int{2, 2, 5, 6}}
	places := c.Places()
	require.Equal(t, [2]int{3, 6}, places)
	rows, columns := c.Image[1]*c.Kernel[0]*c.Kernel[1], c.Image[0]*places[0]*places[1]
	patches := mat.NewDense(rows, columns, nil)
	patches.Apply(func(i, j int, _ float64) float64 { return float64((7*i + 3*j) % 11) }, patches)
	folded := c.Fold(patches)
	image := func(sample, channel, y, x int) float64 { return float64((sample + 2*channel + 3*y*y + 5*x) % 7) }
	want := 0.0
	for row := range rows {
		channel, down, across := row/6, row/2%3, row%2
		for column := range columns {
			sample, place := column/18, column%18
			y, x := place/6*2-1+down, place%6-1+2*across
			if y >= 0 && y < 5 && x >= 0 && x < 6 {
				want += patches.At(row, column) * image(sample, channel, y, x)
			}
		}
	}
	got := 0.0
	for sample := range 2 {
		for channel := range 2 {
			for y := range 5 {
				for x := range 6 {
					got += folded.At(2*sample+channel, 6*y+x) * image(sample, channel, y, x)
				}
			}
		}
	}
	require.Equal(t, want, got)
}

func TestValid(t *testing.T) {
	good := Record{Layer: "a", Kind: "linear", File: "a.npz", DType: "float32", Optimizer: "SGD"}
	require.NoError(t, good.valid())
	good.Products = "tf32"
	require.NoError(t, good.valid())
	for name, change := range map[string]func(*Record){
		"no layer":     func(r *Record) { r.Layer = "" },
		"kind":         func(r *Record) { r.Kind = "lstm" },
		"outside":      func(r *Record) { r.File = "../a.npz" },
		"absolute":     func(r *Record) { r.Before = "/etc/passwd" },
		"dtype":        func(r *Record) { r.DType = "int8" },
		"tf32":         func(r *Record) { r.DType = "tf32" },
		"reduction":    func(r *Record) { r.Reduction = "median" },
		"no geometry":  func(r *Record) { r.Kind = "conv2d" },
		"bad geometry": func(r *Record) { r.Kind, r.Conv = "conv2d", &Conv{} },
	} {
		bad := good
		change(&bad)
		require.Error(t, bad.valid(), name)
	}
}

// TestReadBefore: of a second file with an array of no recording and one of another shape, none is left that does not
// fit.
func TestReadBefore(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, tensors.Encode(filepath.Join(dir, "before.npz"), &struct {
		G     *mat.Dense `npy:"G_before"`
		W     *mat.Dense `npy:"W_before"`
		Other *mat.Dense `npy:"other"`
	}{mat.NewDense(3, 3, nil), mat.NewDense(2, 3, nil), mat.NewDense(1, 1, nil)}))
	l := &Layer{Record: Record{Before: "before.npz"}, W: mat.NewDense(2, 3, nil), dir: dir}
	l.ReadBefore()
	require.Nil(t, l.GBefore)
	require.NotNil(t, l.WBefore)
}
