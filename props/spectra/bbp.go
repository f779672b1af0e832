package spectra

import (
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// bbp finds the largest eigenvalue and its vector in reduced matrices, which have the law of the whole ones.
var bbp = props.Spec{
	Statement: &theory.BBP,
	Checks: []props.Check{props.Grid[spikeCell, []spiked, bbpClaim]{
		Name:     "largest eigenvalue of reduced matrices",
		Cells:    spikeCells,
		Regimes:  spikeRegimes,
		Measure:  func(t *props.Trial, c spikeCell) []spiked { return c.measure(t.Rand, spikeCell.draw) },
		Claim:    bbpClaim{theory.Spike.Limits, theory.Spike.Hidden},
		Conclude: concludeBBP,
		Chosen: map[string][]string{"bias": {placeOf, sampledOf, hiddenOf},
			"scatter and bias": {rightOf, leftOf, linearOf}},
		Controls: []props.WrongCell[spikeCell, []spiked, bbpClaim]{
			{Name: "γ inverted", Criterion: placeOf, Instead: limitsWith(func(s *theory.Spike) { s.Gamma = 1 / s.Gamma })},
			{Name: "ℓ + 1 for ℓ, θ + 1 for θ", Criterion: rightOf,
				Instead: limitsWith(func(s *theory.Spike) { s.Strength++ })},
			{Name: "threshold √γ for γ^(1/4)", Assumption: "above", Criterion: rightOf,
				Instead: bbpClaim{limits: otherThreshold}},
			{Name: "left and right exchanged", Criterion: leftOf, Instead: changed(func(l *theory.SpikeLimits) {
				l.Left, l.Right = l.Right, l.Left
			})},
			{Name: "variance of complex noise", Assumption: "real", Criterion: linearOf,
				Instead: changed(func(l *theory.SpikeLimits) { l.Variance /= 2 })},
			{Name: "a Gaussian vector in place of u", Assumption: "fixed", Criterion: linearOf,
				On: func(c spikeCell) bool { return c.Model == "additive" && c.Gamma == 0.5 },
				Measure: func(t *props.Trial, c spikeCell) []spiked {
					return c.measure(t.Rand, func(c spikeCell, r *rand.Rand, n, d int) spiked {
						c.Model, c.Strength = "covariance", 1+c.Strength*c.Strength
						return c.draw(r, n, d)
					})
				}},
			{Name: "signs in place of Gaussian noise along the spike", Assumption: "gaussian", Criterion: sampledOf,
				On:      func(c spikeCell) bool { return unlikeSigns(c.Spike) },
				Measure: func(t *props.Trial, c spikeCell) []spiked { return c.measure(t.Rand, spikeCell.drawSigns) }},
			{Name: "d cos² of no spike", Criterion: hiddenOf,
				Instead: bbpClaim{hidden: func(theory.Spike) float64 { return 1 }}},
			{Name: "d cos² without the factor ℓ", Criterion: hiddenOf,
				Instead: bbpClaim{hidden: func(s theory.Spike) float64 { return s.Hidden() / s.Strength }}},
		},
		Coarse: map[string]string{rightOf: "what is left of cosines below the threshold is 2 over the smaller dimension, 60",
			leftOf:    "what is left of cosines below the threshold is 2 over the smaller dimension, 60",
			linearOf:  "fourth powers of components: with d = 2n they scatter by a quarter in one matrix",
			sampledOf: "a variance of few samples: the derivatives show it to a few per cent",
			hiddenOf:  "what is left is of order d^(−1/3): a sixth at 60, a tenth at 240"},
		Replicates: 1,
	}},
	Along: &props.Along{Param: "strength", From: 1, To: 5, Of: []string{"right", "left"}, Y: "squared cosines",
		Places: 8, Reps: 5},
	Try: &props.Simulation{Run: trySpike, Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "samples",
		Domain: statement.IntegerBetween(2, 1e5), Default: "400"}}},
}.Claim()

// The criteria.
const (
	placeOf   = "λ over its limit"
	rightOf   = "squared cosine of the right vector, minus its limit"
	leftOf    = "squared cosine of the left vector, minus its limit"
	linearOf  = "n Var λ by derivatives, over its limit"
	sampledOf = "n Var λ of samples, over its limit"
	hiddenOf  = "d cos² below the threshold, over its limit"
)

// bbpClaim holds the limits for a spike beyond its threshold, and for one below it.
type bbpClaim struct {
	limits func(theory.Spike) theory.SpikeLimits
	hidden func(theory.Spike) float64
}

// limitsWith claims the limits of another spike.
func limitsWith(change func(*theory.Spike)) bbpClaim {
	return bbpClaim{limits: func(s theory.Spike) theory.SpikeLimits { change(&s); return s.Limits() }}
}

// changed claims other limits.
func changed(change func(*theory.SpikeLimits)) bbpClaim {
	return bbpClaim{limits: func(s theory.Spike) theory.SpikeLimits { l := s.Limits(); change(&l); return l }}
}

// otherThreshold has √γ where the additive model has γ^(1/4), with the same formulas beyond.
func otherThreshold(s theory.Spike) theory.SpikeLimits {
	l := s.Limits()
	g, t := s.Gamma, s.Strength*s.Strength
	switch {
	case s.Model != "additive":
	case s.Strength < math.Sqrt(g):
		l.Place, l.Right, l.Left = math.Pow(1+math.Sqrt(g), 2), 0, 0
	default:
		l.Place, l.Right, l.Left = (1+t)*(g+t)/t, 1-g*(1+t)/(t*(t+g)), 1-(g+t)/(t*(t+1))
	}
	return l
}

var spikeRegimes = []string{"covariance", "covariance, d > n", "covariance, below the threshold", "additive",
	"additive, d > n", "additive, below the threshold", "GOE", "covariance, d > n, below the threshold", "GOE, θ = 3"}

// spikeKinds are the spikes of the regimes.
var spikeKinds = []theory.Spike{
	{Model: "covariance", Gamma: 0.5, Strength: 3},
	{Model: "covariance", Gamma: 2, Strength: 4},
	{Model: "covariance", Gamma: 0.5, Strength: 1.2},
	{Model: "additive", Gamma: 0.5, Strength: 1.5},
	{Model: "additive", Gamma: 16, Strength: 3}, // between γ^(1/4) and √γ, and so is the one below
	{Model: "additive", Gamma: 1. / 16, Strength: 0.3},
	{Model: "goe", Gamma: 1, Strength: 2},
	{Model: "covariance", Gamma: 16, Strength: 2}, // so strong that the factor ℓ of d cos² counts
	{Model: "goe", Gamma: 1, Strength: 3},
}

// unlikeSigns picks the spike that is told from one with noise of signs, by a variance of draws.
func unlikeSigns(s theory.Spike) bool { return s.Model == "covariance" && s.Strength == 3 }

// spikeCell are draws with √(nd) = Size, and half as many at four times that.
type spikeCell struct {
	theory.Spike
	Size, Draws, Batch int
}

func spikeCells(e props.Effort) (out []spikeCell) {
	for _, s := range spikeKinds {
		size := props.Scale{Quick: 60, Standard: 60, Deep: 80}.At(e)
		draws := props.Scale{Quick: 20, Standard: 140, Deep: 6500}
		switch {
		case s.Hidden() > 0: // whose mean of squares scatters most
			draws = props.Scale{Quick: 96, Standard: 280, Deep: 13000}
			if s.Gamma > 1 { // and samples are few
				size, draws.Quick = 170, 144
			}
		case unlikeSigns(s):
			draws.Quick = 48
		}
		for i := range 64 {
			out = append(out, spikeCell{s, size, draws.At(e), i})
		}
	}
	return out
}

// spiked are means over draws of one size.
type spiked struct {
	N, D               int
	Place, Right, Left float64
	Linear             float64 // n Var λ by the derivatives in the independent entries
	Sampled            float64 // n Var λ of the draws
}

// measure takes both sizes.
func (c spikeCell) measure(r *rand.Rand, draw func(spikeCell, *rand.Rand, int, int) spiked) (out []spiked) {
	for k, size := range []int{c.Size, 4 * c.Size} {
		root := math.Sqrt(c.Gamma)
		n, d := int(math.Round(float64(size)/root)), int(math.Round(float64(size)*root))
		mean, count, places, squares := spiked{N: n, D: d}, c.Draws/(1+k), 0.0, 0.0
		for range count {
			one := draw(c, r, n, d)
			mean.Right += one.Right / float64(count)
			mean.Left += one.Left / float64(count)
			mean.Linear += one.Linear / float64(count)
			mean.Place += one.Place / float64(count)
			places, squares = places+one.Place, squares+one.Place*one.Place
		}
		mean.Sampled = float64(n) * (squares - places*places/float64(count)) / float64(count-1)
		out = append(out, mean)
	}
	return out
}

// draw reduces one matrix with its spike.
func (c spikeCell) draw(r *rand.Rand, n, d int) spiked {
	if c.Model == "goe" {
		t := goe(r, n)
		t.diagonal[0] += c.Strength
		x, v := t.largest()
		linear := 0.0
		for i, y := range v { // of diagonal entries, v² with variance 2/n, of those next to them 2vw with variance 1/(2n)
			linear += 2 * math.Pow(y, 4)
			if i+1 < n {
				linear += 2 * y * y * v[i+1] * v[i+1]
			}
		}
		return spiked{Place: x, Right: v[0] * v[0], Left: v[0] * v[0], Linear: linear}
	}
	b := gaussianBidiagonal(r, n, d)
	if c.Model == "covariance" {
		b.diagonal[0] *= math.Sqrt(c.Strength)
		x, v := b.gram().largest()
		return spiked{Place: x / float64(n), Right: v[0] * v[0], Left: x * math.Pow(v[0]/b.diagonal[0], 2),
			Linear: b.linear(v, c.Strength/2) / float64(n)}
	}
	along, across := r.NormFloat64()+c.Strength*math.Sqrt(float64(n)), chi(r, n-1)
	b.diagonal[0] = math.Hypot(along, across)
	x, v := b.gram().largest()
	// The left vector has the cosine first with Mv, with which u has the cosine along/‖Mv‖; of the rest of the left
	// vector, whose direction is uniform across Mv, the rest of u has a component of a random direction in n − 1
	// dimensions.
	first := math.Sqrt(x) * v[0] / b.diagonal[0]
	z := r.NormFloat64()
	rest := math.Sqrt(max(0, 1-first*first)) * z / math.Hypot(z, chi(r, n-2))
	t := c.Strength * c.Strength
	return spiked{Place: x / float64(n), Right: v[0] * v[0],
		Left:   math.Pow((along*first+across*rest)/b.diagonal[0], 2),
		Linear: b.linear(v, (t+0.5)/(1+t)) / float64(n)}
}

// drawSigns has noise of signs along the spike: the first column is as long as it is on average.
func (c spikeCell) drawSigns(r *rand.Rand, n, d int) spiked {
	b := gaussianBidiagonal(r, n, d)
	b.diagonal[0] = math.Sqrt(c.Strength * float64(n))
	x, v := b.gram().largest()
	return spiked{Place: x / float64(n), Right: v[0] * v[0], Left: x * math.Pow(v[0]/b.diagonal[0], 2)}
}

// linear is the variance of ‖Bv‖² for independent entries of variance ½, but for the first, to first order: the
// derivative in an entry is 2(Bv)ᵢvⱼ.
func (b bidiagonal) linear(v []float64, first float64) float64 {
	sum := 0.0
	for i, x := range b.diagonal {
		variance, image := 0.5, x*v[i]
		if i == 0 {
			variance = first
		}
		beside := 0.0
		if i < len(b.upper) {
			image += b.upper[i] * v[i+1]
			beside = 0.5 * v[i+1] * v[i+1]
		}
		sum += 4 * image * image * (variance*v[i]*v[i] + beside)
	}
	return sum
}

// linearScatter is √V of n Var λ by derivatives over its limit, as found: at most 2.8, 1.2 and 0.6.
var linearScatter = map[string]float64{"covariance": 3, "additive": 1.5, "goe": 0.75}

// concludeBBP takes what is of order 1/n out by the two sizes. An extrapolated mean of quantities of variance V/n has
// the variance (16/9 + 2/9)V/(n·draws) at the larger one. Cosines were found to have V ≤ 1, or up to 1.3 with a bias
// that leaves room for it.
func concludeBBP(r *props.Record, cells []spikeCell, all [][]spiked, c bbpClaim) {
	for k, s := range spikeKinds {
		truth, l, values, last := s.Limits(), c.limits(s), map[string][]float64{}, spiked{}
		place := func(m spiked) float64 { return m.Place / l.Place }
		if truth.Variance == 0 { // λ is off by n^(−2/3), as without a spike: by spectra/softedge
			place = func(m spiked) float64 {
				bulk := theory.LargestWishart{N: max(m.N, m.D), P: min(m.N, m.D)}
				mean := (bulk.Centre() + theory.TracyWidomMean*bulk.Scale()) / float64(m.N)
				return m.Place / l.Place * truth.Place / mean
			}
		}
		draws, nd := 0.0, 0.0
		for i, cell := range cells {
			if cell.Spike != s {
				continue
			}
			small, large := all[i][0], all[i][1]
			last, draws, nd = large, float64(cell.Draws/2), float64(cell.Size*cell.Size)
			take := func(name string, small, large float64) {
				values[name] = append(values[name], extrapolated(small, large))
			}
			take(placeOf, place(small), place(large))
			take(rightOf, small.Right-l.Right, large.Right-l.Right)
			take(leftOf, small.Left-l.Left, large.Left-l.Left)
			take(linearOf, small.Linear/l.Variance, large.Linear/l.Variance)
			values[sampledOf] = append(values[sampledOf], small.Sampled/l.Variance)
			mean := (2*float64(small.D)*small.Right + float64(large.D)*large.Right) / 3 // over all draws
			values[hiddenOf] = append(values[hiddenOf], mean/c.hidden(s))
		}
		if draws == 0 { // a control that is tried on other spikes
			continue
		}
		r.Regime(spikeRegimes[k])
		limit := func(name string, sd, bias float64) props.Limit { return props.Limit{Name: name, SD: sd, Bias: bias} }
		scatter, bias := math.Sqrt(2/(float64(last.N)*draws)), 10/nd
		if truth.Variance > 0 {
			limit(placeOf, scatter*math.Sqrt(truth.Variance)/truth.Place, bias).Judge(r, values[placeOf], 1)
			limit(linearOf, linearScatter[s.Model]*scatter, 0.02).Judge(r, values[linearOf], 1)
			limit(sampledOf, math.Sqrt(1.3/draws), 3/math.Sqrt(nd)).Judge(r, values[sampledOf], 1)
		} else {
			// Cosines below are a few times χ²/m in the smaller dimension m, and what is left of n^(−2/3) is half of it.
			edge, m := 2.5*math.Pow(float64(last.N), -2./3), float64(min(last.N, last.D))
			limit(placeOf, edge/math.Sqrt(draws), bias).Judge(r, values[placeOf], 1)
			scatter, bias = 10/(m*math.Sqrt(draws)), 2/m
		}
		limit(rightOf, scatter, bias).Absolute(r, values[rightOf], 0)
		if s.Model != "goe" {
			limit(leftOf, scatter, bias).Absolute(r, values[leftOf], 0)
		}
		if s.Model == "covariance" && truth.Variance == 0 {
			limit(hiddenOf, math.Sqrt(2/(3*draws)), 0.2).Judge(r, values[hiddenOf], 1)
		}
	}
}

func trySpike(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := theory.Spike{Model: v.Choice("model"), Gamma: v.Float("gamma"), Strength: v.Float("strength")}
	n := v.Int("n")
	d := max(1, int(math.Round(float64(n)*s.Gamma)))
	t.Need(d <= 1e6, "d = γn is %d; take at most 10⁶", d)
	one := spikeCell{Spike: s}.draw(t.Rand, n, d)
	return map[string]float64{"place": one.Place, "right": one.Right, "left": one.Left}, nil
}
