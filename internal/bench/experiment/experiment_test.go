package experiment

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// coin is a cell of an experiment that throws coins.
type coin struct {
	Dataset string `json:"dataset"`
	Seed    int    `json:"seed"`
}

func (c coin) String() string { return fmt.Sprint(c.Dataset, c.Seed) }

type thrown struct{ Heads float64 }

// coins is an experiment that costs nothing: a claim that holds, and one that is refuted.
func coins(count int) Experiment {
	return Spec[map[string]string, coin, thrown]{
		About: About{Name: "test/coins", Title: "Coins", Data: []string{Synthetic},
			Claims: []Claim{{ID: "few"}, {ID: "many"}}},
		Version: 1,
		Sizes:   map[props.Effort]map[string]string{props.Standard: {"effort": "standard"}},
		Runs:    map[props.Effort]int{props.Quick: count, props.Standard: count, props.Deep: count},
		Cells:   func(_ props.Effort, run int, dataset string) []coin { return []coin{{dataset, run}} },
		Train: func(_ context.Context, env *Env, _ map[string]string, c coin) (thrown, error) {
			offset, err := Prepared(env, c.Dataset, "offset", func(*data.Dataset) (float64, error) { return 10, nil })
			return thrown{offset + streams.New(env.Seed, c.String()).Float64()}, err
		},
		Judge: func(set Setting, _ map[string]string, runs []Run[coin, thrown]) (out Judgement) {
			var heads []float64
			for _, r := range runs {
				heads = append(heads, r.Value.Heads)
			}
			complete := len(heads) == count*len(set.Datasets)
			out.Findings = []Finding{
				Finding{Claim: "few", Row: "here"}.AtMost(11, stat.Mean(heads, Alpha), complete),
				Finding{Claim: "many", Row: "here"}.AtLeast(11, stat.Mean(heads, Alpha), complete),
			}
			return out
		},
	}.Experiment()
}

var here = []Set{{Name: "x"}}

// Results depend neither on the number of workers nor on what was computed in an earlier run.
func TestRunIsDeterministicAndResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "cells.jsonl")
	cache, err := OpenCache(path)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := Options{Sets: here, Effort: props.Quick, Seed: 7, Jobs: 3, Cache: cache}
	o.Progress = func(done, _ int, _ time.Duration, _ string) {
		if done == 20 {
			cancel()
		}
	}
	part, err := coins(60).Run(ctx, o)
	require.NoError(t, err)
	require.True(t, part.Run.Interrupted)
	require.Less(t, part.Run.Cells.Run, 60)
	require.Equal(t, results.Incomplete, part.Headlines[0].Verdict)

	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644) // as if the program had been killed while it wrote
	require.NoError(t, err)
	_, err = f.WriteString(`{"key":"0123`)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	o.Cache, err = OpenCache(path)
	require.NoError(t, err)
	o.Progress = nil
	require.Len(t, o.Cache.done, part.Run.Cells.Run)
	lines := linesOf(t, path)
	resumed, err := coins(60).Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, 60-part.Run.Cells.Run, linesOf(t, path)-lines, "what was known was not computed again")
	fresh, err := coins(60).Run(t.Context(), Options{Sets: here, Effort: props.Quick, Seed: 7, Jobs: 1})
	require.NoError(t, err)
	require.Equal(t, bytesOf(t, fresh), bytesOf(t, resumed)) // NaN differs from itself, its encoding does not
	require.Equal(t, 60, fresh.Run.Cells.Run)
	require.Equal(t, results.Holds, fresh.Headlines[0].Verdict)
	require.Equal(t, results.Refuted, fresh.Headlines[1].Verdict)
}

func linesOf(t *testing.T, path string) int {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return bytes.Count(b, []byte(`"value"`))
}

func bytesOf(t *testing.T, r *Result) string {
	b, err := r.Encode()
	require.NoError(t, err)
	return string(b)
}

func TestACellThatBreaksIsAnError(t *testing.T) {
	e := coins(3)
	e.plan = func(props.Effort, []string) []planned { return coins(1).plan(props.Quick, []string{"nowhere"}) }
	_, err := e.Run(t.Context(), Options{Sets: here, Effort: props.Quick})
	require.ErrorContains(t, err, `test/coins nowhere0: experiment: the run has no data set "nowhere"`)
}

// The key of a cell changes with everything that its value depends on.
func TestKeys(t *testing.T) {
	e := coins(2)
	cells := e.plan(props.Quick, []string{"x"})
	keys := map[string]bool{e.key(cells[0], props.Quick, 1, "k"): true, e.key(cells[1], props.Quick, 1, "k"): true,
		e.key(cells[0], props.Standard, 1, "k"): true, e.key(cells[0], props.Quick, 2, "k"): true,
		e.key(cells[0], props.Quick, 1, "l"): true}
	e.version++
	keys[e.key(cells[0], props.Quick, 1, "k")] = true
	e.Name += "s"
	keys[e.key(cells[0], props.Quick, 1, "k")] = true
	require.Len(t, keys, 7)
	require.Equal(t, e.key(cells[0], props.Quick, 1, "k"), e.key(cells[0], props.Quick, 1, "k"))
}

func TestVerdicts(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		lo, at, hi float64
		want       results.Verdict
	}{
		{0.1, 0.2, 0.3, results.Holds}, {0, 0, 0, results.Holds}, {-0.3, -0.2, -0.1, results.Refuted},
		{-0.1, 0, 0.1, results.Undecided},
		{nan, 0, 1, results.Undecided}, {1, nan, 2, results.Undecided}, {1, 2, nan, results.Undecided},
		{1, 2, math.Inf(1), results.Undecided}, {2, 1, 3, results.Undecided},
	} {
		iv := stat.Interval{Estimate: c.at, Lo: c.lo, Hi: c.hi}
		require.Equal(t, c.want, Finding{}.AtLeast(0, iv, true).Verdict, "%v", c)
		mirrored := stat.Interval{Estimate: -c.at, Lo: -c.hi, Hi: -c.lo}
		require.Equal(t, c.want, Finding{}.AtMost(0, mirrored, true).Verdict, "%v", c)
		require.Equal(t, results.Incomplete, Finding{}.AtMost(0, mirrored, false).Verdict)
	}
}

func TestConjunction(t *testing.T) {
	h, u, i, r := results.Holds, results.Undecided, results.Incomplete, results.Refuted
	for want, verdicts := range map[results.Verdict][]results.Verdict{h: {h, h}, u: {h, u}, i: {u, i, h}, r: {i, r, h}} {
		var of []Finding
		for _, v := range verdicts {
			of = append(of, Finding{Claim: "a", Verdict: v})
		}
		require.Equal(t, want, Joint(of...).Verdict)
	}
	joined := Conjunctions([]Finding{{Claim: "a", Row: "1", Verdict: h}, {Claim: "a", Row: "2", Verdict: r},
		{Claim: "b", Row: "1", Verdict: h}, {Claim: "a", Row: "1", Column: "c", Verdict: u}})
	require.Len(t, joined, 3)
	require.True(t, joined[0].IsJoint())
	require.Equal(t, r, joined[0].Verdict)
	require.False(t, joined[1].IsJoint())
	require.Equal(t, u, joined[2].Verdict)
}

func TestDrift(t *testing.T) {
	e := coins(5)
	published, err := e.Run(t.Context(), Options{Sets: here, Effort: props.Quick, Seed: 1})
	require.NoError(t, err)
	again := func() *Result {
		r, err := e.Decode([]byte(bytesOf(t, published)))
		require.NoError(t, err)
		return r
	}
	r := again()
	require.Empty(t, r.Drift(published))
	require.Empty(t, e.Unsound(r))
	require.NoError(t, e.Covers(published, []string{"x"}, props.Quick, 1))
	require.ErrorContains(t, e.Covers(published, []string{"x"}, props.Deep, 1), "effort quick, not deep")
	require.ErrorContains(t, e.Covers(published, []string{"x"}, props.Quick, 2), "seed 1, not 2")
	require.ErrorContains(t, e.Covers(published, []string{"y"}, props.Quick, 1), "data sets [x], not of [y]")

	r.Findings[0].Verdict = results.Undecided
	r.Findings[1].Estimate = published.Findings[1].Hi + 1e-6
	require.Equal(t, "few, here: undecided, published as holds", r.Drift(published)[0])
	require.Len(t, r.Drift(published), 2)
	r.Findings[1].Estimate = results.Number(math.NaN())
	require.Len(t, r.Drift(published), 2)
	require.Len(t, e.Unsound(r), 1)

	r = again()
	r.Findings = r.Findings[1:]
	require.Equal(t, []string{"few, here: published, and not found now"}, r.Drift(published))
	require.Equal(t, []string{"few, here: not among the published findings"}, published.Drift(r))
}

// Between processors an estimate may move by the slack of its finding beside its interval.
func TestNear(t *testing.T) {
	f := Finding{Estimate: 0.1, Lo: 0.05, Hi: 0.15, Slack: 0.005}
	require.True(t, f.near(0.151))
	require.False(t, f.near(0.156))
	f.Slack = 0
	require.False(t, f.near(0.151))
	f.Lo = results.Number(math.NaN())
	require.True(t, f.near(0.1))
	require.False(t, f.near(0.11))
	f.Estimate = f.Lo
	require.True(t, f.near(math.NaN()))
	require.False(t, f.near(0.1))
}
