package recorded

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/results"
)

// NotApplicable is the verdict on a claim one of whose hypotheses a recording does not meet. It is never green.
const NotApplicable results.Verdict = "not applicable"

// Schema is the version of the format of a [Result].
const Schema = "thm.certificate.run/v1"

// Result holds the verdicts on all claims about a gradient step, for every layer and step of a recording.
type Result struct {
	Schema  string          `json:"schema"`
	Folder  string          `json:"folder"`
	Writer  string          `json:"writer"`
	Verdict results.Verdict `json:"verdict"` // the worst of all that are applicable; an error if one was not judged
	Claims  []string        `json:"claims"`
	Layers  []string        `json:"layers"`
	Steps   []int           `json:"steps"`
	Cells   []Cell          `json:"cells"`
	LeftOut []LeftOut       `json:"left_out"`
	Errors  []string        `json:"errors"` // files that could not be judged
}

// Cell is one claim on one layer in one step.
type Cell struct {
	Claim      string          `json:"claim"`
	Layer      string          `json:"layer"`
	Step       int             `json:"step"`
	Verdict    results.Verdict `json:"verdict"`
	Hypothesis string          `json:"hypothesis,omitempty"` // that is not met, of a claim that is not applicable
	Criteria   []Criterion     `json:"criteria"`
}

// claims lists the claims about one gradient step of one layer, with the links that they rest on.
var claims = []struct {
	slug  string
	links []string
	holds func(Record) (hypothesis string)
}{
	{"vcl/equation", []string{linkGradient, linkInputs, linkSides}, func(Record) string { return "" }},
	{"vcl/residual", []string{linkUpdate, linkFirst, linkSecond}, func(r Record) string {
		if r.Conv != nil {
			return "a layer without shared positions: a convolution is that of vcl/convolution"
		}
		return undecayed(r)
	}},
	{"vcl/convolution", []string{linkUpdate, linkFirst, linkSecond}, func(r Record) string {
		if r.Conv == nil {
			return "a convolution: this layer is none"
		}
		return undecayed(r)
	}},
	{"vcl/decay", []string{linkUpdate, linkFirst, linkSecond}, func(r Record) string {
		if r.Number("weight_decay") == 0 {
			return "weight decay: the optimizer has none"
		}
		return plain(r)
	}},
	{"vcl/steps", []string{linkUpdate, linkFirst, linkSecond}, undecayed},
	// add here
}

// plain names what a step has besides the gradient and weight decay; "" if nothing.
func plain(r Record) string {
	switch {
	case r.Optimizer != "SGD":
		return "plain gradient descent: the optimizer is " + r.Optimizer
	case r.Number("momentum") != 0:
		return fmt.Sprintf("plain gradient descent: the optimizer has momentum %g", r.Number("momentum"))
	case r.Number("maximize") != 0:
		return "descent: the optimizer goes up"
	}
	return ""
}

func (c *chain) plain() string { return plain(c.Record) }

func undecayed(r Record) string {
	if d := r.Number("weight_decay"); d != 0 && plain(r) == "" {
		return fmt.Sprintf("a step along the gradient of the loss alone: the optimizer has weight decay %g", d)
	}
	return plain(r)
}

// judged holds the verdicts on one record.
type judged struct {
	record  Record
	cells   []Cell
	weights [2]*mat.Dense // before and after, where the next step is recorded too
	err     error
}

// Judge judges a recording, with several workers. Progress may be nil.
func Judge(ctx context.Context, dir string, jobs int, progress func(done, planned int)) (*Result, error) {
	index, err := Read(dir)
	if err != nil {
		return nil, err
	}
	all := make([]judged, len(index.Records))
	at := map[string]int{} // records by layer and step
	for i, r := range index.Records {
		at[key(r.Layer, r.Step)] = i
	}
	var wait sync.WaitGroup
	var lock sync.Mutex
	work, done := make(chan int), 0
	for range max(1, jobs) {
		wait.Go(func() {
			for i := range work {
				all[i] = judgeRecord(dir, index.Records[i], at)
				lock.Lock()
				if done++; progress != nil {
					progress(done, len(all))
				}
				lock.Unlock()
			}
		})
	}
	for i := range all {
		if ctx.Err() != nil {
			break
		}
		work <- i
	}
	close(work)
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Result{Schema: Schema, Folder: dir, Writer: index.Writer, LeftOut: index.LeftOut, Errors: []string{},
		Cells: []Cell{}}
	for _, c := range claims {
		out.Claims = append(out.Claims, c.slug)
	}
	for _, j := range all {
		if !slices.Contains(out.Layers, j.record.Layer) {
			out.Layers = append(out.Layers, j.record.Layer)
		}
		if !slices.Contains(out.Steps, j.record.Step) {
			out.Steps = append(out.Steps, j.record.Step)
		}
		if j.err != nil {
			out.Errors = append(out.Errors, j.err.Error())
			continue
		}
		var next *judged
		if at, ok := at[key(j.record.Layer, j.record.Step+1)]; ok {
			next = &all[at]
		}
		j.join(next)
		out.Cells = append(out.Cells, j.cells...)
	}
	if out.Verdict, _, _ = Over(out.Cells); len(out.Errors) > 0 {
		out.Verdict = results.Error
	}
	return out, nil
}

func key(layer string, step int) string { return fmt.Sprint(step, " ", layer) }

func judgeRecord(dir string, r Record, at map[string]int) (out judged) {
	out.record = r
	defer func() {
		if p := recover(); p != nil {
			out.err = fmt.Errorf("%s: the judge broke: %v\n%s", r.File, p, debug.Stack())
		}
	}()
	layer, err := r.Load(dir)
	if err != nil {
		out.err = err
		return out
	}
	c := chainOf(layer)
	_, before := at[key(r.Layer, r.Step-1)]
	_, after := at[key(r.Layer, r.Step+1)]
	if before || after {
		out.weights = [2]*mat.Dense{layer.W, layer.Next}
	}
	for _, claim := range claims {
		cell := Cell{Claim: claim.slug, Layer: r.Layer, Step: r.Step, Verdict: results.Holds, Criteria: []Criterion{}}
		cell.Hypothesis = claim.holds(r)
		if cell.Hypothesis != "" {
			cell.Verdict = NotApplicable
			out.cells = append(out.cells, cell)
			continue
		}
		for _, name := range claim.links {
			if found, ok := c.links[name]; ok {
				cell.Verdict = results.Worst(cell.Verdict, found.Verdict)
				cell.Criteria = append(cell.Criteria, found)
			}
		}
		out.cells = append(out.cells, cell)
	}
	return out
}

// join asks of two consecutive steps that the first ends where the second begins, to the last bit. There may be no next
// one.
func (j *judged) join(next *judged) {
	c := &j.cells[slices.IndexFunc(j.cells, func(c Cell) bool { return c.Claim == "vcl/steps" })]
	if c.Verdict == NotApplicable {
		return
	}
	switch {
	case next == nil:
		c.Hypothesis = "consecutive steps: the next one is not recorded"
	case next.err != nil:
		c.Hypothesis = "consecutive steps: the next one could not be judged"
	case !sameShape(j.weights[1], next.weights[0]):
		c.Hypothesis = "consecutive steps: in the next one the layer has another shape"
	}
	if c.Hypothesis != "" {
		c.Verdict, c.Criteria = NotApplicable, []Criterion{}
		return
	}
	found := Criterion{Name: "W of the next step = W⁺", Verdict: results.Holds}
	if !mat.Equal(j.weights[1], next.weights[0]) {
		found.Verdict, found.Ratio = results.Refuted, results.Number(2)
		found.Sides = sides(next.weights[0], j.weights[1], 0)
		found.Agrees = "weights that something else changes between the steps"
	}
	c.Criteria = append(c.Criteria, found)
	c.Verdict = results.Worst(c.Verdict, found.Verdict)
}

func sameShape(a, b *mat.Dense) bool {
	rows, cols := a.Dims()
	m, n := b.Dims()
	return rows == m && cols == n
}
