package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/props/stat"
)

// resultAlpha is the probability that an interval of a result misses.
const resultAlpha = 0.05

// Fraction is a number of events among trials, with the interval of their probability at 95 %. The interval belongs to
// a confidence sequence (stat.Proportion): it may be looked at while a study is growing.
type Fraction struct {
	Events int           `json:"events"`
	Trials int           `json:"trials"`
	Rate   number.Number `json:"rate"`
	Lo     number.Number `json:"lo"`
	Hi     number.Number `json:"hi"`
}

func fraction(events, trials int) Fraction {
	iv := stat.Proportion(events, trials, resultAlpha)
	return Fraction{events, trials, number.Number(iv.Estimate), number.Number(iv.Lo), number.Number(iv.Hi)}
}

// Alarms are the false alarms of a scheme among all comparisons.
type Alarms struct {
	Scheme      string        `json:"scheme"`
	Measured    string        `json:"measured"`
	Nominal     number.Number `json:"nominal"` // NaN if the scheme states no rate
	Alarms      Fraction      `json:"alarms"`
	Regressions Fraction      `json:"regressions"`
}

// Exceeds reports whether a scheme certainly raises more alarms than it states. A rate that is not known loses.
func (a Alarms) Exceeds() bool {
	return !math.IsNaN(float64(a.Nominal)) && !(float64(a.Alarms.Lo) <= float64(a.Nominal))
}

// NullResult holds the results of a null study.
type NullResult struct {
	Plan        Plan       `json:"plan"`
	Comparisons int        `json:"comparisons"`
	Rows        int        `json:"rows"` // of a table
	Load        [3]float64 `json:"load"` // least, median and greatest load average
	Schemes     []Alarms   `json:"schemes"`
	alarms      [][]bool   // of each scheme, whether each comparison was an alarm
	// Undecided counts the rows that thm bench diff leaves undecided after all looks, and FirstLook after the first.
	Undecided Fraction `json:"undecided"`
	FirstLook Fraction `json:"undecided_at_first_look"`
}

// Null judges the data of a null study.
func (d *Data) Null() (*NullResult, error) {
	if d.Plan.Format != nullFormat || len(d.Comparisons) == 0 {
		return nil, fmt.Errorf("these are not the data of a null study, or there is no comparison yet")
	}
	r := &NullResult{Plan: d.Plan, Comparisons: len(d.Comparisons), Rows: len(d.Comparisons[0].Rows), Load: d.load()}
	for _, s := range Schemes {
		alarms, regressions := 0, 0
		alarmed := make([]bool, len(d.Comparisons))
		for i, c := range d.Comparisons {
			alarm, regression, err := s.judge(d.Plan, c)
			if err != nil {
				return nil, err
			}
			alarmed[i] = alarm
			alarms += number.Indicator(alarm)
			regressions += number.Indicator(regression)
		}
		r.alarms = append(r.alarms, alarmed)
		n := len(d.Comparisons)
		r.Schemes = append(r.Schemes, Alarms{s.Name, s.Measured, number.Number(s.Nominal), fraction(alarms, n),
			fraction(regressions, n)})
	}
	p := compare.DefaultPolicy()
	open, first, rows := 0, 0, 0
	for _, c := range d.Comparisons {
		for _, row := range c.Rows {
			rows++
			open += number.Indicator(verdict(row, d.Plan.Rounds, p.Alpha, p.Margin, len(c.Rows)) == compare.Undecided)
			row.Rounds = row.Rounds[:d.Plan.Rounds]
			first += number.Indicator(verdict(row, d.Plan.Rounds, p.Alpha, p.Margin, len(c.Rows)) == compare.Undecided)
		}
	}
	r.Undecided, r.FirstLook = fraction(open, rows), fraction(first, rows)
	return r, nil
}

// load returns the load of all comparisons.
func (d *Data) load() [3]float64 {
	return loadsOf(slices.Concat(list.Map(d.Comparisons, func(c Comparison) []float64 { return c.Load })...))
}

// loadsOf are the least, the median and the greatest load average; 0 of none.
func loadsOf(all []float64) (out [3]float64) {
	if slices.Sort(all); len(all) > 0 {
		out = [3]float64{all[0], all[len(all)/2], all[len(all)-1]}
	}
	return out
}

// Detection holds the results for one slowdown.
type Detection struct {
	Slowdown  float64       `json:"dose"`
	Margin    float64       `json:"zone"`
	Estimated number.Number `json:"promised"` // mean over the comparisons, each estimated before it was measured
	Found     Fraction      `json:"found"`    // called slower
	Blamed    Fraction      `json:"blamed"`   // called faster
	Ratio     number.Number `json:"ratio"`    // median of new to old over all rounds
}

// Kept reports whether the power may be what was estimated.
func (d Detection) Kept() bool { return float64(d.Found.Hi) >= float64(d.Estimated) }

// PowerResult holds the results of a power study.
type PowerResult struct {
	Plan        Plan          `json:"plan"`
	Comparisons int           `json:"comparisons"`
	Rows        int           `json:"rows"`
	Alpha       float64       `json:"alpha"`
	Load        [3]float64    `json:"load"`
	Noise       number.Number `json:"noise"` // median over the pilots of the standard deviation of a logarithm
	Detections  []Detection   `json:"detections"`
}

// Power judges the data of a power study.
func (d *Data) Power() (*PowerResult, error) {
	if d.Plan.Format != powerFormat || len(d.Comparisons) == 0 {
		return nil, fmt.Errorf("these are not the data of a power study, or there is no comparison yet")
	}
	r := &PowerResult{Plan: d.Plan, Comparisons: len(d.Comparisons), Rows: len(d.Comparisons[0].Rows),
		Alpha: powerAlpha, Load: d.load(), Noise: d.noise()}
	for _, margin := range powerMargins {
		for i, row := range d.Comparisons[0].Rows {
			det, err := d.detection(i, row.Name, margin)
			if err != nil {
				return nil, err
			}
			r.Detections = append(r.Detections, det)
		}
	}
	return r, nil
}

// detection counts how often a slowdown was found.
func (d *Data) detection(i int, name string, margin float64) (Detection, error) {
	det := Detection{Slowdown: slowdownOf(name), Margin: margin}
	found, blamed, estimated, estimates := 0, 0, 0.0, 0
	var ratios []float64
	for _, c := range d.Comparisons {
		if i >= len(c.Rows) || c.Rows[i].Name != name {
			return det, fmt.Errorf("comparison %d lacks the row %s", c.Index, name)
		}
		v := diff.Judge(logs(c.Rows[i].Rounds, d.Plan.Rounds), compare.Spec{
			Alpha: diff.Share(powerAlpha, len(c.Rows), 1), Margin: margin, Better: -1}).Verdict
		found += number.Indicator(v == compare.Slower)
		blamed += number.Indicator(v == compare.Faster)
		for _, r := range c.Rows[i].Rounds {
			ratios = append(ratios, r[2]/math.Sqrt(r[0]*r[1]))
		}
		for _, p := range c.Power {
			if p.Slowdown == det.Slowdown && p.Margin == margin {
				estimated += p.Power
				estimates++
			}
		}
	}
	if estimates != len(d.Comparisons) {
		return det, fmt.Errorf("slowdown %v at margin %v was promised %d times in %d comparisons", det.Slowdown, margin,
			estimates, len(d.Comparisons))
	}
	slices.Sort(ratios)
	det.Estimated, det.Ratio = number.Number(estimated/float64(estimates)), number.Number(ratios[len(ratios)/2])
	det.Found, det.Blamed = fraction(found, len(d.Comparisons)), fraction(blamed, len(d.Comparisons))
	return det, nil
}

// noise is the median over the comparisons of the standard deviation of a logarithm about the mean of its block.
func (d *Data) noise() number.Number {
	var all []float64
	for _, c := range d.Comparisons {
		sum, n := 0.0, 0
		for _, b := range logs(c.Pilot, len(c.Pilot)) {
			mean := (b.Old + b.Again + b.New) / 3
			for _, x := range []float64{b.Old, b.Again, b.New} {
				sum += (x - mean) * (x - mean)
			}
			n += 2 // degrees of freedom
		}
		if n > 0 {
			all = append(all, math.Sqrt(sum/float64(n)))
		}
	}
	if len(all) == 0 {
		return number.Number(unknown)
	}
	slices.Sort(all)
	return number.Number(all[len(all)/2])
}
