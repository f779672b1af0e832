package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/streams"
	intervals "github.com/thm-suite/thm/props/stat"
)

// Study measures the false alarms and the power of change points by simulation.
type Study struct {
	Series int    // simulated series per cell of the tables
	Seed   uint64 // of the simulation
}

// process describes the variation of the runs of a simulated series.
type process struct {
	name         string
	exchangeable bool
	draw         func(rng *rand.Rand, n int) []float64
}

// processes lists the processes on which the false alarms are measured.
var processes = []process{
	{"Gaussian", true, func(rng *rand.Rand, n int) []float64 { return autoregressive(rng, n, 0) }},
	{"heavy tails (Student, 2 degrees of freedom)", true, func(rng *rand.Rand, n int) []float64 {
		return drawn(distuv.StudentsT{Sigma: 1, Nu: 2, Src: rng}, n)
	}},
	{"skewed (lognormal, σ = 1)", true, func(rng *rand.Rand, n int) []float64 {
		return drawn(distuv.LogNormal{Sigma: 1, Src: rng}, n)
	}},
	{"autocorrelated 0.3", false, func(rng *rand.Rand, n int) []float64 { return autoregressive(rng, n, 0.3) }},
	{"autocorrelated 0.6", false, func(rng *rand.Rand, n int) []float64 { return autoregressive(rng, n, 0.6) }},
	// add here
}

func drawn(from interface{ Rand() float64 }, n int) []float64 {
	return list.Fill(n, func(int) float64 { return from.Rand() })
}

// autoregressive draws a stationary Gaussian series in which neighbours have a correlation.
func autoregressive(rng *rand.Rand, n int, correlation float64) []float64 {
	x, state := make([]float64, n), rng.NormFloat64()
	for i := range x {
		x[i] = state
		state = correlation*state + math.Sqrt(1-correlation*correlation)*rng.NormFloat64()
	}
	return x
}

// shortcut is the p-value of Student's test at the best split, as if that split had been given: what is often done, and
// what the calibration is for.
func shortcut(x []float64) float64 {
	n, best := len(x), 0.0
	for k := 2; k <= n-2; k++ {
		m1, v1 := stat.MeanVariance(x[:k], nil)
		m2, v2 := stat.MeanVariance(x[k:], nil)
		pooled := (float64(k-1)*v1 + float64(n-k-1)*v2) / float64(n-2)
		best = max(best, math.Abs(m1-m2)/math.Sqrt(pooled*(1/float64(k)+1/float64(n-k))))
	}
	return 2 * distuv.StudentsT{Sigma: 1, Nu: float64(n - 2)}.Survival(best)
}

// Lengths of the series that are studied.
var Lengths = []int{20, 50, 100, 200}

// StudyLevels are the nominal false-alarm rates that are studied.
var StudyLevels = []float64{0.05, 0.01}

// Rate is the frequency of an event, with an interval of 99 % that holds however many were looked at.
type Rate struct {
	Events, Trials int
	Lo, Hi         float64
}

func rate(events, trials int) Rate {
	iv := intervals.Proportion(events, trials, 0.01)
	return Rate{events, trials, iv.Lo, iv.Hi}
}

func (r Rate) String() string {
	return fmt.Sprintf("%.1f %%", 100*float64(r.Events)/float64(r.Trials))
}

// Null holds how often series in which nothing changes show a change.
type Null struct {
	Process  string
	Length   int
	Level    float64
	Ours     Rate
	Shortcut Rate
	Blocks   Rate // ours with blocks of eight runs; only measured where neighbours depend on each other
}

// blocks is the size of the blocks in the study.
const blocks = 8

// NullRates measures the false-alarm rates.
func (s Study) NullRates(lengths []int, step func()) []Null {
	var out []Null
	for _, p := range processes {
		for _, n := range lengths {
			out = append(out, s.null(p, n)...)
			step()
		}
	}
	return out
}

// null measures the false alarms of one process at one length, at each level.
func (s Study) null(p process, n int) (out []Null) {
	plain, blocked := &Calibration{Seed: s.Seed}, &Calibration{Seed: s.Seed, Block: blocks}
	ours, naive, blocky := make([]int, len(StudyLevels)), make([]int, len(StudyLevels)), make([]int, len(StudyLevels))
	for i := range s.Series {
		x := p.draw(streams.New(s.Seed, "history", "null", p.name, fmt.Sprint(n), fmt.Sprint(i)), n)
		t := shortcut(x)
		for j, level := range StudyLevels {
			ours[j] += number.Indicator(plain.finds(x, level))
			naive[j] += number.Indicator(t <= level)
			if !p.exchangeable && i < s.fewer() {
				blocky[j] += number.Indicator(blocked.finds(x, level))
			}
		}
	}
	for j, level := range StudyLevels {
		row := Null{p.name, n, level, rate(ours[j], s.Series), rate(naive[j], s.Series), Rate{}}
		if !p.exchangeable {
			row.Blocks = rate(blocky[j], s.fewer())
		}
		out = append(out, row)
	}
	return out
}

// fewer is the number of series where they cost more: blocks share no random orders, and changes want all of them.
func (s Study) fewer() int { return max(1, s.Series/20) }

// Tables measures how often a table of unchanged Gaussian series shows any change, at level α for the table, and how
// often one that is looked at after every run from the twentieth on does at any look.
func (s Study) Tables(rows, n int, alpha float64) (once, watched Rate) {
	c := &Calibration{Seed: s.Seed}
	alarms, ever, tables := 0, 0, s.Series
	for i := range tables {
		rng := streams.New(s.Seed, "history", "table", fmt.Sprint(i))
		any := false
		for range rows {
			any = c.finds(autoregressive(rng, n, 0), alpha/float64(rows)) || any
		}
		alarms += number.Indicator(any)
		x := autoregressive(rng, n, 0)
		for look := 20; look <= n; look++ {
			if c.finds(x[:look], alpha) {
				ever++
				break
			}
		}
	}
	return rate(alarms, tables), rate(ever, tables)
}

// Power holds how often a change is found.
type Power struct {
	Length, Since int     // runs, and how many of them after the change
	Size          float64 // of the change, in standard deviations between runs
	Found         Rate
	More          Rate // series that show more change points than there are
	Off           Rate // series whose nearest change point lies more than two runs from the change, of those found
}

// PowerRates measures the power at a level for one series: α over the rows of the table. Runs are Gaussian.
func (s Study) PowerRates(lengths []int, level float64, step func()) []Power {
	c := &Calibration{Seed: s.Seed}
	var out []Power
	series := s.fewer()
	for _, n := range lengths {
		for _, since := range []int{n / 2, 5} {
			for _, size := range []float64{1, 2, 3, 5} {
				hits, more, off := 0, 0, 0
				for i := range series {
					x := autoregressive(streams.New(s.Seed, "history", "power", fmt.Sprint(n, since, size, i)), n, 0)
					for k := n - since; k < n; k++ {
						x[k] += size
					}
					changes := c.Find(x, level)
					if len(changes) == 0 {
						continue
					}
					hits++
					more += number.Indicator(len(changes) > 1)
					nearest := n
					for _, f := range changes {
						nearest = min(nearest, max(f.At-(n-since), n-since-f.At))
					}
					off += number.Indicator(nearest > 2)
				}
				out = append(out, Power{n, since, size, rate(hits, series), rate(more, series),
					rate(off, max(hits, 1))})
			}
		}
		step()
	}
	return out
}

// StudyCommand makes the published tables again.
const StudyCommand = "go run ./cmd/thm bench track study"

// Published is the study that is published.
func Published() Study { return Study{Series: 10000, Seed: 1} }

// Markdown runs the study and writes it as tables. Progress is told after every part.
func (s Study) Markdown(progress func(done, planned int)) string {
	var out strings.Builder
	planned := len(processes)*len(Lengths) + len(Lengths) + 1
	done := 0
	step := func() { done++; progress(done, planned) }
	fmt.Fprintf(&out, "# Change points: false alarms and power\n\nMade by `%s`: simulated, so that it is the same "+
		"everywhere. %d series a cell;\n%d for blocks and for power.\n\n", StudyCommand, s.Series, s.fewer())
	out.WriteString("## Series in which nothing changes\n\nHow many show a change point, by the permutation of runs " +
		"(*ours*), by that of blocks of " +
		fmt.Sprint(blocks) + " runs\n(`--block " + fmt.Sprint(blocks) +
		"`), and by Student's test at the best split (*shortcut*), which forgets that the split was chosen.\n\n" +
		"| runs vary | length | nominal | ours | blocks | shortcut |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range s.NullRates(Lengths, step) {
		out.WriteString(r.line())
	}
	out.WriteString("\nBold: above the nominal rate beyond chance (interval of 99 %). Where runs depend on their " +
		"neighbours the permutation of\n" +
		"runs is no calibration, and blocks mend it only in part. Series of one length share the\n" +
		"random orders of one seed, which moves their rates together, by a standard deviation of 5 % of the rate.\n\n")
	once, watched := s.Tables(20, 50, 0.05)
	step()
	fmt.Fprintf(&out, "## Tables and watching\n\nTables of 20 unchanged series of 50 runs at α = 5 %% for the table: "+
		"%s (%d of %d) show any change. One unchanged series at\n"+
		"5 %%, looked at after each of 50 runs from the 20th on: %s (%d of %d) show a change at some look; α is for "+
		"one look.\n\n",
		once, once.Events, once.Trials, watched, watched.Events, watched.Trials)
	out.WriteString("## Power\n\nOne Gaussian series of a table of 20 at α = 5 %. The change is in standard " +
		"deviations between runs. *More* are series that\n" +
		"show further change points that are not there; *off* are those found more than two runs away.\n\n" +
		"| length | runs since | change | found | more | off |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, p := range s.PowerRates(Lengths, 0.05/20, step) {
		out.WriteString(p.line())
	}
	return out.String()
}

// line is a row of the table.
func (r Null) line() string {
	blocky := "–"
	if r.Blocks.Trials > 0 {
		blocky = mark(r.Blocks, r.Level)
	}
	return fmt.Sprintf("| %s | %d | %.0f %% | %s | %s | %s |\n", r.Process, r.Length, 100*r.Level,
		mark(r.Ours, r.Level), blocky, mark(r.Shortcut, r.Level))
}

// line is a row of the table.
func (p Power) line() string {
	off := "–"
	if p.Found.Events > 0 {
		off = p.Off.String()
	}
	return fmt.Sprintf("| %d | %d | %g σ | %s | %s | %s |\n", p.Length, p.Since, p.Size, p.Found, p.More, off)
}

// mark sets a rate in bold where it is above a level beyond chance.
func mark(r Rate, level float64) string {
	if r.Lo > level {
		return "**" + r.String() + "**"
	}
	return r.String()
}
