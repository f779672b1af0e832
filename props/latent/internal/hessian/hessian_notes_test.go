package hessian

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/thm-suite/thm/impl/linalg"
	theory "github.com/thm-suite/thm/theory/latent"
)

// gradients returns the gradients of m neurons of random directions, as rows, and the mean length of their remainders.
func gradients(r *rand.Rand, f theory.Target, d, m int) (*mat.Dense, float64) {
	out, length := mat.NewDense(m, d, nil), 0.0
	for j := range m {
		w := direction(r, nil, d)
		rest := theory.Remainder(f, 1, w)
		length += floats.Norm(rest, 2) / float64(m)
		floats.Add(rest, theory.Leading(f, 1, w))
		out.SetRow(j, rest)
	}
	return out, length
}

func notes(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.4f, in our notes %v within %v", what, got, want, tolerance)
	}
}

// Mean lengths times powers of d that our notes sampled. The standard deviation of a length is about its mean, so that
// a mean of 4096 lengths is known to 6 % at four standard errors.
func TestRemaindersOfTheNotes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for _, c := range []struct {
		target string
		d, r   int
		power  float64
		want   float64
	}{{"alternating signs", 128, 2, 1, 0.51}, {"alternating signs", 128, 4, 1, 0.56},
		{"alternating signs", 128, 8, 1, 0.59}, {"alternating signs", 128, 16, 1, 0.61},
		{"He₄, H = 0", 32, 1, 1.5, 0.94}, {"He₄, H = 0", 512, 1, 1.5, 0.985}, {"g4", 32, 1, 1, 0.42},
		{"g4", 512, 1, 1, 0.41}} {
		f := comparison(c.target, c.r)
		if c.target == "g4" {
			f = theory.Target{{Coefficient: 0.5, Degrees: []int{2}}, {Coefficient: math.Sqrt(1. / 48), Degrees: []int{4}}}
		}
		_, length := gradients(r, f, c.d, 4096)
		notes(t, c.target, length*math.Pow(float64(c.d), c.power), c.want, 0.07*c.want+0.01)
	}
	for i, k := range []int{1, 2, 4, 8, 16} {
		iso := theory.Isotropic{D: 2048, R: k}
		notes(t, "E‖Π⋆R‖", iso.Projected()*math.Pow(2048, 1.5)/float64(k), []float64{.91, .75, .66, .62, .59}[i], 0.011)
		law := distuv.Beta{Alpha: float64(k) / 2, Beta: float64(2048-k) / 2}
		scale := 2048 / math.Sqrt(float64(k))
		notes(t, "median of d‖R‖/√r", scale*iso.Length(law.Quantile(0.5)), []float64{.26, .38, .48, .53, .54}[i], 0.02)
		notes(t, "its 99 % point", scale*iso.Length(law.Quantile(0.99)), []float64{3.85, 2.6, 1.84, 1.4, 1.11}[i], 0.15)
		// The literal reading, Hwⱼ for normal wⱼ: R and −2aH(wⱼ−ŵⱼ)/√(2π) together.
		literal, count := 0.0, 2000
		for range count {
			rho := math.Sqrt(law.Quantile(r.Float64()))
			excess := math.Sqrt(2/float64(2048)) * r.NormFloat64() / 2 // ‖w‖ − 1 up to O(1/d)
			along := 2 * excess * rho / math.Sqrt(math.Pi*float64(k))  // along Π⋆ŵ/ρ
			rest := iso.Length(rho * rho)
			literal += scale * math.Hypot(rest*rho-along, rest*math.Sqrt(1-rho*rho)) / float64(count)
		}
		notes(t, "literal reading", literal, []float64{.82, .74, .66, .63, .60}[i], 0.07)
	}
}

// The mean over networks of the largest of many remainders, at d = 1024, and the envelope above it.
func TestLargestRemaindersOfTheNotes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for _, c := range []struct {
		r, m int
		want float64
	}{{1, 256, 5}, {1, 4096, 7.9}, {4, 256, 2.4}, {4, 4096, 3.3}, {16, 256, 1.25}, {16, 4096, 1.6}} {
		iso := theory.Isotropic{D: 1024, R: c.r}
		law := distuv.ChiSquared{K: float64(c.r)} // of dρ², nearly
		mean, networks := 0.0, 200
		for range networks { // the largest of m uniform numbers is the m-th root of one
			top := math.Pow(r.Float64(), 1/float64(c.m))
			mean += 1024 / math.Sqrt(float64(c.r)) * iso.Length(law.Quantile(top)/1024) / float64(networks)
		}
		notes(t, "largest of m", mean, c.want, 0.09*c.want)
		if bound := 1024 / math.Sqrt(float64(c.r)) * iso.Envelope(c.m); !(mean < bound) {
			t.Errorf("largest of %d: %v above the envelope %v", c.m, mean, bound)
		}
	}
}

// The span of the population gradients of 4d neurons with H of full rank and of rank 1, by the ratio of the second and
// third singular values: if H has rank 1, the second direction does not stand out. Its cosine, for which our notes have
// one draw for each d, from 0.979 at d = 32 to 0.044 at 2048, takes any value between 0 and 1 at these sizes.
func TestSpansOfTheNotes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for i, d := range []int{32, 128, 256} {
		gap := []float64{13, 39, 70}[i] // that of 256 is between those of 128 and 512
		cos, values := spanned(t, r, theory.Isotropic{D: d, R: 2}.Target(), d)
		if !(cos > 0.999 && values[1] > gap/1.5*values[2]) {
			t.Errorf("d = %d, full rank: cosine %v, singular values %v", d, cos, values)
		}
		_, values = spanned(t, r, comparison("H of rank 1, weaker direction", 2), d)
		if !(values[1] < 2*values[2] && values[0] > 8*values[1]) {
			t.Errorf("d = %d, rank 1: singular values %v", d, values)
		}
	}
}

// spanned returns the smaller cosine between the two leading right singular vectors of the gradients of 4d neurons and
// the first two axes, and the three largest singular values.
func spanned(t *testing.T, r *rand.Rand, f theory.Target, d int) (cos float64, values []float64) {
	g, _ := gradients(r, f, d, 4*d)
	var moment mat.SymDense
	moment.SymOuterK(1, g.T())
	squares, v, err := linalg.LargestEigen(&moment, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range squares {
		values = append(values, math.Sqrt(max(0, x)))
	}
	var svd mat.SVD
	if !svd.Factorize(v.Slice(0, 2, 0, 2), mat.SVDNone) {
		t.Fatal("cosines of a plane")
	}
	return svd.Values(nil)[1], values
}
