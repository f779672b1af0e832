package props

import "github.com/thm-suite/thm/theory"

// Simulation measures what a statement predicts, at parameters that a user names.
type Simulation struct {
	// Params are what the simulation needs beyond the parameters of the statement's prediction, sizes for instance.
	Params []theory.Param

	// Run simulates once and returns measured values by the names of the predicted quantities. Quantities that it does not
	// measure are left out. An error says which parameter cannot be simulated and why.
	Run func(t *Trial, v theory.Values) (map[string]float64, error)
}
