package props

import (
	"reflect"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/list"
)

// Drawn is a check that draws instances with rapid and judges each on its own. It suits identities and inequalities.
//
// An instance I is a struct whose exported fields are the parameters of the statement, tagged with their names; a
// reader of a counterexample sees them, and where all of them are tagged, `thm certify` fills them with a user's own
// numbers and hands them to the same Judge.
//
// What is claimed, C, is a struct of closed forms of package theory and of numbers. The judge compares what is obtained
// from the instance with what the closed forms give, and knows no mistake: every wrong version lives in its [Wrong].
type Drawn[I, C any] struct {
	Name     string
	Cases    Scale
	Regimes  []string // all that the statement allows; one that no case reaches is reported as not drawn
	Draw     func(t *T) I
	Claim    C
	Judge    func(r *Record, in I, claim C)
	Controls []Wrong[I, C]

	// by criterion, the largest share of the cases of a regime that may be declined, see [Record.Declines]
	Declined   map[string]float64
	Proven     map[string]string // by criterion, why its tolerance covers every draw, where ratios come close to 1
	Coarse     map[string]string // by criterion, why its resolution cannot be finer
	Replicates int               // bounds how often a control is tried, for costly instances; 0 is no bound
	// bounds how many cases a control that draws tries at quick effort; 0 is no bound. If a share s of cases detects it,
	// all of n miss it with probability (1−s)ⁿ, below 10⁻⁹ for n = 12, 30, 60 and s = 0.83, 0.5, 0.3. A control that does
	// not draw is then tried on the claim's own draws alone, and not on a second replicate.
	Tries int
}

// Wrong is a control of [Drawn]: a version of the claim that the check must reject. It draws something else, alters
// what was drawn, claims something else, or several of these. A control that does not draw shares the draws of the
// claim.
type Wrong[I, C any] struct {
	Name       string // what is wrong with it; an erratum or a reading may leave it to the statement
	Assumption string // the assumption it drops; empty when it changes the formula
	Criterion  string // the criterion that must reject it; empty where any may
	Erratum    string // ID of the statement's erratum that this is
	Reading    string // ID of the statement's reading that this is

	Draw  func(t *T) I // in place of the check's
	Alter func(in *I)  // changes fields of the instance; what they point to is shared and stays as it is
	Claim func(c *C)   // changes what is claimed, where that takes what the check claims, or a zero; see Instead
	As    string       // is the version of the control of this name, or draws what it draws and claims something else
	Cases int          // tries the first so many cases; 0 is all, and the claim's own draws are all tried

	// Instead is claimed in place of the check's Claim. Fields of it that are zero are taken from Claim.
	Instead C
}

// Constant draws the same instance: a worked case of a paper, or the counterexample to a printed form.
func Constant[I any](in I) func(*T) I {
	return func(t *T) I {
		rapid.Bool().Draw(t.T, "nothing") // rapid wants something to be drawn
		return in
	}
}

func (w Wrong[I, C]) control() Control {
	c := Control{Name: w.Name, Assumption: w.Assumption, Criterion: w.Criterion, Erratum: w.Erratum, Reading: w.Reading}
	return c.named(w.Draw != nil, w.As, w.Alter != nil || w.Claim != nil || says(w.Instead), w.Cases)
}

func (d Drawn[I, C]) erase() checker {
	controls := list.Map(d.Controls, func(w Wrong[I, C]) Control { return w.control() })
	shareVersions(controls)
	version := func(name string) (w Wrong[I, C]) {
		if i := find(controls, name); i >= 0 {
			w = d.Controls[i]
		}
		return w
	}
	k := instances{
		Name: d.Name, Cases: d.Cases, Regimes: d.Regimes, Controls: controls, Kind: reflect.TypeFor[I](),
		Declined: d.Declined, Proven: d.Proven, Coarse: d.Coarse, Replicates: d.Replicates,
		Tries: d.Tries,
		Draw: func(t *T, done string) any {
			if done == "" {
				return d.Draw(t)
			}
			return version(done).Draw(t)
		},
		Judge: func(r *Record, in any, claimed string) {
			defer refuteMistake(r, claimed)
			w, instance := version(claimed), in.(I)
			claim := instead(versionOf(d.Claim, claimed), w.Instead).(C)
			if w.Claim != nil {
				w.Claim(&claim)
			}
			if w.Alter != nil {
				w.Alter(&instance)
			}
			d.Judge(r, instance, claim)
		},
	}.erase()
	k.typed, k.formulas = true, func() []string { return formulas(d.Claim) }
	return k
}
