package width

import "github.com/thm-suite/thm/props"

// byKind are values over those claimed, of networks of several kinds, whose limit is 1.
type byKind struct {
	props.Limit
	values map[string][]float64
	all    []float64
}

func (b *byKind) add(kind string, x float64) {
	if b.values == nil {
		b.values = map[string][]float64{}
	}
	b.values[kind], b.all = append(b.values[kind], x), append(b.all, x)
}

// eachKind ends the name of the criterion that a limit holds for each kind.
const eachKind = ", each kind"

// judgeKinds states limits for all values together, and then for each kind, with the margin that its own number of
// values needs: a median of all hardly sees one kind that is off.
func judgeKinds(r *props.Record, kinds []string, limits ...byKind) {
	for _, b := range limits {
		b.Judge(r, b.all, 1)
	}
	for _, kind := range kinds {
		r.Regime(kind)
		for _, b := range limits {
			if len(b.values[kind]) > 0 { // a control may measure others
				each := b.Limit
				each.Name += eachKind
				each.Judge(r, b.values[kind], 1)
			}
		}
	}
}
