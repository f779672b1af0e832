package command

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// dear lists the claims for which agrees takes a tenth of a second or more. They run only with the build tag system.
var dear = []string{"emergence/breaks", "emergence/classifier", "emergence/clusters", "emergence/fits",
	"emergence/fixedfeatures", "emergence/gradient", "emergence/inputs", "emergence/kinks", "emergence/learning",
	"emergence/orders",
	"emergence/twoqueries", "latent/angles", "latent/anisotropy", "latent/caps", "latent/concentration",
	"latent/hessian", "latent/kernelbound", "latent/learning", "latent/richardson", "latent/series",
	"onestep/expansion", "onestep/outliers", "onestep/risk", "onestep/settings", "onestep/spike", "onestep/twosteps",
	"onestep/universality", "spectra/haar", "spectra/hardedge", "tangent/ladder", "tangent/structured",
	"vcl/firstorder", "vcl/lipschitz", "width/edgeofchaos", "width/kernelchange", "width/mup", "width/nngp"}

// What thm try measures at the defaults is what thm predict says; a claim without a simulation refuses in one line.
func TestSimulationsAgreeWithPredictions(t *testing.T) {
	for _, c := range catalog.All() {
		if !slices.Contains(dear, c.Statement.Slug) {
			agrees(t, c, 24)
		}
	}
}

// agrees simulates a claim once, and if that does not settle everything within rounding, as often as given.
func agrees(t *testing.T, c props.Claim, reps int) {
	t.Helper()
	slug := c.Statement.Slug
	if c.Try == nil {
		code, _, said := answer(t, []props.Claim{c}, []string{"try", slug, "--json"})
		require.Equal(t, cli.Usage, code, slug)
		require.Equal(t, "thm: "+slug+" has nothing to simulate; thm show "+slug+" says what it claims\n", said)
		return
	}
	run := func(into any, words ...string) {
		code, out, said := answer(t, []props.Claim{c}, append(words, "--json"))
		require.Equal(t, cli.Green, code, "%s: %s", slug, said)
		require.NoError(t, json.Unmarshal([]byte(out), into), slug)
	}
	var predicted prediction
	run(&predicted, "predict", slug)
	var tried *props.Simulated
	run(&tried, "try", slug, "--reps", "1", "--quiet")
	inputs := tried.Inputs
	apart := func() (out []string) {
		found := tried.Points[0].Quantities
		require.Len(t, found, len(predicted.Predictions), slug)
		measured := 0
		for i, q := range predicted.Predictions {
			x := found[i]
			require.Equal(t, []any{q.Name, q.Value, q.Bound}, []any{x.Name, x.Predicted, x.Bound}, slug)
			if math.IsNaN(float64(x.Measured)) {
				continue
			}
			measured++
			if by := beyond(q, x, tried.Reps) - asymptotic(c, q, inputs); !(by <= 0) {
				out = append(out, q.Name)
				if tried.Reps > 1 {
					t.Errorf("%s, %s: %v is predicted and %v measured, %.3g further apart than is allowed", slug, q.Name,
						q.Value, x.Measured, by)
				}
			}
		}
		assert.Positive(t, measured, slug)
		return out
	}
	if apart() != nil { // what try shows of many simulations, without its limit on time
		var err error
		tried, err = c.Simulate(t.Context(), nil, props.SimulationOptions{Seed: 1, Reps: reps})
		require.NoError(t, err, slug)
		apart()
	}
}

// comparisons is the number of quantities that are predicted and measured, rounded up.
const comparisons = 350

// beyond returns how far a measurement lies from what is predicted, or beyond it where that is a bound, minus what
// rounding allows, and minus Student's interval at the level at which one of all comparisons fails once in a million
// choices of the streams.
func beyond(q quantity, x props.SimulatedQuantity, reps int) float64 {
	p, m := float64(q.Value), float64(x.Measured)
	by := math.Abs(m - p)
	switch q.Bound {
	case "":
	case "≤":
		by = m - p
	case "≥":
		by = p - m
	default: // of something that is not measured
		return 0
	}
	by -= max(5e-6*math.Abs(p), 0x1p-40) // as where try says that an interval excludes the prediction
	if reps > 1 {
		by -= float64(x.Hi-x.Measured) * wider(reps, 1e-6/comparisons)
	}
	return by
}

// wider returns the half-width of Student's interval at a level over that of try. It is the same for all samples.
func wider(reps int, alpha float64) float64 {
	var sample []float64
	for i := range reps {
		sample = append(sample, float64(i))
	}
	at, usual := stat.Mean(sample, alpha), stat.Mean(sample, 1-props.SimulatedConfidence)
	return (at.Hi - at.Estimate) / (usual.Hi - usual.Estimate)
}

// band says how far a finding's law, which is that of another model, may lie from the measurement, as a share.
var band = map[string]float64{"tangent/ladder": 0.7}

// asymptotic returns how far a quantity may lie from its limit: the next term of an expansion in powers of x^(−1/2)
// with the coefficient 1, where x is the parameter that is large, or 1/x that which is small.
func asymptotic(c props.Claim, q quantity, inputs map[string]any) float64 {
	size := math.Abs(float64(q.Value))
	if size < 0x1p-40 {
		size = 1
	}
	if share, ok := band[c.Statement.Slug]; ok {
		return share * size
	}
	symbol, _, _ := strings.Cut(strings.ReplaceAll(q.Limit, ",", " "), " ")
	for _, p := range theory.Settable(slices.Concat(c.Statement.Params, c.Try.Params)) {
		if x, ok := inputs[p.Name].(float64); ok && p.Symbol == symbol && q.Limit != "" {
			if strings.HasSuffix(q.Limit, "→ 0") {
				x = 1 / x
			}
			return size / math.Sqrt(x)
		}
	}
	return 0
}
