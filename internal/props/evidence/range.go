package evidence

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/thm-suite/thm/internal/number"
)

// Range is from the smallest to the largest value that a check draws of one thing.
type Range struct{ From, To float64 }

// Ranges holds the ranges of the numbers that a check draws, by their names.
type Ranges map[string]Range

// Meet widens a range, if need be.
func (r Ranges) Meet(name string, x float64) {
	if old, ok := r[name]; ok {
		r[name] = Range{min(old.From, x), max(old.To, x)}
	} else {
		r[name] = Range{x, x}
	}
}

// Join takes the values of other ranges in, called what they are called there and something more.
func (r Ranges) Join(others Ranges, more string) {
	for name, other := range others {
		r.Meet(name+more, other.From)
		r.Meet(name+more, other.To)
	}
}

// negligible is the share of the larger end below which the other one counts as zero: it may be rounding.
const negligible = 1e-4

// rounded has three digits of both ends.
func (r Range) rounded() Range {
	size := max(math.Abs(r.From), math.Abs(r.To))
	end := func(x float64) float64 {
		if math.Abs(x) < negligible*size {
			return 0
		}
		return float64(Rounded(number.Number(x)))
	}
	return Range{end(r.From), end(r.To)}
}

// MarshalText writes three digits of both ends.
func (r Range) MarshalText() ([]byte, error) {
	r = r.rounded()
	return fmt.Appendf(nil, "%v to %v", r.From, r.To), nil
}

// UnmarshalText reads what [Range.MarshalText] writes.
func (r *Range) UnmarshalText(text []byte) error {
	var from, to string
	_, err := fmt.Sscanf(string(text), "%s to %s", &from, &to)
	if err == nil {
		r.From, err = strconv.ParseFloat(from, 64)
	}
	if err == nil {
		r.To, err = strconv.ParseFloat(to, 64)
	}
	return err
}

// drawn compares what a check draws. A range that ends earlier on either side is narrower, and so is one of less width.
func (d *departures) drawn(check string, pinned, now Ranges, factor float64) {
	for _, name := range slices.Sorted(maps.Keys(pinned)) {
		p, x := pinned[name].rounded(), now[name].rounded()
		text := fmt.Sprintf("%s: %s is drawn from %.3g to %.3g, pinned %.3g to %.3g", check, name, x.From, x.To, p.From, p.To)
		_, found := now[name]
		size := max(math.Abs(p.From), math.Abs(p.To))
		apart := func(x, y float64) bool {
			return math.Abs(x-y) > (factor-1)*min(math.Abs(x), math.Abs(y))+10*negligible*size
		}
		switch from, to := apart(x.From, p.From), apart(x.To, p.To); {
		case !found:
			d.weaker("%s: %s is not drawn any more", check, name)
		case from && x.From > p.From || to && x.To < p.To || factor*(x.To-x.From) < p.To-p.From:
			d.weaker("%s", text)
		case from || to:
			d.other("%s", text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, found := pinned[name]; !found {
			d.other("%s: what is drawn of %s is not pinned", check, name)
		}
	}
}
