package results

import (
	"time"

	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/props/evidence"
	"github.com/thm-suite/thm/props/figure"
)

// SchemaName is the version of the format of a results file.
const SchemaName = "thm.results/v5"

// Number is a float64 that survives JSON: infinities and NaN are written as strings.
type Number = number.Number

// Results is everything that one run found.
type Results struct {
	Schema      string        `json:"schema"`
	Manifest    Manifest      `json:"manifest"`
	Tool        Tool          `json:"tool"`
	Run         Run           `json:"run"`
	Summary     Summary       `json:"summary"`
	Claims      []Claim       `json:"claims"`
	Calibration []Calibration `json:"calibration"`
}

// Tool describes what produced a results file.
type Tool struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	GOOS    string `json:"goos"`
	GOARCH  string `json:"goarch"`
	GOAMD64 string `json:"goamd64"`
	Kernel  string `json:"kernel"` // the linear algebra kernels in use
	CPU     string `json:"cpu"`
}

// Run describes how it was run.
type Run struct {
	Effort      Effort    `json:"effort"`
	Budget      float64   `json:"budget,omitempty"` // seconds of processor time, of a deep run
	Seed        uint64    `json:"seed"`
	Jobs        int       `json:"jobs"`
	Started     time.Time `json:"started"`
	WallSeconds float64   `json:"wall_seconds"`
	Shard       string    `json:"shard"`           // "1/1" for a whole run
	Parts       []float64 `json:"parts,omitempty"` // seconds of processor time of each shard of a run that was joined
	Interrupted bool      `json:"interrupted"`     // the run was stopped before its end
	FalseAlarm  float64   `json:"false_alarm"`     // the sum of the false-alarm probabilities of all statistical criteria
}

// Summary counts the rows of a results file.
type Summary struct {
	Verdicts map[Verdict]int `json:"verdicts"`
	Cases    Count           `json:"cases"`
	Controls Count           `json:"controls"` // planned, rejected
	Errata   Count           `json:"errata"`   // planned, refuted
	Readings Count           `json:"readings"` // planned, refuted
}

// Count holds how many items were planned, and how many of them ran.
type Count struct {
	Planned int `json:"planned"`
	Run     int `json:"run"`
}

func (c Count) plus(d Count) Count { return Count{c.Planned + d.Planned, c.Run + d.Run} }

// Claim is one row of the report.
type Claim struct {
	ID           string          `json:"id"`
	Title        string          `json:"title"`
	Kind         string          `json:"kind"`
	Standing     string          `json:"standing"`
	Source       Source          `json:"source"`
	Verdict      Verdict         `json:"verdict"`
	WorstRatio   Number          `json:"worst_ratio"`
	Resolution   Number          `json:"resolution"` // the coarsest of Resolutions; 0 where the check is exact
	Cases        Count           `json:"cases"`
	Checks       []Check         `json:"checks"`
	Criteria     []Criterion     `json:"criteria"`
	Controls     []Control       `json:"controls"`
	Errata       []Erratum       `json:"errata"`
	Resolutions  []Resolution    `json:"resolutions"`
	Measurements []Measurement   `json:"measurements"`
	Figures      []figure.Figure `json:"figures"`
	Readings     []Erratum       `json:"readings,omitempty"`  // what one might read into the source, refuted again
	NotDrawn     []string        `json:"not_drawn,omitempty"` // regimes that the statement allows and no case reached
	Warnings     []string        `json:"warnings,omitempty"`  // what passed, and only just
	Flaws        []string        `json:"flaws,omitempty"`     // why a pass is no evidence, see [props.Claim.Flaws]
	// the shrunk counterexample, where it can be certified again
	Instance any `json:"-"`

	Counterexample string  `json:"counterexample,omitempty"`
	Message        string  `json:"message,omitempty"` // why the verdict is error or incomplete
	Seconds        float64 `json:"seconds"`           // work, summed over workers
	Costs          []Cost  `json:"costs,omitempty"`   // the work by checks
	// when the run that made the row began, where that was before the run of the file
	Older *time.Time `json:"older,omitempty"`
}

// Check says how far a check of the claim itself came.
type Check struct {
	Name    string `json:"name"`
	Cases   Count  `json:"cases"`
	Broken  bool   `json:"broken,omitempty"`  // it has no verdict, however many of its cases ran
	Message string `json:"message,omitempty"` // why it has none

	Drawn evidence.Ranges `json:"-"` // of instances
}

// Cost holds the processor time of the cases of a check, controls included.
type Cost struct {
	Check   string  `json:"check"`
	Cases   int     `json:"cases"`
	Seconds float64 `json:"seconds"`
}

// Source is a source as a results file quotes it.
type Source struct {
	Paper string `json:"paper"`
	ArXiv string `json:"arxiv"`
	Locus string `json:"locus"`
}

// Criterion holds the results of a run for one criterion.
type Criterion struct {
	Check   string  `json:"check"`
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Ratio   Number  `json:"ratio"`
	Lower   Number  `json:"lower"`
	Alpha   float64 `json:"alpha"`   // false-alarm rate; 0 for a deterministic condition, and then the rest is 0 too
	Margin  Number  `json:"margin"`  // equivalence margin
	Detects Number  `json:"detects"` // the smallest discrepancy that is refuted, except with probability alpha
	Needs   Number  `json:"needs"`   // share of the samples used that would make the interval as narrow as the margin

	Undecided  float64  `json:"undecided,omitempty"` // probability that a true claim is left undecided
	Form       Form     `json:"form,omitempty"`
	Unit       Unit     `json:"unit,omitempty"`       // of the resolutions
	Resolution Number   `json:"resolution,omitempty"` // of the median case in the worst regime
	Near       Number   `json:"near,omitempty"`       // the smallest ratio of a near control
	Coarse     string   `json:"coarse,omitempty"`     // why the resolution cannot be finer
	Regimes    []Regime `json:"regimes,omitempty"`
	// how many wrong versions this criterion rejects, on every replicate
	Controls int `json:"controls,omitempty"`
	// why the tolerance covers every draw: ratios may then come as close to 1 as they like
	Proven string `json:"proven,omitempty"`
	// what of it was chosen after a look at the data, such as "bound" or "sizes"
	Chosen string `json:"chosen,omitempty"`
	// the ratios of the worst cases, the worst first; all of them, or at least ten
	Largest []float64 `json:"-"`
}

// Regime is a criterion in one regime: how many cases, how close to the limit, and how small an error is noticed.
type Regime struct {
	Name   string `json:"name"` // empty where the check makes no distinction
	Cases  int    `json:"cases"`
	Ratio  Number `json:"ratio"`  // the worst
	Lower  Number `json:"lower"`  // of the worst
	Run    Number `json:"run"`    // the smallest error of the claim that some case notices
	Median Number `json:"median"` // that the median case notices
	Decile Number `json:"decile"` // that nine cases of ten notice
	Near   Number `json:"near"`   // the median ratio of the near controls; NaN where there is none

	Declined   int `json:"declined,omitempty"`    // cases that could not resolve the criterion
	MayDecline int `json:"may_decline,omitempty"` // more of them leave it undecided

	Comparisons int    `json:"-"` // that were made in these cases
	Same        int    `json:"-"` // cases in which nothing differs at all
	Allowed     Number `json:"-"` // in the median case, by the comparison that allows most

	Sides *Sides `json:"sides,omitempty"` // of the worst case, if it does not hold
}

// Control says whether a wrong version was rejected.
type Control struct {
	Name       string `json:"name"`
	Assumption string `json:"assumption"`
	Check      string `json:"check,omitempty"`
	Criterion  string `json:"criterion,omitempty"` // that rejected it
	Erratum    string `json:"erratum,omitempty"`   // the statement's erratum that this is
	Reading    string `json:"reading,omitempty"`   // the statement's reading that this is
	Rejected   bool   `json:"rejected"`            // on every replicate
	Fraction   Number `json:"fraction"`            // of the replicates
	Ratio      Number `json:"ratio"`               // the smallest over the replicates
	Message    string `json:"message,omitempty"`

	// How sure the rejection is: what it rests on, and the probability that another seed accepts the control.
	Replicates int    `json:"replicates,omitempty"`
	Cases      int    `json:"cases,omitempty"`   // of all replicates
	Seen       int    `json:"seen,omitempty"`    // of these, cases that reject it
	Reserve    Number `json:"reserve,omitempty"` // the least distance of an interval beyond its margin, in half-widths
	Fixed      bool   `json:"fixed,omitempty"`   // all replicates agree to the last bit; of one this says nothing
	Chance     Number `json:"chance"`

	Incomplete bool              `json:"incomplete,omitempty"`  // fewer of its cases ran than were planned
	RejectedBy []string          `json:"rejected_by,omitempty"` // the criteria that reject it on every replicate
	RejectedAt map[string]Number `json:"-"`                     // at which ratio, the smallest over the replicates
}

// Erratum says whether a printed form was refuted again.
type Erratum struct {
	ID             string `json:"id"`
	Printed        string `json:"printed"`
	Refuted        bool   `json:"refuted"`
	Ratio          Number `json:"ratio"`
	Counterexample string `json:"counterexample"`
	Evidence       string `json:"evidence,omitempty"` // what this run saw
	Message        string `json:"message,omitempty"`
}

// Resolution is one measured resolution.
type Resolution struct {
	Of    string `json:"of"`
	Unit  Unit   `json:"unit"`
	Value Number `json:"value"`
}

// Calibration is a measured property of the statistics that the verdicts use.
type Calibration struct {
	Procedure    string `json:"procedure"`
	Distribution string `json:"distribution,omitempty"` // of a draw, where the level belongs to the claims
	Draws        int    `json:"draws,omitempty"`        // of one interval, likewise
	Quantity     string `json:"quantity"`               // "coverage", "false alarms", "power", "misses", "undecided"
	Nominal      Number `json:"nominal"`
	Measured     Number `json:"measured"`
	Runs         int    `json:"runs"` // simulated; 0 when it was computed exactly
}

// WithoutTimes returns a copy that depends on the claims, the seed and the effort only: two runs of the same
// binary agree on it to the byte, whatever the number of workers.
func (r *Results) WithoutTimes() *Results {
	c := *r
	c.Run.Started, c.Run.WallSeconds, c.Run.Jobs = time.Time{}, 0, 0
	c.Claims = append([]Claim(nil), r.Claims...)
	for i := range c.Claims {
		c.Claims[i].Seconds, c.Claims[i].Costs, c.Claims[i].Older = 0, nil, nil
	}
	return &c
}
