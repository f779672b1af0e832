package tensors

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// FuzzRead reads any bytes as an archive or an array: an error is one line that begins with the file, and what is
// accepted keeps the promises of Array and can be decoded without a panic.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/*.np?", "testdata/*/*.np?"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			b, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(b)
		}
	}
	for _, descr := range []string{"<f8", ">f4", "|b1", "<U3", "|S12", ">i2"} {
		f.Add(npy(dictionary(descr, "()"), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
		f.Add(npy(strings.Replace(dictionary(descr, "(2, 1)"), "False", "True", 1), 1, 0, 0, 0))
	}
	f.Add(safetensors(`{"W":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}`, 4))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := readBytes(b)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "f"), err)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, file.Arrays)
		for _, a := range file.Arrays {
			require.LessOrEqual(t, len(a.Shape), 2)
			require.Equal(t, !a.isText(), len(a.floats)+len(a.ints) == product(a.Shape) && product(a.Shape) > 0)
			for _, x := range a.floats {
				require.False(t, math.IsNaN(x) || math.IsInf(x, 0))
			}
			if a.DType == "bool" {
				for _, n := range a.ints {
					require.True(t, n == 0 || n == 1)
				}
			}
			a.Name = "W"
			decodeAll(File{"f", []Array{a}})
		}
	})
}

// decodeAll decodes a file of one array W as everything that it could be.
func decodeAll(file File) {
	for _, c := range []struct {
		dst    any
		shapes []string
	}{
		{&struct {
			W *mat.Dense `npy:"W"`
		}{}, []string{"m×n", "d×d", "1×n", "n×1", "n+1×n", "c×ck²"}},
		{&struct {
			W []float64 `npy:"W"`
		}{}, []string{"n", "3(k+1)", "ab"}},
		{&struct {
			W float64 `npy:"W"`
		}{}, []string{""}},
		{&struct {
			W int `npy:"W"`
		}{}, []string{""}},
		{&struct {
			W bool `npy:"W"`
		}{}, []string{""}},
		{&struct {
			W string `npy:"W"`
		}{}, []string{""}},
	} {
		for _, shape := range c.shapes {
			_ = Decode(file, c.dst, []Field{{Name: "W", Shape: shape}})
			_ = Decode(file, c.dst, []Field{{Name: "W", Shape: shape, Integer: true}})
		}
	}
}

// FuzzShape parses any text: what is accepted evaluates and solves back.
func FuzzShape(f *testing.F) {
	for _, shape := range []string{"", "m×n", "n+1", "2n", "3(k+1)", "c′×ck²", "ck²×N", "n−1", "N₁·N₂", "((n))",
		"m x n", "n¹²"} {
		f.Add(shape)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shape, err := parseShape(text)
		if err != nil {
			require.ErrorIs(t, err, errShape)
			return
		}
		for _, e := range shape {
			letters := e.letters()
			seven := func(string) float64 { return 7 }
			value := e.at(seven)
			require.False(t, math.IsNaN(value))
			if len(letters) == 1 && value <= MaxElements && value == math.Trunc(value) && value > -MaxElements {
				got, ok := e.solve(int(value), letters[0], seven)
				require.True(t, ok && got == 7, "%s: %d", text, got)
			}
		}
		again, err := parseShape(text)
		require.NoError(t, err)
		require.Equal(t, shape, again)
	})
}
