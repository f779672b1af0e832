package study

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
)

const trialFormat = "thm.study.trial/v1"

// planting is a change of a function: nothing, or work of a share of the instructions of the benchmark that calls it.
type planting struct {
	name  string
	share float64
}

const (
	unchanged      = "unchanged"
	anotherComment = "another comment"
	anotherForm    = "another form"
	oneAllocation  = "one allocation"
)

var plantings = []planting{{anotherComment, 0}, {anotherForm, 0}, {"0.5 %", 0.005}, {"1 %", 0.01}, {"2 %", 0.02},
	{"5 %", 0.05}, {"20 %", 0.2}, {oneAllocation, 0}}

// null reports whether the change leaves what the function does as it is.
func (p planting) null() bool { return p.name == anotherComment || p.name == anotherForm }

// unit is that in which the change must be found.
func (p planting) unit() string {
	if p.name == oneAllocation {
		return "allocs/op"
	}
	return measure.InstructionUnit
}

// TrialRound is one sample of each benchmark and version of a module that was measured in a round.
type TrialRound struct {
	Module  string         `json:"module"`
	Round   int            `json:"round"`
	Seconds float64        `json:"seconds"`
	Load    float64        `json:"load"`
	Steps   map[string]int `json:"steps"` // of the loop that was planted, by the name of the change
	Samples []TrialSample  `json:"samples"`
}

// TrialSample is a sample of a benchmark and a version.
type TrialSample struct {
	Name   string             `json:"name"`
	Arm    string             `json:"arm"`
	Values map[string]float64 `json:"values,omitempty"` // by unit
	Why    string             `json:"why,omitempty"`    // it failed, or was not counted
}

func trialSample(s measure.Sample) TrialSample {
	out := TrialSample{Name: s.Name, Arm: s.Arm, Why: s.Fail + s.Uncounted}
	if s.Result != nil {
		out.Values = map[string]float64{}
		for _, v := range s.Result.Values {
			out.Values[v.Unit] = v.Value
		}
	}
	return out
}

// sample is what trialSample was made from, as far as a judgement needs it.
func (s TrialSample) sample(pkg string, round int) measure.Sample {
	out := measure.Sample{Benchmark: measure.Benchmark{Package: pkg, Name: s.Name}, Arm: s.Arm, Round: round}
	if len(s.Values) == 0 {
		out.Fail = s.Why
		return out
	}
	out.Uncounted = s.Why
	out.Result = &benchfmt.Result{Name: benchfmt.Name(s.Name), Iters: 1}
	for _, unit := range []string{"sec/op", "B/op", "allocs/op", measure.InstructionUnit} {
		if x, ok := s.Values[unit]; ok {
			out.Result.Values = append(out.Result.Values, benchfmt.Value{Value: x, Unit: unit})
		}
	}
	out.Units = []*benchfmt.UnitMetadata{{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: measure.InstructionUnit,
		Key: "better"}, OrigUnit: measure.InstructionUnit, Value: "lower"}}
	return out
}

// TrialData is a trial as far as it has come.
type TrialData struct {
	Plan   CountPlan
	Rounds []TrialRound
}

// ReadTrial reads the data of a trial.
func ReadTrial(text []byte) (*TrialData, error) {
	plan, rounds, err := readCounts(text, trialFormat, func(r TrialRound) error {
		if r.Round < 0 || len(r.Samples) == 0 || !(r.Seconds > 0) {
			return fmt.Errorf("round %d of %s holds nothing", r.Round, r.Module)
		}
		return nil
	})
	return &TrialData{plan, rounds}, err
}

// rounds are those of a module.
func (d *TrialData) rounds(s subject) []TrialRound {
	return slices.DeleteFunc(slices.Clone(d.Rounds), func(r TrialRound) bool { return r.Module != s.module })
}

// complete reports whether a module has all rounds: those of the second look only if the first left something open.
func (d *TrialData) complete(s subject) (bool, error) {
	n, looks := len(d.rounds(s)), s.looks()
	if n < looks[0] || n == looks[1] {
		return n == looks[1], nil
	}
	benchmarks, _, err := d.open(s)
	return n == looks[0] && len(benchmarks) == 0, err
}

// open are the benchmarks and versions that the second look measures: what the first of any comparison leaves open.
func (d *TrialData) open(s subject) (benchmarks []measure.Benchmark, arms []string, err error) {
	arms = []string{diff.Old, diff.Again}
	for _, p := range plantings {
		_, open, _, err := d.judge(s, p.name)
		if err != nil {
			return nil, nil, err
		}
		if len(open) > 0 {
			benchmarks, arms = append(benchmarks, open...), append(arms, p.name)
		}
	}
	decided := func(b measure.Benchmark) bool { return !slices.Contains(benchmarks, b) }
	return slices.DeleteFunc(s.benchmarks(), decided), arms, nil
}

// looks are the rounds up to each look, as benchgate diff has them.
func (s subject) looks() []int {
	return diff.Schedule(firstLook, 1, len(s.benchmarks()), compare.DefaultPolicy().Alpha, true)
}

// judge is the table of benchgate diff for a planting, the benchmarks that its first look left open, and the number of
// samples that it rests on: in the second look only what was open has more rounds.
func (d *TrialData) judge(s subject, arm string) (t *compare.Table, open []measure.Benchmark, samples int, err error) {
	looks := s.looks()
	c := diff.Comparison{Rounds: firstLook, Looks: looks, Old: "old", New: "new", Policy: compare.DefaultPolicy()}
	c.Policy.GateOn = compare.GateOnBoth
	for look, last := range looks {
		c.Samples = nil
		for _, r := range d.rounds(s) {
			for _, x := range r.Samples {
				sample := x.sample(s.path(), r.Round)
				if sample.Arm == arm {
					sample.Arm = diff.New
				}
				if slices.Contains(diff.Arms, sample.Arm) && r.Round < last &&
					(r.Round < looks[0] || slices.Contains(open, sample.Benchmark)) {
					c.Samples = append(c.Samples, sample)
				}
			}
		}
		if t, err = c.Table(); err != nil {
			return nil, nil, 0, err
		}
		if look == 0 {
			open = c.Open(t, s.benchmarks())
		}
	}
	return t, open, len(c.Samples), nil
}

// TrialResult is what a trial found.
type TrialResult struct {
	Plan      CountPlan     `json:"plan"`
	Load      [3]float64    `json:"load"` // least, median and greatest load average
	Modules   []TrialModule `json:"modules"`
	Unchanged []TrialNull   `json:"unchanged"`
	Accused   []string      `json:"accused"` // of the rows in which nothing changed
}

// TrialModule is what was found in a module.
type TrialModule struct {
	Module       string        `json:"module"`
	Version      string        `json:"version"`
	Benchmark    string        `json:"benchmark"`
	Instructions float64       `json:"instructions"` // of an operation, unchanged
	Seconds      float64       `json:"seconds"`      // of a sample
	Plantings    []TrialChange `json:"plantings"`
}

// TrialChange is what was found of a change.
type TrialChange struct {
	Planted string        `json:"planted"`
	Ratio   number.Number `json:"ratio"` // of the medians of instructions
	Verdict string        `json:"verdict"`
	Code    int           `json:"code"` // with which benchgate diff ends
	Minutes float64       `json:"minutes"`
}

// TrialNull counts the rows of a unit in which nothing changed.
type TrialNull struct {
	Unit      string   `json:"unit"`
	Accused   Fraction `json:"accused"`
	Better    int      `json:"better"`
	Same      int      `json:"same"`
	Undecided int      `json:"undecided"`
	Unusable  int      `json:"unusable"` // or not counted
}

// where is a row that was accused, though its code did not change.
func (p planting) where(s subject, r compare.Row) string {
	return fmt.Sprintf("%s of %s in %s with %s", measure.Bare(r.Name), s.module, r.Unit, p.name)
}

// Judge judges a trial as far as it has come.
func (d *TrialData) Judge() (*TrialResult, error) {
	r := &TrialResult{Plan: d.Plan, Load: loadsOf(list.Map(d.Rounds, func(r TrialRound) float64 { return r.Load }))}
	tally := map[string]map[compare.Decision]int{}
	for _, s := range subjects {
		if whole, err := d.complete(s); err != nil || !whole {
			if err != nil {
				return nil, err
			}
			continue
		}
		m := TrialModule{Module: s.module, Version: s.version, Benchmark: s.touched}
		samples := 0
		for _, round := range d.rounds(s) {
			m.Seconds, samples = m.Seconds+round.Seconds, samples+len(round.Samples)
		}
		m.Seconds /= float64(samples)
		for _, p := range plantings {
			table, _, used, err := d.judge(s, p.name)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", s.module, p.name, err)
			}
			change := TrialChange{Planted: p.name, Ratio: number.Number(math.NaN()), Verdict: "no row",
				Code: table.Outcome().Code, Minutes: float64(used) * m.Seconds / 60}
			for _, row := range table.Rows {
				touched := measure.Bare(row.Name) == s.touched
				if touched && row.Unit == measure.InstructionUnit {
					change.Ratio = row.New.Center / row.Old.Center
					m.Instructions = float64(row.Old.Center)
				}
				if touched && row.Unit == p.unit() {
					change.Verdict = row.Verdict.Word(row.Unit)
				}
				if !touched || p.null() {
					if tally[row.Unit] == nil {
						tally[row.Unit] = map[compare.Decision]int{}
					}
					tally[row.Unit][row.Verdict]++
					if row.Verdict == compare.Slower {
						r.Accused = append(r.Accused, p.where(s, row))
					}
				}
			}
			m.Plantings = append(m.Plantings, change)
		}
		r.Modules = append(r.Modules, m)
	}
	if len(r.Modules) == 0 {
		return nil, fmt.Errorf("no module was measured yet")
	}
	for _, unit := range []string{measure.InstructionUnit, "allocs/op", "B/op", "sec/op"} {
		rows := 0
		for _, n := range tally[unit] {
			rows += n
		}
		of := tally[unit]
		n := TrialNull{Unit: unit, Accused: fraction(of[compare.Slower], rows), Better: of[compare.Faster],
			Same: of[compare.Same], Undecided: of[compare.Undecided]}
		n.Unusable = rows - n.Accused.Events - n.Better - n.Same - n.Undecided
		r.Unchanged = append(r.Unchanged, n)
	}
	return r, nil
}
