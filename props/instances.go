package props

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/evidence"
	"github.com/thm-suite/thm/props/results"
)

// instances is [Drawn] without its types, which are compiled anew for every check: versions go by their names.
type instances struct {
	Name           string
	Cases          Scale
	Regimes        []string
	Kind           reflect.Type
	Draw           func(t *T, done string) any
	Judge          func(r *Record, in any, claimed string)
	Controls       []Control
	Declined       map[string]float64
	Proven, Coarse map[string]string
	Replicates     int
	Tries          int
}

// blockSize is the number of instances in one unit of work, as long as they are looked at closely. The others are
// divided into plainBlocks units.
const blockSize, plainBlocks = 50, 100

func (s instances) erase() checker {
	return checker{
		name: s.Name, regimes: s.Regimes, coarse: s.Coarse, declined: s.Declined, proven: s.Proven,
		controls:   named(s.Controls),
		replicates: s.Replicates,
		tries:      s.Tries,
		plan:       s.plan,
		measure:    s.measure,
		judge: func(j judging, _ string) *tally {
			total := &tally{Drawn: evidence.Ranges{}}
			for _, result := range j.results {
				total.join(result.([]*tally)[j.rank])
			}
			return total
		},
		shrink: s.shrink,
		codec:  codecOf(reflect.TypeFor[[]*tally]()),
		certify: certifierOf(s.Kind, s.Name, func(r *Record, in any, claimed string) {
			r.declinable = s.Declined
			s.Judge(r, in, claimed)
		}, s.Regimes, s.Controls, func(slug string, index int) any {
			trial := &Trial{Effort: Quick, seed: 1, key: []string{slug, s.Name, "", "0"}}
			return s.draw(trial.sibling(strconv.Itoa(index), index), "")
		}),
	}
}

// closely returns the number of instances that are looked at closely: how small an error of the claim each would have
// noticed, and what the controls claim of it. Of the others, which deep effort adds, a run asks only whether the claim
// holds.
func (s instances) closely() int { return max(s.Cases.Quick, s.Cases.Standard) }

func (s instances) plan(e Effort) []cell {
	n, near := s.Cases.At(e), s.closely()
	if n <= near {
		return blocks(e, 0, n, blockSize)
	}
	return append(blocks(Standard, 0, near, blockSize),
		blocks(Deep, near, n, max(blockSize, (n-near+plainBlocks-1)/plainBlocks))...)
}

// blocks splits instances into units of work, of the price of an effort.
func blocks(priced Effort, from, n, size int) (out []cell) {
	for n > from {
		to := min(n, from+size)
		out = append(out, cell{named: blockName, from: from, to: to, cost: float64(to - from), priced: priced})
		from = to
	}
	return out
}

func blockName(c cell) string { return strconv.Itoa(c.from) + " to " + strconv.Itoa(c.to-1) }

// measure draws the instances of a block once and judges them for everything that is claimed of them.
func (s instances) measure(block *Trial, c cell, done string, claims []string) any {
	out := list.Fill(len(claims), func(int) *tally { return &tally{Drawn: evidence.Ranges{}} })
	for index := c.from; index < c.to; index++ {
		trial := block.sibling(strconv.Itoa(index), index)
		in, closely := s.draw(trial, done), index < s.closely()
		if done == "" && closely {
			meetNumbers(out[0].Drawn, "", reflect.ValueOf(in))
		}
		for i, claimed := range claims {
			if claimed != "" && !closely {
				continue
			}
			r := s.judge(trial, in, claimed, variant{done, claimed} == variant{} && closely)
			out[i].add(index, r, func() string { return s.render(in, r) })
		}
	}
	return out
}

// drawn is an instance, or what drawing it panicked with.
type drawn struct {
	in    any
	fault fault
}

// generator draws an instance as a rapid value. A panic is part of the value: rapid would otherwise take it for a draw
// to be repeated.
func (s instances) generator(trial *Trial, done string) *rapid.Generator[drawn] {
	return rapid.Custom(func(rt *rapid.T) (out drawn) {
		defer func() {
			if r := recover(); r != nil {
				if fmt.Sprintf("%T", r) == "rapid.invalidData" { // a rejected draw, which rapid repeats
					panic(r)
				}
				out.fault = fault(fmt.Sprint(r) + panicSite())
			}
		}()
		out.in = s.Draw(&T{T: rt, trial: trial}, done)
		if rt.Failed() { // by Errorf, say; rapid forgets it
			out.fault = "the draw reports errors"
		}
		return out
	})
}

func (s instances) draw(trial *Trial, done string) any {
	rapidFlags.RLock()
	defer rapidFlags.RUnlock()
	d := s.generator(trial, done).Example(int(rapidSeed(trial)))
	if d.fault != "" {
		panic(d.fault)
	}
	return d.in
}

// judge judges one instance. Measured numbers and figures come from the first one.
func (s instances) judge(trial *Trial, in any, claimed string, detailed bool) *Record {
	r := &Record{unit: 0x1p-53, regimes: s.Regimes, quiet: trial.Index > 0, detailed: detailed,
		paired: trial.Index < pairedCases, declinable: s.Declined,
		entryOf: func() *rand.Rand { return trial.Stream("perturbed entry") }}
	s.Judge(r, in, claimed)
	return r
}

// render is the instance and what its judge showed, for a reader.
func (s instances) render(in any, r *Record) string {
	return render(append(fieldsOf(in), r.shown...))
}

// shrink lets rapid find the simplest instance that is still refuted, starting from the trial's own draws.
func (s instances) shrink(trial *Trial, v variant) (simplest any, shown string) {
	generator, evaluations, record := s.generator(trial, v.done), 0, (*Record)(nil)
	underRapid(trial, func() {
		rapid.Check(&silentTB{}, func(t *rapid.T) {
			if evaluations++; evaluations > shrinkEvaluations {
				return
			}
			d := generator.Draw(t, "instance")
			if d.fault != "" {
				return
			}
			r := s.judge(trial, d.in, v.claimed, false)
			if r.ratio().Verdict() == results.Refuted {
				simplest, record = d.in, r
				t.Fatalf("refuted")
			}
		})
	})
	if record != nil { // writing it down once takes less than once for each step on the way to it
		shown = s.render(simplest, record)
	}
	return simplest, shown
}
