package compare

import "github.com/thm-suite/thm/internal/list"

// Summary is the center of one sample with its interval, in the row's unit.
type Summary struct {
	// Center is the median of the sample, and of exact units the most frequent value.
	Center Number `json:"center"`
	// Lo and Hi bound the center at the level of 95 %, as benchstat has it; infinite if the sample is too small.
	Lo Number `json:"lo"`
	Hi Number `json:"hi"`
	// Range is the interval as benchstat prints it, as in "2%".
	Range string `json:"range"`
	// N is the number of samples; none where the benchmark is not in the results.
	N int `json:"n"`
}

// Interval holds the ratio of new to old.
type Interval struct {
	// Center estimates the ratio; 1 is no change.
	Center Number `json:"center"`
	// Lo and Hi bound it; 0 and infinity if the samples are too few for the level.
	Lo Number `json:"lo"`
	Hi Number `json:"hi"`
	// Level is the least probability with which the interval covers the ratio; 1 where nothing is left to chance.
	Level float64 `json:"level"`
}

// Judgement holds the verdict on a change between two samples.
type Judgement struct {
	Change Interval `json:"change"`
	// Floor is the noise floor: the relative change that the measurement shows of itself. Changes within it are not
	// told apart from noise, whatever the interval says.
	Floor   float64  `json:"floor"`
	Verdict Decision `json:"verdict"`
	// Needs is the number of samples a side with which an undecided row would be decided with probability 0.8, if
	// its ratio and its spread are what they look like; none if it is decided, or if samples alone cannot decide.
	Needs int `json:"needs,omitempty"`
	// Reason says in a sentence why a verdict is not decided, or rests on something else than an interval.
	Reason string `json:"reason,omitempty"`
}

// Row is one benchmark in one unit, compared.
type Row struct {
	// Group is the configuration that the row belongs to, as lines "key: value"; a table has one block for each.
	Group string `json:"group,omitempty"`
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	// Base and Column are the labels of what is compared, as in "old.txt" and "new.txt".
	Base   string  `json:"base"`
	Column string  `json:"column"`
	Old    Summary `json:"old"`
	New    Summary `json:"new"`
	// Delta is the change of the centers as benchstat prints it, "~" where benchstat sees none; Test is its "p= n=".
	Delta string `json:"delta,omitempty"`
	Test  string `json:"test,omitempty"`
	// P is benchstat's: two-sided Mann-Whitney, of this row alone. No verdict rests on it.
	P Number `json:"p"`
	Judgement
	// Exact says that the unit was compared exactly, without an interval.
	Exact bool `json:"exact,omitempty"`
	// Gated says that the policy's outcome depends on the row.
	Gated    bool     `json:"gated"`
	Warnings []string `json:"warnings,omitempty"`
}

// Geomean is the geometric mean over a block's rows, as benchstat prints it.
type Geomean struct {
	Group  string `json:"group,omitempty"`
	Unit   string `json:"unit"`
	Column string `json:"column"`
	// Old and New are means of the centers; Ratio is the mean of the ratios. NaN where there is none.
	Old      Number   `json:"old"`
	New      Number   `json:"new"`
	Ratio    Number   `json:"ratio"`
	Warnings []string `json:"warnings,omitempty"`
}

// Table is a whole comparison: the family of rows over which the policy's α holds.
type Table struct {
	Policy Policy `json:"policy"`
	// Method says in a sentence how the intervals were made and what α is the chance of.
	Method string `json:"method"`
	// Rows are in the order of the results, blocks of one group, unit and column together.
	Rows     []Row     `json:"rows"`
	Geomeans []Geomean `json:"geomeans,omitempty"`
	// PowerEstimate is the estimate from before the measurement, if one was made.
	PowerEstimate *PowerEstimate `json:"promise,omitempty"`
	// Problems lists the defects of the input; one that is Fatal makes the outcome "unusable input".
	Problems []Problem `json:"problems,omitempty"`
}

// Problem is something wrong with the input, in a sentence.
type Problem struct {
	Text  string `json:"text"`
	Fatal bool   `json:"fatal"`
}

// Count returns how many gated rows have a verdict.
func (t *Table) Count(v Decision) int {
	return len(list.Where(t.Rows, func(r Row) bool { return r.Gated && r.Verdict == v }))
}
