package universality

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// paired holds the means over networks of a size with F₀, with F₀ less its own part, and with the Gaussian matrix; what
// is not measured is empty.
type paired struct {
	N, Dim, Width         int
	Networks              int
	Whole, Rest, Gaussian shown
}

// shown are the traces of the matrix, or for Rest of F₀, and by the case the objective and the test error. Traces and
// what is claimed are there only where the Gaussian matrix is looked at, for it and for Rest.
type shown struct {
	Traces theory.Resolvent
	Errors map[string][2]compared
}

// compared is a mean over the teachers, and what the claim makes of the traces of these features and of the scalar
// products of these labels and spikes.
type compared struct{ Got, Want float64 }

// base is the smaller size √(nd) at which the Gaussian matrix is looked at; the other one is four times that.
var base = props.Scale{Quick: 20, Standard: 36, Deep: 90}

// ownSizes lists the sizes at which F₀'s own part is looked at alone, with the networks that a cell averages: it makes
// a small difference.
var ownSizes = []struct{ Size, Networks props.Scale }{
	{props.Times(32), props.Scale{Quick: 12, Standard: 8, Deep: 24}},
	{props.Scale{Quick: 56, Standard: 112, Deep: 400}, props.Scale{Quick: 2, Standard: 1, Deep: 4}},
}

// few is the number of networks of the smaller size in a cell.
const few = 3

// asked says what is looked at: the Gaussian matrix, F₀ with its own part, and the cases.
type asked struct {
	Gaussian, Whole bool
	Cases           []string
}

// measure takes one network of the larger size and some of the smaller one.
func measure(t *props.Trial, s setup, size int) []paired {
	what := asked{Gaussian: true, Cases: cases}
	return []paired{average(t, s, 4*size, 1, what), average(t, s, size, few, what)}
}

// measureOwn takes both sizes at which F₀'s own part is looked at, the smaller one first, where one case is judged.
func measureOwn(t *props.Trial) []paired {
	of := func(i int, cases []string) paired {
		size, networks := ownSizes[i].Size.At(t.Effort), ownSizes[i].Networks.At(t.Effort)
		return average(t, alone, size, networks, asked{Whole: true, Cases: cases})
	}
	return []paired{of(0, []string{finite}), of(1, cases)}
}

// average returns the mean over the given number of networks.
func average(t *props.Trial, s setup, size, networks int, what asked) paired {
	mean := compare(t, s, size, what)
	for k := 1; k < networks; k++ {
		mean.add(compare(t, s, size, what), 1/float64(k+1))
	}
	mean.Networks = networks
	return mean
}

// add moves means by a share towards those of another network.
func (p *paired) add(q paired, share float64) {
	p.Whole.add(q.Whole, share)
	p.Rest.add(q.Rest, share)
	p.Gaussian.add(q.Gaussian, share)
}

func (s *shown) add(q shown, share float64) {
	s.Traces.All += share * (q.Traces.All - s.Traces.All)
	s.Traces.Linear += share * (q.Traces.Linear - s.Traces.Linear)
	s.Traces.DAll += share * (q.Traces.DAll - s.Traces.DAll)
	s.Traces.DLinear += share * (q.Traces.DLinear - s.Traces.DLinear)
	for name, other := range q.Errors {
		mean := s.Errors[name]
		for kind := range mean {
			mean[kind].Got += share * (other[kind].Got - mean[kind].Got)
			mean[kind].Want += share * (other[kind].Want - mean[kind].Want)
		}
		s.Errors[name] = mean
	}
}

// enough is the number of pairs of teachers that show the effect of the replacement: the rest scatters from network to
// network.
var enough = props.Scale{Quick: 24, Standard: 48, Deep: 48}

// ownPairs is the number of pairs of teachers that show F₀'s own part, which scatters from network to network.
const ownPairs = 12

// compare regresses the same teachers on all of them; where the Gaussian matrix is looked at, with as many orthogonal
// directions as there are dimensions, up to a number that is enough.
func compare(t *props.Trial, s setup, size int, what asked) paired {
	n, dim, width := network.Setup{Phi: s.Risk.Phi, Psi: s.Risk.Psi}.Shape(size)
	pairs := ownPairs
	if what.Gaussian {
		pairs = min(n, dim, enough.At(t.Effort))
	}
	d := teachers.Sample(t.Rand, s.Act, s.Risk, size, pairs, false)
	out := paired{N: n, Dim: dim, Width: width}
	if what.Gaussian {
		other := must.Get(features.NewRegression(s.equivalent(t, d), s.Risk.Lambda))
		out.Gaussian = s.show(d, other, false, true, what.Cases)
	}
	regression, own := must.Get(features.NewRegression(d.Features, s.Risk.Lambda)), s.Act.Closed.Coefficient(2) != 0
	if what.Whole {
		out.Whole = s.show(d, regression, false, false, what.Cases)
	}
	out.Rest = s.show(d, regression, own, what.Gaussian, what.Cases)
	return out
}

// equivalent is c₁XW₀ᵀ + c_{>1}Z.
func (s setup) equivalent(t *props.Trial, d teachers.Draw) *mat.Dense {
	c1 := s.Act.Closed.Coefficient(1)
	sd := math.Sqrt(s.Act.Closed.Energy - c1*c1)
	out := features.PreActivations(d.Fresh, d.W)
	n, _ := out.Dims()
	for i := range n {
		row := out.RawRowView(i)
		for j, z := range row {
			row[j] = c1*z + sd*t.Rand.NormFloat64()
		}
	}
	return out
}

// show regresses on features with what the step adds to them, less F₀'s own part if asked; and if asked says what the
// claim makes of the traces, in which that part does not count.
func (s setup) show(d teachers.Draw, r *features.Regression, less, claim bool, cases []string) shown {
	out := shown{Errors: map[string][2]compared{}}
	if claim {
		out.Traces = teachers.Traces(r, s.Act, d.Fresh)
	}
	_, width := d.Features.Dims()
	for _, name := range cases {
		risk := s.risk(name, width)
		added := d.Added(risk)
		var forms []theory.Forms
		if claim {
			forms = d.Forms(features.Added{}, added, risk)
		}
		if less {
			own := d.Own(s.Act.Closed.Coefficient(2), false)
			own.Left[0].Scale(-1, own.Left[0])
			added.Left, added.Right = append(added.Left, own.Left...), append(added.Right, own.Right...)
		}
		fits := r.Fits(d.Labels, added)
		mean, want := teachers.Mean(fits), teachers.Claimed(forms, fits, s.Risk.Lambda, out.Traces)
		out.Errors[name] = [2]compared{{mean.Objective, want.Objective}, {mean.LeaveOneOut, want.Test}}
	}
	return out
}
