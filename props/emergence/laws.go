package emergence

import (
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// mixtureOf is the law that a user names.
func mixtureOf(v statement.Values) theory.Mixture {
	return theory.Mixture{Dim: v.Int("D"), Count: v.Int("k"), Background: v.Float("background"),
		Uniform: v.Float("uniform")}
}

// wide is the law of parity on a mixture, bit by bit, with A as given.
func wide(m theory.Mixture, support []int) data.Wide {
	return data.Wide{Dim: m.Dim, Support: support, Accept: data.Parity(m.Count),
		Pattern: data.Uniform(m.Count, m.Uniform), Background: m.Background}
}

// wideOf is that law with a user's parameters, and the first k bits in A.
func wideOf(v statement.Values) data.Wide { return wide(mixtureOf(v), props.Indices(v.Int("k"))) }

// hiddenOf is parity on fair bits at a user's k and λ, input by input; λ is rounded to a part in 2²⁰.
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
