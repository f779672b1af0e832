package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/props/stat"
)

// Law describes, from theory, how the time of a family of benchmarks depends on their size n.
type Law struct {
	Benchmark string   // name up to the first slash
	Tied      []string // keys that must be n as well
	From      int      // smallest n that is fitted: below, overhead and the first-level cache hide the law
	Exponent  float64  // time grows as n to this power
	Why       string
}

// size is the key of the size.
const size = "n"

// Laws lists the declared costs. From is the size at which the operands outgrow 48 KiB, the first-level cache of
// current processors: three matrices of 8n² bytes at n = 45, a matrix and its vectors at n = 56, a matrix alone at n =
// 79; the smallest size from there on that is measured.
var Laws = []Law{
	{"MatMul", []string{"m", "k"}, 64, 3, "2n³ flops"},
	{"Gemm", nil, 64, 3, "2n³ flops"},
	{"SVD", []string{"m"}, 64, 3, "4n³ − 4n³/3 flops and more, by Golub and Reinsch"},
	{"SymEigen", nil, 64, 3, "4n³/3 flops and more, by reduction to tridiagonal form"},
	{"Polar", []string{"m"}, 64, 3, "matrix products and factorisations of order n"},
	{"Gemv", nil, 128, 2, "2n² flops"},
	// add here
}

// FitLevel is the chance that the interval of an exponent misses it, if times follow a power of n up to independent
// normal deviations of their logarithms.
const FitLevel = 0.05

// The words of a fit.
const (
	Consistent   = "consistent"   // the interval holds the declared exponent, and tells it from one that is ½ away
	Inconsistent = "inconsistent" // the interval does not hold the declared exponent
	Unsettled    = "undecided"    // the interval is too wide, or there are too few sizes
	Undeclared   = "undeclared"   // theory says nothing
)

// Fit is the exponent of a family. Each size enters once, by its median, so that the interval covers how far times are
// from a power of n, and not only their noise.
type Fit struct {
	Setup    string         `json:"setup"`
	Run      int            `json:"run"`    // index in the history: the newest that has the family on this setup
	Family   string         `json:"family"` // name without the size
	Package  string         `json:"pkg"`
	Sizes    []Size         `json:"sizes"`
	Exponent compare.Number `json:"exponent"`
	Lo       compare.Number `json:"lo"`
	Hi       compare.Number `json:"hi"`
	Declared compare.Number `json:"declared"` // NaN if there is none
	From     int            `json:"from"`     // smallest n that was fitted
	Why      string         `json:"why,omitempty"`
	Verdict  string         `json:"verdict"`
}

// Size is one member of a family.
type Size struct {
	N       int            `json:"n"`
	Seconds compare.Number `json:"seconds"`
	Slope   compare.Number `json:"slope"` // local exponent between the size before and this one; NaN for the first
}

// member is a family's name and the size of a benchmark in it.
func member(name string) (family string, n int, law *Law, ok bool) {
	base, parts := benchfmt.Name(name).Parts()
	values := map[string]string{}
	for _, part := range parts {
		if key, value, found := strings.Cut(strings.TrimPrefix(string(part), "/"), "="); found {
			values[key] = value
		}
	}
	n, err := strconv.Atoi(values[size])
	if err != nil || n < 1 {
		return "", 0, nil, false
	}
	drop := []string{size}
	for i := range Laws {
		if l := &Laws[i]; l.Benchmark == string(base) {
			law, drop = l, append(drop, l.Tied...)
			for _, key := range l.Tied {
				if values[key] != values[size] {
					return "", 0, nil, false // not square
				}
			}
		}
	}
	out := string(base)
	for _, part := range parts {
		key, _, _ := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		if !slices.Contains(drop, key) {
			out += string(part)
		}
	}
	return out, n, law, true
}

// fits finds the families and fits those with three sizes and more.
func fits(rows []Row) []Fit {
	type key struct{ setup, pkg, family string }
	var out []Fit
	at := map[key]int{}
	for _, r := range rows {
		family, n, law, ok := member(r.Name)
		if !ok || r.Unit != "sec/op" {
			continue
		}
		for _, s := range r.Series {
			p := s.Points[len(s.Points)-1]
			k := key{s.Setup, r.Package, family}
			i, known := at[k]
			if !known {
				i = len(out)
				at[k] = i
				out = append(out, Fit{Setup: s.Setup, Family: family, Package: r.Package,
					Declared: compare.Number(math.NaN())})
				if law != nil {
					out[i].Declared, out[i].From, out[i].Why = compare.Number(law.Exponent), law.From, law.Why
				}
			}
			f := &out[i]
			if p.Run > f.Run {
				f.Run, f.Sizes = p.Run, nil
			}
			if p.Run == f.Run {
				f.Sizes = append(f.Sizes, Size{n, p.Center, compare.Number(math.NaN())})
			}
		}
	}
	out = slices.DeleteFunc(out, func(f Fit) bool { return len(f.Sizes) < 3 })
	for i := range out {
		out[i].fit()
	}
	return out
}

// fit fits a line to the logarithms.
func (f *Fit) fit() {
	slices.SortFunc(f.Sizes, func(a, b Size) int { return cmp.Compare(a.N, b.N) })
	var x, y []float64
	for i := range f.Sizes {
		s := &f.Sizes[i]
		if i > 0 {
			before := f.Sizes[i-1]
			s.Slope = compare.Number(math.Log(float64(s.Seconds/before.Seconds)) /
				math.Log(float64(s.N)/float64(before.N)))
		}
		if s.N >= f.From {
			x, y = append(x, math.Log(float64(s.N))), append(y, math.Log(float64(s.Seconds)))
		}
	}
	slope := stat.Slope(x, y, FitLevel)
	f.Exponent, f.Lo, f.Hi = compare.Number(slope.Estimate), compare.Number(slope.Lo), compare.Number(slope.Hi)
	f.Verdict = judge(slope, float64(f.Declared))
}

// judge compares an interval with the declared exponent. An interval that also holds an exponent that is off by one
// half cannot tell.
func judge(slope stat.Interval, declared float64) string {
	switch {
	case math.IsNaN(declared):
		return Undeclared
	case !slope.Valid():
		return Unsettled
	case slope.Hi < declared || slope.Lo > declared:
		return Inconsistent
	case slope.Lo > declared-0.5 && slope.Hi < declared+0.5:
		return Consistent
	}
	return Unsettled
}

// Sentence says what a fit found.
func (f Fit) Sentence() string {
	declared := fmt.Sprintf("%s asymptotically (%s)", powerOf(float64(f.Declared)), f.Why)
	interval := strings.ReplaceAll(fmt.Sprintf("exponent %.2f, %.2f to %.2f", float64(f.Exponent), float64(f.Lo),
		float64(f.Hi)), "-", "−")
	switch f.Verdict {
	case Consistent:
		return interval + ": consistent with " + declared
	case Inconsistent:
		return interval + ": not " + declared + " at these sizes"
	case Unsettled:
		return interval + ": too wide an interval, or too few sizes, to tell whether it is " + declared
	}
	return interval + "; no theory is declared"
}
