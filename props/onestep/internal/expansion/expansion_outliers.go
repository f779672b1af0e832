package expansion

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria of this sweep.
const (
	count  = "number of outliers"
	places = "outliers over their predicted places"
	edge   = "largest singular value of F₀ over its predicted place"
	behind = "first singular value behind the outliers of F, over the edge of the bulk"
	lefts  = "squared cosine of left vectors with the span of u^∘k, k ≤ ℓ, minus prediction"
	rights = "squared cosine of right vectors with the span of a^∘k, k ≤ ℓ, minus prediction"
)

// row is a network whose outliers are counted, with the step size η = κn^α.
type row struct {
	network.Setup
	terms        int // ℓ
	alpha, kappa float64
	bare         bool // F₀ and the terms, without Δ: then κ can be large, as powers of n are in the limit
	lost         bool // the outlier of F₀ is
	clear        bool // outliers are far from the bulk: small networks have the same number

	// Standard deviation of the extrapolated places of outliers at √(nd) = 140, which falls as a size to the power of 0.6
	// to 1, and of the largest singular value of F₀ at 260.
	sd, edge float64
}

var rows = []row{
	{network.Setup{Name: "ℓ = 1", Phi: 0.5, Psi: 0.5, Act: network.Series(0, 0.8, 0.2),
		Teacher: network.Linear(1)}, 1, 0.15, 3, false, false, false, 0.024, 0.016},
	{network.Setup{Name: "ℓ = 2", Phi: 0.5, Psi: 0.5, Act: network.Named("quadratic"),
		Teacher: network.Quadratic(0, 1, math.Sqrt(0.5), 0)}, 2, 0.30, 4, false, false, false, 0.033, 0.0195},
	{network.Setup{Name: "ℓ = 2, c₂ = 0", Phi: 0.4, Psi: 0.8, Act: network.Series(0, 0.8, 0, 0.01),
		Teacher: network.Quadratic(1, 1, 0, 0.5)}, 2, 0.30, 2, false, false, true, 0.022, 0.0185},
	{network.Setup{Name: "ℓ = 3", Phi: 0.5, Psi: 0.5, Act: network.Series(0, 0.8, 0.2, 0.06),
		Teacher: network.Linear(1)}, 3, 0.355, 5, true, false, true, 0.0165, 0.018},
	{network.Setup{Name: "F₀ with an outlier", Phi: 0.1, Psi: 0.1, Act: network.Series(0, 1, 2),
		Teacher: network.Linear(1)}, 0, 0, 0, false, false, false, 0.026, 0.0155},
	{network.Setup{Name: "ℓ = 2, F₀'s outlier lost", Phi: 0.05, Psi: 0.05, Act: network.Series(0, 1, 1),
		Teacher: network.Linear(1)}, 2, 0.30, 5, true, true, false, 0.0075, 0.0095},
}

// spectra are their names, the regimes of this check.
var spectra = network.Map(rows, func(r row) string { return r.Name })

// spectrumCell has the size √(nd) of its network, the number of further networks of that size whose outliers are
// counted, and the other size at which they are. At quick effort one network of fifteen with ℓ = 1 has another number
// of outliers, and a median of 80 would equal the limit with a probability of 0.999 only. Where the number is clear,
// two of 3000 networks of sizes 40 to 140 had another one.
type spectrumCell struct{ Row, Index, Size, Again, Other int }

func (c spectrumCell) String() string { return fmt.Sprintf("%s/%d", rows[c.Row].Name, c.Index) }

func spectrumCells(e props.Effort) []spectrumCell {
	var out []spectrumCell
	for i, row := range rows {
		at := spectrumCell{Row: i, Size: props.Scale{Quick: 88, Standard: 245, Deep: 800}.At(e),
			Again: props.Scale{Quick: 1}.At(e), Other: props.Scale{Quick: 140, Standard: 164, Deep: 530}.At(e)}
		of := props.Scale{Quick: 80, Standard: 128, Deep: 128}.At(e)
		if row.clear && e == props.Quick {
			at.Again, at.Other = 0, at.Size/2
		}
		if row.lost { // what is lost is but a tenth away
			of += max(of*3/5, 80)
			at.Size = props.Scale{Quick: 92, Standard: 115, Deep: 800}.At(e)
			at.Again, at.Other = 0, at.Size*2/3
		}
		for at.Index = range of {
			out = append(out, at)
		}
	}
	return out
}

// spectrum holds the measurements of one network. Singular values belong to matrices over √n.
type spectrum struct {
	N         int
	Top       []float64  // the leading ones of F
	Initial   float64    // the largest of F₀
	Predicted []float64  // outliers of F, from the sample's own powers of u and a and its own lengths of x
	Left      aligned    // of the outliers of F with the powers of u
	Right     aligned    // and of a
	Edge      float64    // of the bulk that they are beyond
	Own       []float64  // outliers of F₀
	Lead      float64    // the largest of F₀ over the first of them, where there is one
	Behind    float64    // the first singular value of F behind its outliers over the edge of the bulk
	Networks  int        // over which Lead and Behind are means
	F         *mat.Dense // of one network
	Small     []spectrum // networks of a quarter of the size, for places and vectors
	Again     []spectrum // further networks of the size whose outliers are counted
	Other     []spectrum // one of the other size
}

// aligned are squared cosines of vectors with the span of the first ℓ powers that have a coefficient: as they are, as
// predicted, and with the span of one power less.
type aligned struct{ Got, Want, Fewer []float64 }

// repeats is the number of networks that a cell averages where the outlier of F₀ is lost, of a smaller size: the edge
// of one scatters as much as an outlier moves.
const repeats = 2

// small returns the number of networks of a quarter of the size that a cell has. Without Δ they have little to tell.
func (row row) small() int {
	if row.bare {
		return 2
	}
	return 6
}

func measureSpectra(t *props.Trial, c spectrumCell) spectrum {
	row := rows[c.Row]
	out := measureSpectrum(t, c, row, c.Size, whole)
	out.Networks = 1
	if row.lost {
		for ; out.Networks < repeats; out.Networks++ {
			next := measureSpectrum(t, c, row, c.Size, whole)
			out.Behind, out.Lead = out.Behind+next.Behind, out.Lead+next.Lead
		}
		out.Behind, out.Lead = out.Behind/float64(out.Networks), out.Lead/float64(out.Networks)
	}
	several := func(networks, size int, look looked) (all []spectrum) {
		for range networks {
			next := measureSpectrum(t, c, row, size, look)
			next.F = nil
			all = append(all, next)
		}
		return all
	}
	out.Small = several(row.small(), c.Size/4, outliersOnly)
	out.Again, out.Other = several(c.Again, c.Size, counted), several(1, c.Other, counted)
	return out
}

// looked says how much of a network is computed: its outliers, also the first singular value behind them, or F₀ as
// well. Values of the bulk are close to each other and take most of the time.
type looked int

const (
	outliersOnly looked = iota
	counted
	whole
)

// everywhere changes what the networks of both sizes show.
func everywhere(change func(*spectrum)) func(spectrumCell, *spectrum) {
	return func(_ spectrumCell, s *spectrum) {
		for _, networks := range []*[]spectrum{&s.Small, &s.Again, &s.Other} {
			*networks = network.Map(*networks, func(m spectrum) spectrum {
				change(&m)
				return m
			})
		}
		change(s)
	}
}

// smaller measures changed rows in smaller networks, of one size: the one of that name decides, and the others get tiny
// ones.
func smaller(name string, change func(*row)) func(*props.Trial, spectrumCell) spectrum {
	return func(t *props.Trial, c spectrumCell) spectrum {
		row, size := rows[c.Row], 4
		if row.Name == name {
			size = c.Size / 3
		}
		change(&row)
		out := measureSpectrum(t, c, row, size, whole)
		out.Networks, out.Small, out.Other = 1, []spectrum{out}, []spectrum{out}
		return out
	}
}

func measureSpectrum(t *props.Trial, c spectrumCell, row row, size int, look looked) spectrum {
	h := draw(t, row.Setup, size)
	n, root := len(h.u), math.Sqrt(float64(len(h.u)))
	f := theory.Features{Step: row.Step(), Eta: stepSize(row.kappa, row.alpha, n)}
	initial := features.Apply(row.Act.Run, h.z)
	left, right := h.spikes(f, row.terms+1) // the next term falls, but slowly
	after := h.after(row, f, initial, left, right)
	leading := row.expected(f)
	if look > outliersOnly {
		leading++
	}
	found := network.Leading(linalg.Matrix(after), leading, t.Rand)
	bulk, c1 := f.Bulk(), f.Activation.Coefficient(1)
	// At finite size with the fluctuation (σ′(z) − c₁)c₁ηua on top.
	if !row.bare {
		bulk.Nonlinear += (f.Activation.SlopeEnergy - c1*c1) * math.Pow(c1*f.Eta, 2) *
			network.MeanSquare(h.u) * network.MeanSquare(h.A)
	}
	expected := network.Outliers(bulk, h.u, left, right)
	out := spectrum{N: n, Top: found.Values, Predicted: values(expected), Edge: bulk.Edge()}
	for i, o := range expected {
		if i < len(found.Left) {
			out.Left.add(found.Left[i], o.Left, left[1:1+f.Spikes(row.terms)])
			out.Right.add(found.Right[i], o.Right, right[1:1+f.Spikes(row.terms)])
		}
	}
	if look < whole {
		return out
	}
	out.Initial = network.Norm(linalg.Matrix(initial), t.Rand) / root
	if out.Own = values(network.Outliers(f.Bulk(), h.u, left[:1], right[:1])); len(out.Own) > 0 {
		out.Lead = out.Initial / out.Own[0]
	}
	if row.lost {
		out.Behind = out.Top[row.terms] / f.Bulk().Edge()
	}
	if c.Row == shown && c.Index == 0 {
		out.F = after
	}
	return out
}

// expected returns the number of outliers: those of the terms, and the one of F₀ where it is kept.
func (row row) expected(f theory.Features) int {
	if f.OwnOutlier(row.terms) > 0 {
		return f.Spikes(row.terms) + 1
	}
	return f.Spikes(row.terms)
}

// add takes a vector whose scalar products with what F₀ has of its own and with the powers are predicted.
func (a *aligned) add(vector, products []float64, powers [][]float64) {
	k, gram := len(powers), network.Gram(powers)
	a.Got = append(a.Got, network.Within(vector, powers))
	a.Want = append(a.Want, theory.Share(products[1:1+k], gram))
	fewer := 0.0
	if k > 1 {
		fewer = theory.Share(products[1:k], gram.Slice(0, k-1, 0, k-1))
	}
	a.Fewer = append(a.Fewer, fewer)
}

// after is F/√n, or F₀ and the terms, which follow what F₀ has of its own.
func (h head) after(row row, f theory.Features, initial *mat.Dense, left, right [][]float64) *mat.Dense {
	root := math.Sqrt(float64(len(h.u)))
	if !row.bare {
		after := h.gainFrom(initial, row.Act, f.Eta)
		after.Add(after, initial)
		after.Scale(1/root, after)
		return after
	}
	after := mat.DenseCopyOf(initial)
	after.Scale(1/root, after)
	for i := 1; i < len(left); i++ {
		after.RankOne(after, 1, mat.NewVecDense(len(left[i]), left[i]), mat.NewVecDense(len(right[i]), right[i]))
	}
	return after
}

// spikes are the spikes of F/√n: what F₀ has of its own, c₂(|x|²/d − 1)1ᵀ, and the terms of the expansion with cₖ ≠ 0.
func (h head) spikes(f theory.Features, terms int) (left, right [][]float64) {
	n, d := h.fresh.Dims()
	own, ones := make([]float64, n), network.Map(h.A, func(float64) float64 { return 1 })
	for i := range own {
		x := h.fresh.RawRowView(i)
		own[i] = f.Activation.Coefficient(2) * (floats.Dot(x, x)/float64(d) - 1)
	}
	left, right = append(left, own), append(right, ones)
	for k := 1; k <= terms; k++ {
		if f.Activation.Coefficient(k) != 0 {
			term := h.left(f, k)
			floats.Scale(math.Pow(f.Eta, float64(k)), term)
			left, right = append(left, term), append(right, network.Power(h.A, k))
		}
	}
	for _, l := range left {
		floats.Scale(1/math.Sqrt(float64(n)), l)
	}
	return left, right
}

// values are the singular values alone.
func values(outliers []theory.Outlier) []float64 {
	return network.Map(outliers, func(o theory.Outlier) float64 { return o.Value })
}

// outside counts the leading values beyond the geometric mean of the edge and of the weakest outlier that is
// predicted. Values of the bulk stay below, outliers lie above by the same factor.
func (s spectrum) outside(expected int) float64 {
	weakest := 1.2 * s.Edge
	if len(s.Predicted) >= expected {
		weakest = s.Predicted[expected-1]
	}
	beyond := 0
	for _, x := range s.Top {
		if x > math.Sqrt(weakest*s.Edge) {
			beyond++
		}
	}
	return float64(beyond)
}

// outliers holds the claims about outliers: their number, the first value behind them over the edge where the outlier
// of F₀ is lost, and the largest singular value of a bulk at n samples.
type outliers struct {
	count func(row row, f theory.Features) int
	lost  func(f theory.Features) float64
	top   func(b theory.Bulk, n float64) float64
}

func concludeSpectra(r *props.Record, cells []spectrumCell, all []spectrum, claim outliers) {
	for i, row := range rows {
		r.Regime(row.Name)
		var mine []spectrum
		for k, c := range cells {
			if c.Row == i {
				mine = append(mine, all[k])
			}
		}
		row.conclude(r, mine, claim)
	}
	r.Draw(func() props.Figure { return spectrumFigure(all) })
}

func (row row) conclude(r *props.Record, all []spectrum, claim outliers) {
	f := theory.Features{Step: row.Step()}
	expected, scale := row.expected(f), 260/(float64(all[0].N)*math.Sqrt(row.Phi))
	again := slices.Concat(network.Map(all, func(s spectrum) []spectrum { return s.Again })...)
	other := slices.Concat(network.Map(all, func(s spectrum) []spectrum { return s.Other })...)
	for _, networks := range [][]spectrum{slices.Concat(all, again), other} {
		counts := network.Map(networks, func(s spectrum) float64 { return s.outside(expected) })
		r.EqualsCount(count, stat.Median(counts, network.CountAlpha), claim.count(row, f))
	}
	for i := range expected {
		limit := network.TwoSizes(places, row.sd*math.Pow(row.scale(all), -0.25), row.scale(all))
		limit.Judge(r, network.Map(all, func(s spectrum) float64 {
			return s.extrapolated(func(s spectrum) float64 {
				if len(s.Top) <= i || len(s.Predicted) <= i {
					return math.NaN()
				}
				return s.Top[i] / s.Predicted[i]
			})
		}), 1)
	}
	row.concludeVectors(r, all, min(expected, f.Spikes(row.terms)))
	top := claim.top(f.Bulk(), float64(all[0].N))
	if row.lost {
		row.concludeLost(r, all, claim.lost(f))
	}
	// The outlier of F₀ is 3.3 % too far at √(nd) = 88 and 2.3 % where the smaller size is of several networks.
	wide, off := math.Pow(scale, 2./3), 0.012*scale
	if row.lost {
		wide, off = scale/math.Sqrt(float64(all[0].Networks)), 0.009*scale
	}
	props.Limit{Name: edge, SD: row.edge * wide, Bias: off}.Judge(r,
		network.Map(all, func(s spectrum) float64 {
			if len(s.Own) > 0 {
				return s.Lead
			}
			return s.Initial / top
		}), 1)
}

// scale is 140 over √(nd).
func (row row) scale(all []spectrum) float64 { return 140 / (float64(all[0].N) * math.Sqrt(row.Phi)) }

// extrapolated removes the part of order 1/d, which the mean over the small networks shows. Those without an outlier,
// which have a NaN, are left out; where the large one has none, the value is 0, far from all that is claimed.
func (s spectrum) extrapolated(value func(spectrum) float64) float64 {
	large, sum, count := value(s), 0.0, 0.0
	for _, m := range s.Small {
		if v := value(m); !math.IsNaN(v) {
			sum, count = sum+v, count+1
		}
	}
	switch {
	case math.IsNaN(large):
		return 0
	case count == 0:
		return large
	}
	return network.Extrapolated(4, large, sum/count)
}

// vectors are standard deviations of extrapolated squared cosines, left and right, at √(nd) = 140, and the power of
// 1/√(nd) that they fall as from 88 to 245.
var vectors = [2]struct{ sd, power float64 }{{0.0133, 1.65}, {0.0156, 1.3}}

// concludeVectors compares squared cosines of the vectors of the first outliers, those of the terms.
func (row row) concludeVectors(r *props.Record, all []spectrum, outliers int) {
	scale := row.scale(all)
	for i := range outliers {
		for side, name := range []string{lefts, rights} {
			v := vectors[side]
			network.TwoSizes(name, v.sd*math.Pow(scale, v.power-1), scale).Absolute(r,
				network.Map(all, func(s spectrum) float64 {
					return 1 - s.extrapolated(func(s spectrum) float64 {
						a := []aligned{s.Left, s.Right}[side]
						if len(a.Got) <= i {
							return math.NaN() // no outlier
						}
						return 1 - a.Got[i] + a.Want[i]
					})
				}), 0)
		}
	}
}

// concludeLost holds the first singular value behind the outliers against the edge: the outlier of F₀ is lost.
func (row row) concludeLost(r *props.Record, all []spectrum, place float64) {
	scale := 260 / (float64(all[0].N) * math.Sqrt(row.Phi))
	limit := props.Limit{Name: behind, SD: 0.016 * math.Pow(scale, 2./3) / math.Sqrt(float64(all[0].Networks)),
		Bias: 0.005 * scale}
	limit.Judge(r, network.Map(all, func(s spectrum) float64 { return s.Behind / place }), 1)
}

// shown is the row whose spectrum is drawn.
const shown = 1

// spectrumFigure shows the singular values of one F/√n with the predicted bulk and outliers.
func spectrumFigure(all []spectrum) props.Figure {
	for _, s := range all {
		if s.F == nil || len(s.Predicted) < 2 {
			continue
		}
		bulk := theory.Features{Step: rows[shown].Step()}.Bulk()
		n, width := s.F.Dims()
		return drawn(s.F, bulk, s.Predicted, fmt.Sprintf("Histogram of the singular values of F/√n for one network with "+
			"n = %d, N = %d, σ = 0.8z + 0.5(z²−1) and η = %vn^%.1f. The bulk follows the predicted density of F₀, whose edge "+
			"is %.3f. Two values leave it, %.2f and %.2f; %.2f and %.2f are predicted.", n, width, rows[shown].kappa,
			rows[shown].alpha, bulk.Edge(), s.Top[0], s.Top[1], s.Predicted[0], s.Predicted[1]))
	}
	return props.Figure{}
}

// drawn shows singular values of F/√n.
func drawn(f *mat.Dense, bulk theory.Bulk, outliers []float64, caption string) props.Figure {
	n, _ := f.Dims()
	return network.Spectrum(props.Figure{ID: "spectrum", Title: "Singular values of the features after the step",
		Caption: caption, X: props.Axis{Label: "singular value of F/√n"}}, f, float64(n), bulk, "predicted outliers",
		outliers)
}
