package onestep

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// spectrumRow is a network whose outliers are counted.
type spectrumRow struct {
	name string
	setup
	regime
}

var spectrumRows = []spectrumRow{
	{"nearly linear, ℓ = 1", series(0.5, 0.5, 0.5, 0, 0.8, 0.2), regime{1, 0.15, 3}},
	{"quadratic, ℓ = 2", ending(2), regime{2, 0.30, 2}},
	{"tanh, ℓ = 2", setup{act: nn.Tanh, closed: hermite.Tanh(), phi: 0.5, psi: 0.5, noise: 0.5}, regime{2, 0.30, 2}},
}

// seenSpectrum is what one network shows in one row.
type seenSpectrum struct {
	n        int
	top      []float64 // leading singular values of F/√n
	bulk     float64   // that of F₀/√n
	sines    []float64 // of the left vectors to the span of u, …, u^ℓ
	first    []float64 // of the left vectors to u alone
	spectrum []float64 // all singular values of F/√n, of one network
}

// shownRow is the row whose spectrum is drawn.
const shownRow = 1

// outliers counts the singular values that leave the bulk, for the displayed weights.
func outliers(v expansionTrial) props.LegacyCheck {
	share, count := "outliers", props.Scale{Quick: 10, Standard: 10, Deep: 40}
	if v.outside || v.uncentred { // every single network shows it
		share, count = "", props.Scale{Quick: 3, Standard: 3, Deep: 10}
	}
	return props.LegacySweep[int, []seenSpectrum]{
		Name:  "outliers of the features",
		Cells: func(e props.Effort) []int { return props.Indices(count.At(e)) },
		Measure: func(t *props.Trial, _ int) []seenSpectrum {
			n := props.Scale{Quick: 400, Standard: 800, Deep: 3200}.At(t.Effort)
			var rows []seenSpectrum
			for i, row := range spectrumRows {
				rows = append(rows, look(t, row.trial(v), n, t.Index == 0 && i == shownRow))
			}
			return rows
		},
		Judge:      func(_ []int, found [][]seenSpectrum) props.Judgement { return judgeOutliers(v, found) },
		Share:      share,
		Replicates: 3,
	}.Check()
}

// trial is the row as a version of the claim changes it.
func (row spectrumRow) trial(v expansionTrial) spectrumRow {
	if v.outside {
		row.alpha = 0.15
	}
	if v.uncentred {
		value := row.act.Value
		row.act.Value = func(z float64) float64 { return 1 + value(z) }
	}
	return row
}

func look(t *props.Trial, row spectrumRow, n int, whole bool) seenSpectrum {
	h, _ := row.fresh(t, n, false)
	initial := features.Apply(row.act, h.z)
	f := h.displayed(row.act, row.closed.Coefficient(1), stepSize(row.kappa, row.alpha, n))
	f.Add(f, initial)
	root := math.Sqrt(float64(n))
	found := leading(linalg.Matrix(f), row.l+1, t.Rand)
	floats.Scale(1/root, found.Values)
	out := seenSpectrum{n: n, top: found.Values, bulk: norm(linalg.Matrix(initial), t.Rand) / root}
	span := orthonormalPowers(h.u, row.l)
	for _, left := range found.Left {
		out.sines = append(out.sines, sine(left, span))
		out.first = append(out.first, sine(left, span[:1]))
	}
	if whole {
		f.Scale(1/root, f)
		values, err := linalg.SingularValues(f)
		if err != nil {
			panic(err)
		}
		out.spectrum = values
	}
	return out
}

// orthonormalPowers is an orthonormal basis of the span of u, …, u^∘l whose first k vectors span the first k powers.
func orthonormalPowers(u []float64, l int) [][]float64 {
	powers := mat.NewDense(len(u), l, nil)
	for k := range l {
		powers.SetCol(k, power(u, k+1))
	}
	var qr mat.QR
	qr.Factorize(powers)
	var q mat.Dense
	qr.QTo(&q)
	basis := make([][]float64, l)
	for k := range basis {
		basis[k] = mat.Col(nil, k, &q)
	}
	return basis
}

// sine is that of the angle between a unit vector and the span of an orthonormal basis.
func sine(x []float64, basis [][]float64) float64 {
	rest := append([]float64{}, x...)
	for _, q := range basis {
		floats.AddScaled(rest, -floats.Dot(q, rest), q)
	}
	return floats.Norm(rest, 2)
}

// between is the value above which a singular value counts as an outlier: the geometric mean of the edge of the bulk
// and of the weakest strength S_k that is claimed to leave it. Outliers lie beyond it by the same factor as the bulk
// stays below, and that factor grows without bound.
func (row spectrumRow) between(n int) float64 {
	_, width := row.shape(n)
	f := theory.Features{Step: row.step(), Eta: stepSize(row.kappa, row.alpha, n)}
	weakest := math.Inf(1)
	for k := 1; k <= row.l; k++ {
		if f.Activation.Coefficient(k) != 0 {
			weakest = min(weakest, f.Strength(k, float64(width)))
		}
	}
	return math.Sqrt(weakest * f.Bulk().Edge())
}

// judgeOutliers counts, and compares directions. If F − F₀ were its ℓ terms exactly, the part of a left singular vector
// outside of their span would be at most ‖F₀‖ over its singular value (Wedin); that Δ adds little to ‖F₀‖ is the claim.
func judgeOutliers(v expansionTrial, found [][]seenSpectrum) props.Judgement {
	var j props.Judgement
	var edges []float64
	for i, row := range spectrumRows {
		row = row.trial(v)
		count := theory.Features{Step: row.step()}.Outliers(row.l)
		if v.everyPower {
			count = row.l
		}
		gap, angle := props.Ratio{}, props.Ratio{}
		for _, rows := range found {
			s := rows[i]
			limit := row.between(s.n)
			gap = props.Worst(gap, props.Within(limit, s.top[count-1]), props.Within(s.top[count], limit))
			for k := range count {
				outside := s.sines[k]
				if v.firstOnly {
					outside = s.first[k]
				}
				angle = props.Worst(angle, props.Within(outside, s.bulk/s.top[k]))
			}
			edges = append(edges, s.bulk/theory.Features{Step: row.step()}.Bulk().Edge())
		}
		j.Parts = append(j.Parts,
			props.Part{Name: fmt.Sprintf("%s: %d outliers", row.name, count), Ratio: gap},
			props.Part{Name: row.name + ": left vectors in the span of the powers of Xβ", Ratio: angle})
	}
	// The largest singular value of a random matrix stays behind the edge, and scatters, by about n^(−2/3) of it
	// (Tracy and Widom); the zone is three times that.
	p, f := part("largest singular value of F₀ over the edge", edges, 1+v.dose, 3*math.Pow(float64(found[0][0].n), -2./3))
	j.Parts, j.Facts = append(j.Parts, p), append(j.Facts, f)
	j.Figures = []props.Figure{spectrumFigure(found)}
	return j
}
