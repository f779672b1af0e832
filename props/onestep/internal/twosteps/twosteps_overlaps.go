package twosteps

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// criterion names the overlap of β^(k).
func criterion(k int, same bool) string {
	return fmt.Sprintf("overlap of β^(%d) with β⋆, %s", k, map[bool]string{true: "same batch",
		false: "fresh batch"}[same])
}

// moments is the criterion for what the overlaps given β⋆ᵀx and the labels are made of.
const moments = "means of (β⋆ᵀx)^p y^q over a batch, minus E z^p y^q, in root mean squares"

// share is the standard deviation of means over the teachers and both batches of a cell, times √n over the one for one
// sample: extrapolated ones included.
const share = 0.22

// skewness bounds the skewness of a mean over the directions of a cell.
const skewness = 0.5

// setup is a teacher.
type setup struct {
	Name  string // the regime
	Phi   float64
	Noise float64 // variance
	Link  func(z float64) float64
	Alone bool       // no opposite teachers: by symmetry they would cancel some overlaps exactly
	SD    [4]float64 // in one cell of standard size, over the scale: k = 1, 2 on the same batch, on a fresh one
}

var setups = []setup{
	{"Setting 1", 1, 1, func(z float64) float64 { return z }, false, [4]float64{0.013, 0.0082, 0.011, 0.019}},
	{"Setting 2", 1, 0, func(z float64) float64 { return z + (z*z-1)*math.Sqrt(0.5) }, false,
		[4]float64{0.019, 0.0062, 0.034, 0.024}},
	{"E y ≠ 0", 0.4, 0.1, func(z float64) float64 { return max(z, 0) }, false, [4]float64{0.021, 0.0082, 0.026, 0.0165}},
	{"information exponent three", 1, 0, func(z float64) float64 {
		return (math.Sin(z) - math.Exp(1.5)/2*math.Sin(2*z)) / 1.2680436899
	}, true, [4]float64{0.016, 0.025, 0.0148, 0.022}},
	{"even labels", 0.5, 0, func(z float64) float64 { return math.Abs(z) - math.Sqrt(2/math.Pi) }, true,
		[4]float64{0.017, 0.024, 0.0153, 0.026}},
}

var regimes = network.Map(setups, func(s setup) string { return s.Name })

func (s setup) labels() theory.Labels { return theory.Labels{Link: s.Link, Noise: s.Noise, Phi: s.Phi} }

// expectations are E z^p y^q of the setups, p and q up to 6, each of them a quadrature.
var expectations = sync.OnceValue(func() map[string][7][7]float64 {
	out := map[string][7][7]float64{}
	for _, s := range setups {
		var table [7][7]float64
		for p := range table {
			for q := range table[p] {
				table[p][q] = s.labels().Moment(p, q)
			}
		}
		out[s.Name] = table
	}
	return out
})

// moment returns E z^p y^q.
func (s setup) moment(p, q int) float64 { return expectations()[s.Name][p][q] }

// limit returns the limit of an overlap.
func (s setup) limit(k int, same bool) float64 {
	return theory.OverlapOf(k, same, s.Phi, s.moment, s.moment)
}

func cells(e props.Effort) []network.Cell {
	return network.CellsOf(regimes, props.Scale{Quick: 72, Standard: 512, Deep: 800}.At(e))
}

// overlaps are means over teachers, of β^(k), k = 1, 2, on the same batch and on a fresh one, minus their means given
// what the batches have along β⋆ and the labels.
type overlaps struct {
	N           int
	Same, Fresh [2]float64
	Moments     [len(powers)]float64 // of both batches
}

// powers lists the powers of z and y whose means over a batch determine the mean of an overlap given β⋆ᵀx and the
// labels.
var powers = [...][2]int{{1, 1}, {0, 2}, {1, 2}, {2, 1}, {1, 3}, {2, 2}, {3, 1}}

// base is the larger size √(nd); the other one is a quarter of it.
var base = props.Scale{Quick: 60, Standard: 160, Deep: 500}

// teachers is the number of directions that are tried on a batch, each with its opposite.
const teachers = 32

// fewer is the number of pairs of batches of the smaller size in a cell.
const fewer = 4

// measure draws one pair of batches of the larger size, and some of the smaller one. On average an overlap and its mean
// given the labels differ by nothing at any size: a formula that is wrong shows at both.
func measure(t *props.Trial, c network.Cell) []overlaps {
	s, size := setups[slices.Index(regimes, c.Setup)], base.At(t.Effort)
	out := []overlaps{s.sample(t, size, false)}
	for range fewer {
		out = append(out, s.sample(t, size/4, false))
	}
	return out
}

// wider is the standard deviation of an extrapolated value over the one of the larger size.
const wider = 1.5

// sample draws two batches and the directions of the second step; raw ones are the overlaps themselves.
func (s setup) sample(t *props.Trial, size int, raw bool) overlaps {
	n, d, _ := network.Setup{Phi: s.Phi, Psi: 1}.Shape(size)
	first, second := features.Gaussian(t.Rand, n, d), features.Gaussian(t.Rand, n, d)
	truth := features.UnitRows(t.Rand, 2*teachers, d)
	if !s.Alone {
		truth.Slice(teachers, 2*teachers, 0, d).(*mat.Dense).Scale(-1, truth.Slice(0, teachers, 0, d))
	}
	same, fresh := s.label(t, first, truth), s.label(t, second, truth)
	beta := algebra.Product(same.y, first)
	beta.Scale(1/float64(n), beta)
	same.u, fresh.u = features.PreActivations(beta, first), features.PreActivations(beta, second)
	out := overlaps{N: n}
	for i := range 2 * teachers {
		one, two := same.moments(i), fresh.moments(i)
		for m, p := range powers {
			out.Moments[m] += (one(p[0], p[1]) + two(p[0], p[1])) / (4 * teachers)
		}
		for k := 1; k <= 2; k++ {
			own, other := same.overlap(i, k), fresh.overlap(i, k)
			if !raw {
				slope, ratio := one(1, 1), float64(d-1)/float64(n)
				own -= given(k, true, n, d, one, one) + same.linear(i, k, slope, ratio)
				other -= given(k, false, n, d, one, two) + fresh.linear(i, k, slope, 0)
			}
			out.Same[k-1] += own / (2 * teachers)
			out.Fresh[k-1] += other / (2 * teachers)
		}
	}
	return out
}

// given is the mean of an overlap given β⋆ᵀx and the labels, with the moments of the first batch and of the second.
// What is left of x is independent of them: on the same batch Xβ is z·mean(zy) + Ky for the Wishart matrix K of d−1
// further coordinates, where (Ky)ᵢ has the mean ρyᵢ and the variance ρ(mean(y²) + yᵢ²/n), ρ = (d−1)/n; on a fresh one
// it is z·mean(zy) plus normal numbers of variance ρ·mean(y²). This is the claimed formula at ρ in the place of φ, and
// ρ·mean(zy³)/n.
func given(k int, same bool, n, d int, first, second func(p, q int) float64) float64 {
	ratio := float64(d-1) / float64(n)
	mean := theory.OverlapOf(k, same, ratio, first, second)
	if same && k == 2 {
		mean += ratio / float64(n) * second(1, 3)
	}
	return mean
}

// labelled is a batch with a row for each teacher: β⋆ᵀx, the labels and Xβ.
type labelled struct{ z, y, u *mat.Dense }

// label labels a batch for all teachers.
func (s setup) label(t *props.Trial, x, truth *mat.Dense) labelled {
	z := features.PreActivations(truth, x)
	y := mat.DenseCopyOf(z)
	y.Apply(func(_, _ int, z float64) float64 { return s.Link(z) }, y)
	if sd := math.Sqrt(s.Noise); sd > 0 {
		y.Apply(func(_, _ int, y float64) float64 { return y + sd*t.Rand.NormFloat64() }, y)
	}
	return labelled{z: z, y: y}
}

// overlap is ⟨Xᵀ(y ∘ (Xβ)^∘k)/n, β⋆⟩ for a teacher, the mean of zyuᵏ.
func (l labelled) overlap(teacher, k int) float64 {
	sum, z, u := 0.0, l.z.RawRowView(teacher), l.u.RawRowView(teacher)
	for i, y := range l.y.RawRowView(teacher) {
		sum += z[i] * y * power(u[i], k)
	}
	return sum / float64(len(z))
}

// linear returns the part of the overlap of k = 2 that is of first order in Xβ − m, where m = slope·z + own·y is the
// mean of Xβ given z and y: the mean of 2zym(Xβ − m), which vanishes on average and makes most of the scatter.
func (l labelled) linear(teacher, k int, slope, own float64) float64 {
	if k != 2 {
		return 0
	}
	sum, z, u := 0.0, l.z.RawRowView(teacher), l.u.RawRowView(teacher)
	for i, y := range l.y.RawRowView(teacher) {
		m := slope*z[i] + own*y
		sum += 2 * z[i] * y * m * (u[i] - m)
	}
	return sum / float64(len(z))
}

// moments returns the batch's means of z^p y^q, p and q up to 3.
func (l labelled) moments(teacher int) func(p, q int) float64 {
	var mean [4][4]float64
	z := l.z.RawRowView(teacher)
	for i, y := range l.y.RawRowView(teacher) {
		left := 1 / float64(len(z))
		for p := range mean {
			term := left
			for q := range mean[p] {
				mean[p][q] += term
				term *= y
			}
			left *= z[i]
		}
	}
	return func(p, q int) float64 { return mean[p][q] }
}

func power(x float64, k int) float64 {
	out := 1.0
	for range k {
		out *= x
	}
	return out
}

// overlapsClaim holds the closed forms that the judge compares: the limit of an overlap, and the mean of z^p y^q.
type overlapsClaim struct {
	overlap func(s setup, k int, same bool) float64
	moment  func(s setup, p, q int) float64
}

// withoutNoise leaves out the term of j = 2.
func (s setup) withoutNoise(k int, same bool) float64 {
	if k != 2 {
		return s.limit(k, same)
	}
	return s.limit(k, same) - s.Phi*s.moment(0, 2)*s.moment(1, 1)
}

// alwaysLearned has a direction of order one where there is none.
func (s setup) alwaysLearned(k int, same bool) float64 {
	want := s.limit(k, same)
	return math.Copysign(max(math.Abs(want), s.scale(k, same)), want)
}

// exchangeBatches has what a fresh batch shows in the place of the same one.
func exchangeBatches(c network.Cell, sizes *[]overlaps) {
	s := setups[slices.Index(regimes, c.Setup)]
	*sizes = network.Map(*sizes, func(o overlaps) overlaps {
		for k := range o.Same {
			o.Same[k] = o.Fresh[k] + s.limit(k+1, false) - s.limit(k+1, true)
		}
		return o
	})
}

// scale returns the unit of an overlap: its limit, or √(E y²)bᵏ where that is zero.
func (s setup) scale(k int, same bool) float64 {
	if limit := math.Abs(s.limit(k, same)); limit >= 1e-6 {
		return limit
	}
	linear, noise := s.moment(1, 1), s.Phi*s.moment(0, 2)
	return math.Sqrt(s.moment(0, 2)) * math.Pow(linear*linear+noise, float64(k)/2)
}

func conclude(r *props.Record, cells []network.Cell, all [][]overlaps, claim overlapsClaim) {
	for _, s := range setups {
		r.Regime(s.Name)
		mine := network.Measured(s.Name, cells, all)
		// The number of directions is the same at all sizes, and one scatters as 1/√n.
		spread := wider * math.Sqrt(float64(base.Standard)/(float64(mine[0][0].N)*math.Sqrt(s.Phi)))
		for column, same := range []bool{true, false} {
			for k := 1; k <= 2; k++ {
				want, limit, scale := claim.overlap(s, k, same), s.limit(k, same), s.scale(k, same)
				values := network.Map(mine, func(sizes []overlaps) float64 {
					at := network.LimitOf(sizes, func(o overlaps) float64 {
						if same {
							return o.Same[k-1]
						}
						return o.Fresh[k-1]
					})
					return (at + limit - want) / scale
				})
				sd := s.SD[2*column+k-1] * spread
				props.Limit{Name: criterion(k, same), SD: sd, Bias: skewness / 6 * sd}.Absolute(r, values, 0)
			}
		}
		s.concludeMoments(r, mine, claim)
	}
}

// concludeMoments compares means of z^p y^q over the batches with expectations, in root mean squares of one sample.
func (s setup) concludeMoments(r *props.Record, mine [][]overlaps, claim overlapsClaim) {
	for m, p := range powers {
		want, size := claim.moment(s, p[0], p[1]), math.Sqrt(s.moment(2*p[0], 2*p[1]))
		sd := share / math.Sqrt(float64(mine[0][0].N))
		props.Limit{Name: moments, SD: sd, Bias: skewness / 6 * sd}.Absolute(r,
			network.Map(mine, func(sizes []overlaps) float64 {
				return (network.LimitOf(sizes, func(o overlaps) float64 { return o.Moments[m] }) - want) / size
			}), 0)
	}
}
