package latent

import (
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/latent"
)

// isotropic are the closed forms for the cell's dimensions.
func (c neuronCell) isotropic() theory.Isotropic { return theory.Isotropic{D: c.D, R: c.R} }

// sweep is a check on the neurons of all cells, which all versions of the claim share.
func (v hessianTrial) sweep(name string, judge func([]neuronCell, [][]block) props.Judgement) props.LegacyCheck {
	return props.LegacySweep[neuronCell, []block]{
		Name: name, Share: "neurons", Replicates: 3,
		Cells: neuronCells, Measure: measureNeurons, Judge: judge,
	}.Check()
}

// speaksOf reports whether the version on trial speaks about the cell.
func (v hessianTrial) speaksOf(c neuronCell) bool {
	target := v.target
	if target == "" {
		target = isotropic
	}
	return c.Target == target && c.Setting == v.setting
}

// each visits the blocks that the version on trial speaks about.
func (v hessianTrial) each(cells []neuronCell, all [][]block, visit func(neuronCell, block)) {
	for i, c := range cells {
		if v.speaksOf(c) {
			for _, b := range all[i] {
				visit(c, b)
			}
		}
	}
}

// lengthOf is the mean length of the remainder.
func lengthOf(_ neuronCell, b block) float64 { return b.remainder }

// length is the mean length of the remainder that the version on trial speaks of.
func (v hessianTrial) length(_ neuronCell, b block) float64 {
	if v.literal {
		return b.literal
	}
	return b.remainder
}

// ladder is one of the two directions in which the cells ascend.
type ladder bool

const (
	alongD ladder = false
	alongR ladder = true
)

// coordinate is d or r.
func (l ladder) coordinate(c neuronCell) float64 {
	if l == alongR {
		return float64(c.R)
	}
	return float64(c.D)
}

// on reports whether a cell belongs to the ladder: those in r share one dimension, those in d share the number of
// directions of their target.
func (l ladder) on(c neuronCell) bool {
	if l == alongR {
		return c.D == ladderD
	}
	return c.R == c.Target.directions()
}

// directions is the r of the target's ladder in d.
func (name targetName) directions() int {
	switch name {
	case quartic:
		return 1
	case deficient, withLinear:
		return 2
	}
	return ladderR
}

// fitted is an exponent measured along a ladder, with the zone in which a true claim is accepted.
type fitted struct {
	slope stat.Interval
	zone  float64
}

// fit measures the exponent of a statistic along a ladder. Each block's logarithm scatters with at most the standard
// deviation sd, which gives the statistical part of the zone. Its mean departs from the logarithm of the limit law by at
// most sd²/2 (that is what a logarithm takes from a mean) and by bias(cell); since the slope is Σ wₖyₖ, it departs by
// Σ |wₖ| times as much.
func (v hessianTrial) fit(cells []neuronCell, all [][]block, l ladder, statistic func(neuronCell, block) float64, sd float64, bias func(neuronCell) float64) fitted {
	var x, y, departure []float64
	v.each(cells, all, func(c neuronCell, b block) {
		if !l.on(c) {
			return
		}
		x, y = append(x, math.Log(l.coordinate(c))), append(y, math.Log(statistic(c, b)))
		departure = append(departure, sd*sd/2)
		if bias != nil {
			departure[len(departure)-1] += bias(c)
		}
	})
	zone := stat.DetectableSlope(x, sd, stat.PartAlpha, undecidedRate/2)
	mean, spread := average(x), 0.0
	for _, xk := range x {
		spread += (xk - mean) * (xk - mean)
	}
	for k, xk := range x {
		zone += math.Abs(xk-mean) / spread * departure[k]
	}
	return fitted{stat.Slope(x, y, stat.PartAlpha), zone}
}

func (f fitted) part(name string, claimed float64) props.Part {
	return props.Equality(name, f.slope, claimed, f.zone)
}

// curve is the mean of a statistic over the blocks of each cell of a target along a ladder.
func curve(name string, style props.Style, cells []neuronCell, all [][]block, target targetName, l ladder, statistic func(neuronCell, block) float64) props.Curve {
	out := props.Curve{Name: name, Style: style}
	for i, c := range cells {
		if c.Target != target || c.Setting != asClaimed || !l.on(c) {
			continue
		}
		var values []float64
		for _, b := range all[i] {
			values = append(values, statistic(c, b))
		}
		out.X, out.Y = append(out.X, l.coordinate(c)), append(out.Y, average(values))
	}
	return sorted(out)
}

// sorted puts the points of a curve in the order of x.
func sorted(c props.Curve) props.Curve {
	for i := range c.X {
		for k := i; k > 0 && c.X[k] < c.X[k-1]; k-- {
			c.X[k], c.X[k-1], c.Y[k], c.Y[k-1] = c.X[k-1], c.X[k], c.Y[k-1], c.Y[k]
		}
	}
	return c
}

func average(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
