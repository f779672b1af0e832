package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/streams"
)

// inventedTrial is a trial of the first subject whose counts vary by a ten-thousandth. What is planted has its effect
// on the benchmark that calls the function, times a factor; bystanders have a share more.
func inventedTrial(effect, bystanders float64) *TrialData {
	s, rng, d := subjects[0], streams.New(1, "study", "trial"), &TrialData{}
	all := append([]planting{{diff.Old, 0}, {diff.Again, 0}}, plantings...)
	for round := range s.looks()[1] {
		r := TrialRound{Module: s.module, Round: round, Seconds: 60, Load: float64(round)}
		for _, p := range all {
			for k, b := range s.benchmarks() {
				share, allocations := bystanders, 1.0
				if k == 0 {
					share = effect * p.share
				}
				if k == 0 && p.name == oneAllocation {
					allocations++
				}
				if k > 0 && (p.name == diff.Old || p.name == diff.Again) {
					share = 0
				}
				r.Samples = append(r.Samples, TrialSample{Name: b.Name, Arm: p.name, Values: map[string]float64{
					"sec/op": 1e-5 * math.Exp(0.1*rng.NormFloat64()), "B/op": 16 * allocations, "allocs/op": allocations,
					measure.InstructionUnit: 1e5 * (1 + share) * math.Exp(1e-4*rng.NormFloat64())}})
			}
		}
		d.Rounds = append(d.Rounds, r)
	}
	return d
}

// A trial finds what is planted from the margin on, and accuses nothing else; and it would say so if that were not so.
func TestTrial(t *testing.T) {
	words := func(d *TrialData) (found string, r *TrialResult) {
		r, err := d.Judge()
		require.NoError(t, err)
		require.Len(t, r.Modules, 1)
		for _, c := range r.Modules[0].Plantings {
			found += fmt.Sprintf("%s: %s %d; ", c.Planted, c.Verdict, c.Code)
		}
		return found, r
	}
	found, r := words(inventedTrial(1.01, 0))
	require.Equal(t, "another comment: same 0; another form: same 0; 0.5 %: same 0; 1 %: worse 1; 2 %: worse 1; "+
		"5 %: worse 1; 20 %: worse 1; one allocation: worse 1; ", found)
	for i, rows := range []int{18, 18, 18} { // two bystanders of eight changes, and two that change nothing
		require.Equal(t, rows, r.Unchanged[i].Accused.Trials)
		require.Zero(t, r.Unchanged[i].Accused.Events)
		require.Equal(t, rows, r.Unchanged[i].Same, r.Unchanged[i].Unit)
	}
	require.Contains(t, r.Markdown(), "| 2 % | 1 of 1 | 0 | 0 | 0, 1, 0 |")
	last := r.Modules[0].Plantings[6]
	first := r.Modules[0].Plantings[0]
	require.Greater(t, last.Minutes, first.Minutes) // what is open has more rounds

	found, _ = words(inventedTrial(0, 0))
	require.Contains(t, found, "20 %: same 0; one allocation: worse 1")
	for share, want := range map[float64][2]int{0: {1, 18}, 0.03: {0, 0}} { // what is slower has a second look
		d := inventedTrial(1, 0)
		for _, round := range inventedTrial(0, share).Rounds[:firstLook] {
			round.Stage = nulls
			for i, x := range round.Samples {
				for k, p := range plantings[:len(same)] {
					if x.Arm == p.name {
						round.Samples[i].Arm = same[k].name
					}
				}
				round.Samples[i].Values = map[string]float64{measure.InstructionUnit: x.Values[measure.InstructionUnit]}
			}
			d.Rounds = append(d.Rounds, round)
		}
		_, r = words(d)
		further := slices.DeleteFunc(slices.Clone(r.Unchanged), func(n TrialNull) bool { return n.Stage != nulls })
		require.Equal(t, want[0], r.Further)
		require.Len(t, further, want[0])
		for _, n := range further {
			require.Equal(t, want[1], n.Same)
		}
	}

	d := inventedTrial(1, 0)
	for k := range 2 * timeLook { // counts as times, so that both looks are decided
		round := inventedTrial(1.01, 0).Rounds[k/2]
		round.Stage, round.Round = byTime, k
		for i, x := range round.Samples {
			round.Samples[i].Values = map[string]float64{"sec/op": x.Values[measure.InstructionUnit]}
		}
		d.Rounds = append(d.Rounds, round)
	}
	_, r = words(d)
	require.Len(t, r.Timed, 1)
	for i, verdict := range []string{"same", "slower", "slower"} {
		require.Equal(t, verdict, r.Timed[0].Plantings[i].Verdict)
	}
	require.Contains(t, r.Markdown(), "| AppendLargeNFC | 20 % | slower |")

	_, r = words(inventedTrial(1, 0.03))
	require.Equal(t, 16, r.Unchanged[0].Accused.Events)
	for n, want := range map[int]bool{2: false, firstLook: false, firstLook + 1: false, subjects[0].looks()[1]: true} {
		whole, err := (&TrialData{Rounds: inventedTrial(1, 0).Rounds[:n]}).complete(subjects[0])
		require.NoError(t, err)
		require.Equal(t, want, whole, "%d rounds", n)
	}
	_, err := (&TrialData{}).Judge()
	require.ErrorContains(t, err, "no module")
}

// Every planting changes the function of a subject and leaves its package clause; code of another version is refused.
func TestPlanted(t *testing.T) {
	for _, s := range subjects {
		code := "// Package x\npackage x\n\n" + s.function + "\n" + s.form + "\n}\n"
		for _, p := range append(plantings, planting{"calibration", 0}) {
			changed, beside, err := s.plant(code, p, 7)
			require.NoError(t, err, s.module)
			require.NotEqual(t, code, changed)
			require.Equal(t, p.share > 0 || p.name == oneAllocation || p.name == "calibration",
				strings.HasPrefix(beside, "package x\n"), p.name)
			_, _, err = s.plant("package x\n", p, 7)
			require.Equal(t, p.name == anotherComment, err == nil)
		}
	}
}

// A source that cannot be put back after its build is an error: what is planted next would come on top of it.
func TestSourcePutBack(t *testing.T) {
	s, dir := subjects[0], t.TempDir()
	at := filepath.Join(dir, s.file)
	require.NoError(t, os.WriteFile(at, []byte("package x\n"), 0o644))
	ctx, stop := context.WithCancel(t.Context())
	stop() // so that nothing is built
	built := func(note func(string)) error {
		_, err := (&trial{subject: s, source: measure.Package{Dir: dir}, note: note}).build(ctx, "x", plantings[0], 0)
		require.Error(t, err)
		return err
	}
	require.NotContains(t, built(func(string) {}).Error(), s.file)
	text, err := os.ReadFile(at)
	require.NoError(t, err)
	require.Equal(t, "package x\n", string(text))
	require.ErrorContains(t, built(func(string) {
		require.NoError(t, errors.Join(os.Remove(at), os.Mkdir(at, 0o755)))
	}), s.file+": is a directory")
}

// Pairs of identical code are not accused, whatever the processes have in common: here some are slower than others. A
// module whose pool is not whole is refused.
func TestPairs(t *testing.T) {
	rng, d := streams.New(1, "study", "pairs"), &pairsData{Plan: CountPlan{Format: pairsFormat, Seed: 1}}
	for _, s := range pairSubjects {
		for i := range poolSize {
			text := "goos: linux\ngoarch: amd64\npkg: m\ncpu: x\n"
			for range 10 {
				text += fmt.Sprintf("BenchmarkA-2\t100\t%.1f ns/op\t%d B/op\t%d allocs/op\n", 1000+float64(i)*50+rng.Float64(),
					64+8*i, i)
			}
			d.Pool = append(d.Pool, poolProcess{s.module, float64(i), text + "PASS\n"})
		}
	}
	r, err := d.judge()
	require.NoError(t, err)
	require.Equal(t, 400, r.Accused.Trials)
	require.Zero(t, r.Accused.Events)
	require.Contains(t, r.Markdown(), "Accused: 0 of 400")
	require.Greater(t, r.Benchstat.Events, 100)
	for _, m := range r.Modules {
		require.Equal(t, 80, m.Codes[0]+m.Codes[3])
	}

	var text bytes.Buffer
	for _, v := range []any{d.Plan, d.Pool[0]} {
		require.NoError(t, json.NewEncoder(&text).Encode(v))
	}
	_, err = Publish(text.Bytes())
	require.ErrorContains(t, err, "golang.org/x/text has 1 processes of 20; go on with --measure")
	require.Equal(t, "BenchmarkB\t1\nBenchmarkC\t1\nPASS\nok  \texample.org/m\t1.000s\n",
		firstOf("BenchmarkB\t1\nBenchmarkB\t2\nBenchmarkC\t1\nPASS\n", 1))
}
