package props

import (
	"context"
	"encoding/json"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
)

// stopAfter runs the claims and ends the context after so many cases.
func stopAfter(t *testing.T, claims []Claim, cases int, jobs int) *results.Results {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return Run(ctx, claims, Options{Effort: Quick, Seed: 1, Jobs: jobs, Progress: func(e Event) {
		if e.Cells >= cases {
			cancel()
		}
	}})
}

func TestCancelledRun(t *testing.T) {
	// commuting runs 120 cases for the claim itself, in blocks of 50, and 400 for its controls.
	for _, cases := range []int{0, 1, 60, 120, 200, 400} {
		for _, jobs := range []int{1, 3} {
			claims := []Claim{commuting(120).Claim(), estimated().Claim(), claim("true", below(1001))}
			r := stopAfter(t, claims, cases, jobs)
			require.True(t, r.Run.Interrupted)
			require.Equal(t, 3, r.ExitCode(), "%d cases", cases)
			require.Len(t, r.Claims, 3)
			require.Equal(t, results.Incomplete, r.Claims[0].Verdict, "%d cases", cases)
			require.NotEmpty(t, r.Claims[0].Message)
			for _, row := range r.Claims {
				require.Contains(t, []results.Verdict{results.Incomplete, results.Holds, results.Unproven}, row.Verdict)
				require.NotEmpty(t, row.ID)
				if row.Verdict == results.Incomplete && row.Cases.Run < row.Cases.Planned {
					require.NotEqual(t, results.Number(0), row.WorstRatio)
				}
			}
			roundTrip(t, r)
		}
	}
}

// A refutation that was found before the interruption stands.
func TestCancelledRunKeepsRefutations(t *testing.T) {
	r := stopAfter(t, []Claim{claim("two", below(7), below(1001))}, 40, 1)
	require.Equal(t, results.Refuted, r.Claims[0].Verdict)
	require.Equal(t, 1, r.ExitCode())
}

func TestRunThatWasCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var calls atomic.Int64
	c := claim("never", property("p", func(*T, int) Ratio { calls.Add(1); return Ratio{} }))
	r := Run(ctx, []Claim{c}, Options{Effort: Quick, Seed: 1})
	require.Equal(t, results.Incomplete, r.Claims[0].Verdict)
	require.Equal(t, results.Count{Planned: 40, Run: 0}, r.Claims[0].Cases)
	require.Zero(t, calls.Load())
	require.Empty(t, r.Calibration)
	roundTrip(t, r)
}

func TestNoGoroutineIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		stopAfter(t, zoo(), 50, 4)
	}
	Run(t.Context(), zoo(), Options{Effort: Quick, Seed: 1, Jobs: 4})
	// A goroutine that has done its work may need a moment to be gone. Waiting cannot hide one that stays.
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// roundTrip writes results as JSON and reads them back.
func roundTrip(t *testing.T, r *results.Results) {
	t.Helper()
	first, err := json.Marshal(r)
	require.NoError(t, err)
	var back results.Results
	require.NoError(t, json.Unmarshal(first, &back))
	second, err := json.Marshal(&back)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))
}
