package latent_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
)

func stream() *rand.Rand { return rand.New(rand.NewPCG(3, 5)) }

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

// cubic is ½He₂ + He₃/√12, of mean square 1.
func cubic(z []float64) float64 {
	x := z[0]
	return 0.5*(x*x-1) + (x*x*x-3*x)/math.Sqrt(12)
}

func TestPairsCancel(t *testing.T) {
	r := stream()
	n, p := latent.Symmetric(r, 10, 4), latent.Sample(r, 50, 4, 1, cubic)
	for _, f := range n.Output(p.X) {
		near(t, "output of pairs", f, 0, 1e-15)
	}
	full, half := n.Gradient(p.X, p.Y), n.FirstGradient(p.X, p.Y)
	require.True(t, mat.EqualApprox(full, half, 1e-14))
	for j := range 5 {
		for k := range 4 {
			require.Equal(t, half.At(j, k), -half.At(j+5, k))
		}
	}
	require.PanicsWithValue(t, "latent: a network in pairs has even width", func() { latent.Symmetric(r, 3, 2) })
}

// Labellings share what is known of active neurons, whose biases count where the two of a pair have the same.
func TestGradientsOfSeveralLabellings(t *testing.T) {
	r := stream()
	n, p := latent.Symmetric(r, 10, 4).Redraw(r), latent.Sample(r, 300, 4, 1, cubic) // more than are worked on at a time
	copy(n.B[5:], n.B[:5])
	other := slices.Clone(p.Y)
	floats.Scale(-3, other)
	for i, g := range n.FirstGradients(p.X, p.Y, other, p.Y) {
		want := n.Gradient(p.X, [][]float64{p.Y, other, p.Y}[i])
		require.True(t, mat.EqualApprox(g, want, 1e-13))
	}
}

// Pairs of opposite weights share their products; the features are those of every neuron alone.
func TestFeaturesOfPairs(t *testing.T) {
	r := stream()
	p := latent.Sample(r, 300, 4, 1, cubic) // more than are worked on at a time
	first := latent.Symmetric(r, 6, 4)
	stepped := latent.Network{W: first.FirstGradient(p.X, p.Y), A: first.A, B: first.B}.Redraw(r)
	nearly := latent.Network{W: mat.DenseCopyOf(stepped.W), A: first.A, B: stepped.B}
	nearly.W.Set(5, 3, 2*nearly.W.At(5, 3))
	for _, n := range []latent.Network{stepped, nearly, latent.Independent(r, 5, 4).Redraw(r)} {
		phi, out := n.Features(p.X), n.Output(p.X)
		for i := range 300 {
			sum := 0.0
			for j, b := range n.B {
				want := max(0, floats.Dot(n.W.RawRowView(j), p.X.RawRowView(i))+b)
				near(t, "feature", phi.At(i, j), want, 1e-14)
				sum += n.A[j] * want
			}
			near(t, "output", out[i], sum, 1e-13)
		}
	}
}

// A central difference errs by h²/6·f‴ + u·loss/h; no preactivation lies within h of a kink in this stream.
func TestGradientAgainstCentralDifferences(t *testing.T) {
	r := stream()
	const h = 1e-6
	p := latent.Sample(r, 9, 3, 1, cubic)
	for _, n := range []latent.Network{latent.Symmetric(r, 4, 3), latent.Independent(r, 5, 3).Redraw(r)} {
		g := n.Gradient(p.X, p.Y)
		m, d := n.W.Dims()
		for j := range m {
			for k := range d {
				at := n.W.At(j, k)
				n.W.Set(j, k, at+h)
				up := n.Loss(p.X, p.Y)
				n.W.Set(j, k, at-h)
				down := n.Loss(p.X, p.Y)
				n.W.Set(j, k, at)
				near(t, "gradient", g.At(j, k), (up-down)/(2*h), 1e-8)
			}
		}
	}
}

func TestStepForgets(t *testing.T) {
	r := stream()
	n, p := latent.Symmetric(r, 6, 5), latent.Sample(r, 20, 5, 1, cubic)
	g := n.FirstGradient(p.X, p.Y)
	after := n.Step(g, 4, 0.25)
	var want mat.Dense
	want.Scale(-4, g)
	require.True(t, mat.EqualApprox(after.W, &want, 1e-14))
	near(t, "length", mat.Norm(latent.Network{W: &want}.W, 2), mat.Norm(after.W, 2), 1e-13)
	after.Normalise(1)
	near(t, "root mean square length", mat.Norm(after.W, 2)/math.Sqrt(6), 1, 1e-14)
	after.W.Zero()
	near(t, "factor of zeros", after.Normalise(1), 1, 0)
	near(t, "zeros", mat.Norm(after.W, 2), 0, 0)
}

func TestPreprocess(t *testing.T) {
	x, y := mat.NewDense(2, 1, []float64{1, 3}), []float64{2, 4}
	l, rest := latent.Preprocess(x, y)
	require.Equal(t, latent.Linear{Constant: 3, Weights: []float64{7}}, l)
	require.Equal(t, []float64{-8, -20}, rest)
}

// Descent on the head ends where the ridge regression with nλ/2 is.
func TestHeadsAgree(t *testing.T) {
	r := stream()
	p := latent.Sample(r, 60, 3, 1, cubic)
	n := latent.Independent(r, 8, 3).Redraw(r)
	path, err := ridge.Features(n.Features(p.X), p.Y)
	require.NoError(t, err)
	want, err := path.Solve(60 * 0.1 / 2)
	require.NoError(t, err)
	got := n.DescendHead(p.X, p.Y, 0.05, 0.1, 20000)
	floats.Sub(got, want)
	near(t, "difference", floats.Norm(got, 2), 0, 1e-10)
}

func TestQuadratureIntegratesPolynomials(t *testing.T) {
	p := latent.Quadrature(stream(), 64, 3, 5, 1, cubic)
	zero := make([]float64, len(p.Y))
	near(t, "E f²", p.Square(zero), 1, 1e-12)
	two := latent.Quadrature(stream(), 24, 1, 4, 2, func(z []float64) float64 { return z[0] * z[0] * z[1] })
	near(t, "E z₁⁴z₂²", two.Square(make([]float64, len(two.Y))), 3, 1e-11)
	require.PanicsWithValue(t, "latent: predictions of another number of points", func() { p.Square(nil) })
}

func TestLearnFindsTheDirection(t *testing.T) {
	r := stream()
	train := latent.Sample(r, 3600, 30, 1, cubic)
	p, err := latent.Learn(r, train.X, train.Y, 300, ridge.Penalties(1e-4, 1e2, 13), latent.Sample(r, 1000, 30, 1, cubic))
	require.NoError(t, err)
	test := latent.Quadrature(r, 64, 10, 30, 1, cubic)
	if e := test.Square(p.Output(test.X)); !(e < 0.3) { // 0.04 to 0.1 at 500 neurons; 1 for the zero predictor
		t.Errorf("test error %v", e)
	}
	if e := latent.Energy(p.Network.W, 1); !(e > 0.5) {
		t.Errorf("share of the latent direction %v", e)
	}
}

// Learning tunes its penalty, and so would not notice that all candidates are off by a factor: the head of one penalty
// is where descent on (1/n)‖Φa − y‖² + (λ/2)‖a‖² ends.
func TestHeadTakesItsPenaltyFromTheLoss(t *testing.T) {
	r := stream()
	p := latent.Sample(r, 60, 3, 1, cubic)
	n := latent.Independent(r, 8, 3).Redraw(r)
	none := latent.Linear{Weights: make([]float64, 3)}
	head, err := latent.Head(n, none, p.X, p.Y, []float64{0.1}, p)
	require.NoError(t, err)
	got := n.DescendHead(p.X, p.Y, 0.05, 0.1, 20000)
	floats.Sub(got, head.Network.A)
	near(t, "difference", floats.Norm(got, 2), 0, 1e-10)
}

// The penalty is the one whose head predicts the validation samples best, wherever it stands in the list.
func TestHeadTakesTheBestPenalty(t *testing.T) {
	r := stream()
	p, validation := latent.Sample(r, 60, 3, 1, cubic), latent.Sample(r, 200, 3, 1, cubic)
	n := latent.Independent(r, 8, 3).Redraw(r)
	none := latent.Linear{Weights: make([]float64, 3)}
	square := func(penalties ...float64) float64 {
		head, err := latent.Head(n, none, p.X, p.Y, penalties, validation)
		require.NoError(t, err)
		return validation.Square(head.Output(validation.X))
	}
	little, best, much := square(1e-2), square(10), square(1e4)
	require.True(t, best < 0.99*little && best < 0.99*much, "%v, %v, %v", little, best, much)
	for _, penalties := range [][]float64{{10, 1e-2, 1e4}, {1e-2, 10, 1e4}, {1e4, 1e-2, 10}} {
		near(t, "the best of three", square(penalties...), best, 1e-12*best)
	}
}

// The metric of rows (3, 0) and (0, 4) is diag(9, 16)/25.
func TestMetric(t *testing.T) {
	root, err := latent.Metric(mat.NewDense(2, 2, []float64{3, 0, 0, 4}))
	require.NoError(t, err)
	var m mat.Dense
	m.Mul(root, root.T())
	require.True(t, mat.EqualApprox(&m, mat.NewDense(2, 2, []float64{9. / 25, 0, 0, 16. / 25}), 1e-15))
	_, err = latent.Metric(mat.NewDense(1, 1, []float64{math.NaN()}))
	require.ErrorContains(t, err, "metric")
}
