package draw

import (
	"math"
	"strconv"

	"github.com/thm-suite/thm/internal/list"
)

// tick is a labelled or, with an empty label, a minor division of an axis.
type tick struct {
	value float64
	label string
}

// ticks returns divisions of the axis in ascending order, with at most about as many labels as the limit.
func (s scale) ticks(limit int) []tick {
	if !s.log {
		return linearTicks(s.lo, s.hi, limit, s.whole)
	}
	if s.stops != nil {
		return list.Map(s.stops, func(v float64) tick { return tick{v, Number(v)} })
	}
	if s.hi-s.lo >= 1.5 && math.Floor(s.hi) > math.Ceil(s.lo) {
		return decadeTicks(s.lo, s.hi, limit)
	}
	for _, mantissas := range [][]float64{{1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		if out := mantissaTicks(s.lo, s.hi, mantissas, s.whole); len(out) >= 3 && len(out) <= limit+1 {
			return out
		}
	}
	return linearTicks(math.Pow(10, s.lo), math.Pow(10, s.hi), limit, s.whole)
}

// step returns the smallest of 1, 2, 5 times a power of ten that cuts an interval of twice the given half-length
// into at most the given number of pieces.
func step(half float64, pieces int) float64 {
	raw := half / float64(pieces) * 2
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

func linearTicks(lo, hi float64, limit int, whole bool) []tick {
	d := step(hi/2-lo/2, limit)
	if whole {
		d = max(1, d)
	}
	if !(d > 0) || math.IsInf(d, 0) {
		return nil
	}
	label := labeller(max(math.Abs(lo), math.Abs(hi)), d)
	var out []tick
	for k := math.Ceil(lo/d - 1e-9); k <= hi/d+1e-9 && len(out) <= 2*limit; k++ {
		v := k * d
		if k == 0 {
			v = 0 // not −0
		}
		out = append(out, tick{v, label(v)})
	}
	return out
}

// labeller returns how values up to size are written so that steps of d differ.
func labeller(size, d float64) func(float64) string {
	digits := int(math.Floor(math.Log10(d) + 1e-9))
	if size >= 1e5 || size < 1e-3 {
		decimals := max(0, int(math.Floor(math.Log10(size)))-digits)
		return func(v float64) string { return scientific(v, decimals) }
	}
	return func(v float64) string { return minus(strconv.FormatFloat(v, 'f', max(0, -digits), 64)) }
}

// decadeTicks labels powers of ten, every one or every few, and marks what lies between when there are few.
func decadeTicks(lo, hi float64, limit int) []tick {
	first, last := int(math.Ceil(lo-1e-9)), int(math.Floor(hi+1e-9))
	every := 1
	for _, e := range []int{1, 2, 3, 5, 10, 20, 50, 100, 200} {
		if every = e; (last-first)/e < limit {
			break
		}
	}
	plain := first >= -3 && last <= 4
	var out []tick
	for k := first - 1; k <= last; k++ {
		if k >= first && (k%every == 0) {
			out = append(out, tick{math.Pow(10, float64(k)), decade(k, plain)})
		}
		for m := 2.0; m <= 9 && every == 1 && last-first <= 5; m++ {
			if p := float64(k) + math.Log10(m); p >= lo && p <= hi {
				out = append(out, tick{value: m * math.Pow(10, float64(k))})
			}
		}
	}
	return out
}

func decade(k int, plain bool) string {
	if plain {
		return strconv.FormatFloat(math.Pow(10, float64(k)), 'f', max(0, -k), 64)
	}
	if k == 0 {
		return "1"
	}
	return Power(k)
}

// mantissaTicks labels the given multiples of powers of ten.
func mantissaTicks(lo, hi float64, mantissas []float64, whole bool) []tick {
	var out []tick
	for k := math.Floor(lo); k <= hi; k++ {
		for _, m := range mantissas {
			if p := k + math.Log10(m); p >= lo-1e-9 && p <= hi+1e-9 {
				if v := m * math.Pow(10, k); !whole || v == math.Trunc(v) {
					out = append(out, tick{v, Number(v)})
				}
			}
		}
	}
	return out
}

// thinned removes labels that would touch their left neighbour. Labels are centred at their pixel; em is the size of
// the type in pixels.
func (s scale) thinned(ticks []tick, em float64) []tick {
	edge := math.Inf(-1)
	out := make([]tick, len(ticks))
	for i, t := range ticks {
		half := width(t.label) * em / 2
		if t.label != "" && s.at(t.value)-half < edge+em/2 {
			t.label = ""
		} else if t.label != "" {
			edge = s.at(t.value) + half
		}
		out[i] = t
	}
	return out
}
