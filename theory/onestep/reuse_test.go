package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/hermite"
)

func TestReuseReference(t *testing.T) {
	for _, row := range []struct {
		r          Risk
		own, fresh float64
	}{
		{example("R1", setting1, 1), 0.2388, 0.3096},
		{Risk{Phi: 0.8, Psi: 0.4, Lambda: 0.05, Activation: Activation("tanh"), Terms: 1, Eta: infinite,
			Teacher: Teacher{Coefficients: []float64{0, 1}, Noise: 0.25}}, 0.0744, 0.0933},
	} {
		own, err := row.r.Reused()
		require.NoError(t, err)
		fresh, err := row.r.Errors()
		require.NoError(t, err)
		near(t, "own samples", own, row.own, 6e-5)
		near(t, "fresh samples", fresh.Objective, row.fresh, 6e-5)
	}
	_, err := example("R1", setting1, 2).Reused()
	require.ErrorContains(t, err, "one strong term")
}

// If the displayed formula does not cancel, it is used; otherwise the limit stays between zero and the limit on fresh
// samples.
func TestReusedIsTheDisplayedFormula(t *testing.T) {
	for _, phi := range []float64{0.2, 1, 3} {
		r := Risk{Phi: phi, Psi: 0.7, Lambda: 0.1, Activation: Activation("sincos"), Terms: 1, Eta: math.Inf(1),
			Teacher: Teacher{Coefficients: []float64{0, 0.8, 0.5}, Noise: 0.3}}
		own, err := r.Reused()
		require.NoError(t, err)
		bulk := Features{Step: r.step()}.Bulk()
		v, err := bulk.Resolvent(r.Lambda)
		require.NoError(t, err)
		a := r.Psi * (1 + v.Leak) / (bulk.Linear * bulk.Linear)
		g := phi * (bulk.Nonlinear + r.Lambda*r.Psi/phi*(1+v.Leak)) / (bulk.Linear * bulk.Linear)
		q2 := a - g*v.Linear
		q3 := a*(1+phi) - g*q2
		linear, rest := 0.64, 0.8
		along := linear*q2 + rest*phi*v.Linear
		want := r.Lambda * (linear*v.Linear + rest*v.All - along*along/(linear*q3+rest*phi*q2))
		near(t, "own samples", own, want, 1e-12)
	}
	long := Risk{Phi: 0.01, Psi: 80, Lambda: 9000, Activation: hermite.Series(0, 0.05, 0.1), Terms: 1, Eta: math.Inf(1),
		Teacher: Teacher{Coefficients: []float64{0, 30}, Noise: 0.2}}
	own, err := long.Reused()
	require.NoError(t, err)
	fresh, err := long.Errors()
	require.NoError(t, err)
	require.True(t, own > 0 && own <= fresh.Objective, own)
}
