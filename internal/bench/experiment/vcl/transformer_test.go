package vcl

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Every rule has as many step sizes, with the same ratios, and as many steps.
func TestTransformerBudgetsAreEqual(t *testing.T) {
	for _, e := range results.Efforts {
		for _, r := range transformerRules {
			grid, sgd := transformerGammas(e, r), transformerGammas(e, SGD)
			require.Len(t, grid, len(sgd))
			for i := range grid[1:] {
				require.Less(t, math.Abs(grid[i+1]/grid[i]-sgd[i+1]/sgd[i]), 1e-9)
			}
		}
		s := transformerSpec.Sizes[e]
		require.Greater(t, transformerSpec.Runs[e], choosing[e]+1)
		require.Zero(t, s.Copying.Steps%looks+s.Addition.Steps%looks)
	}
}

func TestTransformerTasks(t *testing.T) {
	task := Task{Words: 5, Length: 3}
	seen := map[int]bool{}
	for _, name := range transformerTasks {
		tokens, answers := task.draw(rand.New(rand.NewPCG(1, 2)), name, 40)
		require.Len(t, answers, 120)
		for i := 0; i < 120; i += 3 {
			a, b, c := tokens[i], tokens[i+1], tokens[i+2]
			seen[a] = true
			want := []int{c, b, a}
			if name == addition {
				want = []int{(a + b) % 5, (b + c) % 5, (c + a) % 5}
			}
			require.Equal(t, want, answers[i:i+3])
		}
	}
	require.Len(t, seen, 5)
}

// Runs of one number start from the same loss, a cell has the same bits every time, gradient descent learns in the
// quick run, and steps that are too long count as guessing.
func TestTransformerTrains(t *testing.T) {
	env, s := experiment.NewEnv(7), transformerSpec.Sizes[props.Quick]
	run := func(r Rule, gamma float64) TransformerRun {
		out, err := transformerSpec.Train(t.Context(), env, s, TransformerCell{copying, r, gamma, 1})
		require.NoError(t, err)
		require.Len(t, out.Losses, looks+1)
		return out
	}
	start := run(SGD, 0.8)
	require.Equal(t, start, run(SGD, 0.8))
	require.Less(t, start.Losses[looks], 0.5)
	for _, r := range transformerRules[1:] {
		other := run(r, transformerGammas(props.Quick, r)[0])
		require.Equal(t, start.Losses[0], other.Losses[0])
		require.Less(t, other.Losses[looks/2], 0.95, r)
	}
	for _, r := range []Rule{SGD, VCL} {
		broken := run(r, 1e4)
		require.Equal(t, 1.0, broken.mean(), r)
		require.Zero(t, broken.Accuracy)
	}
}

// SGD's step of attention is the whitened one of its pairs, at the step sizes and sizes of the published run: Z Z⁺ᵀ is
// symmetric and positive definite, Z being queries beside keys, or transposed outputs beside values. Whitened one by
// one they are not SGD's.
func TestAttentionBySGDIsWhitenedInPairs(t *testing.T) {
	s := transformerSpec.Sizes[props.Standard]
	for _, gamma := range []float64{0.56, 1.1} {
		r := rand.New(rand.NewPCG(3, 4))
		m := nn.NewTransformer(r, s.Copying.Words, s.Copying.Length, s.Width, 2*s.Width, 2, nn.GELU)
		pairs := func() (out []*mat.Dense) {
			for _, b := range m.Blocks {
				out = append(out, algebra.Beside(b.Q.W, b.K.W), algebra.Beside(mat.DenseCopyOf(b.O.W.T()), b.V.W))
			}
			return out
		}
		var trace nn.Trace
		rules := TransformerCell{Rule: Pairs, Gamma: gamma}.rules(14)
		for range 30 {
			tokens, answers := s.Copying.draw(r, copying, s.Batch)
			m.Backprop(&trace, m.Encode(tokens), nn.OneHot(answers, s.Copying.Words))
			before := pairs()
			_, err := optim.Update(trace.Views, rules)
			require.NoError(t, err)
			for i, after := range pairs() {
				product := algebra.Product(before[i], after.T())
				require.Less(t, algebra.Distance(product, product.T()), 1e-13*mat.Norm(product, 2))
				var eigen mat.EigenSym
				require.True(t, eigen.Factorize(mat.NewSymDense(s.Width, product.RawMatrix().Data), false))
				require.Positive(t, eigen.Values(nil)[0], "pair %d, γ = %v", i, gamma)
			}
		}
	}
}

// Each claim about transformers can be refuted, and can hold; without all runs it is incomplete.
func TestTransformerVerdicts(t *testing.T) {
	set := experiment.Setting{Effort: props.Quick, Runs: 4}
	s := TransformerSizes{}
	judged := func(loss map[Rule]float64, accuracy float64, runs int) map[string]results.Verdict {
		var all []experiment.Run[TransformerCell, TransformerRun]
		for seed := range runs {
			for _, task := range transformerTasks {
				for _, r := range transformerRules {
					for i, gamma := range transformerGammas(props.Quick, r) {
						l := loss[r] + 0.2*float64(i) + 0.001*float64(seed)
						if seed < choosing[props.Quick] { // which does not count, except that it prefers the first step size
							l = float64(i)
						}
						value := TransformerRun{Accuracy: accuracy}
						for range looks + 1 {
							value.Losses = append(value.Losses, l)
						}
						all = append(all, experiment.Run[TransformerCell, TransformerRun]{Cell: TransformerCell{task, r, gamma, seed},
							Value: value})
					}
				}
			}
		}
		out := map[string]results.Verdict{}
		for _, f := range judgeTransformer(set, s, all).Findings {
			if f.Column == Pairs.Title() {
				out[f.Claim] = f.Verdict
			}
		}
		return out
	}
	all := func(v results.Verdict) map[string]results.Verdict {
		return map[string]results.Verdict{Learns: v, LikeSGD: v, LikeAdam: v, PairsFaster: v, LikeOnGrid: v}
	}
	slow := map[Rule]float64{SGD: 0.5, Adam: 0.5, VCL: 0.5, Whitening: 0.5, Pairs: 0.4}
	require.Equal(t, all(results.Holds), judged(slow, 1, 4))
	require.Equal(t, all(results.Incomplete), judged(slow, 1, 3))
	slow[Pairs] = 0.6
	require.Equal(t, all(results.Refuted), judged(slow, 0.5, 4))
	require.Equal(t, all(results.Incomplete), judged(nil, 0, 0))
}
