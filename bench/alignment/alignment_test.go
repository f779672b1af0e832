package alignment

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/data"
)

// pictures are noisy stripes of two directions, under the labels 2 and 3, with a few of another class between.
func pictures(count int) data.Images {
	const side = 6
	r := rand.New(rand.NewPCG(3, 4))
	out := data.Images{Height: side, Width: side}
	for i := range count {
		label := byte(2 + i%3)
		stripe := r.IntN(side)
		for p := range side * side {
			value := r.IntN(100)
			if label == 2 && p/side == stripe || label == 3 && p%side == stripe {
				value += 150
			}
			out.Pixels = append(out.Pixels, byte(value))
		}
		out.Labels = append(out.Labels, label)
	}
	return out
}

var tiny = Settings{Dataset: "stripes", Samples: 40, Kernel: 30, Width: 16, Epochs: 20, Batch: 20, Nodes: 4,
	Runs: 2, Seed: 1}

func TestRunIsSoundAndRepeatable(t *testing.T) {
	set := &data.Dataset{Name: "stripes", Classes: 5, Train: pictures(90)}
	first, err := Run(context.Background(), set, tiny, nil)
	require.NoError(t, err)
	require.Len(t, first, 2)
	second, err := Run(context.Background(), set, tiny, nil)
	require.NoError(t, err)
	require.Equal(t, first, second)
	for _, p := range first {
		for _, l := range []Labelled{p.Smooth, p.Sign} {
			require.Greater(t, l.Alignment, 0.0)
			require.Less(t, l.Alignment, 1.0)
			require.Greater(t, l.Predicted, l.Start, "Theorem 1 never lowers the alignment")
			require.GreaterOrEqual(t, l.StableRank, 1.0)
		}
	}
	encoded, err := json.Marshal(NewResult(tiny, first))
	require.NoError(t, err)
	require.Contains(t, string(encoded), "figure-1")
}

func TestBadSettingsAreErrors(t *testing.T) {
	set := &data.Dataset{Train: pictures(9)}
	_, err := Run(context.Background(), set, tiny, nil)
	require.ErrorContains(t, err, "40 wanted")
	s := tiny
	s.Kernel = 41
	_, err = Run(context.Background(), &data.Dataset{Train: pictures(90)}, s, nil)
	require.ErrorContains(t, err, "41 of 40")
}

func TestVerdictsFollowIntervals(t *testing.T) {
	require.Equal(t, "holds", positive("", "", []float64{1, 1.1, 0.9}).Verdict)
	require.Equal(t, "refuted", positive("", "", []float64{-1, -1.1, -0.9}).Verdict)
	require.Equal(t, "undecided", positive("", "", []float64{-1, 1.1, 0.1}).Verdict)
	require.Equal(t, "undecided", positive("", "", []float64{1}).Verdict)
}

// The published report is what its results say.
func TestPublishedReportFollowsItsResults(t *testing.T) {
	const dir = "../../reports/published/experiments/alignment/"
	raw, err := os.ReadFile(dir + "results.json")
	require.NoError(t, err)
	var published Result
	require.NoError(t, json.Unmarshal(raw, &published))
	again := NewResult(published.Settings, published.Pairs)
	for i, f := range published.Findings {
		require.Equal(t, f.Verdict, again.Findings[i].Verdict)
		require.True(t, math.Abs(f.Estimate-again.Findings[i].Estimate) <= 1e-9, f.ID)
	}
	text, err := os.ReadFile(dir + "report.md")
	require.NoError(t, err)
	require.Equal(t, string(text), again.Markdown())
	drawn, err := os.ReadFile(dir + "alignment.svg")
	require.NoError(t, err)
	require.Equal(t, string(drawn), again.Figure())
}
