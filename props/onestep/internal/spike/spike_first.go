package spike

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// networks holds the measurements of a cell: norms at all sizes, and the limits in one network of the largest size and
// in some of the smallest.
type networks struct {
	Sizes []first // by the size, the largest last
	Small []first // some networks of the smallest size, one by one
}

func (m networks) largest() first { return m.Sizes[len(m.Sizes)-1] }

// ratio returns the ratio of the sizes at which limits are looked at.
func (m networks) ratio() float64 { return float64(m.largest().N) / float64(m.Small[0].N) }

// extrapolated removes the part of order 1/d, which the mean over the small networks shows.
func (m networks) extrapolated(value func(first) float64) float64 {
	sum := 0.0
	for _, f := range m.Small {
		sum += value(f) / float64(len(m.Small))
	}
	return network.Extrapolated(m.ratio(), value(m.largest()), sum)
}

// first is the first step of one network, or with the norms of several of them on average.
type first struct {
	N         int                // samples
	Norms     map[string]float64 // geometric means of ‖·‖_op over the norm of a Gaussian matrix, by what is taken for R
	Frobenius float64            // ‖R‖_F²
	Moments   moments            // of the sample, in the place of limits
	Spike     theory.WeightSpike // of W₁, for the sample's own lengths and in units of Scale
	Scale     float64            // the standard deviation of the entries of the bulk over the one in W₀
	// squared cosine of the spike's right vector with Xᵀe/n: what R adds to it is not aligned
	Aligned float64
	Largest float64 // singular value of W₁
	Overlap float64 // squared cosine of its right vector with Xᵀe/n, which tends to β
	// largest singular value of W₁ at half of the threshold over the edge; 0 if not looked at
	Below float64
	W1    *mat.Dense // of one network, for its spectrum
}

// moments holds the terms of ‖R‖_F²: φ, E y and E y² of the batch, ‖a‖², and over it what vanishes in the limit: the
// output's share of the spike, which belongs to R, and the rest of tr Σ.
type moments struct{ Phi, Mean, Energy, Outputs, Rest float64 }

// expected is ‖R‖_F² for a formula of its limit.
func (m moments) expected(step theory.Step, square func(theory.Step) float64) float64 {
	step.Linear, step.Phi, step.Mean, step.Energy = 0, m.Phi, m.Mean, m.Energy
	return m.Outputs * (square(step) + m.Rest)
}

// remainder is the limit of ‖R‖_F², continued to negative estimates of (E y)², which is unbiased.
func remainder(step theory.Step) float64 {
	square := step.Remainder()
	if step.Mean < 0 {
		square -= 2 * step.Pull() * step.Pull()
	}
	return square
}

// What is taken for R: the gradient without its spike, as the statement has it, and what else the words might mean.
// Norms are divided by the norm of a Gaussian matrix.
const (
	split       = ""
	frobenius   = "Frobenius"
	literal     = "literal"
	independent = "independent"
	doubled     = "doubled"
)

// itself is the norm of the remainder that is not divided by the norm of a Gaussian matrix.
const itself = "itself"

// strong and weak are step sizes over the threshold.
const (
	strong = 2.5
	weak   = 0.5
)

// sweep lists sizes √(nd), the largest last, and how many networks there are: small ones scatter more and cost less,
// and the middle one of three does not count in a slope.
func sweep(e props.Effort) (sizes, repeats []int) {
	for _, s := range []props.Scale{{Quick: 26, Standard: 40, Deep: 84}, {Quick: 48, Standard: 90, Deep: 190},
		{Quick: 92, Standard: 200, Deep: 420}} {
		sizes = append(sizes, s.At(e))
	}
	return sizes, []int{props.Scale{Quick: 10, Standard: 16, Deep: 16}.At(e), 1, 1}
}

// So many cells of a setup show norms of the remainder, at all sizes, and also what wrong versions take for it, and a
// step below the threshold; the others only limits.
var sloped = props.Scale{Quick: 40, Standard: 104, Deep: 124}

const (
	compared = 40
	weakly   = 60
)

// few is the number of networks of the smallest size that show limits: their mean scatters as much as the large one
// over three.
var few = props.Scale{Quick: 4, Standard: 12, Deep: 12}

func measureSizes(t *props.Trial, c network.Cell) networks {
	sizes, repeats := sweep(t.Effort)
	if last := len(sizes) - 1; c.Index >= sloped.At(t.Effort) {
		sizes, repeats = []int{sizes[0], sizes[last]}, []int{few.At(t.Effort), repeats[last]}
	}
	return measureNetworks(t, c, network.By(setups, c.Setup), sizes, repeats, lookAt(t, c), network.Setup.Draw)
}

// first20 are the cells that see heavy noise.
func first20(c network.Cell) bool { return c.Index < 20 }

func measureEven(t *props.Trial, c network.Cell) networks {
	s := network.By(setups, c.Setup)
	s.Act.Run = features.PhaseSine(1, math.Pi/2)
	look := lookAt(t, c)
	look.norms, look.wrong = c.Index < 8, c.Index < 8 // few norms are enough
	return measureNetworks(t, c, s, []int{24, 96}, []int{few.Quick, 1}, look, network.Setup.Draw)
}

// measureHeavy adds squares of Cauchy noise to the labels. The norm of the remainder does not fall then, and the norm
// of a Gaussian matrix of its covariances does not fall either. Norms scatter by a factor of ten.
func measureHeavy(t *props.Trial, c network.Cell) networks {
	return measureNetworks(t, c, network.By(setups, c.Setup), []int{8, 32}, []int{12, 8}, lookAt(t, c),
		func(s network.Setup, r *rand.Rand, size int) network.Sample {
			sample := s.Draw(r, size)
			sample.Y = addCauchy(sample.Y, 2, r)
			sample.Beta = network.Correlate(sample.X, sample.Y)
			return sample
		})
}

// measureNetworks measures networks of a setup, each size as often as repeats says.
func measureNetworks(t *props.Trial, c network.Cell, s network.Setup, sizes, repeats []int, look looked,
	draw func(network.Setup, *rand.Rand, int) network.Sample) networks {
	var out networks
	for i, size := range sizes {
		var mean first
		for k := range repeats[i] {
			small := i == 0 && k < few.At(t.Effort)
			look.step = small || i == len(sizes)-1
			f := measureFirst(t, s, size, draw(s, t.Rand, size), look)
			if k == 0 {
				mean = f
			}
			for what, x := range f.Norms {
				mean.Norms[what] *= math.Pow(x/mean.Norms[what], 1/float64(k+1))
			}
			if small {
				f.Norms, f.W1 = nil, nil
				out.Small = append(out.Small, f)
			}
		}
		if c.Index > 0 || c.Setup != setups[shown].Name || i < len(sizes)-1 {
			mean.W1 = nil
		}
		out.Sizes = append(out.Sizes, mean)
	}
	return out
}

// looked says which parts of a network are measured: norms of R, also of what wrong versions take for it, and W₁ after
// a step, also after one below the threshold.
type looked struct{ norms, wrong, step, below bool }

// lookAt returns the parts that a cell measures.
func lookAt(t *props.Trial, c network.Cell) looked {
	return looked{norms: c.Index < sloped.At(t.Effort), wrong: c.Index < compared, below: c.Index < weakly}
}

// measureFirst splits the gradient of one network into its spike and the rest.
func measureFirst(t *props.Trial, s network.Setup, size int, sample network.Sample, look looked) first {
	n, d := sample.X.Dims()
	c1, width := s.Act.Closed.Coefficient(1), float64(len(sample.A))
	layer := features.NewLayer(sample.X, sample.W, sample.A, s.Act.Run)
	residual, output := append([]float64{}, sample.Y...), layer.Output()
	floats.AddScaled(residual, -1/math.Sqrt(width), output)
	g := layer.Pull(residual)
	left := rest(g, s, sample)

	rows := network.CovarianceOfRows(s, sample.X, residual)
	r, gaussian := linalg.Matrix(left), 0.0
	out := first{N: n, Frobenius: math.Pow(mat.Norm(left, 2), 2), Norms: map[string]float64{}}
	if look.norms {
		gaussian = rows.GaussianNorm(sample.A, 2, t.Rand)
		out.Norms[itself] = rows.Norm(left, sample.A, t.Rand)
		out.Norms[split] = out.Norms[itself] / gaussian
	}
	if look.wrong {
		swap := make([]float64, d) // β − β′
		floats.SubTo(swap, sample.Beta, s.Learned(t.Rand, size))
		// With labels a third as long, in units of them: the missing piece does not know their length.
		floats.AddScaled(residual, 1/math.Sqrt(width)-3, output)
		third := rest(layer.Pull(residual), s, sample)
		out.Norms[frobenius] = math.Sqrt(out.Frobenius) / gaussian
		out.Norms[literal] = network.Norm(linalg.Matrix(third), t.Rand) / gaussian
		out.Norms[independent] = network.Norm(linalg.Updated(r, c1, sample.A, swap), t.Rand) / gaussian
		out.Norms[doubled] = network.Norm(linalg.Updated(r, -c1, sample.A, sample.Beta), t.Rand) / gaussian
	}
	if !look.step {
		return out
	}
	q := network.Correlate(sample.X, output)
	out.Moments = moments{rows.Own.Phi, rows.Own.Mean, rows.Own.Energy,
		floats.Dot(sample.A, sample.A), c1*c1*floats.Dot(q, q)/width + rows.Rest}
	floats.AddScaledTo(q, sample.Beta, -1/math.Sqrt(width), q) // Xᵀe/n
	out.step(t, s, sample, g, q, rows)
	if look.below {
		out.Below = belowThreshold(t, s, sample, g)
	}
	return out
}

// rest is a gradient without its spike c₁aβᵀ.
func rest(g *mat.Dense, s network.Setup, sample network.Sample) *mat.Dense {
	var out mat.Dense
	out.RankOne(g, -s.Act.Closed.Coefficient(1), mat.NewVecDense(len(sample.A), sample.A),
		mat.NewVecDense(len(sample.Beta), sample.Beta))
	return &out
}

// step measures W₁ = W₀ + ηG. Its spike is taken with what the sample has in the place of limits: the lengths of a
// and of β′ = Xᵀe/n, and aᵀW₀β′, which W₀ has in the place of the spike. At finite size R adds entries of variance
// η²‖R‖_F²/(dN) to those of W₀, which scales the bulk; and to the spike, in quadrature, its row along a, whose
// weights a_j⁴ have the mean 3/N² where the bulk has 1/N², and its column along β′, of squared length
// ‖a‖²β′ᵀΣβ′/‖β′‖² where the bulk has ‖a‖² tr Σ/d.
func (f *first) step(t *props.Trial, s network.Setup, sample network.Sample, g *mat.Dense, pulled []float64,
	rows network.RowCovariance) {
	step, a := s.Step(), mat.NewVecDense(len(sample.A), sample.A)
	eta, v := strong*step.Threshold(), mat.NewVecDense(len(pulled), pulled)
	d, width := float64(v.Len()), float64(a.Len())
	square := mat.Dot(a, a)
	scale := math.Sqrt(square * mat.Dot(v, v))
	theta := eta*math.Abs(step.Activation.Coefficient(1))*scale + mat.Inner(a, sample.W, v)/scale
	finite := eta * eta * square * mat.Trace(rows.Sigma) / width
	column := eta * eta * square * (mat.Inner(v, rows.Sigma, v)/mat.Dot(v, v) - mat.Trace(rows.Sigma)/d)
	f.Scale = math.Sqrt(1 + finite)
	f.Spike = theory.WeightSpike{Strength: math.Sqrt(max(0, theta*theta+2*finite+column)) / f.Scale, Psi: s.Psi}
	f.Aligned = theta * theta / (theta*theta + 2*finite)
	f.W1 = algebra.Sum(sample.W, algebra.Scaled(eta, g))
	top := network.Leading(linalg.Matrix(f.W1), 1, t.Rand)
	f.Largest, f.Overlap = top.Values[0], math.Pow(network.Cosine(top.Right[0], pulled), 2)
}

// belowThreshold is the largest singular value of W₁ at a small step over the edge.
func belowThreshold(t *props.Trial, s network.Setup, sample network.Sample, g *mat.Dense) float64 {
	width, d := g.Dims()
	w := algebra.Sum(sample.W, algebra.Scaled(weak*s.Step().Threshold(), g))
	return network.Norm(linalg.Matrix(w), t.Rand) / edge(float64(d), float64(width))
}

// edge is the mean largest singular value of W₀: the mean of Tracy and Widom's law, −1.2065, scaled and centred as by
// Johnstone, Ann. Statist. 29 (2001) 295.
func edge(d, width float64) float64 {
	sum := math.Sqrt(d) + math.Sqrt(width)
	return math.Sqrt((sum*sum - 1.2065*sum*math.Cbrt(1/math.Sqrt(d)+1/math.Sqrt(width))) / d)
}
