package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/impl/ridge"
	"github.com/thm-suite/thm/impl/rkhs"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// embedding learns from points and from their images, with kernels and with networks.
var embedding = props.Spec{
	Statement: &theory.Embedding,
	Checks: []props.Check{
		props.Instances[embedded]{
			Name:    "kernel ridge regression",
			Cases:   props.Scale{Quick: 80, Standard: 800, Deep: 20000},
			Regimes: []string{"kernel of distances", "kernel of inner products", "kernel with a kink at angle 0", "D = k"},
			Draw:    drawEmbeddedKernel,
			Judge: func(r *props.Record, in embedded, _ string) {
				in.regime(r)
				r.WithinVector("predictions", in.Images, in.Points, in.Tolerance)
			},
			Controls: []props.Control{
				{Name: "noise of size 1/1000 in all of ℝᴰ", Assumption: "subspace", Done: "noise"},
				{Name: "Q stretched by 1.001", Assumption: "isometry", Done: "stretched"},
				{Name: "one of the coordinates of the images left out", Assumption: "isometry", Done: "projected"},
			},
		},
		props.Instances[embedded]{
			Name:    "gradient descent",
			Cases:   props.Scale{Quick: 80, Standard: 800, Deep: 20000},
			Regimes: []string{"weight decay", "no decay", "D = k"},
			Draw:    drawEmbeddedNetwork,
			Judge: func(r *props.Record, in embedded, _ string) {
				in.regime(r)
				r.WithinVector("outputs", in.Images, in.Points, in.Tolerance)
			},
			Controls: []props.Control{
				{Name: "steps by the signs of the gradient", Assumption: "rotation", Done: "signs"},
				{Name: "noise of size 1/1000 in all of ℝᴰ, network", Assumption: "subspace", Done: "noise"},
				{Name: "Q stretched by 1.001, network", Assumption: "isometry", Done: "stretched"},
				{Name: "one step more on the points", Done: "one step"},
			},
		},
	},
}.Claim()

// embedded are predictions at the same places, learned from points and from their images.
type embedded struct {
	Kind           string
	K, D           int
	Points, Images []float64
	Tolerance      float64
}

func (in embedded) regime(r *props.Record) {
	r.Regime(in.Kind)
	if in.K == in.D {
		r.Regime("D = k")
	}
}

// place draws points (rows), their images, and Q (D×k).
func place(t *props.T, done string) (z, x, q *mat.Dense) {
	k := gen.Dim(t.T, "k", 3)
	d := k + rapid.IntRange(0, 5).Draw(t.T, "D−k")
	if done != "" {
		d = k + 2
	}
	r := t.Stream("points")
	z, q = gen.Gaussian(r, gen.Dim(t.T, "n", 10)+1, k, 1), gen.Orthonormal(r, d, k)
	used := mat.DenseCopyOf(q)
	switch done {
	case "stretched":
		used.Scale(1.001, used)
	case "projected":
		for j := range k {
			used.Set(0, j, 0)
		}
	}
	x = new(mat.Dense)
	x.Mul(z, used.T())
	if done == "noise" {
		n, _ := x.Dims()
		x.Add(x, gen.Gaussian(r, n, d, 1e-3))
	}
	return z, x, q
}

func drawEmbeddedKernel(t *props.T, done string) embedded {
	z, x, q := place(t, done)
	n, k := z.Dims()
	d, _ := q.Dims()
	in := embedded{K: k, D: d, Kind: "kernel of distances"}
	var kernel rkhs.Kernel
	switch rapid.IntRange(0, 4).Draw(t.T, "kernel") {
	case 0:
		kernel = rkhs.Gaussian(1)
	case 1:
		kernel = rkhs.Laplace(1)
	case 2:
		kernel, in.Kind = rkhs.Polynomial(3, 2), "kernel of inner products"
	case 3:
		kernel, in.Kind = rkhs.NeuralTangent(), "kernel with a kink at angle 0"
	default:
		kernel, in.Kind = rkhs.RandomFeatures(), "kernel of inner products"
	}
	r := t.Stream("labels")
	y, at := make([]float64, n), gen.Gaussian(r, 5, k, 1)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	var images mat.Dense
	images.Mul(at, q.T())
	const penalty = 0.1
	predict := func(x, at *mat.Dense) ([]float64, float64) {
		gram := kernel.Gram(x)
		path, err := ridge.NewPath(gram, y)
		if err != nil {
			panic(err)
		}
		alpha, err := path.Solve(penalty)
		if err != nil {
			panic(err)
		}
		cross := kernel.Cross(at, x)
		out := mat.NewVecDense(5, nil)
		out.MulVec(cross, mat.NewVecDense(n, alpha))
		return out.RawVector().Data, mat.Norm(gram, 2) + mat.Norm(cross, 2) + penalty
	}
	var size float64
	in.Points, size = predict(z, at)
	in.Images, _ = predict(x, &images)
	// Squares err by 4(D+k)u of the squared lengths, and distances are formed from differences. A Gram matrix that errs
	// by e moves α = (K+λ)⁻¹y by e‖α‖/λ and predictions by the size of the kernel more.
	squares := mat.Norm(z, 2)*mat.Norm(z, 2) + mat.Norm(at, 2)*mat.Norm(at, 2)
	relative := 4 * float64(d+k+n) * roundoff.Unit
	e := 10 * (relative*squares + relative) * size
	if in.Kind == "kernel with a kink at angle 0" { // an angle 0 is known to the root of the error of its cosine
		e += 4 * math.Sqrt(relative) * size
	}
	in.Tolerance = e / penalty * (1 + size/penalty) * floats.Norm(y, 2)
	return in
}

func drawEmbeddedNetwork(t *props.T, done string) embedded {
	z, x, q := place(t, done)
	n, k := z.Dims()
	d, _ := q.Dims()
	in := embedded{K: k, D: d, Kind: "no decay"}
	decay := 0.0
	if rapid.Bool().Draw(t.T, "decay") {
		in.Kind, decay = "weight decay", 0.1
	}
	r := t.Stream("network")
	m := gen.Dim(t.T, "m", 6)
	ambient := latent.Independent(r, m, d).Redraw(r)
	floats.Scale(1/math.Sqrt(float64(m)), ambient.A)
	intrinsic := latent.Network{W: new(mat.Dense), A: ambient.A, B: ambient.B}
	intrinsic.W.Mul(ambient.W, q)
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	steps := rapid.IntRange(1, 30).Draw(t.T, "t")
	square := mat.Norm(z, 2) * mat.Norm(z, 2) / float64(n)
	eta := 0.2 / (1 + square)
	descend := func(net latent.Network, x *mat.Dense, steps int) latent.Network {
		for range steps {
			g := net.Gradient(x, y)
			if done == "signs" {
				g.Apply(func(_, _ int, v float64) float64 { return math.Copysign(0.1, v) }, g)
			}
			net = net.Step(g, eta, decay)
		}
		return net
	}
	at := gen.Gaussian(r, 5, k, 1)
	var images mat.Dense
	images.Mul(at, q.T())
	more := 0
	if done == "one step" {
		more = 1
	}
	last := descend(intrinsic, z, steps+more)
	in.Points = last.Output(at)
	in.Images = descend(ambient, x, steps).Output(&images)
	// Σa² = 1, so that L ≤ 2·mean‖z‖², and ηL ≤ 0.4.
	size := 1 + mat.Norm(ambient.W, 2) + mat.Norm(last.W, 2) + floats.Norm(y, 2) + floats.Norm(ambient.B, 2)
	perStep := 8 * float64(n+m+d) * roundoff.Unit * size * (1 + square)
	in.Tolerance = float64(steps) * perStep * math.Exp(0.4*float64(steps)) * (1 + mat.Norm(at, 2))
	return in
}
