package twosteps

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria for W₂.
const count = "number of singular values of W₂ beyond the bulk"

// strength is the criterion for the k-th spike of the second step.
func strength(k int) string {
	return fmt.Sprintf("coefficient of a^∘%d(β^(%d))ᵀ in W₂ − W₁ over the claim", k+1, k)
}

// row is a pair of step sizes κN^α, with coefficients of a cubic activation.
type row struct {
	Name          string // the regime
	First, Second float64
	Kappa         float64
	Linear        float64
	Square, Cube  float64
	Counted       bool
}

// At these sizes N^0.1 is 1.8: coefficients and κ are such that spikes on both sides of the threshold are apart from
// it. With a floor of one, where that is all the second spike grows by, it lies at 1.6 to 2.5 of the edge in eight
// networks of ten, and the third at 1.0 to 1.1. With a floor of two the third spike is not: it is as long as what is
// left, row by row, of 6c₃η₁η₂c₁E[yu]a_j²w_j and of 2c₂η₂a_jMw_j, which are smaller by N^(−0.3) and N^(−0.1) only. Its
// coefficient is known all the same.
var rows = []row{
	{"floor 0, α = (0.2, 0.2)", 0.2, 0.2, 1, 1, -0.3, -0.1, true},
	{"floor 0, α = (0.1, 0.3)", 0.1, 0.3, 1, 1, -0.3, -0.1, true},
	{"floor 1, α = (0.3, 0.3)", 0.3, 0.3, 1.7, 1, -0.42, -0.02, true},
	{"floor 2, α = (0.3, 0.45)", 0.3, 0.45, 1.5, 0.7, -0.3, -0.05, false},
}

// two is the network that takes both steps, but for its activation.
var two = network.Setup{Phi: 0.5, Psi: 0.5, Teacher: network.Linear(0)}

var rowNames = network.Map(rows, func(r row) string { return r.Name })

// rowCells are more where coefficients are compared, which scatter. A median of 80 counts is what it should be, with
// probability 1 − 10⁻⁹, if 1.9 % of the networks count another number; with a floor of one 10 of 500 did at √(nd) = 120
// and one of 200 at 160, and with a floor of zero one of 1000 at 80.
func rowCells(e props.Effort) []network.Cell {
	var out []network.Cell
	for _, r := range rows {
		count := props.Scale{Quick: 72, Standard: 96, Deep: 200}
		if r.Counted {
			count.Quick = 80
		}
		out = append(out, network.CellsOf([]string{r.Name}, count.At(e))...)
	}
	return out
}

func rowOf(c network.Cell) row {
	return rows[slices.Index(rowNames, c.Setup)]
}

// beyond is the factor over the edge of the bulk from which a singular value is counted. In the limit any number above
// one does; six percent were too close to spikes of the size N^0.1, which one network in ten had below it.
const beyond = 1.25

// spikesClaim holds the claims about W₂: how many spikes lie outside the bulk, and the coefficients of the spikes of
// the second step over the closed form.
type spikesClaim struct {
	outside  func(first, second float64) float64
	strength func(row row, k int) float64
}

// second holds the measurements of a network after both steps.
type second struct {
	Size      int        // √(nd)
	Networks  int        // over which Strengths are extrapolated means
	Beyond    [2]float64 // numbers of singular values of W₂ beyond the edge of the bulk by a quarter, at both sizes
	Strengths [3]float64 // coefficients of the spikes of the second step over the claim
}

// Coefficients are known from smaller networks than counts: from means over averaged networks of the size smaller,
// which is √(nd), and over four times as many of a quarter of it.
var (
	averaged = props.Scale{Quick: 2, Standard: 3, Deep: 3}
	smaller  = props.Scale{Quick: 80, Standard: 160, Deep: 400}
)

func measureSecond(t *props.Trial, c network.Cell) second {
	row := rowOf(c)
	if row.Counted {
		sizes := props.Scale{Quick: 180, Standard: 240, Deep: 700}
		if theory.Outside(row.First, row.Second) == 1 { // one spike is far from the bulk
			sizes = props.Scale{Quick: 84, Standard: 160, Deep: 466}
		}
		size := sizes.At(t.Effort)
		out := row.both(t, size)
		out.Beyond[1] = row.both(t, size*3/4).Beyond[0]
		return out
	}
	out := second{Size: smaller.At(t.Effort), Networks: averaged.At(t.Effort)}
	large, small := row.strengths(t, out.Size, out.Networks), row.strengths(t, out.Size/4, 4*out.Networks)
	for k := range out.Strengths {
		out.Strengths[k] = network.Extrapolated(4, large[k], small[k])
	}
	return out
}

// strengths returns means over the given number of networks.
func (row row) strengths(t *props.Trial, size, networks int) (mean [3]float64) {
	for range networks {
		for k, x := range row.both(t, size).Strengths {
			mean[k] += x / float64(networks)
		}
	}
	return mean
}

// measureLinear counts the spikes of a linear network, in a small one.
func measureLinear(t *props.Trial, c network.Cell) second {
	row := rowOf(c)
	row.Linear, row.Square, row.Cube, row.Counted = 1, 0, 0, true
	out := row.both(t, 48)
	out.Size, out.Networks, out.Beyond[1] = 48, 1, out.Beyond[0]
	return out
}

// both takes both steps.
func (row row) both(t *props.Trial, size int) second {
	s := two
	s.Act = network.Series(0, row.Linear, row.Square, row.Cube)
	first := s.Draw(t.Rand, size)
	n, d := first.X.Dims()
	batch := network.Sample{X: features.Gaussian(t.Rand, n, d)}
	batch.Y = network.Times(batch.X, first.Target)
	width := float64(len(first.A))
	step := theory.SecondStep{Activation: s.Act.Closed, First: row.Kappa * math.Pow(width, row.First),
		Second: row.Kappa * math.Pow(width, row.Second), Noise: s.Step().Noise()}
	w := algebra.Sum(first.W, algebra.Scaled(step.First, first.Gradient(s.Act.Run)))
	layer := features.NewLayer(batch.X, w, first.A, s.Act.Run)
	change := layer.Direction(batch.Y, 1/math.Sqrt(width))
	change.Scale(step.Second, change)
	w.Add(w, change)

	residual := append([]float64{}, batch.Y...)
	floats.AddScaled(residual, -1/math.Sqrt(width), layer.Output())
	u := network.Times(batch.X, first.Beta)
	spikes := rights(step, batch.X, residual, u)
	var out second
	if !row.Counted {
		out.Strengths = strengths(first, batch.X, residual, u, change, spikes)
		return out
	}
	rest := algebra.Difference(w, first.W)
	a := mat.NewVecDense(len(first.A), first.A)
	rest.RankOne(rest, -step.First*s.Act.Closed.Coefficient(1), a, mat.NewVecDense(d, first.Beta))
	for k, v := range spikes {
		rest.RankOne(rest, -1, mat.NewVecDense(a.Len(), ofPower(first.A, k+1)), mat.NewVecDense(d, v))
	}
	// The bulk equals the one of W₀ when the energy of all that is no spike is added to its entries.
	energy := mat.Norm(rest, 2)
	edge := theory.WeightSpike{Psi: s.Psi}.Edge() * math.Sqrt(1+energy*energy/width)
	// One more than are claimed: values of the bulk are close to each other and take most of the time.
	leading := int(theory.Outside(row.First, row.Second)) + 1
	for _, x := range network.Leading(linalg.Matrix(w), leading, t.Rand).Values {
		if x > beyond*edge {
			out.Beyond[0]++
		}
	}
	return out
}

// rights are the right vectors of the spikes of the second step.
func rights(step theory.SecondStep, x *mat.Dense, residual, u []float64) (out [3][]float64) {
	weighted, powers := append([]float64{}, residual...), [3][]float64{}
	for k := range out {
		powers[k] = network.Correlate(x, weighted)
		floats.Mul(weighted, u)
		out[k] = make([]float64, len(powers[k]))
		for i, q := range step.Right(k) {
			floats.AddScaled(out[k], q, powers[i])
		}
	}
	return out
}

// ofPower is a^∘k.
func ofPower(a []float64, k int) []float64 {
	return network.Map(a, func(a float64) float64 { return power(a, k) })
}

// strengths fits Σ a^∘(k+1)vₖᵀ to a change of the weights along each claimed vₖ, and returns the coefficients of vₖ.
// The rest of the change is for the most part linear in the rows of W₀, and so has mean zero: a_jᵖw_jᵀM_{p−1}v with M_k
// = (1/n)Σ rᵢuᵢᵏxᵢxᵢᵀ, and by the remainder of the first step, which is 2c₂a_jMw_j to leading order with M = (1/n)Σ
// yᵢxᵢxᵢᵀ of the first batch, a_j^(p+1)w_jᵀM M_{p−1}v. It is fitted too, for it scatters more than all else.
func strengths(first network.Sample, x *mat.Dense, residual, u []float64, change *mat.Dense,
	claimed [3][]float64) (out [3]float64) {
	width, root := len(first.A), math.Sqrt(float64(len(first.A)))
	for k, v := range claimed {
		left := mat.NewDense(width, 8, nil)
		weights := append([]float64{}, residual...)
		column := func(at, power int, times []float64) { // of about the same length each
			c := ofPower(first.A, power)
			floats.Scale(math.Pow(root, float64(power)), c)
			floats.Mul(c, times)
			left.SetCol(at, c)
		}
		for p := 1; p <= 3; p++ {
			column(p-1, p, ofPower(first.A, 0))
			mv := weighed(x, weights, v)
			column(p+2, p, network.Times(first.W, mv))
			if p < 3 {
				column(p+5, p+1, network.Times(first.W, weighed(first.X, first.Y, mv)))
			}
			floats.Mul(weights, u)
		}
		var fit mat.Dense
		must.Do(fit.Solve(left, mat.NewDense(width, 1, network.Times(change, v))))
		out[k] = fit.At(k, 0) * math.Pow(root, float64(k+1)) / floats.Dot(v, v)
	}
	return out
}

// weighed is (1/n)Σ weightᵢxᵢxᵢᵀ times v.
func weighed(x *mat.Dense, weights, v []float64) []float64 {
	along := network.Times(x, v)
	floats.Mul(along, weights)
	return network.Correlate(x, along)
}

func concludeSecond(r *props.Record, cells []network.Cell, all []second, claim spikesClaim) {
	for _, row := range rows {
		r.Regime(row.Name)
		mine := network.Measured(row.Name, cells, all)
		if row.Counted {
			want := claim.outside(row.First, row.Second)
			for k := range mine[0].Beyond {
				iv := stat.Median(network.Map(mine, func(m second) float64 { return m.Beyond[k] }), network.CountAlpha)
				r.Measured(count, iv, want)
				r.EqualsCount(count, iv, int(want))
			}
			continue
		}
		size := float64(mine[0].Size)
		for k := range 3 {
			want := claim.strength(row, k)
			values := network.Map(mine, func(m second) float64 { return m.Strengths[k] / want })
			network.TwoSizes(strength(k), scatter[k]/math.Sqrt(float64(mine[0].Networks)), 140/size).Judge(r, values, 1)
		}
	}
}

// scatter is the standard deviation of a coefficient that is extrapolated from one network of size √(nd) = 140 and four
// of a quarter of that.
var scatter = [3]float64{0.025, 0.0385, 0.105}
