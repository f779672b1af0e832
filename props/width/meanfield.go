package width

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	gstat "gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// meanField takes one step with networks whose output is a mean.
var meanField = props.Spec{
	Statement: &theory.MeanField,
	Checks:    []props.Check{particleOutput, linearMoments, particleMoments},
	Try: &props.Simulation{Params: []statement.Param{{Name: "networks", Symbol: "", Meaning: "networks sampled",
		Domain: statement.IntegerBetween(2, 1e6), Default: "1000"}}, Run: tryParticles},
	Along: &props.Along{Param: "n", From: 2, To: 256, Of: []string{"variance"},
		Each: &props.ParamSweep{Name: "step", Values: []string{"0.1", "0.5", "1"}}},
}.Claim()

// particles are linear ones before a step, and the output after it.
type particles struct {
	A     []float64 `npy:"a"`
	W     []float64 `npy:"w"`
	Step  float64   `npy:"step"`
	Label float64   `npy:"y"`
	Out   float64   `npy:"f"`

	hidden float64 // mean squared length of the rows whose products with the input are w
}

func (in particles) statement() theory.ParticleStep {
	return theory.ParticleStep{N: len(in.A), Step: in.Step, Label: in.Label}
}

// Valid names the violated hypothesis.
func (in particles) Valid() error { return in.statement().Valid() }

var particleOutput = props.Drawn[particles, func(s theory.ParticleStep, f, norm float64) float64]{
	Name:    "output after a step",
	Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
	Regimes: []string{"one particle", "many"},
	Draw:    func(t *props.T) particles { return drawParticles(t, meanScale) },
	Claim:   theory.ParticleStep.Output,
	Judge: func(r *props.Record, in particles, claim func(s theory.ParticleStep, f, norm float64) float64) {
		r.RegimeOf(len(in.A) > 1)
		n := float64(len(in.A))
		f, norm := floats.Dot(in.A, in.W)/n, (floats.Dot(in.A, in.A)+floats.Dot(in.W, in.W))/n
		move := math.Abs(in.Step) * (math.Abs(in.Label) + norm)
		terms := 1 + move + move*move // times norm the size of all of them: |f| ≤ norm/2
		r.WithinScale("f⁺", in.Out, claim(in.statement(), f, norm), norm*terms,
			(3*n+40)*r.Unit()*(norm+in.hidden)*terms)
	},
	Proven: map[string]string{"f⁺": "sums over particles and up to three inputs, a few roundings of each term"},
	Controls: []props.Wrong[particles, func(s theory.ParticleStep, f, norm float64) float64]{
		{Name: "f = n^(−1/2)Σ", Assumption: "mean", Draw: func(t *props.T) particles { return drawParticles(t, rootScale) }},
		{Name: "rate η", Assumption: "rate", Draw: func(t *props.T) particles { return drawParticles(t, smallRate) }},
		{Name: "w alone is trained", Assumption: "joint",
			Draw: func(t *props.T) particles { return drawParticles(t, frozen) }},
		{Name: "residual y for y − f", Instead: func(s theory.ParticleStep, f, norm float64) float64 {
			s.Label += f
			return s.Output(f, norm)
		}},
		{Name: "the term of second order left out", Instead: func(s theory.ParticleStep, f, norm float64) float64 {
			return f + s.Step*(s.Label-f)*norm
		}},
	},
}

// scaling is how the output and the rate depend on the width.
type scaling int

const (
	meanScale scaling = iota // f = (1/n)Σ, rate ηn
	rootScale                // f = n^(−1/2)Σ, rate η
	smallRate                // f = (1/n)Σ, rate η
	frozen                   // f = (1/n)Σ, rate ηn, and a stays as it is
)

// drawParticles takes a step with a network, by the gradients of Σ aⱼwⱼ·x. The factor of the output belongs to no
// weight.
func drawParticles(t *props.T, s scaling) particles {
	n, r := gen.Dim(t.T, "n", 40), t.Stream("weights")
	if n == 1 && s != meanScale {
		n = 2 // one particle is no mean
	}
	in := particles{Step: gen.LogUniform(t.T, "η", 0.01, 2), Label: float64(rapid.IntRange(-8, 8).Draw(t.T, "4y")) / 4}
	x := mat.Col(nil, 0, gen.Orthonormal(r, gen.Dim(t.T, "d", 3), 1))
	net := nn.Net{{W: gen.Gaussian(r, n, len(x), 1), Act: nn.Identity}, {W: gen.Gaussian(r, 1, n, 1), Act: nn.Identity}}
	factor, rate := 1/float64(n), float64(n)
	switch s {
	case rootScale:
		factor, rate = math.Sqrt(factor), 1
	case smallRate:
		rate = 1
	}
	sum := net.Forward(x, nil)[0]
	pass := net.Backprop(x, []float64{sum - 1}) // whose output has the gradient 1
	in.A, in.W = slices.Clone(net[1].W.RawRowView(0)), pass.Pre[0]
	in.hidden = math.Pow(mat.Norm(net[0].W, 2), 2) / float64(n)
	move := in.Step * rate * factor * (in.Label - factor*sum)
	for j, slope := range pass.PreGrad[0] {
		floats.AddScaled(net[0].W.RawRowView(j), move*slope, x)
		if s != frozen {
			net[1].W.Set(0, j, in.A[j]+move*pass.Input[1][j])
		}
	}
	in.Out = factor * net.Forward(x, nil)[0]
	return in
}

// integrated are the mean and the variance of the output of linear particles after a step.
type integrated struct {
	theory.ParticleStep
	Mean, Variance float64
	size           float64 // mean square of the sum of all terms of the output, regardless of their signs
}

var linearMoments = props.Drawn[integrated, momentClaim]{
	Name:    "moments of linear particles, integrated",
	Cases:   props.Scale{Quick: 60, Standard: 600, Deep: 20000},
	Regimes: []string{"one particle", "many"},
	Draw:    drawMoments,
	Claim:   exactMoments,
	Judge: func(r *props.Record, in integrated, claim momentClaim) {
		r.RegimeOf(in.N > 1)
		rounding := 1e4 * r.Unit() // 96² terms of a sum, and fewer roundings of each term and of the formula
		r.WithinScale("mean output", in.Mean, claim.mean(in.ParticleStep), math.Sqrt(in.size), rounding*math.Sqrt(in.size))
		r.Within("variance of the output", in.Variance, claim.variance(in.ParticleStep), rounding*in.size)
	},
	Controls: []props.Wrong[integrated, momentClaim]{
		{Name: "no force of a particle on itself", Criterion: "mean output", Instead: momentClaim{
			mean: func(s theory.ParticleStep) float64 { return 2 * s.Step * s.Label }}},
		{Name: "covariances of particles left out", Criterion: "variance of the output", Instead: momentClaim{
			variance: theory.ParticleStep.Independent}},
		{Name: "a term of the variance larger by a thousandth", Criterion: "variance of the output", Instead: momentClaim{
			variance: func(s theory.ParticleStep) float64 {
				return s.Variance() - 0.016*math.Pow(s.Step, 3)*math.Pow(s.Label/float64(s.N), 2)
			}}},
	},
}

// drawMoments integrates over A and B of f = (A−B)/2n and s = (A+B)/n, independent and χ²(n): with A = r², the density
// of r is r^(n−1)e^(−r²/2) up to its integral.
func drawMoments(t *props.T) integrated {
	in := integrated{ParticleStep: theory.ParticleStep{N: gen.Dim(t.T, "n", 200), Step: gen.LogUniform(t.T, "η", 0.01, 2),
		Label: float64(rapid.IntRange(-8, 8).Draw(t.T, "4y")) / 4}}
	n := float64(in.N)
	chi, total := legendre(96, max(0, math.Sqrt(n)-9), math.Sqrt(n)+10), 0.0
	for i, r := range chi.nodes {
		chi.weights[i] *= math.Exp((n-1)*math.Log(r/math.Sqrt(n)) - (r*r-n)/2)
		total += chi.weights[i]
	}
	floats.Scale(1/total, chi.weights)
	over := func(of func(f, s, move float64) float64) float64 {
		return chi.integrate(func(a float64) float64 {
			return chi.integrate(func(b float64) float64 {
				f := (a - b) * (a + b) / (2 * n)
				return of(f, (a*a+b*b)/n, in.Step*(in.Label-f))
			})
		})
	}
	in.Mean = over(func(f, s, move float64) float64 { return f*(1+move*move) + move*s })
	in.Variance = over(func(f, s, move float64) float64 { return math.Pow(f*(1+move*move)+move*s-in.Mean, 2) })
	in.size = over(func(f, s, move float64) float64 {
		largest := in.Step * (math.Abs(in.Label) + math.Abs(f))
		return math.Pow(math.Abs(f)*(1+largest*largest)+largest*s, 2)
	})
	return in
}

// particleCell is a kind of network; Index numbers batches.
type particleCell struct {
	Activation string
	N, Index   int
}

// moments are means over the networks of a batch: of the output after a step, of its square about the mean over the
// batch, and of the squared distance of a particle to its copy.
type moments struct{ Output, Square, Distance float64 }

// momentClaim are the closed forms.
type momentClaim struct {
	mean, variance func(theory.ParticleStep) float64
	distance       func(theory.ParticleStep, string) float64
}

var exactMoments = momentClaim{theory.ParticleStep.Mean, theory.ParticleStep.Variance, theory.ParticleStep.Distance}

const batchNetworks = 1200

// batchSteps are the steps of the batches, at each of their widths.
var batchSteps = map[string]theory.ParticleStep{"linear": {Step: 0.5, Label: 1.5}, "relu": {Step: 1, Label: -0.5},
	"tanh": {Step: 0.25, Label: 3}}

var particleMoments = props.Grid[particleCell, moments, momentClaim]{
	Name: "moments over networks",
	Cells: func(e props.Effort) (all []particleCell) {
		for i := range (props.Scale{Quick: 150, Standard: 400, Deep: 10400}).At(e) {
			for _, phi := range []string{"linear", "relu", "tanh"} {
				all = append(all, particleCell{phi, 4, i}, particleCell{phi, 12, i})
			}
		}
		return all
	},
	Regimes: []string{"linear", "relu", "tanh"},
	Measure: func(t *props.Trial, c particleCell) moments {
		return momentsOf(t, c, batchNetworks, false, batchSteps[c.Activation])
	},
	Claim: exactMoments,
	Conclude: func(r *props.Record, cells []particleCell, all []moments, claim momentClaim) {
		for _, phi := range []string{"linear", "relu", "tanh"} {
			for _, n := range []int{4, 12} {
				s := batchSteps[phi]
				s.N = n
				mean, variance, distance := claim.mean(s), claim.variance(s), claim.distance(s, phi)
				var outputs, squares, distances []float64
				for i, c := range cells {
					if c.Activation == phi && c.N == n {
						outputs = append(outputs, all[i].Output/mean)
						squares = append(squares, all[i].Square/variance)
						distances = append(distances, all[i].Distance/distance)
					}
				}
				if len(outputs) == 0 { // a control measures others
					continue
				}
				r.Regime(phi)
				width := fmt.Sprintf(", n = %d", n)
				if phi == "linear" {
					props.Limit{Name: "mean output" + width, SD: 0.016, Bias: 1e-3}.Judge(r, outputs, 1)
					props.Limit{Name: "variance of the output" + width, SD: 0.055, Bias: 0.003}.Judge(r, squares, 1)
				}
				props.Limit{Name: "distance to the copy" + width, SD: 0.08, Bias: 0.02}.Judge(r, distances, 1)
			}
		}
	},
	Controls: []props.WrongCell[particleCell, moments, momentClaim]{
		{Name: "independent particles", Criterion: "variance of the output, n = 12", Instead: momentClaim{
			variance: theory.ParticleStep.Independent}},
		{Name: "leading order of the variance", Criterion: "variance of the output, n = 4", Instead: momentClaim{
			variance: func(s theory.ParticleStep) float64 {
				many := s
				many.N = 1e6
				return many.Variance() * 1e6 / float64(s.N)
			}}},
		{Name: "without the force of a particle on itself", Criterion: "mean output, n = 4", Instead: momentClaim{
			mean: func(s theory.ParticleStep) float64 { return 2 * s.Step * s.Label }}},
		{Name: "without the force of a particle on itself, n = 12", Criterion: "mean output, n = 12",
			As: "without the force of a particle on itself"},
		{Name: "leading order of the distance", Criterion: "distance to the copy, n = 4", Instead: momentClaim{
			distance: func(s theory.ParticleStep, phi string) float64 {
				many := s
				many.N = 1e6
				return many.Distance(phi) * 1e6 / float64(s.N)
			}}},
		{Name: "a distance of η for η²", Criterion: "distance to the copy, n = 12", Instead: momentClaim{
			distance: func(s theory.ParticleStep, phi string) float64 { return s.Distance(phi) / (2 * s.Step) }}},
		{Name: "distance n^(−1) for n^(−1/2)", Criterion: "distance to the copy, n = 12", Instead: momentClaim{
			distance: func(s theory.ParticleStep, phi string) float64 { return s.Distance(phi) / float64(s.N) }}},
		{Name: "particles in pairs", Assumption: "independent", Criterion: "variance of the output, n = 12",
			Measure: func(t *props.Trial, c particleCell) moments {
				return momentsOf(t, c, batchNetworks, true, batchSteps[c.Activation])
			}, On: func(c particleCell) bool { return c.Activation == "linear" && c.N == 12 }},
	},
	Replicates: 1,
	Chosen: map[string][]string{"scatter and bias": {"mean output, n = 4", "mean output, n = 12",
		"variance of the output, n = 4", "variance of the output, n = 12", "distance to the copy, n = 4",
		"distance to the copy, n = 12"}},
	Coarse: map[string]string{"variance of the output, n = 4": "squares of outputs of few particles have heavy tails",
		"variance of the output, n = 12": "squares of outputs of few particles have heavy tails",
		"distance to the copy, n = 4":    "fourth powers of few weights have heavy tails",
		"distance to the copy, n = 12":   "fourth powers of few weights have heavy tails"},
}

// momentsOf takes a step with networks of independent particles, or of pairs of two that are alike.
func momentsOf(t *props.Trial, c particleCell, networks int, pairs bool, by theory.ParticleStep) moments {
	act := activations[c.Activation]
	var outputs []float64
	distance, a, w := 0.0, make([]float64, c.N), make([]float64, c.N)
	for range networks {
		f, after, length := 0.0, 0.0, 0.0
		for j := range a {
			a[j], w[j] = t.Rand.NormFloat64(), t.Rand.NormFloat64()
			if pairs && j%2 == 1 {
				a[j], w[j] = a[j-1], w[j-1]
			}
			f += a[j] * act.Value(w[j]) / float64(c.N)
		}
		move, copied := by.Step*(by.Label-f), by.Step*by.Label
		for j := range a {
			da, dw := act.Value(w[j]), a[j]*act.Slope(w[j])
			after += (a[j] + move*da) * act.Value(w[j]+move*dw) / float64(c.N)
			length += (move - copied) * (move - copied) * (da*da + dw*dw)
		}
		outputs, distance = append(outputs, after), distance+length/float64(c.N*networks)
	}
	mean, variance := gstat.MeanVariance(outputs, nil)
	return moments{mean, variance, distance}
}

func tryParticles(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, networks := v.Int("n"), v.Int("networks")
	t.Need(n*networks <= 1e8, "%d networks of width %d are more than can be sampled here; take fewer", networks, n)
	m := momentsOf(t, particleCell{Activation: v.Choice("activation"), N: n}, networks, false,
		theory.ParticleStep{Step: v.Float("step"), Label: v.Float("y")})
	out := map[string]float64{"distance": m.Distance}
	if v.Choice("activation") == "linear" {
		out["mean"], out["variance"] = m.Output, m.Square
	}
	return out, nil
}
