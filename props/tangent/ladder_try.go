package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/internal/pictures"
	"github.com/thm-suite/thm/props/stat"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// The sizes of data and network.
const ladderPoints, ladderInputs, ladderWidth = 48, 8, 24

// ladderStart is a network at its start, its points, and its tangent kernel there.
type ladderStart struct {
	points  *mat.Dense
	start   nn.Net
	outputs []float64
	kernel  *mat.Dense
	values  []float64  // of the kernel, ascending
	vectors *mat.Dense // in columns
}

func newLadderStart(t *props.Trial) ladderStart {
	s := ladderStart{points: spherical(t, ladderPoints, ladderInputs),
		start: impl.HeNet(t.Rand, ladderInputs, ladderWidth, ladderWidth, 1)}
	s.outputs = impl.Outputs(s.start, s.points)
	s.kernel = impl.LayerKernel(impl.FactorsOf(s.start, s.points))
	var err error
	copied := mat.DenseCopyOf(s.kernel).RawMatrix().Data
	s.values, s.vectors, err = linalg.SymEigen(mat.NewSymDense(ladderPoints, copied), true)
	if err != nil {
		panic(err)
	}
	return s
}

// along returns eigenvalue and eigenvector k, counted from the largest.
func (s ladderStart) along(k int) (lambda float64, u []float64) {
	at := ladderPoints - 1 - k
	return s.values[at], mat.Col(nil, at, s.vectors)
}

// path trains on labels of scale·√n·u beside the outputs at the start.
func (s ladderStart) path(t *props.Trial, u []float64, scale float64) impl.Path {
	labels := append([]float64{}, s.outputs...)
	floats.AddScaled(labels, scale*math.Sqrt(ladderPoints), u)
	end := impl.Training{Rate: 0.1, Momentum: 0.9, Epochs: 100}.Fit(t.Rand, s.start, s.points, labels)
	return impl.Path{Start: s.start, End: end}
}

// averaged is the kernel of the features averaged along a path.
func (s ladderStart) averaged(p impl.Path) *mat.Dense {
	return p.AveragedKernel(s.points, impl.Midpoint(theory.LadderNodes))
}

// train returns the averaged kernel after training.
func (s ladderStart) train(t *props.Trial, u []float64, scale float64) *mat.Dense {
	return s.averaged(s.path(t, u, scale))
}

func energy(kernel *mat.Dense, u []float64) float64 {
	along := mat.NewVecDense(len(u), u)
	return mat.Inner(along, kernel, along)
}

// tryLadder trains on one eigenvector at a user's difficulty.
var tryLadder = &props.Simulation{
	Params: []statements.Param{{Name: "k", Symbol: "k", Meaning: "eigenvector, counted from the largest eigenvalue as 1",
		Domain: statements.IntegerBetween(2, 40), Default: "9"}},
	Run: func(t *props.Trial, v statements.Values) (map[string]float64, error) {
		s := newLadderStart(t)
		lambda, u, scale, err := s.chosen(v)
		if err != nil {
			return nil, err
		}
		return map[string]float64{"amplification": energy(s.train(t, u, scale), u) / lambda}, nil
	},
	Draw: drawLadder,
}

// chosen is the eigenvector of a user, with the scale of labels that has the difficulty of theirs.
func (s ladderStart) chosen(v statements.Values) (lambda float64, u []float64, scale float64, err error) {
	lambda, u = s.along(v.Int("k") - 1)
	scale = v.Float("v") * math.Sqrt(lambda/ladderPoints)
	if !(lambda > 0) || scale > 3 {
		return 0, nil, 0, fmt.Errorf("v=%g cannot be simulated with k=%d: v is at most %.3g there, beyond which training "+
			"is not stable", v.Float("v"), v.Int("k"), 3*math.Sqrt(ladderPoints/lambda))
	}
	return lambda, u, scale, nil
}

// drawLadder draws kernels, spectra, and alignment over the scale of the labels.
func drawLadder(t *props.Trial, v statements.Values) ([]props.Figure, error) {
	s := newLadderStart(t)
	_, u, scale, err := s.chosen(v)
	if err != nil {
		return nil, err
	}
	after := s.train(t, u, scale)
	grown, _, err := linalg.SymEigen(mat.NewSymDense(ladderPoints, mat.DenseCopyOf(after).RawMatrix().Data), false)
	if err != nil {
		return nil, err
	}
	return []props.Figure{
		pictures.Kernels(fmt.Sprintf("Tangent kernel of %d points in the order of their labels, at the start and averaged "+
			"over the training on eigenvector %d with v = %.3g.", ladderPoints, v.Int("k"), v.Float("v")), u,
			pictures.Kernel{Name: "before", K: s.kernel}, pictures.Kernel{Name: "averaged", K: after}),
		pictures.Spectra("spectra", "Spectra of the kernels", "Eigenvalues of the tangent kernel at the start and averaged "+
			"over the training.", "eigenvalue", true, pictures.Spectrum{Name: "before", Values: s.values},
			pictures.Spectrum{Name: "averaged", Values: grown}),
		scales(t, v.Int("k")-1),
	}, nil
}

// scalesNetworks is the number of networks that the figure over the scale of the labels takes means of.
const scalesNetworks = 12

// scales trains networks over the scale of their labels along eigenvector k of their kernels.
func scales(t *props.Trial, k int) props.Figure {
	const points = 9
	var difficulty, amplified, aligned [points][]float64
	for range scalesNetworks {
		s := newLadderStart(t)
		lambda, u := s.along(k)
		first := impl.Alignment(s.kernel, u)
		for i := range points {
			scale := 0.02 * math.Pow(100, float64(i)/(points-1))
			kernel := s.train(t, u, scale)
			difficulty[i] = append(difficulty[i], math.Log(scale*math.Sqrt(ladderPoints/lambda)))
			amplified[i] = append(amplified[i], math.Log(energy(kernel, u)/lambda))
			aligned[i] = append(aligned[i], math.Log(impl.Alignment(kernel, u)/first))
		}
	}
	law := props.Curve{Name: "law s²", Style: props.Line}
	for _, logs := range difficulty {
		v := math.Exp(stat.Mean(logs, 0.05).Estimate)
		law.X = append(law.X, v)
		law.Y = append(law.Y, math.Pow(theory.Sum{{Family: theory.Quadratic, Factor: 1}}.Effective(v).Size(), 2))
	}
	means := func(name string, of [points][]float64) props.Curve {
		c := props.Curve{Name: name, Style: props.Points, X: law.X}
		for _, logs := range of {
			mean := stat.Mean(logs, 0.05)
			c.Y = append(c.Y, math.Exp(mean.Estimate))
			c.Lo, c.Hi = append(c.Lo, math.Exp(mean.Lo)), append(c.Hi, math.Exp(mean.Hi))
		}
		return c
	}
	return props.Figure{ID: "scales", Title: "Amplification and alignment over the scale of the labels",
		Caption: fmt.Sprintf("%d networks, trained on labels along eigenvector %d of their kernels at the start and of "+
			"growing size: geometric means with 95 %% intervals, and the law at the mean difficulty. Both are 1 for small "+
			"labels.", scalesNetworks, k+1),
		X: props.Axis{Label: "v = √(yᵀK₀⁻¹y)", Log: true},
		Y: props.Axis{Label: "amplification; alignment", Log: true},
		Curves: []props.Curve{means("amplification", amplified), means("alignment over that at the start", aligned),
			law}}
}
