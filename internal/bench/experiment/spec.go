package experiment

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/strictjson"
	"github.com/thm-suite/thm/props"
)

// About describes an experiment before it runs.
type About struct {
	Name   string // source/name, its argument on the command line and its folder in a report
	Title  string
	Source string   // what is repeated, and where it is printed
	Data   []string // data sets that it can run on; nil for one that draws its own
	Cost   string   // time of the standard effort
	Claims []Claim  // that are judged, in the order of the report
}

// Words returns the words by which an experiment is found.
func (e Experiment) Words() (name, title string) { return e.Name, e.Title }

// Claim is a sentence that is judged wherever the experiment tries it.
type Claim struct {
	ID       string
	Title    string
	Sentence string
	Quantity string // that the intervals are for
	Points   bool   // the quantity is a difference of accuracies, and shown in percentage points
	Spread   bool   // it compares spreads, which runs that are all alike, or only two, do not have
}

// Spec is an experiment with the types of its sizes, of its cells and of what a cell computes. A cell is one training
// run, cached as a whole; its JSON names it and its data set, if it has one, its String is for a reader.
type Spec[S any, C fmt.Stringer, V any] struct {
	About
	Version int                // raise it when what a cell computes changes
	Sizes   map[props.Effort]S // all that a cell's value depends on besides the cell, the seed and the data
	Runs    map[props.Effort]int
	Cells   func(e props.Effort, run int, dataset string) []C // of one run, without a data set where there are none
	Train   func(ctx context.Context, env *Env, s S, cell C) (V, error)
	Judge   func(Setting, S, []Run[C, V]) Judgement // of the runs that there are, in the order of the plan
}

// Run is a cell with its value.
type Run[C, V any] struct {
	Cell  C `json:"cell"`
	Value V `json:"value"`
}

// Experiment is a [Spec] without its types.
type Experiment struct {
	About
	version int
	sizes   func(props.Effort) any
	plan    func(props.Effort, []string) []planned
	judge   func(Setting, []RawRun) (Judgement, error)
}

// RawRun is a run as it is stored.
type RawRun = Run[json.RawMessage, json.RawMessage]

// planned is a cell before it runs.
type planned struct {
	name  string
	cell  json.RawMessage
	train func(ctx context.Context, env *Env) (any, error)
}

// Experiment forgets the types.
func (s Spec[S, C, V]) Experiment() Experiment {
	return Experiment{About: s.About, version: s.Version, plan: s.planned, judge: s.judged,
		sizes: func(e props.Effort) any { return s.Sizes[e] }}
}

// Plan lists the cells. Runs come first, so that an interrupted run has fewer of them of everything.
func (s Spec[S, C, V]) Plan(e props.Effort, datasets []string) (out []C) {
	if s.Data == nil {
		datasets = []string{""}
	}
	for run := range s.Runs[e] {
		for _, d := range datasets {
			out = append(out, s.Cells(e, run, d)...)
		}
	}
	return out
}

func (s Spec[S, C, V]) planned(e props.Effort, datasets []string) (out []planned) {
	for _, c := range s.Plan(e, datasets) {
		out = append(out, planned{s.Name + " " + c.String(), encoded(c),
			func(ctx context.Context, env *Env) (any, error) { return s.Train(ctx, env, s.Sizes[e], c) }})
	}
	return out
}

// judged decodes the runs and judges them. Names that no cell or value has are errors.
func (s Spec[S, C, V]) judged(setting Setting, raw []RawRun) (Judgement, error) {
	runs, err := Runs[C, V](raw)
	if err != nil {
		return Judgement{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	setting.Runs = s.Runs[setting.Effort]
	return s.Judge(setting, s.Sizes[setting.Effort], runs), nil
}

// Runs gives stored runs their types.
func Runs[C, V any](raw []RawRun) ([]Run[C, V], error) {
	runs := make([]Run[C, V], len(raw))
	for i, r := range raw {
		err := strictjson.Decode(r.Cell, &runs[i].Cell)
		if err == nil {
			err = strictjson.Decode(r.Value, &runs[i].Value)
		}
		if err != nil {
			return nil, fmt.Errorf("run %d, %s: %w", i, r.Cell, err)
		}
	}
	return runs, nil
}

// encoded is the JSON of a value that has one.
func encoded(v any) json.RawMessage { return must.Get(json.Marshal(v)) }
