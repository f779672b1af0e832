package universality

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/teachers"
)

type cell struct{ Setup, Index int }

func (c cell) String() string { return fmt.Sprintf("%s/%d", setups[c.Setup].Name, c.Index) }

func cells(count int) []cell {
	var out []cell
	for s := range setups {
		for i := range count {
			out = append(out, cell{s, i})
		}
	}
	return out
}

// paired is what networks of a size show on average with F₀, with F₀ less its own part, and with the Gaussian
// matrix; Gaussian is empty where it is not looked at.
type paired struct {
	N, Dim, Width         int
	Networks              int
	Whole, Rest, Gaussian shown
}

// shown are the traces and, by the case, the mean errors over the teachers.
type shown struct {
	All, Linear float64 // tr R, tr(XᵀRX)/d; neither of Rest nor of F₀'s own part alone
	Fits        map[string]features.Fit
}

// base is the smaller size √(nd) at which the Gaussian matrix is looked at; the other one is twice that.
var base = props.Scale{Quick: 36, Standard: 64, Deep: 250}

// ownSizes are those at which F₀'s own part is looked at alone, with the networks that a cell averages: it makes a
// small difference.
var ownSizes = map[props.Effort][]ownSize{
	props.Quick:    {{20, 24}, {56, 2}},
	props.Standard: {{20, 24}, {200, 4}},
	props.Deep:     {{20, 24}, {400, 4}},
}

type ownSize struct{ Size, Networks int }

// pairs is how many pairs of opposite teachers share one factorisation.
const pairs = 12

// measure takes two sizes, one twice the other, and so many networks of each.
func measure(t *props.Trial, s setup, size, networks int) []paired {
	return []paired{average(t, s, size, networks, true), average(t, s, 2*size, networks, true)}
}

// average is the mean over so many networks.
func average(t *props.Trial, s setup, size, networks int, gaussian bool) paired {
	mean := compare(t, s, size, gaussian)
	for k := 1; k < networks; k++ {
		mean.add(compare(t, s, size, gaussian), 1/float64(k+1))
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
	s.All += share * (q.All - s.All)
	s.Linear += share * (q.Linear - s.Linear)
	for name, f := range q.Fits {
		mean := s.Fits[name]
		mean.Objective += share * (f.Objective - mean.Objective)
		mean.LeaveOneOut += share * (f.LeaveOneOut - mean.LeaveOneOut)
		s.Fits[name] = mean
	}
}

// compare regresses the same teachers on all of them.
func compare(t *props.Trial, s setup, size int, gaussian bool) paired {
	d := teachers.Sample(t.Rand, s.Act, s.Risk, size, pairs, false)
	n, width := d.Features.Dims()
	_, dim := d.Fresh.Dims()
	out := paired{N: n, Dim: dim, Width: width}
	var second *mat.Dense // E yyᵀ over the directions and the noise, where differences of matrices are looked at
	if gaussian {
		second = teachers.Moments(s.Risk.Teacher, d.Fresh)
		out.Gaussian, _ = s.show(d, s.equivalent(t, d), second, false)
	}
	out.Whole, out.Rest = s.show(d, d.Features, second, true)
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

// show regresses on f with what the step adds to it, and, if asked, on the same less F₀'s own part. Given the second
// moments of the labels, it returns traces as well, and errors before the step are averaged over all teachers in the
// place of these.
func (s setup) show(d teachers.Draw, f, second *mat.Dense, less bool) (whole, rest shown) {
	regression, err := features.NewRegression(f, s.Risk.Lambda)
	if err != nil {
		panic(err)
	}
	_, width := f.Dims()
	whole.Fits, rest.Fits = map[string]features.Fit{}, map[string]features.Fit{}
	var all, these features.Fit
	if second != nil {
		whole.All, whole.Linear = regression.Trace(), linearTrace(regression, d.Fresh)
		all, these = regression.Average(second), teachers.Mean(regression.Fits(d.Labels, features.Added{}))
	}
	mean := func(added features.Added) features.Fit {
		fit := teachers.Mean(regression.Fits(d.Labels, added))
		fit.Objective += all.Objective - these.Objective
		fit.LeaveOneOut += all.LeaveOneOut - these.LeaveOneOut
		return fit
	}
	for _, name := range cases {
		added := d.Added(s.risk(name, width))
		whole.Fits[name] = mean(added)
		if less && s.Act.Closed.Coefficient(2) != 0 {
			s.subtract(d, &added)
			rest.Fits[name] = mean(added)
		} else {
			rest.Fits[name] = whole.Fits[name]
		}
	}
	return whole, rest
}

// linearTrace is tr(XᵀRX)/d.
func linearTrace(r *features.Regression, x *mat.Dense) float64 {
	rows, sum := mat.DenseCopyOf(x.T()), 0.0
	solved := r.Solve(rows)
	dim, _ := rows.Dims()
	for i := range dim {
		sum += floats.Dot(rows.RawRowView(i), solved.RawRowView(i)) / float64(dim)
	}
	return sum
}

// subtract adds −c₂(|x|²/d − 1)1ᵀ.
func (s setup) subtract(d teachers.Draw, added *features.Added) {
	n, dim := d.Fresh.Dims()
	width, _ := d.W.Dims()
	excess, ones := mat.NewDense(1, n, nil), mat.NewDense(1, width, nil)
	for i := range n {
		x := d.Fresh.RawRowView(i)
		excess.Set(0, i, -s.Act.Closed.Coefficient(2)*(floats.Dot(x, x)/float64(dim)-1))
	}
	floats.AddConst(1, ones.RawRowView(0))
	added.Left, added.Right = append(added.Left, excess), append(added.Right, ones)
}
