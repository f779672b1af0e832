package props

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// T is the source of all draws of a property. Shapes, parameters and structure are drawn with rapid (rapid.IntRange(1,
// 8).Draw(t.T, "m")) so that they shrink; bulk numbers come from a [T.Stream].
type T struct {
	*rapid.T
	trial *Trial
	shown []shown
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

// rapidSeed is the seed of the trial's draws.
func rapidSeed(t *Trial) uint64 { return t.Stream("rapid").Uint64() >> 1 }

// shrinkEvaluations bounds the work of shrinking. It is a count and not a time, so that the counterexample does
// not depend on the machine.
const shrinkEvaluations = 3000

// rapidFlags guards rapid's flags, which are global to the process: shrinking sets them, drawing reads them.
var rapidFlags sync.RWMutex

// underRapid runs a search of rapid's with the flags that make it repeat the trial's own draws.
func underRapid(trial *Trial, search func()) {
	rapidFlags.Lock()
	defer rapidFlags.Unlock()
	if !flag.Parsed() { // outside go test
		testing.Init()
		_ = flag.CommandLine.Parse(nil)
	}
	for name, value := range map[string]string{
		"rapid.checks":     "5", // rapid divides by five under -short; the first one fails
		"rapid.seed":       strconv.FormatUint(rapidSeed(trial), 10),
		"rapid.nofailfile": "true",
		"rapid.shrinktime": "1h",
	} {
		old := flag.Lookup(name).Value.String()
		defer func() { _ = flag.Set(name, old) }()
		_ = flag.Set(name, value)
	}
	defer func() { _ = recover() }() // silentTB.FailNow
	search()
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
