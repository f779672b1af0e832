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
	unchanged       = "unchanged"
	anotherComment  = "another comment"
	anotherForm     = "another form"
	anotherFunction = "another function beside it"
	linkerOrder     = "linker order " // and a number, from which it is drawn
	oneAllocation   = "one allocation"
)

var plantings = []planting{{anotherComment, 0}, {anotherForm, 0}, {"0.5 %", 0.005}, {"1 %", 0.01}, {"2 %", 0.02},
	{"5 %", 0.05}, {"20 %", 0.2}, {oneAllocation, 0}}

// timed lists the plantings of the comparisons by time.
var timed = []planting{{anotherForm, 0}, {"5 %", 0.05}, {"20 %", 0.2}}

// same are the builds of the further comparisons, which do the same as the old code.
var same = []planting{{anotherComment, 0}, {anotherForm, 0}, {anotherFunction, 0}, {linkerOrder + "1", 0},
	{linkerOrder + "2", 0}, {linkerOrder + "3", 0}}

// null reports whether the change leaves what the function does as it is.
func (p planting) null() bool { return slices.Contains(same, p) }

// unit returns the unit in which the change must be found.
func (s subject) unit(p planting) string {
	switch {
	case s.stage == byTime:
		return "sec/op"
	case p.name == oneAllocation:
		return "allocs/op"
	}
	return measure.InstructionUnit
}

// The numbers of rounds after which counts and times are first looked at, as in benchgate diff.
const firstLook, timeLook = 3, 10

// TrialRound is one sample of each benchmark and version of a module that was measured in a round.
type TrialRound struct {
	Module  string         `json:"module"`
	Round   int            `json:"round"`
	Seconds float64        `json:"seconds"`
	Load    float64        `json:"load"`
	Stage   string         `json:"stage,omitempty"`
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

func (s subject) trialSample(x measure.Sample) TrialSample {
	out := TrialSample{Name: x.Name, Arm: x.Arm, Why: x.Fail + x.Uncounted}
	if x.Result != nil {
		out.Values = map[string]float64{}
		for _, v := range x.Result.Values {
			if s.stage != nulls || v.Unit == measure.InstructionUnit {
				out.Values[v.Unit] = v.Value
			}
		}
	}
	return out
}

// sample returns the sample that trialSample was given, as far as a judgement needs it.
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

// rounds returns the rounds of a module.
func (d *TrialData) rounds(s subject) []TrialRound {
	return slices.DeleteFunc(slices.Clone(d.Rounds), func(r TrialRound) bool {
		return r.Module != s.module || r.Stage != s.stage
	})
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
	for _, p := range s.plantings() {
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

// judge is the table of benchgate diff for a planting, the benchmarks that its first look left open, and the number of
// samples that it rests on: in the second look only what was open has more rounds.
func (d *TrialData) judge(s subject, arm string) (t *compare.Table, open []measure.Benchmark, samples int, err error) {
	looks := s.looks()
	c := diff.Comparison{Rounds: looks[0], Looks: looks, Old: "old", New: "new", Policy: compare.DefaultPolicy()}
	if s.stage != byTime {
		c.Policy.GateOn = compare.GateOnBoth
	}
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

// TrialResult holds the results of a trial.
type TrialResult struct {
	Plan      CountPlan     `json:"plan"`
	Load      [3]float64    `json:"load"` // least, median and greatest load average
	Modules   []TrialModule `json:"modules"`
	Further   int           `json:"further"` // modules that were compared with further builds that do the same
	Timed     []TrialModule `json:"timed"`   // by time alone
	Unchanged []TrialNull   `json:"unchanged"`
	Accused   []string      `json:"accused"` // of the rows in which nothing changed
}

// TrialModule holds the results for one module.
type TrialModule struct {
	Module    string        `json:"module"`
	Version   string        `json:"version"`
	Benchmark string        `json:"benchmark"`
	Operation float64       `json:"operation"` // unchanged, in instructions or seconds
	Seconds   float64       `json:"seconds"`   // of a sample
	Load      [3]float64    `json:"load"`      // least, median and greatest load average
	Plantings []TrialChange `json:"plantings"`
}

// TrialChange holds the results for one change.
type TrialChange struct {
	Planted string        `json:"planted"`
	Ratio   number.Number `json:"ratio"` // of the medians
	Verdict string        `json:"verdict"`
	Code    int           `json:"code"` // with which benchgate diff ends
	Minutes float64       `json:"minutes"`
}

// TrialNull counts the rows of a unit in which nothing changed.
type TrialNull struct {
	Unit      string   `json:"unit"`
	Stage     string   `json:"stage"`
	Accused   Fraction `json:"accused"`
	Overruled int      `json:"overruled"` // slower at the same count, which does not gate
	Better    int      `json:"better"`
	Same      int      `json:"same"`
	Undecided int      `json:"undecided"`
	Unusable  int      `json:"unusable"` // or not counted
}

// overruled stands for time that is slower at the same count, and does not gate.
const overruled compare.Decision = "overruled"

// where is a row that was accused, though its code did not change.
func (p planting) where(s subject, r compare.Row) string {
	return fmt.Sprintf("%s of %s in %s with %s", measure.Bare(r.Name), s.module, r.Unit, p.name)
}

// Judge judges a trial as far as it has come.
func (d *TrialData) Judge() (*TrialResult, error) {
	r := &TrialResult{Plan: d.Plan}
	var counted []TrialRound
	for _, stage := range []string{planted, nulls, byTime} {
		tally := map[string]map[compare.Decision]int{}
		for _, s := range stages(stage) {
			whole, err := d.complete(s)
			if err != nil {
				return nil, err
			}
			if !whole {
				continue
			}
			m, err := d.module(s, func(p planting, row compare.Row) {
				verdict := row.Verdict
				if tally[row.Unit] == nil {
					tally[row.Unit] = map[compare.Decision]int{}
				}
				if verdict == compare.Slower && !row.Gated {
					verdict = overruled
				}
				tally[row.Unit][verdict]++
				if verdict == compare.Slower {
					r.Accused = append(r.Accused, p.where(s, row))
				}
			})
			if err != nil {
				return nil, err
			}
			switch stage {
			case planted:
				r.Modules = append(r.Modules, m)
			case nulls:
				r.Further++
			case byTime:
				r.Timed = append(r.Timed, m)
			}
			if stage != byTime {
				counted = append(counted, d.rounds(s)...)
			}
		}
		for _, unit := range []string{measure.InstructionUnit, "allocs/op", "B/op", "sec/op"} {
			if of := tally[unit]; of != nil {
				r.Unchanged = append(r.Unchanged, nullOf(unit, stage, of))
			}
		}
	}
	if len(r.Modules) == 0 {
		return nil, fmt.Errorf("no module was measured yet")
	}
	r.Load = loadsOf(list.Map(counted, roundLoad))
	return r, nil
}

func roundLoad(r TrialRound) float64 { return r.Load }

// nullOf counts the verdicts of the rows of a unit in which nothing changed.
func nullOf(unit, stage string, of map[compare.Decision]int) TrialNull {
	rows := 0
	for _, n := range of {
		rows += n
	}
	n := TrialNull{Unit: unit, Stage: stage, Accused: fraction(of[compare.Slower], rows), Overruled: of[overruled],
		Better: of[compare.Faster], Same: of[compare.Same], Undecided: of[compare.Undecided]}
	n.Unusable = rows - n.Accused.Events - n.Overruled - n.Better - n.Same - n.Undecided
	return n
}

// module judges the comparisons of a module, and calls a function with the rows in which nothing changed.
func (d *TrialData) module(s subject, unchanged func(planting, compare.Row)) (TrialModule, error) {
	m := TrialModule{Module: s.module, Version: s.version, Benchmark: s.touched,
		Load: loadsOf(list.Map(d.rounds(s), roundLoad))}
	samples := 0
	for _, round := range d.rounds(s) {
		m.Seconds, samples = m.Seconds+round.Seconds, samples+len(round.Samples)
	}
	m.Seconds /= float64(samples)
	for _, p := range s.plantings() {
		table, _, used, err := d.judge(s, p.name)
		if err != nil {
			return m, fmt.Errorf("%s, %s: %w", s.module, p.name, err)
		}
		change := TrialChange{Planted: p.name, Ratio: number.Number(math.NaN()), Verdict: "no row",
			Code: table.Outcome().Code, Minutes: float64(used) * m.Seconds / 60}
		of := s.unit(planting{})
		for _, row := range table.Rows {
			touched := measure.Bare(row.Name) == s.touched
			if touched && row.Unit == of {
				change.Ratio, m.Operation = row.New.Center/row.Old.Center, float64(row.Old.Center)
			}
			if touched && row.Unit == s.unit(p) {
				change.Verdict = row.Verdict.Word(row.Unit)
			}
			if !touched || p.null() {
				unchanged(p, row)
			}
		}
		m.Plantings = append(m.Plantings, change)
	}
	return m, nil
}
