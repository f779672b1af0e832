package props

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// T is what a property draws from. Shapes, parameters and structure are drawn with rapid
// (rapid.IntRange(1, 8).Draw(t.T, "m")) so that they shrink; bulk numbers come from a [T.Stream].
type T struct {
	*rapid.T
	trial *Trial
	shown []shown
}

// shown is a named value of an instance.
type shown struct {
	name  string
	value any
}

// Stream draws a seed with rapid and returns the random stream that belongs to it, for the entries of matrices.
// rapid's own floats are made for finding bugs and are no sampling distribution.
func (t *T) Stream(label string) *rand.Rand {
	seed := rapid.Uint64().Draw(t.T, label)
	return t.trial.Stream(label + "/" + strconv.FormatUint(seed, 10))
}

// Show records a named value of the instance, for the counterexample that a user gets to see. It is printed only if
// the property fails, so the value must not change afterwards.
func (t *T) Show(name string, value any) { t.shown = append(t.shown, shown{name, value}) }

// render prints what an instance showed.
func render(values []shown) string {
	var b strings.Builder
	for _, s := range values {
		if m, ok := s.value.(mat.Matrix); ok {
			r, c := m.Dims()
			fmt.Fprintf(&b, "%s (%d×%d) =\n%v\n", s.name, r, c, mat.Formatted(m, mat.Squeeze()))
		} else {
			fmt.Fprintf(&b, "%s = %v\n", s.name, s.value)
		}
	}
	return b.String()
}

// instance is one executed case of a property.
type instance struct {
	ratio Ratio
	shown []shown // kept only when the property fails
	fault fault   // what the property panicked with; empty when it did not
}

// fault is a panic that has been caught, with the place it came from.
type fault string

// generator runs the property as a rapid value. A panic of the property is part of the value: rapid would
// otherwise take it for a draw to be repeated.
func (p Property) generator(trial *Trial) *rapid.Generator[instance] {
	return rapid.Custom(func(rt *rapid.T) (in instance) {
		t := &T{T: rt, trial: trial}
		defer func() {
			if r := recover(); r != nil {
				if fmt.Sprintf("%T", r) == "rapid.invalidData" { // a rejected draw, which rapid repeats
					panic(r)
				}
				in = instance{ratio: inf, shown: t.shown, fault: fault(fmt.Sprint(r) + panicSite())}
			}
		}()
		in.ratio = p.Prop(t)
		if rt.Failed() { // by Errorf, say; rapid forgets it
			in.ratio, in.fault = inf, "the property reports errors instead of returning a ratio"
		}
		if in.ratio.Verdict() != Holds {
			in.shown = t.shown
		}
		return in
	})
}

// rapidSeed is the seed of the trial's draws.
func rapidSeed(t *Trial) uint64 { return t.Stream("rapid").Uint64() >> 1 }

// propertyCase is a drawn instance of a property, already judged.
type propertyCase struct {
	ratio Ratio
	shown []shown
}

// erase makes a property a check without controls and without resolution, for suites that belong to no claim.
func (p Property) erase() checker {
	return Instances[propertyCase]{
		Name: p.Name, Cases: p.Cases,
		Draw: func(t *T, _ string) propertyCase {
			ratio := p.Prop(t)
			return propertyCase{ratio, t.shown}
		},
		Judge: func(r *Record, c propertyCase, _ string) {
			r.Ratio(p.Name, c.ratio)
			for _, s := range c.shown {
				r.Show(s.name, s.value)
			}
		},
	}.erase()
}

// Check returns the property as a check. Its measurement of a cell is one instance.
func (p Property) Check() LegacyCheck {
	return LegacyCheck{
		name: p.Name,
		plan: func(e Effort) []string {
			labels := make([]string, p.Cases.At(e))
			for i := range labels {
				labels[i] = strconv.Itoa(i)
			}
			return labels
		},
		measure: func(t *Trial) any {
			rapidFlags.RLock()
			defer rapidFlags.RUnlock()
			in := p.generator(t).Example(int(rapidSeed(t)))
			if in.fault != "" {
				panic(in.fault)
			}
			return in
		},
		judge:  p.judge,
		shrink: p.shrink,
	}
}

func (p Property) judge(_ Effort, results []any) Judgement {
	worstRatio, at := Ratio{}, -1
	values := make([]float64, len(results))
	for i, r := range results {
		in := r.(instance)
		values[i] = in.ratio.Value
		if in.ratio.worsens(worstRatio) || at < 0 {
			worstRatio, at = worse(worstRatio, in.ratio), i
		}
	}
	j := Judgement{Parts: []Part{{Name: p.Name, Ratio: worstRatio}}, failing: -1}
	if len(results) == 0 {
		j.Parts[0].Ratio = inf
		return j
	}
	j.Figures = []Figure{p.histogram(values)}
	if worstRatio.Verdict() != Holds {
		j.failing = at
		j.Counterexample = render(results[at].(instance).shown)
	}
	return j
}

// histogram shows how far the ratios stay from one. A spike near zero says that the tolerance is loose; for an
// exact check everything lies in the first bin.
func (p Property) histogram(values []float64) Figure {
	const bins = 20
	top := 1.0
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			top = max(top, v)
		}
	}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = top * float64(i) / bins
	}
	counts := make([]float64, bins)
	beyond, worstValue := 0, 0.0
	for _, v := range values {
		if !(v >= 0 && v <= top) {
			beyond++
			continue
		}
		counts[min(bins-1, int(v/top*bins))]++
		worstValue = max(worstValue, v)
	}
	caption := fmt.Sprintf("Ratio of discrepancy to tolerance over %d cases; the largest is %.3g, and 1 is where the check fails.",
		len(values), worstValue)
	if beyond > 0 {
		caption += fmt.Sprintf(" %d cases are infinite and lie beyond the right edge.", beyond)
	}
	return Figure{
		ID:      "ratios-" + strings.ReplaceAll(p.Name, " ", "-"),
		Title:   "Ratios: " + p.Name,
		Caption: caption,
		X:       Axis{Label: "discrepancy / tolerance"},
		Y:       Axis{Label: "cases"},
		Curves:  []Curve{{Name: "cases", Style: Bars, X: edges, Y: counts}},
	}
}

// shrinkEvaluations bounds the work of shrinking. It is a count and not a time, so that the counterexample does
// not depend on the machine.
const shrinkEvaluations = 3000

// rapidFlags guards rapid's flags, which are global to the process: shrinking sets them, drawing reads them.
var rapidFlags sync.RWMutex

// shrink lets rapid find the simplest instance that still fails, starting from the trial's own draws, and returns
// what the property showed of it.
func (p Property) shrink(trial *Trial) string {
	generator, evaluations, simplest := p.generator(trial), 0, ""
	underRapid(trial, func() {
		rapid.Check(&silentTB{}, func(t *rapid.T) {
			if evaluations++; evaluations > shrinkEvaluations {
				return
			}
			if in := generator.Draw(t, "instance"); in.fault == "" && in.ratio.Verdict() == Refuted {
				simplest = render(in.shown)
				t.Fatalf("refuted")
			}
		})
	})
	return simplest
}

// silentTB is the smallest rapid.TB: it remembers that a check failed and prints nothing.
type silentTB struct{ failed bool }

func (*silentTB) Helper()                 {}
func (*silentTB) Name() string            { return "thm" }
func (*silentTB) Logf(string, ...any)     {}
func (*silentTB) Log(...any)              {}
func (*silentTB) Skipf(string, ...any)    { panic("props: skip") }
func (*silentTB) Skip(...any)             { panic("props: skip") }
func (*silentTB) SkipNow()                { panic("props: skip") }
func (t *silentTB) Errorf(string, ...any) { t.failed = true }
func (t *silentTB) Error(...any)          { t.failed = true }
func (t *silentTB) Fatalf(string, ...any) { t.failed = true; panic("props: fatal") }
func (t *silentTB) Fatal(...any)          { t.failed = true; panic("props: fatal") }
func (t *silentTB) FailNow()              { t.failed = true; panic("props: fail now") }
func (t *silentTB) Fail()                 { t.failed = true }
func (t *silentTB) Failed() bool          { return t.failed }
