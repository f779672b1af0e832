package soak

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

var quick = Run{Binary: "abc", Effort: props.Quick}

// entry is claim a/b at a seed: one criterion, and a control that half of 200 cases see on each of three replicates.
func entry(seed uint64, ratio float64) Entry {
	e := Entry{Seed: seed, Claim: "a/b", Verdict: results.Holds, Green: ratio <= 1, Seconds: 1,
		Criteria: []Criterion{{Check: "k", Name: "c", Form: results.Equation, Verdict: results.Holds,
			Ratio: results.Number(ratio),
			Cases: 200, Declined: 3}},
		Controls: []Tried{{Check: "k", Name: "wrong", Rejected: true, Form: results.YesNo, Ratio: 2,
			Replicates: 3, Cases: 600, Seen: 300}}}
	if ratio > 1 {
		e.Verdict, e.Criteria[0].Verdict = results.Refuted, results.Refuted
	}
	return e
}

func TestParseSeeds(t *testing.T) {
	seeds, err := ParseSeeds("1,5,7..9,8")
	require.NoError(t, err)
	require.Equal(t, []uint64{1, 5, 7, 8, 9}, seeds)
	last, err := ParseSeeds("18446744073709551614..18446744073709551615")
	require.NoError(t, err)
	require.Len(t, last, 2)
	for _, text := range []string{"", "x", "5..2", "1,,2", "-1", "1...3", "0..18446744073709551615", "1..2000001"} {
		_, err := ParseSeeds(text)
		require.Error(t, err, text)
	}
}

func FuzzParseSeeds(f *testing.F) {
	f.Add("1,5..9")
	f.Fuzz(func(t *testing.T, text string) {
		if seeds, err := ParseSeeds(text); err == nil && len(seeds) == 0 {
			t.Fatalf("no seed and no error from %q", text)
		}
	})
}

// TestJournal: a soak goes on where it stopped, also in the middle of a line, and refuses another program's.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	j, known, err := Open(dir, quick)
	require.NoError(t, err)
	require.Empty(t, known)
	require.NoError(t, j.Keep(entry(1, 0.1)))
	require.NoError(t, j.Keep(entry(2, 0.2)))
	require.NoError(t, j.Close())

	path := filepath.Join(dir, JournalName)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, whole[:len(whole)-5], 0o600))
	j, known, err = Open(dir, quick)
	require.NoError(t, err)
	require.Equal(t, []Entry{entry(1, 0.1)}, known)
	require.NoError(t, j.Keep(entry(3, 0.3)))
	require.NoError(t, j.Close())
	_, known, err = Read([]string{dir, path})
	require.NoError(t, err)
	require.Equal(t, []Entry{entry(1, 0.1), entry(3, 0.3)}, known, "each once, though read twice")

	before, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, other := range []Run{{Binary: "def", Effort: props.Quick}, {Binary: "abc", Effort: props.Deep}} {
		_, _, err := Open(dir, other)
		require.ErrorContains(t, err, "choose another directory")
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after, "nothing is lost")

	for name, content := range map[string]string{"empty": "", "another file": "{}\n", "text": "hello\nworld\n",
		"damaged": string(whole[:len(whole)-5]) + "\n"} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		_, _, err := Read([]string{dir})
		require.Error(t, err, name)
	}
}

// TestSummary: red rows are named, the others are extrapolated, and a control rests on the cases that detect it.
func TestSummary(t *testing.T) {
	var entries []Entry
	for seed := range uint64(60) {
		entries = append(entries, entry(seed, 0.01*math.Exp(0.3*math.Sin(float64(seed)))))
	}
	s := Summarise(quick, entries)
	require.Len(t, s.Seeds, 60)
	criterion, control := s.Items[0], s.Items[1]
	if criterion.Control {
		criterion, control = control, criterion
	}
	require.Equal(t, Extended, criterion.Basis)
	require.Less(t, float64(criterion.Chance), 1e-6)
	require.Equal(t, 180, criterion.Declined)
	require.Equal(t, Binomial, control.Basis)
	require.Less(t, float64(control.Upper), 1e-40)
	require.Empty(t, s.Budget().Overspent())

	s = Summarise(quick, append(entries, entry(99, 3)))
	require.Equal(t, "c", s.Items[0].Name)
	require.Equal(t, Occurring, s.Items[0].Basis)
	require.EqualValues(t, 99, s.Items[0].WorstSeed)
	require.Equal(t, 1, s.Items[0].Red)
	last := s.Seeds[len(s.Seeds)-1]
	require.Equal(t, []string{"a/b"}, last.Red)
	require.Equal(t, 1, last.Exit)
	require.NotEmpty(t, s.Budget().Overspent())

	undecided := entry(100, 0.5)
	undecided.Green, undecided.Verdict, undecided.Criteria[0].Verdict = false, results.Undecided, results.Undecided
	s = Summarise(quick, []Entry{undecided})
	require.Equal(t, 3, s.Seeds[0].Exit)
}

// TestJoin: results of two programs for one claim are not added up, and a page says which claims another program ran.
func TestJoin(t *testing.T) {
	write := func(run Run, entries ...Entry) string {
		dir := t.TempDir()
		j, _, err := Open(dir, run)
		require.NoError(t, err)
		for _, e := range entries {
			require.NoError(t, j.Keep(e))
		}
		require.NoError(t, j.Close())
		return dir
	}
	other := func(seed uint64) Entry {
		e := entry(seed, 0.5)
		e.Claim = "a/other"
		return e
	}
	before, after := quick, quick
	before.Commit, after.Commit, after.Binary = "before", "after", "def"
	old := write(before, entry(1, 2), entry(2, 0.1), other(1))
	part := write(before, entry(3, 2), other(2))
	changed := write(after, entry(1, 0.2))
	run, entries, err := Read([]string{old, part, changed})
	require.NoError(t, err)
	s := Summarise(run, entries)
	require.Equal(t, "after", s.Commit)
	require.Equal(t, []Other{{"before", []string{"a/other"}}}, s.Others)
	require.Len(t, entries, 3, "a/b from the changed program alone")
	for _, at := range s.Seeds {
		require.Zero(t, at.Exit, at)
	}
	_, _, err = Read([]string{old, write(Run{Commit: "before", Effort: props.Deep}, entry(1, 0.1))})
	require.ErrorContains(t, err, "two efforts")
}

// TestComplete: a published soak gives the claims that a later one leaves out, if they were green at the same seeds.
func TestComplete(t *testing.T) {
	of := func(commit string, entries ...Entry) *Summary {
		return Summarise(Run{Commit: commit, Effort: props.Quick}, entries)
	}
	named := func(slug string, seed uint64, ratio float64) Entry {
		e := entry(seed, ratio)
		e.Claim = slug
		return e
	}
	older := of("before", entry(1, 2), entry(2, 0.1), named("a/other", 1, 0.5), named("a/other", 2, 0.5))
	changed := func() *Summary { return of("after", entry(1, 0.2), entry(2, 0.2)) }
	s := changed()
	require.NoError(t, s.Complete(older))
	require.Equal(t, []Other{{"before", []string{"a/other"}}}, s.Others)
	require.Equal(t, 2, s.Claims)
	require.Len(t, s.Items, 4)
	for _, at := range s.Seeds {
		require.Equal(t, Seed{Seed: at.Seed, Claims: 2, Red: []string{}, Seconds: 3}, at)
	}
	again := of("last", named("a/other", 1, 0.5), named("a/other", 2, 0.5))
	require.NoError(t, again.Complete(s), "a chain of soaks keeps the program of each claim")
	require.Equal(t, []Other{{"after", []string{"a/b"}}}, again.Others)

	published, journal := t.TempDir(), t.TempDir()
	text, err := json.Marshal(older)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(published, SummaryName), text, 0o600))
	j, _, err := Open(journal, Run{Commit: "after", Effort: props.Quick})
	require.NoError(t, err)
	require.NoError(t, errors.Join(j.Keep(entry(1, 0.2)), j.Keep(entry(2, 0.2)), j.Close()))
	joined, err := Join([]string{published, journal})
	require.NoError(t, err)
	require.Equal(t, s.Items, joined.Items)
	_, err = Join([]string{published})
	require.ErrorContains(t, err, "nothing to join")
	require.NoError(t, os.WriteFile(filepath.Join(published, SummaryName), []byte("{}"), 0o600))
	_, err = Join([]string{published, journal})
	require.ErrorContains(t, err, "not a summary")

	require.ErrorContains(t, of("after", named("a/other", 1, 0.5), named("a/other", 2, 0.5)).Complete(older),
		"a/b was not green at seed 1")
	require.ErrorContains(t, of("after", entry(1, 0.2)).Complete(older), "other seeds")
	require.ErrorContains(t, changed().Complete(of("before", entry(1, 0.1), entry(2, 0.1), named("a/other", 1, 0.5))),
		"lacks claims at seed 2")
}

// TestBases: ratios without a tail are not extrapolated, and proven bounds need no tail.
func TestBases(t *testing.T) {
	basis := func(change func(e *Entry)) (Basis, Basis) {
		var entries []Entry
		for seed := range uint64(30) {
			e := entry(seed, 0.1*(1+0.3*math.Sin(float64(seed))))
			e.Controls[0].Form = results.Equation
			change(&e)
			entries = append(entries, e)
		}
		s := Summarise(quick, entries)
		if s.Items[0].Control {
			return s.Items[1].Basis, s.Items[0].Basis
		}
		return s.Items[0].Basis, s.Items[1].Basis
	}
	tail, _ := basis(func(*Entry) {})
	require.Equal(t, Extended, tail)
	proven, _ := basis(func(e *Entry) { e.Criteria[0].Proven = true })
	require.Equal(t, Proven, proven)
	zero, _ := basis(func(e *Entry) { e.Criteria[0].Ratio = 0 })
	require.Equal(t, Occurring, zero, "a bound that is never touched has no chance of 0")
	exact, _ := basis(func(e *Entry) { e.Criteria[0].Form, e.Criteria[0].Ratio = results.Exactness, 0 })
	require.Equal(t, Exact, exact)
	unseen := func(form results.Form) func(e *Entry) {
		return func(e *Entry) { e.Controls[0].Form, e.Controls[0].Cases, e.Controls[0].Seen = form, 0, 0 }
	}
	_, comparison := basis(unseen(results.Equation))
	require.Equal(t, Constant, comparison)
	_, yesNo := basis(unseen(results.YesNo))
	require.Equal(t, Occurring, yesNo, "a truth value is not the same number each time, it has no number")
}

// TestFewSeeds: a handful of green seeds proves no small probability.
func TestFewSeeds(t *testing.T) {
	s := Summarise(quick, []Entry{entry(1, 0.01), entry(2, 0.011)})
	for _, x := range s.Items {
		if !x.Control {
			require.Greater(t, float64(x.Upper), 0.5)
		}
	}
}

// TestMeasuredChances: a run takes the chance that was measured for the same claim, check, name and kind.
func TestMeasuredChances(t *testing.T) {
	run := results.Results{Claims: []results.Claim{{ID: "s/c", Criteria: []results.Criterion{{Check: "k", Name: "n"}},
		Controls: []results.Control{{Check: "k", Name: "n", Chance: 0.4}}}}}
	item := Item{Claim: "s/c", Check: "k", Name: "n", Chance: 0.1, Upper: 0.2}
	control := Item{Claim: "s/c", Check: "k", Name: "n", Control: true, Chance: 0.01, Upper: 0.02}
	b := BudgetOf(&run, &Summary{Items: []Item{item, control}})
	require.Zero(t, b.Unmeasured)
	require.Equal(t, []Risk{{"s/c", "k / n", item.chance()}, {"s/c", "k / control: n", control.chance()}}, b.Largest)
	item.Name, control.Control = "other", false
	control.Check = "other"
	b = BudgetOf(&run, &Summary{Items: []Item{item, control}})
	require.Equal(t, 1, b.Unmeasured)
	require.Equal(t, []Risk{{"s/c", "k / control: n", certain(0.4)}}, b.Largest)
}
