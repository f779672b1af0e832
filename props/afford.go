package props

// Afford shares a budget of processor time, in seconds, among the checks of claims at deep effort, and says at which
// effort each runs, by [CostKey]. Nothing is smaller than at standard effort or larger than its deep sizes, all have an
// equal share, and what a check does not need goes to the others.
func Afford(claims []Claim, budget float64, costs map[string]Rate) map[string]Effort {
	type check struct {
		key     string
		seconds func(level int) float64
	}
	var checks []check
	rest := budget // for what grows
	for _, c := range claims {
		slug := c.Statement.Slug
		for _, work := range Planned([]Claim{c}, Options{Effort: Standard}, costs).checks {
			work.each(func(u WorkUnit) { rest -= u.Cost })
		}
		for _, k := range c.checks {
			key, known := CostKey(slug, k.name), map[int]float64{} // most checks afford the highest level, and ask for no other
			seconds := func(level int) float64 {
				if _, asked := known[level]; !asked {
					known[level] = k.ownCost(between(level), rateOf(costs, key))
				}
				return known[level]
			}
			rest += seconds(0)
			checks = append(checks, check{key, seconds})
		}
	}
	affordable := func(c check, share float64) int {
		level := levels
		for level > 0 && !(c.seconds(level) <= share) {
			level--
		}
		return level
	}
	low, high := 0.0, max(0, budget)
	for range 60 {
		share, sum := (low+high)/2, 0.0
		for _, c := range checks {
			sum += c.seconds(affordable(c, share))
		}
		if sum <= rest {
			low = share
		} else {
			high = share
		}
	}
	out := map[string]Effort{}
	for _, c := range checks {
		out[c.key] = between(affordable(c, low))
	}
	return out
}

// ownCost returns the cost of a check at an effort without its controls.
func (k checker) ownCost(e Effort, rate Rate) (seconds float64) {
	defer func() { _ = recover() }() // of a broken plan; the run says so
	if k.even != nil {
		if n, alike := k.even(e); alike {
			return float64(n) * rate.at(e)
		}
	}
	for _, c := range k.cells(e, "") {
		seconds += rate.at(c.priced) * c.cost
	}
	return seconds
}
