package tensors

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

type activation string

// layer has every kind of field.
type layer struct {
	W      *mat.Dense `npy:"W"`
	H      *mat.Dense `npy:"H"`
	B      []float64  `npy:"b"`
	Step   float64    `npy:"step"`
	Count  int        `npy:"count"`
	Biased bool       `npy:"biased"`
	Name   activation `npy:"activation"`
	Note   string     // without a tag, it is left alone
}

var layerParams = []Field{
	{Name: "W", Shape: "m×n", Meaning: "weights"},
	{Name: "H", Shape: "n×B", Meaning: "inputs, one sample per column"},
	{Name: "b", Shape: "m", Meaning: "biases", Integer: true},
	{Name: "step", Meaning: "step size"},
	{Name: "count", Meaning: "number of steps", Integer: true},
	{Name: "biased", Meaning: "whether b is added"},
	{Name: "activation", Meaning: "activation function", Choices: []string{"relu", "gelu"}},
}

// floats makes an array of float64 with the elements 1, 2, 3, …
func floats(name string, shape ...int) Array {
	a := Array{Name: name, DType: "float64", Shape: shape, floats: make([]float64, product(shape))}
	for i := range a.floats {
		a.floats[i] = float64(i + 1)
	}
	return a
}

func text(name, text string) Array { return Array{Name: name, DType: "string", text: text} }

func ints(name string, n ...int64) Array {
	a := Array{Name: name, DType: "int64", ints: n}
	if len(n) > 1 {
		a.Shape = []int{len(n)}
	}
	return a
}

// sound is a file that fits layerParams.
func sound() []Array {
	return []Array{floats("W", 4, 6), floats("H", 6, 8), floats("b", 4), floats("step"), ints("count", 3),
		{Name: "biased", DType: "bool", ints: []int64{1}}, text("activation", "gelu")}
}

// with replaces an array of sound, or adds one.
func with(arrays ...Array) File {
	f := File{"x.npz", sound()}
	for _, a := range arrays {
		found := false
		for i := range f.Arrays {
			if f.Arrays[i].Name == a.Name {
				f.Arrays[i], found = a, true
			}
		}
		if !found {
			f.Arrays = append(f.Arrays, a)
		}
	}
	return f
}

func TestDecode(t *testing.T) {
	var got layer
	f := with()
	require.NoError(t, Decode(f, &got, layerParams))
	require.Equal(t, layer{W: mat.NewDense(4, 6, f.Arrays[0].floats), H: mat.NewDense(6, 8, f.Arrays[1].floats),
		B: []float64{1, 2, 3, 4}, Step: 1, Count: 3, Biased: true, Name: "gelu"}, got)
	got.W.Set(0, 0, 7)
	got.B[0] = 7
	require.Equal(t, with(), f, "the file shares no memory")
	for _, column := range []Array{floats("b", 4, 1), floats("b", 1, 4), ints("b", 1, 2, 3, 4)} {
		require.NoError(t, Decode(with(column, floats("step", 1, 1), floats("count", 1)), &got, layerParams))
		require.Equal(t, []float64{1, 2, 3, 4}, got.B)
		require.Equal(t, 1, got.Count)
	}
}

func TestDecodeMessages(t *testing.T) {
	half := floats("b", 4)
	half.floats[2] = 2.5
	big := ints("count", 1<<62)
	for _, c := range []struct {
		file File
		want []string
	}{
		{with(floats("H", 5, 8)), []string{"H has shape 5×8, wanted n×B with n = 6 from W (4×6)"}},
		{with(floats("H", 8, 6)), []string{"H has shape 8×6, wanted n×B with n = 6 from W (4×6); its transpose would " +
			"fit"}},
		{with(floats("b", 5)), []string{"b has length 5, wanted m with m = 4 from W (4×6)"}},
		{with(floats("W", 24)), []string{"W has length 24, wanted numbers of shape m×n"}},
		{with(floats("W")), []string{"W has one element, wanted numbers of shape m×n"}},
		{with(floats("b", 2, 2)), []string{"b has shape 2×2, wanted whole numbers of length m"}},
		{with(floats("b")), []string{"b has one element, wanted whole numbers of length m"}},
		{with(floats("step", 2)), []string{"step has length 2, wanted one number"}},
		{with(half), []string{"b[2] is 2.5, wanted whole numbers"}},
		{with(Array{Name: "count", DType: "float32", floats: []float64{1.5}}),
			[]string{"count is 1.5, wanted whole numbers"}},
		{with(Array{Name: "count", DType: "float64", floats: []float64{0x1p63}}),
			[]string{"count is 9.223372036854776e+18, wanted one whole number of 64 bits"}},
		{with(ints("step", 1<<53+1)), []string{"step is 9007199254740993, wanted at most 2⁵³ in size: float64 does " +
			"not hold it"}},
		{with(big), nil},
		{with(ints("biased", 1)), []string{"biased is int64, wanted True or False"}},
		{with(Array{Name: "step", DType: "bool", ints: []int64{1}}), []string{"step is bool, wanted one number"}},
		{with(text("step", "0.1")), []string{`step is the string "0.1", wanted one number`}},
		{with(floats("activation")), []string{"activation is float64, wanted one of relu, gelu"}},
		{with(text("activation", "GELU")), []string{`activation is "GELU", wanted one of relu, gelu`}},
		{with(floats("gamma"), text("a\nb", "")), []string{
			"gamma is not wanted: the arrays are W, H, b, step, count, biased, activation",
			`"a\nb" is not wanted: the arrays are W, H, b, step, count, biased, activation`}},
		{File{"x.npz", sound()[1:]}, []string{"W is missing, wanted numbers of shape m×n: weights"}},
		{File{"x.npz", append(sound()[1:], floats("w", 4, 6))}, []string{
			"W is missing, wanted numbers of shape m×n: weights (rename w)",
			"w is not wanted: the arrays are W, H, b, step, count, biased, activation"}},
		{with(floats("H", 5, 8), floats("b", 7), text("activation", "tanh")), []string{
			"H has shape 5×8, wanted n×B with n = 6 from W (4×6)",
			"b has length 7, wanted m with m = 4 from W (4×6)",
			`activation is "tanh", wanted one of relu, gelu`}},
	} {
		before := layer{Step: 5}
		err := Decode(c.file, &before, layerParams)
		if c.want == nil {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, "x.npz: "+strings.Join(c.want, "\nx.npz: "))
		require.Equal(t, layer{Step: 5}, before, "unchanged")
	}
}

// TestShapes binds letters over arrays called a, b, c of the given shapes.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		want   string // shapes, separated by spaces
		shapes [][]int
		errors string
	}{
		{"d×d", [][]int{{3, 3}}, ""},
		{"d×d", [][]int{{3, 4}}, "a has shape 3×4, wanted d×d"},
		{"d×d d", [][]int{{3, 4}, {5}}, "a has shape 3×4, wanted d×d"},
		{"d d×d", [][]int{{3}, {3, 4}}, "b has shape 3×4, wanted d×d with d = 3 from a (3)"},
		{"n+1 n", [][]int{{7}, {6}}, ""},
		{"n+1 n", [][]int{{6}, {6}}, "a has length 6, wanted n+1 with n = 6 from b (6)"},
		{"n+1 n+2", [][]int{{6}, {7}}, ""},
		{"n+1 n+2", [][]int{{6}, {6}}, "b has length 6, wanted n+2 with n = 5 from a (6)"},
		{"n−1×n", [][]int{{4, 5}}, ""},
		{"n×1", [][]int{{6}}, ""},
		{"1×n n", [][]int{{6}, {5}}, "b has length 5, wanted n with n = 6 from a (1×6)"},
		{"2×n", [][]int{{3, 6}}, "a has shape 3×6, wanted 2×n"},
		{"3(k+1) 3(k+1)", [][]int{{9}, {9}}, ""},
		{"3(k+1)", [][]int{{10}}, "a has length 10, wanted 3(k+1) with a whole number k"},
		{"3(k+1) k", [][]int{{9}, {3}}, "a has length 9, wanted 3(k+1) with k = 3 from b (3)"},
		{"n(n+1)", [][]int{{12}}, ""},
		{"n²", [][]int{{12}}, "a has length 12, wanted n² with a whole number n"},
		{"c′×ck² ck²×N", [][]int{{3, 18}, {18, 5}}, ""},
		{"c′×ck² ck²×N", [][]int{{3, 18}, {17, 5}}, "b has shape 17×5, wanted ck²×N with ck² = 18 from a (3×18)"},
		{"c′×ck² c k", [][]int{{3, 18}, {2}, {4}},
			"a has shape 3×18, wanted c′×ck² with c = 2 from b (2) and k = 4 from c (4)"},
		{"c′×ck² ck²×N c", [][]int{{3, 18}, {18, 5}, {2}}, ""},
		{"a+b a+b", [][]int{{3}, {4}}, "b has length 4, wanted a+b with a+b = 3 from a (3)"},
		{"N₁×N₂ N₂", [][]int{{3, 4}, {3}}, "b has length 3, wanted N₂ with N₂ = 4 from a (3×4)"},
		{"n n n", [][]int{{3}, {4}, {5}}, "b has length 4, wanted n with n = 3 from a (3); c has length 5, wanted n " +
			"with n = 3 from a (3)"},
	} {
		want := strings.Split(c.want, " ")
		var arrays []shaped
		for i, shape := range c.shapes {
			extents, err := parseShape(want[i])
			require.NoError(t, err)
			shape, ok := Array{Shape: shape}.as(extents)
			require.True(t, ok)
			arrays = append(arrays, shaped{string(rune('a' + i)), shape, extents})
		}
		problems := bind(arrays, bindings{})
		var got []string
		for _, a := range arrays {
			if p, ok := problems[a.name]; ok {
				got = append(got, p)
			}
		}
		require.Equal(t, c.errors, strings.Join(got, "; "), c.want)
	}
}

func TestScalarBindsLetter(t *testing.T) {
	type instance struct {
		K int        `npy:"k"`
		U *mat.Dense `npy:"U"`
	}
	params := []Field{{Name: "U", Shape: "n×k"}, {Name: "k", Integer: true}}
	var got instance
	require.NoError(t, Decode(File{"x", []Array{ints("k", 2), floats("U", 4, 2)}}, &got, params))
	require.Equal(t, 2, got.K)
	err := Decode(File{"x", []Array{ints("k", 3), floats("U", 4, 2)}}, &got, params)
	require.EqualError(t, err, "x: U has shape 4×2, wanted n×k with k = 3")
}

func TestFieldValid(t *testing.T) {
	for _, shape := range []string{"", "n", "m×n", "m × n", "2n", "n·B", "nB", "n+1", "n-1", "3(k+1)", "c′×ck²", "N₁",
		"(n)", "λ", " n + 1 × 2 · n "} {
		require.NoError(t, Field{Name: "W", Shape: shape}.Valid(), shape)
	}
	for _, shape := range []string{"×", "m×", "m×n×p", "d×…×d", "0", "n-k", "n+", "(n", "n)", "n⁰", "n¹²",
		"99999999999", "n,", "-1", "m x n", "n B",
		strings.Repeat("(", 1000) + "n"} {
		require.ErrorIs(t, Field{Name: "W", Shape: shape}.Valid(), errShape, shape)
	}
	require.EqualError(t, Field{Shape: "n"}.Valid(), "tensors: a field has no name")
	require.EqualError(t, Field{Name: "W", Shape: "n", Choices: []string{"x"}}.Valid(),
		"tensors: W has choices and is not a string")
}

func TestDecodePanics(t *testing.T) {
	params := []Field{{Name: "W", Shape: "n"}}
	for want, dst := range map[string]any{
		"tensors: Decode wants a pointer to a struct":                               struct{}{},
		"tensors: wanted a struct, or a pointer to one, whose fields have tags npy": new(int),
		"tensors: the tags npy of the struct and the params are not the same names": &struct{}{},
		"tensors: the type of field W does not fit its shape or its choices": &struct {
			W float64 `npy:"W"`
		}{},
		"tensors: a tag npy needs a name and an exported field of *mat.Dense, []float64, float64, int, bool or " +
			"string": &struct {
			W []int `npy:"W"`
		}{},
		"tensors: two fields have the same tag npy": &struct {
			A, B []float64 `npy:"W"`
		}{},
	} {
		require.PanicsWithValue(t, want, func() { _ = Decode(with(), dst, params) }, fmt.Sprintf("%T", dst))
	}
	require.PanicsWithValue(t, `tensors: a shape is extents such as n, 3, n+1, 2n, ck² or 3(k+1), at most two, with × `+
		`between them: W has "d×…×d"`,
		func() {
			_ = Decode(with(), &struct {
				W []float64 `npy:"W"`
			}{}, []Field{{Name: "W", Shape: "d×…×d"}})
		})
}
