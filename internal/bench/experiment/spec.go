package experiment

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/thm-suite/thm/internal/strictjson"
	"github.com/thm-suite/thm/props"
)

// About is what there is to say about an experiment before it runs.
type About struct {
	Name   string // source/name, its argument on the command line and its folder in a report
	Title  string
	Source string   // what is repeated, and where it is printed
	Data   []string // data sets that it can run on; nil for one that draws its own
	Cost   string   // time of the standard effort
	Claims []Claim  // that are judged, in the order of the report
}

// Words are what an experiment is found by.
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

// Spec is an experiment with the types of its cells and of what a cell computes. A cell is one training run, cached as
// a whole; its JSON names it and its data set, if it has one, its String is for a reader.
type Spec[C fmt.Stringer, V any] struct {
	About
	Version int                    // raise it when what a cell computes changes
	Sizes   func(props.Effort) any // all that a cell's value depends on beside the cell, the seed and the data
	Plan    func(effort props.Effort, datasets []string) []C
	Train   func(ctx context.Context, env *Env, cell C) (V, error)
	Judge   func(Setting, []Run[C, V]) Judgement // of the runs that there are, in the order of the plan
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
func (s Spec[C, V]) Experiment() Experiment {
	return Experiment{About: s.About, version: s.Version, sizes: s.Sizes, plan: s.cells, judge: s.judged}
}

func (s Spec[C, V]) cells(effort props.Effort, datasets []string) []planned {
	var out []planned
	for _, c := range s.Plan(effort, datasets) {
		out = append(out, planned{s.Name + " " + c.String(), encoded(c),
			func(ctx context.Context, env *Env) (any, error) { return s.Train(ctx, env, c) }})
	}
	return out
}

// judged decodes the runs and judges them. Names that no cell or value has are errors.
func (s Spec[C, V]) judged(setting Setting, raw []RawRun) (Judgement, error) {
	runs, err := Runs[C, V](raw)
	if err != nil {
		return Judgement{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	return s.Judge(setting, runs), nil
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
func encoded(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("experiment: no JSON: " + err.Error())
	}
	return b
}
