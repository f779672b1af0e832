package draw

import (
	"math"

	"github.com/thm-suite/thm/props/figure"
)

// levels is the number of shades of one colour.
const levels = 25

// shades maps the values of heat maps to colours that fade into the page, light or dark: where there are negative
// values, 0 is the page itself and the signs are two colours; otherwise the smallest value, or 0 if that is near.
type shades struct {
	lo, hi float64
	log    bool
}

// shade is a colour at one of the levels: positive for the colour of positive values.
type shade int

// shadesOf fits the scale to all panels of a figure.
func shadesOf(f figure.Figure) shades {
	s := shades{lo: math.Inf(1), hi: math.Inf(-1), log: f.Z.Log}
	for _, c := range f.Curves {
		for _, z := range c.Z {
			if !math.IsInf(z, 0) && !math.IsNaN(z) && !(s.log && z <= 0) {
				s.lo, s.hi = min(s.lo, z), max(s.hi, z)
			}
		}
	}
	switch {
	case s.lo > s.hi:
		s.lo, s.hi = 0, 1
	case s.log:
	case s.lo < 0:
		s.hi = max(s.hi, -s.lo)
		s.lo = -s.hi
	case s.lo < 0.3*s.hi:
		s.lo = 0
	}
	return s
}

// of returns the shade of a value; ok is false where it has none.
func (s shades) of(z float64) (_ shade, ok bool) {
	lo, hi := s.lo, s.hi
	switch {
	case math.IsNaN(z) || math.IsInf(z, 0) || s.log && z <= 0:
		return 0, false
	case s.log:
		z, lo, hi = math.Log(z), math.Log(lo), math.Log(hi)
	}
	if hi/2-lo/2 == 0 {
		return s.at(1), true
	}
	return s.at((z/2 - lo/2) / (hi/2 - lo/2)), true
}

// at returns the shade at a fraction of the scale.
func (s shades) at(fraction float64) shade {
	if s.signed() {
		return shade(math.Round(levels * (2*fraction - 1)))
	}
	return shade(math.Round(levels * fraction))
}

// signed reports whether the scale has two signs.
func (s shades) signed() bool { return !s.log && s.lo < 0 }

// everyShade lists all shades but that of the page.
func everyShade() []shade {
	var out []shade
	for k := shade(-levels); k <= levels; k++ {
		if k != 0 {
			out = append(out, k)
		}
	}
	return out
}

// colour returns the colour of the sign.
func (s shade) colour() string {
	if s < 0 {
		return colours[1]
	}
	return colours[0]
}

// opacity is the share of the colour over the page.
func (s shade) opacity() float64 { return math.Abs(float64(s)) / levels }
