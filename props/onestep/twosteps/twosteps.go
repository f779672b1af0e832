// Package twosteps pairs the claim onestep/twosteps with directions of sampled second batches.
package twosteps

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/twosteps.
var Claim = props.Spec{
	Statement: &theory.TwoSteps,
	Checks: []props.Check{props.Sweep[cell, []overlaps]{
		Name:       "overlaps",
		Cells:      cells,
		Regimes:    regimes,
		Measure:    measure,
		Conclude:   conclude,
		Replicates: 1,
		Controls: []props.Control{
			{Name: "no own term φy on the same batch", Assumption: "same-batch", Criterion: criterion(2, true),
				Claimed: "no own term"},
			{Name: "an own term on a fresh batch", Criterion: criterion(1, false), Claimed: "own term"},
			{Name: "no noise φ E y² in Xβ", Assumption: "proportional", Criterion: criterion(2, false),
				Claimed: "no noise"},
			{Reading: "exponent", Criterion: criterion(1, true), Claimed: "learned"},
			{Name: "a fresh batch for the same one", Criterion: criterion(2, true), Done: "exchanged"},
			{Name: "twice the overlap", Criterion: criterion(1, true), Claimed: "twice"},
		},
		Coarse: map[string]string{criterion(1, true): scatters, criterion(1, false): scatters,
			criterion(2, true):  scatters,
			criterion(2, false): scatters},
	}},
	Try: &props.Simulation{Params: sizes, Run: try},
}.Claim()

const scatters = "powers of labels and of Xβ have heavy tails, and one batch of a few hundred samples is off by " +
	"percents"

// criterion names the overlap of β^(k).
func criterion(k int, same bool) string {
	return fmt.Sprintf("overlap of β^(%d) with β⋆, %s", k, map[bool]string{true: "same batch",
		false: "fresh batch"}[same])
}

// setup is a teacher.
type setup struct {
	Name  string // the regime
	Phi   float64
	Noise float64 // variance
	Link  func(z float64) float64
	SD    [4]float64 // in one cell, over the scale of its criterion: k = 1, 2 on the same batch, on a fresh one
}

var setups = []setup{
	{"Setting 1", 1, 1, func(z float64) float64 { return z }, [4]float64{0.018, 0.04, 0.018, 0.036}},
	{"Setting 2", 1, 0, func(z float64) float64 { return z + (z*z-1)*math.Sqrt(0.5) },
		[4]float64{0.03, 0.075, 0.065, 0.11}},
	{"E y ≠ 0", 0.4, 0.1, func(z float64) float64 { return max(z, 0) }, [4]float64{0.033, 0.06, 0.044, 0.07}},
	{"information exponent three", 1, 0, func(z float64) float64 {
		return (math.Sin(z) - math.Exp(1.5)/2*math.Sin(2*z)) / 1.2680436899
	}, [4]float64{0.038, 0.15, 0.033, 0.046}},
	{"even labels", 0.5, 0, func(z float64) float64 { return (z*z - 1) * math.Sqrt(0.5) },
		[4]float64{0.048, 0.45, 0.05, 0.08}},
}

var regimes = network.Map(setups, func(s setup) string { return s.Name })

func (s setup) labels() theory.Labels { return theory.Labels{Link: s.Link, Noise: s.Noise, Phi: s.Phi} }

type cell struct{ Setup, Index int }

func cells(e props.Effort) []cell {
	var out []cell
	for s := range setups {
		for i := range (props.Scale{Quick: 64, Standard: 64, Deep: 200}).At(e) {
			out = append(out, cell{s, i})
		}
	}
	return out
}

// overlaps are means over teachers, of β^(k), k = 1, 2, on the same batch and on a fresh one, minus what the formula
// makes of the batches' own moments.
type overlaps struct {
	N           int
	Same, Fresh [2]float64
}

// base is the smaller size √(nd).
var base = props.Scale{Quick: 100, Standard: 140, Deep: 500}

// teachers is how many directions are tried on a batch, each with its opposite.
const teachers = 16

// measure takes two sizes, one twice the other.
func measure(t *props.Trial, c cell, done string) []overlaps {
	size := base.At(t.Effort)
	return []overlaps{setups[c.Setup].sample(t, size, done == "exchanged", false),
		setups[c.Setup].sample(t, 2*size, done == "exchanged", false)}
}

// sample draws two batches and the directions of the second step; raw ones are the overlaps themselves.
func (s setup) sample(t *props.Trial, size int, exchanged, raw bool) overlaps {
	n, d, _ := network.Setup{Phi: s.Phi, Psi: 1}.Shape(size)
	first, second := features.Gaussian(t.Rand, n, d), features.Gaussian(t.Rand, n, d)
	truth := features.UnitRows(t.Rand, teachers, d)
	out := overlaps{N: n}
	for i := range teachers {
		for _, sign := range []float64{-1, 1} {
			target := truth.RawRowView(i)
			floats.Scale(sign, target)
			y, fresh := s.batch(t, first, target), s.batch(t, second, target)
			beta := network.Correlate(first, y)
			same, other := along(first, beta, y, target), along(second, beta, fresh, target)
			if exchanged {
				same, other = other, same
			}
			ratio, one, two := float64(d)/float64(n), moments(first, target, y), moments(second, target, fresh)
			for k := range same {
				if !raw {
					same[k] -= theory.OverlapOf(k+1, true, ratio, one, one)
					other[k] -= theory.OverlapOf(k+1, false, ratio, one, two)
				}
				out.Same[k] += same[k] / (2 * teachers)
				out.Fresh[k] += other[k] / (2 * teachers)
			}
		}
	}
	return out
}

// batch labels a batch.
func (s setup) batch(t *props.Trial, x *mat.Dense, target []float64) []float64 {
	return features.Teacher{Direction: target, Link: s.Link, Noise: math.Sqrt(s.Noise)}.Labels(t.Rand, x)
}

// moments returns the batch's means of z^p y^q.
func moments(x *mat.Dense, target, y []float64) func(p, q int) float64 {
	z := make([]float64, len(y))
	mat.NewVecDense(len(z), z).MulVec(x, mat.NewVecDense(len(target), target))
	return func(p, q int) float64 {
		sum := 0.0
		for i, yi := range y {
			sum += power(z[i], p) * power(yi, q)
		}
		return sum / float64(len(y))
	}
}

func power(x float64, k int) float64 {
	out := 1.0
	for range k {
		out *= x
	}
	return out
}

// along returns ⟨Xᵀ(y ∘ (Xβ)^∘k)/n, β⋆⟩ for k = 1, 2.
func along(x *mat.Dense, beta, y, target []float64) (out [2]float64) {
	n := float64(len(y))
	for i, yi := range y {
		row := x.RawRowView(i)
		u := floats.Dot(row, beta)
		term := yi * floats.Dot(row, target) / n
		out[0] += term * u
		out[1] += term * u * u
	}
	return out
}

// claim is the limit as a version of the claim has it, and what an overlap is measured in: itself, or √(E y²)bᵏ where
// it is zero.
func (s setup) claim(k int, same bool, claimed string) (want, scale float64) {
	l := s.labels()
	want = l.Overlap(k, same)
	scale = math.Abs(want)
	if scale < 1e-6 {
		scale = math.Sqrt(l.Energy()) * math.Pow(l.Linear()*l.Linear()+l.Phi*l.Energy(), float64(k)/2)
	}
	switch claimed {
	case "no own term":
		want = l.Overlap(k, false)
	case "own term":
		want = l.Overlap(k, true)
	case "no noise":
		if k == 2 { // the term of j = 2
			want -= l.Phi * l.Energy() * l.Linear()
		}
	case "learned":
		want = math.Copysign(max(math.Abs(want), scale), want)
	case "twice":
		want *= 2
	}
	return want, scale
}

func conclude(r *props.Record, cells []cell, all [][]overlaps, claimed string) {
	for i, s := range setups {
		r.Regime(s.Name)
		var mine [][]overlaps
		for j, c := range cells {
			if c.Setup == i {
				mine = append(mine, all[j])
			}
		}
		spread := math.Pow(400/(float64(mine[0][1].N)*math.Sqrt(s.Phi)), 0.8)
		for batch, same := range []bool{true, false} {
			for k := 1; k <= 2; k++ {
				want, scale := s.claim(k, same, claimed)
				limit := s.labels().Overlap(k, same)
				values := network.Map(mine, func(sizes []overlaps) float64 {
					at := func(o overlaps) float64 {
						return map[bool][2]float64{true: o.Same,
							false: o.Fresh}[same][k-1]
					}
					return (2*at(sizes[1]) - at(sizes[0]) + limit - want) / scale
				})
				network.Limit{Name: criterion(k, same), SD: s.SD[2*batch+k-1] * spread, Bias: 0.03}.Absolute(r, values,
					0)
			}
		}
	}
}
