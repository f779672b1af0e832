package props

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thm-suite/thm/props/results"
)

// Options say how to run.
type Options struct {
	Effort   Effort
	Efforts  map[string]Effort // of checks that run at another effort, by [CostKey]; see [Afford]
	Seed     uint64
	Jobs     int         // cells at a time; 0 means one per processor
	Progress func(Event) // called from several goroutines, one call at a time; may be nil
	Budget   float64     // seconds of processor time that Efforts were chosen for; 0 where there is no such budget
	Patterns []string    // that chose the claims, for the manifest
	Journal  *Journal    // keeps measurements, so that a run can go on after it was killed; may be nil

	// Uncalibrated leaves the calibration of the statistics out: for tests of the command, which start it many times.
	Uncalibrated bool

	sketch bool // the figures of theorems have few points: for tests, which ask only that they are drawn
}

// effortOf is the effort at which a check runs.
func (o Options) effortOf(slug, check string) Effort {
	if e, other := o.Efforts[CostKey(slug, check)]; other {
		return e
	}
	return o.Effort
}

// Event is a step of progress.
type Event struct {
	Claim    string         // slug
	Stage    string         // "verify: …", "control: …", "shrink: …"; empty while the last one goes on
	Cases    results.Count  // of the measurement that is under way
	Cells    int            // cases that ran so far, over all claims
	Finished *results.Claim // set when the claim is done
}

// run is the state that the claims of one run share.
type run struct {
	Options
	ctx   context.Context
	pool  *pool
	clock stopwatch

	cells atomic.Int64
	mu    sync.Mutex // serialises Progress
}

func (r *run) report(e Event) {
	if r.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Cells = int(r.cells.Load())
	r.Progress(e)
}

// Run verifies claims. When the context ends early it returns what is known by then, with the verdict incomplete
// on every claim that did not finish.
func Run(ctx context.Context, claims []Claim, o Options) *results.Results {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	started := time.Now()
	rows := verifyClaims(ctx, claims, o)
	// An interruption after the last claim has stopped nothing.
	interrupted := ctx.Err() != nil && slices.ContainsFunc(rows,
		func(c results.Claim) bool { return c.Verdict == results.Incomplete })
	calibration := []results.Calibration{}
	if !interrupted && !o.Uncalibrated {
		calibration = Calibrate(o.Seed)
	}
	results := &results.Results{
		Schema:   results.SchemaName,
		Manifest: newManifest(claims, o),
		Tool:     ThisTool(),
		Run: results.Run{Effort: o.Effort, Seed: o.Seed, Jobs: o.Jobs, Started: started.UTC().Truncate(time.Second),
			WallSeconds: time.Since(started).Seconds(), Shard: "1/1", Interrupted: interrupted, Budget: o.Budget},
		Claims:      rows,
		Calibration: calibration,
	}
	results.Conclude()
	return results
}

// verifyClaims makes the rows of claims.
func verifyClaims(ctx context.Context, claims []Claim, o Options) []results.Claim {
	r := &run{Options: o, ctx: ctx, pool: newPool(o.Jobs)}
	rows := make([]results.Claim, len(claims))
	// No more claims at a time than cells: claims finish one after the other, and an interruption finds most of
	// them either done or not begun. Every claim gets its row, also after the interruption.
	newPool(o.Jobs).each(context.WithoutCancel(ctx), len(claims), func(i int) func() {
		row := r.claim(claims[i])
		return func() {
			rows[i] = row
			r.report(Event{Claim: row.ID, Finished: &rows[i]})
		}
	})
	return rows
}
