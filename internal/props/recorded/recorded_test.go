package recorded

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/tensors"
	"github.com/thm-suite/thm/props/results"
)

const batch = 16

// layerOf takes one step of a layer of so many neurons with so many inputs, in float32 as a network does: sums are
// rounded term by term, and the update once.
func layerOf(seed uint64, m, n int) *Layer {
	random := rand.New(rand.NewPCG(seed, 1))
	single := func(x float64) float64 { return float64(float32(x)) }
	normal := func(rows, cols int, scale float64) *mat.Dense {
		out := mat.NewDense(rows, cols, nil)
		out.Apply(func(_, _ int, _ float64) float64 { return single(scale*random.NormFloat64() + scale/4) }, out)
		return out
	}
	l := &Layer{W: normal(m, n, 0.2), H: normal(n, batch, 1), Gamma: normal(m, batch, 0.01),
		WBefore: normal(m, n, 0.2), GBefore: normal(m, n, 0.1)}
	l.Record = Record{Layer: "hidden", Kind: "linear", Rate: 0.1, Optimizer: "SGD", DType: "float32",
		Products: "float32", Batch: batch, Reduction: "mean"}
	times := func(a, b mat.Matrix) *mat.Dense {
		rows, inner := a.Dims()
		_, cols := b.Dims()
		out := mat.NewDense(rows, cols, nil)
		out.Apply(func(i, j int, _ float64) float64 {
			sum := 0.0
			for k := range inner {
				sum = single(sum + single(a.At(i, k)*b.At(k, j)))
			}
			return sum
		}, out)
		return out
	}
	l.G, l.P = times(l.Gamma, l.H.T()), times(l.W.T(), l.Gamma)
	l.Next = stepped(l, l.G, 1)
	return l
}

// stepped are the weights after so many steps along a gradient.
func stepped(l *Layer, g *mat.Dense, times float64) *mat.Dense {
	out := mat.DenseCopyOf(l.W)
	out.Apply(func(i, j int, w float64) float64 {
		return round(w-round(times*round(l.Rate, "float32")*g.At(i, j), "float32"), "float32")
	}, out)
	return out
}

// TestRight: right numbers hold at a resolution below a thousandth, whatever the shape, and none is diagnosed.
func TestRight(t *testing.T) {
	for seed := range uint64(20) {
		for _, shape := range [][2]int{{8, 8}, {12, 5}, {3, 20}, {1, 4}} {
			l := layerOf(seed, shape[0], shape[1])
			c := chainOf(l)
			require.Len(t, c.links, 6)
			for name, k := range c.links {
				require.Equal(t, results.Holds, k.Verdict, "%s of %v at seed %d: %v", name, shape, seed, k)
				require.Empty(t, k.Agrees)
				require.Less(t, float64(k.Notices), 1e-3, "%s of %v at seed %d", name, shape, seed)
			}
		}
	}
}

// TestOverflow: right numbers of whose rounding errors float64 does not hold the variance decide nothing, and a step
// without end is refused.
func TestOverflow(t *testing.T) {
	l := layerOf(3, 6, 4)
	l.DType, l.Products, l.Next = "float64", "float64", l.W
	l.H.Scale(1e90, l.H)
	l.Gamma.Scale(1e90, l.Gamma)
	l.G, l.P = algebra.Product(l.Gamma, l.H.T()), algebra.Product(l.W.T(), l.Gamma)
	for _, name := range []string{linkGradient, linkSides, linkFirst} {
		require.Equal(t, results.Undecided, chainOf(l).links[name].Verdict, name)
	}

	l = layerOf(3, 6, 4)
	l.Rate = 1e39 // infinite in float32, and times a gradient of zero no number
	l.G.Zero()
	require.Equal(t, results.Refuted, chainOf(l).links[linkUpdate].Verdict)
}

// TestMistakes: each is refused in its link, and named.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		does        string
		to          func(l *Layer)
		link, agree string
	}{
		{"G times B", func(l *Layer) { l.G = algebra.Scaled(batch, l.G) }, linkGradient, "gradient without 1/B"},
		{"G over B", func(l *Layer) { l.G = algebra.Scaled(1.0/batch, l.G) }, linkGradient, "1/B taken twice"},
		{"−G", func(l *Layer) { l.G = algebra.Scaled(-1, l.G) }, linkGradient, "a gradient of the opposite sign"},
		{"Gᵀ", func(l *Layer) { l.G = mat.DenseCopyOf(l.G.T()) }, linkGradient, "transposed gradient"},
		{"G + G before", func(l *Layer) { l.G = algebra.Sum(l.G, l.GBefore) }, linkGradient,
			"stale gradient: that of the step before was not set to zero"},
		{"G/3", func(l *Layer) { l.G = algebra.Scaled(1.0/3, l.G) }, linkGradient,
			"the gradient times 0.3333: clipped, or a loss that was scaled"},
		{"G + W/100", func(l *Layer) { l.G = algebra.Sum(l.G, algebra.Scaled(0.01, l.W)) }, linkGradient,
			"weight decay in the gradient, λ = 0.01"},
		{"WΓ", func(l *Layer) { l.P = algebra.Product(l.W, l.Gamma) }, linkInputs, "transposed weight"},
		{"W⁺ᵀΓ", func(l *Layer) { l.P = algebra.Product(l.Next.T(), l.Gamma) }, linkInputs,
			"weights after the step in place of those before"},
		{"P + Γ", func(l *Layer) { l.P = algebra.Sum(l.P, l.Gamma) }, linkInputs,
			"a skip connection around the layer in the gradient of its inputs"},
		{"uphill", func(l *Layer) { l.Next = stepped(l, l.G, -1) }, linkUpdate, "step uphill"},
		{"still", func(l *Layer) { l.Next = l.W }, linkUpdate, "no step"},
		{"long", func(l *Layer) { l.Next = stepped(l, l.G, 3) }, linkUpdate, "a step 3 times as long"},
		{"stale", func(l *Layer) { l.Next = stepped(l, l.GBefore, 1) }, linkUpdate,
			"stale gradient in the step: that of the step before"},
		{"momentum", func(l *Layer) {
			ball := algebra.Scaled(-0.9/l.Rate, algebra.Difference(l.W, l.WBefore))
			l.Next = stepped(l, algebra.Sum(l.G, ball), 1)
		}, linkUpdate, "momentum in the step, β = 0.9"},
		{"decay", func(l *Layer) {
			l.Next = stepped(l, algebra.Sum(l.G, algebra.Scaled(0.5, l.W)), 1)
		}, linkUpdate, "weight decay in the step, λ = 0.5"},
		{"one bit", func(l *Layer) {
			l.Next = mat.DenseCopyOf(l.Next)
			l.Next.Set(3, 4, float64(math.Nextafter32(float32(l.Next.At(3, 4)), 9)))
		}, linkUpdate, "the step in another arithmetic: it differs in the last bits"},
		{"noise", func(l *Layer) { l.G.Set(2, 2, l.G.At(2, 2)+0.01) }, linkGradient, ""},
	} {
		l := layerOf(7, 8, 8)
		tt.to(l)
		k := chainOf(l).links[tt.link]
		require.Equal(t, results.Refuted, k.Verdict, tt.does)
		require.Equal(t, tt.agree, k.Agrees, tt.does)
		require.NotNil(t, k.Sides, tt.does)
	}
}

// TestRound agrees with the conversion of Go in float32, and with the numbers next to each other in bfloat16.
func TestRound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		x := math.Ldexp(random.NormFloat64(), random.IntN(60)-30)
		require.Equal(t, float64(float32(x)), round(x, "float32"))
		b := round(x, "bfloat16")
		require.Zero(t, math.Float32bits(float32(b))&0xffff)
		require.LessOrEqual(t, math.Abs(b-x), 0x1p-8*math.Abs(x))
	}
	require.Equal(t, 0x1p-24, round(0x1.8p-25, "float16"))
}

// file is a layer as a recorder writes it.
type file struct {
	W      *mat.Dense `npy:"W"`
	Next   *mat.Dense `npy:"W_next"`
	G      *mat.Dense `npy:"G"`
	H      *mat.Dense `npy:"H"`
	Gamma  *mat.Dense `npy:"Gamma"`
	Inputs *mat.Dense `npy:"P"`
}

// TestFolder: consecutive steps are joined, hypotheses are named, and a bad file leaves the others judged.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	index := Index{Schema: RecordingSchema}
	weights := (*mat.Dense)(nil)
	for step := range 3 {
		l := layerOf(uint64(step), 6, 6)
		if weights != nil { // the same layer, a step later
			l.W = weights
			l.P, l.Next = algebra.Product(l.W.T(), l.Gamma), stepped(&Layer{Record: l.Record, W: weights}, l.G, 1)
		}
		weights = l.Next
		l.Record.Step, l.File, l.Products = step, fmt.Sprintf("%d.npz", step), "" // as a writer that says its dtype alone
		require.NoError(t, tensors.Encode(filepath.Join(dir, l.File), &file{l.W, l.Next, l.G, l.H, l.Gamma, l.P}))
		index.Records = append(index.Records, l.Record)
	}
	judge := func() *Result {
		text, err := json.Marshal(index)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "index.json"), text, 0o644))
		r, err := Judge(context.Background(), dir, 2, nil)
		require.NoError(t, err)
		return r
	}
	r := judge()
	require.Equal(t, results.Holds, r.Verdict)
	steps := r.Of("vcl/steps", "hidden")
	require.Equal(t, []results.Verdict{results.Holds, results.Holds, NotApplicable},
		[]results.Verdict{steps[0].Verdict, steps[1].Verdict, steps[2].Verdict})
	require.Equal(t, NotApplicable, r.Of("vcl/decay", "hidden")[0].Verdict)
	require.Equal(t, NotApplicable, r.Of("vcl/convolution", "hidden")[0].Verdict)

	for i := range index.Records {
		index.Records[i].Optimizer = "Adam"
	}
	r = judge()
	require.Contains(t, r.Of("vcl/residual", "hidden")[0].Hypothesis, "Adam")
	require.Equal(t, results.Holds, r.Of("vcl/equation", "hidden")[0].Verdict)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "1.npz"), []byte("PK no archive"), 0o644))
	r = judge()
	require.Len(t, r.Errors, 1)
	require.Equal(t, results.Error, r.Verdict, "what was not judged is not green")
	require.Len(t, r.Of("vcl/equation", "hidden"), 2)

	for i := range index.Records {
		index.Records[i].Optimizer = "SGD"
	}
	require.Contains(t, judge().Of("vcl/steps", "hidden")[0].Hypothesis, "could not be judged")
	l := layerOf(1, 5, 6)
	require.NoError(t, tensors.Encode(filepath.Join(dir, "1.npz"), &file{l.W, l.Next, l.G, l.H, l.Gamma, l.P}))
	require.Contains(t, judge().Of("vcl/steps", "hidden")[0].Hypothesis, "another shape")

	index.Records[0].File = "../elsewhere.npz"
	text, err := json.Marshal(index)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.json"), text, 0o644))
	_, err = Judge(context.Background(), dir, 1, nil)
	require.ErrorContains(t, err, "does not lie in the folder")
}
