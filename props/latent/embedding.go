package latent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// embedding learns from points and from their images, with kernels and networks.
var embedding = props.Spec{
	Statement: &theory.Embedding,
	Checks: []props.Check{
		props.Drawn[embedded, struct{}]{
			Name:    "kernel ridge regression",
			Cases:   props.Scale{Quick: 80, Standard: 800, Deep: 20000},
			Tries:   20,
			Regimes: []string{"kernel of distances", "kernel of inner products", "kernel with a kink at angle 0", "D = k"},
			Draw:    func(t *props.T) embedded { return drawEmbeddedKernel(t, place(t, anyCodimension, exactly)) },
			Judge: func(r *props.Record, in embedded, _ struct{}) {
				in.regime(r)
				r.WithinVector("predictions", in.Images, in.Points, in.Tolerance)
			},
			Controls: []props.Wrong[embedded, struct{}]{
				{Name: "noise of size 1/1000 in all of ℝᴰ", Assumption: "subspace",
					Draw: func(t *props.T) embedded { return drawEmbeddedKernel(t, place(t, codimensionTwo, noisily)) }},
				{Name: "Q stretched by 1.001", Assumption: "isometry",
					Draw: func(t *props.T) embedded { return drawEmbeddedKernel(t, place(t, codimensionTwo, stretched)) }},
				{Name: "one of the coordinates of the images left out", Assumption: "isometry",
					Draw: func(t *props.T) embedded { return drawEmbeddedKernel(t, place(t, codimensionTwo, projected)) }},
			},
		},
		props.Drawn[embedded, struct{}]{
			Name:    "gradient descent",
			Cases:   props.Scale{Quick: 80, Standard: 800, Deep: 20000},
			Tries:   20,
			Regimes: []string{"weight decay", "no decay", "D = k"},
			Draw: func(t *props.T) embedded {
				return drawEmbeddedNetwork(t, place(t, anyCodimension, exactly), asIs, 0)
			},
			Judge: func(r *props.Record, in embedded, _ struct{}) {
				in.regime(r)
				r.WithinVector("outputs", in.Images, in.Points, in.Tolerance)
			},
			Controls: []props.Wrong[embedded, struct{}]{
				{Name: "steps by the signs of the gradient", Assumption: "rotation", Draw: func(t *props.T) embedded {
					return drawEmbeddedNetwork(t, place(t, codimensionTwo, exactly), signs, 0)
				}},
				{Name: "noise of size 1/1000 in all of ℝᴰ, network", Assumption: "subspace",
					Draw: func(t *props.T) embedded {
						return drawEmbeddedNetwork(t, place(t, codimensionTwo, noisily), asIs, 0)
					}},
				{Name: "Q stretched by 1.001, network", Assumption: "isometry", Draw: func(t *props.T) embedded {
					return drawEmbeddedNetwork(t, place(t, codimensionTwo, stretched), asIs, 0)
				}},
				{Name: "one step more on the points", Draw: func(t *props.T) embedded {
					return drawEmbeddedNetwork(t, place(t, codimensionTwo, exactly), asIs, 1)
				}},
			},
		},
	},
}.Claim()

// embedded holds predictions at the same places, learned from points and from their images.
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

// placed holds points (rows), their images, and Q (D×k).
type placed struct{ z, x, q *mat.Dense }

// place draws points, and embeds them with the given codimension.
func place(t *props.T, codimension func(*props.T) int, embed func(r *rand.Rand, z, q *mat.Dense) *mat.Dense) placed {
	k := gen.Dim(t.T, "k", 3)
	d := k + codimension(t)
	r := t.Stream("points")
	z, q := gen.Gaussian(r, gen.Dim(t.T, "n", 10)+1, k, 1), gen.Orthonormal(r, d, k)
	return placed{z, embed(r, z, q), q}
}

func anyCodimension(t *props.T) int { return rapid.IntRange(0, 5).Draw(t.T, "D−k") }

// codimensionTwo draws the codimension for controls.
func codimensionTwo(t *props.T) int {
	anyCodimension(t)
	return 2
}

func exactly(_ *rand.Rand, z, q *mat.Dense) *mat.Dense {
	x := new(mat.Dense)
	x.Mul(z, q.T())
	return x
}

func noisily(r *rand.Rand, z, q *mat.Dense) *mat.Dense {
	x := exactly(r, z, q)
	n, d := x.Dims()
	x.Add(x, gen.Gaussian(r, n, d, 1e-3))
	return x
}

func stretched(r *rand.Rand, z, q *mat.Dense) *mat.Dense {
	longer := algebra.Scaled(1.001, q)
	return exactly(r, z, longer)
}

// projected leaves out a coordinate.
func projected(r *rand.Rand, z, q *mat.Dense) *mat.Dense {
	used := mat.DenseCopyOf(q)
	_, k := used.Dims()
	for j := range k {
		used.Set(0, j, 0)
	}
	return exactly(r, z, used)
}

func drawEmbeddedKernel(t *props.T, p placed) embedded {
	z, x, q := p.z, p.x, p.q
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
	images := algebra.Product(at, q.T())
	const penalty = 0.1
	predict := func(x, at *mat.Dense) ([]float64, float64) {
		gram := kernel.Gram(x)
		path := must.Get(ridge.NewPath(gram, y))
		alpha := must.Get(path.Solve(penalty))
		cross := kernel.Cross(at, x)
		out := mat.NewVecDense(5, nil)
		out.MulVec(cross, mat.NewVecDense(n, alpha))
		return out.RawVector().Data, mat.Norm(gram, 2) + mat.Norm(cross, 2) + penalty
	}
	var size float64
	in.Points, size = predict(z, at)
	in.Images, _ = predict(x, images)
	// Squares err by 4(D+k)u times the squared lengths; distances are computed from differences. A Gram matrix that
	// errs by e moves α = (K+λ)⁻¹y by e‖α‖/λ, and predictions by that times the size of the kernel.
	squares := mat.Norm(z, 2)*mat.Norm(z, 2) + mat.Norm(at, 2)*mat.Norm(at, 2)
	relative := 4 * float64(d+k+n) * roundoff.Unit
	e := 10 * (relative*squares + relative) * size
	if in.Kind == "kernel with a kink at angle 0" { // an angle near 0 errs by the root of the error of its cosine
		e += 4 * math.Sqrt(relative) * size
	}
	in.Tolerance = e / penalty * (1 + size/penalty) * floats.Norm(y, 2)
	return in
}

func asIs(g *mat.Dense) *mat.Dense { return g }

// signs returns the signs of the gradient's entries.
func signs(g *mat.Dense) *mat.Dense {
	g.Apply(func(_, _ int, v float64) float64 { return math.Copysign(0.1, v) }, g)
	return g
}

// drawEmbeddedNetwork descends along a function of the gradient, and takes more extra steps on the points alone.
func drawEmbeddedNetwork(t *props.T, p placed, direction func(g *mat.Dense) *mat.Dense, more int) embedded {
	z, x, q := p.z, p.x, p.q
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
	y := list.Fill(n, func(int) float64 { return r.NormFloat64() })
	steps := rapid.IntRange(1, 30).Draw(t.T, "t")
	square := mat.Norm(z, 2) * mat.Norm(z, 2) / float64(n)
	eta := 0.2 / (1 + square)
	descend := func(net latent.Network, x *mat.Dense, steps int) latent.Network {
		for range steps {
			net = net.Step(direction(net.Gradient(x, y)), eta, decay)
		}
		return net
	}
	at := gen.Gaussian(r, 5, k, 1)
	images := algebra.Product(at, q.T())
	last := descend(intrinsic, z, steps+more)
	in.Points = last.Output(at)
	in.Images = descend(ambient, x, steps).Output(images)
	// Σa² = 1, so that L ≤ 2·mean‖z‖², and ηL ≤ 0.4.
	size := 1 + mat.Norm(ambient.W, 2) + mat.Norm(last.W, 2) + floats.Norm(y, 2) + floats.Norm(ambient.B, 2)
	perStep := 8 * float64(n+m+d) * roundoff.Unit * size * (1 + square)
	in.Tolerance = float64(steps) * perStep * math.Exp(0.4*float64(steps)) * (1 + mat.Norm(at, 2))
	return in
}
