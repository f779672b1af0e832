package emergence

import (
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// mixtureOf returns the law that a user's parameters name.
func mixtureOf(v statement.Values) theory.Mixture {
	return theory.Mixture{Dim: v.Int("D"), Count: v.Int("k"), Background: v.Float("background"),
		Uniform: v.Float("uniform")}
}

// wide returns the law of parity on a mixture, for many bits, with the given A.
func wide(m theory.Mixture, support []int) data.Wide {
	return data.Wide{Dim: m.Dim, Support: support, Accept: data.Parity(m.Count),
		Pattern: data.Uniform(m.Count, m.Uniform), Background: m.Background}
}

// wideOf returns that law at a user's parameters, with the first k bits in A.
func wideOf(v statement.Values) data.Wide { return wide(mixtureOf(v), props.Indices(v.Int("k"))) }

// hiddenOf returns parity on fair bits at a user's k and λ, listed input by input; λ is rounded to a multiple of 2⁻²⁰.
func hiddenOf(v statement.Values, dim int) data.Hidden {
	const shares = 1 << 20
	k, uniform := v.Int("k"), int64(v.Float("uniform")*shares)
	return data.NewHidden(dim, props.Indices(k), data.Parity(k), data.Mixture(k, uniform, shares-uniform), data.Fair)
}

// needFew refuses laws with more inputs than can be visited.
func needFew(t *props.Trial, v statement.Values, limit int, visited string) (dim, k int) {
	dim, k = v.Int("D"), v.Int("k")
	t.Need(dim <= limit && k <= dim, "the dimension D=%d, k=%d cannot be simulated: %s visited, k ≤ D ≤ %d", dim, k,
		visited, limit)
	return dim, k
}
