package theory

import "slices"

// Kind is the logical form of a claim. It decides by which figure of merit the claim is judged.
type Kind string

// The kinds of claims.
const (
	Identity      Kind = "identity"      // two expressions are equal
	Inequality    Kind = "inequality"    // one expression never exceeds another
	Order         Kind = "order"         // a remainder is of exactly this order in a small parameter
	Scaling       Kind = "scaling"       // a quantity grows or decays with this exponent
	Limit         Kind = "limit"         // a quantity tends to this value
	Probability   Kind = "probability"   // an event has this probability
	Impossibility Kind = "impossibility" // no method of a class can do it
	Empirical     Kind = "empirical"     // a regularity that is observed, not derived
)

// Standing is the basis of a claim. A report never prints a conjecture under the heading of a theorem.
type Standing string

// The standings, from the strongest to the weakest.
const (
	Theorem    Standing = "theorem"    // printed with a proof
	Derivation Standing = "derivation" // derived in this repository; the argument is its Proof
	Conjecture Standing = "conjecture" // printed without a proof
	Finding    Standing = "finding"    // observed in experiments
)

// Statement is one falsifiable sentence from a source, in the form that is true.
type Statement struct {
	Slug        string       `json:"slug"`     // source/name; also the name of its files, its row and its anchor
	Title       string       `json:"title"`    // a noun phrase; of a finding with the size at which it was observed
	Plain       string       `json:"plain"`    // one sentence of at most 25 words that needs no paper
	Kind        Kind         `json:"kind"`     //
	Standing    Standing     `json:"standing"` //
	Setting     string       `json:"setting"`  // the model that the claim is about, loss factors written out
	Params      []Param      `json:"params"`   // symbols of the claim; those with a Domain can be set in a prediction
	Claim       Text         `json:"claim"`    // what is claimed
	TeX         string       `json:"tex"`      // the formulas alone, in the order of their marks in the claim
	Assumptions []Assumption `json:"assumptions"`
	Source      Source       `json:"source"`
	Deviations  string       `json:"deviations,omitempty"` // how our normalisation differs from the source
	Proof       string       `json:"proof,omitempty"`      // the proof, or its idea
	Tolerance   string       `json:"tolerance,omitempty"`  // the derivation of the checks' tolerances
	Limits      string       `json:"limits,omitempty"`     // what a pass does not show
	Cost        string       `json:"cost,omitempty"`       // why a check takes much of a run's time, if it does
	Errata      []Erratum    `json:"errata,omitempty"`     // printed sentences that are false on every reading
	Readings    []Reading    `json:"readings,omitempty"`   // natural readings of the source that are false
	RestsOn     []string     `json:"rests_on,omitempty"`   // slugs of claims it uses

	// Contradicted maps the names of published experiments to their evidence against the claim at other sizes.
	Contradicted map[string]string `json:"contradicted,omitempty"`

	// Predict evaluates the closed forms at the user's parameters. It is called with every Param that has a
	// Domain present and inside it; use [Statement.Evaluate] to parse and check them.
	Predict func(Values) []Quantity `json:"-"`

	// Violated names the hypothesis that parameters violate, each inside its own domain, or is nil. Where it reports
	// one, predictions are undefined. May be nil.
	Violated func(Values) error `json:"-"`
}

// Assumption is a named hypothesis. Every assumption is dropped by a control of the claim, or says why it cannot be.
type Assumption struct {
	ID        string `json:"id"`   // short, lower case; controls refer to it
	Text      string `json:"text"` //
	NoControl string `json:"no_control,omitempty"`
}

// Source says where a claim is printed, precisely enough to find it in a minute.
type Source struct {
	Paper   string `json:"paper"`             // authors and title
	ArXiv   string `json:"arxiv,omitempty"`   // identifier without version
	Version string `json:"version,omitempty"` // the version that was read, or "slides", "poster", ...
	Year    int    `json:"year"`
	Locus   string `json:"locus"` // theorem or equation number
}

// At returns the source with the given locus.
func (s Source) At(locus string) Source {
	s.Locus = locus
	return s
}

// Erratum is a printed sentence that is false under the source's own definitions, in its own regime, on every
// charitable reading. It accuses somebody: in doubt it is a [Reading]. Its counterexample is run again with every
// verification.
type Erratum struct {
	ID             string `json:"id"`             // short, lower case; controls refer to it
	Printed        string `json:"printed"`        // the sentence or formula, word for word
	Locus          string `json:"locus"`          // where it is printed, with the version
	Correct        string `json:"correct"`        // what holds instead
	Counterexample string `json:"counterexample"` // the smallest known case in which the printed form fails
}

// Reading is a sentence that a reader might take from the source and that fails: a natural reading, a hypothesis left
// out, a constant or a step that the source leaves open. It accuses nobody.
type Reading struct {
	ID             string `json:"id"`             // short, lower case; controls refer to it
	Reading        string `json:"reading"`        // the sentence as one might read it
	Locus          string `json:"locus"`          // what it is a reading of
	Correct        string `json:"correct"`        // what holds instead
	Counterexample string `json:"counterexample"` // the smallest known case in which the reading fails
}

// Erratum returns the erratum with that ID, or nil.
func (s *Statement) Erratum(id string) *Erratum {
	for i := range s.Errata {
		if s.Errata[i].ID == id {
			return &s.Errata[i]
		}
	}
	return nil
}

// Reading returns the reading with that ID, or nil.
func (s *Statement) Reading(id string) *Reading {
	for i := range s.Readings {
		if s.Readings[i].ID == id {
			return &s.Readings[i]
		}
	}
	return nil
}

// Quantity is one predicted number.
type Quantity struct {
	Name    string  `json:"name"`
	Symbol  string  `json:"symbol,omitempty"`
	Value   float64 `json:"value"`
	Meaning string  `json:"meaning,omitempty"`
	Limit   string  `json:"limit,omitempty"` // of an asymptotic value: what is large or small, such as "n → ∞"

	// Bound says that the value is a bound rather than a prediction: "≤" or "≥" if the number that a simulation
	// measures lies on that side of it, preceded by the bounded quantity if that is another one, as in "kernels ≥".
	Bound       string `json:"bound,omitempty"`
	Nonnegative bool   `json:"nonnegative,omitempty"` // the measured quantity, so that no interval goes below 0
}

// Explained returns the meaning of the quantity, with a mark if the value is asymptotic.
func (q Quantity) Explained() string {
	if q.Limit == "" {
		return q.Meaning
	}
	return q.Meaning + " (limit, " + q.Limit + ")"
}

// Limits marks quantities as asymptotic, except for the exact ones that are named.
func Limits(large string, quantities []Quantity, exact ...string) []Quantity {
	for i := range quantities {
		if !slices.Contains(exact, quantities[i].Name) {
			quantities[i].Limit = large
		}
	}
	return quantities
}
