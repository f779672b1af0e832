package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// Set is a data set to run on.
type Set struct {
	Name string
	Data *data.Dataset
}

// Options say what to run.
type Options struct {
	Names    []string // of experiments; nil for all
	Sets     []Set    // in the order of the report
	Skipped  []string // sentences about data sets that are not there, for the report
	Effort   props.Effort
	Seed     uint64
	Jobs     int    // cells at a time; the results do not depend on it
	Cache    *Cache // nil for none
	Progress func(done, total int, cell Cell, cached bool)
}

// SyntheticSet draws the built-in data set, which stands in where real ones are missing.
func SyntheticSet(seed uint64) Set {
	return Set{"synthetic", data.Synthetic(streams.New(seed, "experiment", "synthetic"), 3000, 1500)}
}

// cells is what a run has computed so far.
type cells struct {
	mu         sync.Mutex
	curves     map[Cell]Curve
	covariance map[Cell]CovarianceRun
	newton     map[Cell]NewtonSchulzRun
}

// Run runs the experiments and judges them. When the context ends it returns what there is, with verdicts incomplete
// where runs are missing, and no error.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Names == nil {
		o.Names = Names
	}
	if o.Cache == nil {
		o.Cache, _ = OpenCache("")
	}
	var names []string
	sets := map[string]Set{}
	for _, s := range o.Sets {
		names = append(names, s.Name)
		sets[s.Name] = s
	}
	r := &runner{Options: o, sets: sets, tasks: map[string]func() task{}, kernel: kernel()}
	r.cells = cells{curves: map[Cell]Curve{}, covariance: map[Cell]CovarianceRun{}, newton: map[Cell]NewtonSchulzRun{}}
	for _, s := range o.Sets {
		for _, side := range []int{sizes[o.Effort].Cell, sizes[o.Effort].Fine} {
			r.tasks[fmt.Sprint(s.Name, side)] = sync.OnceValue(func() task {
				return newTask(streams.New(o.Seed, "experiment", "split", s.Name), s.Data, sizes[o.Effort], side)
			})
		}
	}
	planned := plan(o.Names, names, o.Effort)
	if err := r.all(ctx, planned); err != nil {
		return nil, err
	}
	return r.result(names, ctx.Err() != nil), nil
}

// runner is one run in progress.
type runner struct {
	Options
	cells
	sets   map[string]Set
	tasks  map[string]func() task
	kernel string
	done   int
}

// all runs the cells, Jobs at a time, until the context ends or one breaks.
func (r *runner) all(ctx context.Context, planned []Cell) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan Cell)
	var workers sync.WaitGroup
	for range max(1, r.Jobs) {
		workers.Go(func() {
			for cell := range queue {
				if err := r.one(ctx, cell, len(planned)); err != nil && ctx.Err() == nil {
					cancel(fmt.Errorf("experiment: %s: %w", cell, err))
				}
			}
		})
	}
	for _, cell := range planned {
		if ctx.Err() != nil {
			break
		}
		queue <- cell
	}
	close(queue)
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil && cause != context.Canceled && cause != context.DeadlineExceeded {
		return cause
	}
	return nil
}

// one runs a cell, or takes it from the cache.
func (r *runner) one(ctx context.Context, c Cell, total int) error {
	s := sizes[r.Effort]
	key := keyOf(c, s, r.Seed, r.sets[c.Dataset].Name, r.kernel)
	stream := func(label string) *rand.Rand {
		return streams.New(r.Seed, "experiment", c.Experiment, c.Dataset, string(c.Network), strconv.Itoa(c.Seed),
			label)
	}
	cached, err := false, error(nil)
	switch c.Experiment {
	case Training:
		t := r.tasks[fmt.Sprint(c.Dataset, s.Cell)]
		cached, err = cell(r, c, key, r.curves, func() (Curve, error) { return c.train(ctx, t(), s, stream) })
	case Covariance:
		t := r.tasks[fmt.Sprint(c.Dataset, s.Fine)]
		cached, err = cell(r, c, key, r.covariance,
			func() (CovarianceRun, error) { return runCovariance(ctx, t(), s, stream) })
	case NewtonSchulz:
		t := r.tasks[fmt.Sprint(c.Dataset, s.Cell)]
		cached, err = cell(r, c, key, r.newton,
			func() (NewtonSchulzRun, error) { return runNewtonSchulz(ctx, t(), s, stream) })
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.Progress != nil {
		r.Progress(r.done, total, c, cached)
	}
	return nil
}

// cell puts the value of a cell into its map.
func cell[T any](r *runner, c Cell, key string, into map[Cell]T, compute func() (T, error)) (cached bool, err error) {
	var value T
	if cached = r.Cache.get(key, &value); !cached {
		if value, err = compute(); err == nil {
			err = r.Cache.put(key, c, value)
		}
	}
	if err == nil {
		r.mu.Lock()
		into[c] = value
		r.mu.Unlock()
	}
	return cached, err
}
