// Package all lists the experiments of all sources.
package all

import (
	"slices"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/bench/experiment/emergence"
	"github.com/thm-suite/thm/internal/bench/experiment/latent"
	"github.com/thm-suite/thm/internal/bench/experiment/onestep"
	"github.com/thm-suite/thm/internal/bench/experiment/tangent"
	"github.com/thm-suite/thm/internal/bench/experiment/vcl"
	"github.com/thm-suite/thm/internal/list"
)

// Experiments lists them, grouped by source; add here.
func Experiments() []experiment.Experiment {
	return slices.Concat(vcl.Experiments, emergence.Experiments, latent.Experiments, onestep.Experiments,
		tangent.Experiments)
}

// Names returns the names of all of them.
func Names() (names []string) {
	return list.Map(Experiments(), func(e experiment.Experiment) string { return e.Name })
}
