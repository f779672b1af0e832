package props

import "reflect"

// Property is a check that draws instances with rapid and judges each on its own.
type Property struct {
	Name  string
	Cases Scale
	Prop  func(*T) Ratio
}

// propertyCase is a drawn instance of a property, already judged.
type propertyCase struct {
	ratio Ratio
	shown []shown
}

// erase makes a property a check without controls and without resolution, for suites that belong to no claim.
func (p Property) erase() checker {
	return instances{
		Name: p.Name, Cases: p.Cases, Kind: reflect.TypeFor[propertyCase](),
		Draw: func(t *T, _ string) any {
			ratio := p.Prop(t)
			return propertyCase{ratio, t.shown}
		},
		Judge: func(r *Record, in any, _ string) {
			c := in.(propertyCase)
			r.Ratio(p.Name, c.ratio)
			for _, s := range c.shown {
				r.Show(s.name, s.value)
			}
		},
	}.erase()
}
