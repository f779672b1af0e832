package expansion

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// constant is the criterion that tells the true gradient from the displayed weights.
const constant = "P₂, coefficient of 1"

// wanted are the coefficients of P_k that are looked at, and how much the extrapolated value of a cell scatters over
// the claimed one at standard effort. Some of them vanish for labels without a mean. The extrapolation leaves twice as
// much of s²u as of others.
var wanted = []struct {
	k, i int
	mean bool
	sd   float64
	left float64 // over what is allowed for
}{
	{1, 0, true, 0.014, 1}, {1, 1, false, 0.013, 1},
	{2, 0, false, 0.033, 1}, {2, 1, true, 0.034, 1}, {2, 2, false, 0.023, 1},
	{3, 1, false, 0.054, 2}, {3, 3, false, 0.035, 1},
}

func nameOf(k, i int) string {
	return fmt.Sprintf("P%s, coefficient of %s", []string{"₀", "₁", "₂", "₃"}[k], []string{"1", "u", "u^2", "u^3"}[i])
}

// sized are coefficients in networks of a size on average, each over what is claimed.
type sized struct {
	Size int
	Mean map[string]float64
}

// fewer is the number of networks of the smaller size that a cell averages.
const fewer = 12

// measureMeans takes one network of the larger size and some of a quarter of it.
func measureMeans(t *props.Trial, c network.Cell) []sized {
	s, size := network.By(learners, c.Setup), props.Scale{Quick: 18, Standard: 40, Deep: 100}.At(t.Effort)
	return meansOf(s, size, fewer, head.populationMeans, func(size int) head {
		return head{Sample: s.Draw(t.Rand, size)}
	})
}

// measureReuse takes the features on the step's own sample.
func measureReuse(t *props.Trial, c network.Cell) []sized {
	s, size := network.By(learners, c.Setup), props.Scale{Quick: 24, Standard: 16, Deep: 16}.At(t.Effort)
	return meansOf(s, size, 2, head.sampleMeans, func(size int) head {
		sample := s.Draw(t.Rand, size)
		return on(sample, sample.X)
	})
}

// meansOf takes one network of four times the size and so many of the size itself.
func meansOf(s network.Setup, size, small int, meansOf func(head, network.Setup) [4][]float64,
	draw func(size int) head) []sized {
	out := []sized{{4 * size, map[string]float64{}}, {size, map[string]float64{}}}
	for i, count := range []int{1, small} {
		for range count {
			h := draw(out[i].Size)
			own := h.given(s)
			for _, g := range []head{h, h.mirrored()} {
				powers := meansOf(g, s)
				for _, w := range wanted {
					if q := own[w.k][w.i]; q != 0 && (!w.mean || s.Teacher.Mean != 0) {
						out[i].Mean[nameOf(w.k, w.i)] += powers[w.k][w.i] / q / 2 / float64(count)
					}
				}
			}
		}
	}
	return out
}

// rows are the rows of the gradient over a_j.
func (h head) rows(s network.Setup) *mat.Dense {
	g := h.Gradient(s.Act.Run)
	for j, a := range h.A {
		floats.Scale(1/a, g.RawRowView(j))
	}
	return g
}

// populationMeans are the coefficients of powers of u in the projection of (1/N)Σ_j σ⁽ᵏ⁾(w_jᵀx)(g_jᵀx)ᵏ/k! on them over
// fresh x ~ N(0, I), k = 1, 2, 3, for a cubic. With A = w_jᵀx, B = g_jᵀx and C = βᵀx/|β| that is E f(A, B)H_i(C) = E
// Dⁱf, D = E[AC]∂_A + E[BC]∂_B (Stein), and means of what remains of products of A and B.
func (h head) populationMeans(s network.Setup) [4][]float64 {
	c1, c2, c3 := s.Act.Closed.Coefficient(1), s.Act.Closed.Coefficient(2), s.Act.Closed.Coefficient(3)
	g, length := h.rows(s), floats.Norm(h.Beta, 2)
	var one [2]float64 // coefficients of Hermite polynomials of C
	var two, three [4]float64
	for j := range h.A {
		w, row := h.W.RawRowView(j), g.RawRowView(j)
		p, square := floats.Dot(w, row), floats.Dot(row, row)
		q, r := floats.Dot(w, h.Beta)/length, floats.Dot(row, h.Beta)/length
		one[0] += 2 * c2 * p
		one[1] += c1*r + 6*c3*p*q
		two[0] += c2 * square
		two[1] += 3*c3*q*square + 6*c3*r*p
		two[2] += c2 * r * r // E D²f/2
		three[1] += 3 * c3 * r * square
		three[3] += c3 * r * r * r // E D³f/6
	}
	n := float64(len(h.A))
	return [4][]float64{1: {one[0] / n, one[1] / n / length},
		2: {(two[0] - two[2]) / n, two[1] / n / length, two[2] / n / (length * length)},
		3: {0, (three[1] - 3*three[3]) / n / length, 0, three[3] / n / math.Pow(length, 3)}}
}

// given are the coefficients of P_k for the rows that this batch gives: E y is the mean of y|x|²/d, s² and 4c₂²(E y)²
// together are the trace of their covariance Σ across β, which tends to that, and what Σ has along β adds to powers of
// u of the highest degree.
func (h head) given(s network.Setup) [4][]float64 {
	rows := network.CovarianceOfRows(s, h.X, h.Y)
	n, d := h.X.Dims()
	step := rows.Own
	step.Mean = 0
	for i, y := range h.Y {
		x := h.X.RawRowView(i)
		step.Mean += y * floats.Dot(x, x) / float64(n*d)
	}
	// In a batch of two dozen samples that may exceed the root of the energy. Any energy would do: s² is the only term
	// that it enters, and what s² has too much the trace across β has too little.
	step.Energy = max(step.Energy, step.Mean*step.Mean)
	beta := mat.NewVecDense(d, h.Beta)
	square := mat.Dot(beta, beta)
	along := mat.Inner(beta, rows.Sigma, beta) / square
	f := theory.Features{Step: step, Eta: 1, Trained: true}
	across := mat.Trace(rows.Sigma) - along - step.Noise() - step.Pull()*step.Pull()
	c1, c2, c3 := step.Activation.Coefficient(1), step.Activation.Coefficient(2), step.Activation.Coefficient(3)
	out := [4][]float64{1: f.Left(1), 2: f.Left(2), 3: f.Left(3)}
	out[2][0] += c2 * across
	out[2][2] += c2 * along / square
	out[3][1] += 3 * c1 * c3 * across
	out[3][3] += 3 * c1 * c3 * along / square
	return out
}

// sampleMeans are the same for the sample of the features, by least squares.
func (h head) sampleMeans(s network.Setup) [4][]float64 {
	out := h.neuronMeans(s)
	for k := 1; k <= 3; k++ {
		out[k] = fitPowers(h.u, out[k], k)
	}
	return out
}

// neuronMeans returns the means over the neurons of the k-th term over a_jᵏ, k = 1, 2, 3: Taylor coefficients in η of
// the features when each row of the gradient is divided by its a_j. For a cubic, differences of four values are exact.
func (h head) neuronMeans(s network.Setup) [4][]float64 {
	const step = 0.3
	move := features.PreActivations(h.fresh, h.rows(s))
	weights := network.Map(h.A, func(float64) float64 { return 1 / float64(len(h.A)) })
	at := func(eta float64) *mat.VecDense {
		z := algebra.Sum(h.z, algebra.Scaled(eta, move))
		return algebra.Image(features.Overwrite(s.Act.Run, z), mat.NewVecDense(len(weights), weights))
	}
	two, one, zero, minus := at(2*step), at(step), at(0), at(-step)
	var out [4][]float64
	for i := range h.u {
		p2, p1, p0, m1 := two.AtVec(i), one.AtVec(i), zero.AtVec(i), minus.AtVec(i)
		third := (p2 - 3*p1 + 3*p0 - m1) / (6 * step * step * step)
		out[1] = append(out[1], (p1-m1)/(2*step)-third*step*step)
		out[2] = append(out[2], (p1-2*p0+m1)/(2*step*step))
		out[3] = append(out[3], third)
	}
	return out
}

// fitPowers returns the least-squares coefficients of y as a polynomial in u.
func fitPowers(u, y []float64, degree int) []float64 {
	var x mat.VecDense
	must.Do(x.SolveVec(vandermonde(u, 1, degree), mat.NewVecDense(len(y), y)))
	return x.RawVector().Data
}

// means are the claimed coefficients of P_k(u).
type means func(f theory.Features, k int) []float64

// after changes the features whose coefficients are claimed.
func after(change func(*theory.Features)) means {
	return func(f theory.Features, k int) []float64 {
		change(&f)
		return f.Left(k)
	}
}

// concludeMeans compares coefficients with those of P_k. What is of order 1/d is taken out by two sizes.
func concludeMeans(r *props.Record, cells []network.Cell, all [][]sized, claim means) {
	scale := 160 / float64(all[0][0].Size)
	for _, regime := range network.Teachers {
		r.Regime(regime)
		mine, s := network.Of(learners, regime, cells, all), network.In(learners, regime)
		trained := theory.Features{Step: s.Step(), Eta: 1, Trained: true}
		for _, w := range wanted {
			if w.mean && s.Teacher.Mean == 0 {
				continue
			}
			name := nameOf(w.k, w.i)
			want := claim(trained, w.k)[w.i] / trained.Left(w.k)[w.i]
			values := network.Map(mine, func(m []sized) float64 {
				return network.LimitOf(m, func(s sized) float64 { return s.Mean[name] })
			})
			limit := network.TwoSizes(name, w.sd, scale)
			limit.Bias *= w.left
			limit.Judge(r, values, want)
		}
	}
}
