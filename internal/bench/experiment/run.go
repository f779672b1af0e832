package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Options say how to run an experiment.
type Options struct {
	Sets     []Set    // those of the experiment that are here, in the order of the report
	Skipped  []string // sentences about data sets that are not, for the report
	Effort   props.Effort
	Seed     uint64
	Jobs     int                                                      // cells at a time; the results do not depend on it
	Cache    *Cache                                                   // nil for none
	Progress func(done, planned int, left time.Duration, cell string) // of one cell at a time; nil for none
}

// Env holds everything that a cell may depend on besides itself.
type Env struct {
	Seed   uint64
	sets   map[string]*data.Dataset
	mu     sync.Mutex
	shared map[string]func() (any, error)
}

// NewEnv is the environment of cells that are computed outside of a run.
func NewEnv(seed uint64, sets ...Set) *Env {
	env := &Env{Seed: seed, sets: map[string]*data.Dataset{}, shared: map[string]func() (any, error){}}
	for _, s := range sets {
		env.sets[s.Name] = s.Data
	}
	return env
}

// Set returns a data set of the run.
func (e *Env) Set(name string) (*data.Dataset, error) {
	set, there := e.sets[name]
	if !there {
		return nil, fmt.Errorf("experiment: the run has no data set %q", name)
	}
	return set, nil
}

// Prepared returns what prepare makes of a data set of the run. It is called once for all cells that ask for the key.
func Prepared[T any](env *Env, dataset, key string, prepare func(*data.Dataset) (T, error)) (T, error) {
	set, err := env.Set(dataset)
	if err != nil {
		var none T
		return none, err
	}
	env.mu.Lock()
	once, known := env.shared[key+dataset]
	if !known {
		once = sync.OnceValues(func() (any, error) { return prepare(set) })
		env.shared[key+dataset] = once
	}
	env.mu.Unlock()
	value, err := once()
	return value.(T), err
}

// Run runs the cells of an experiment and judges them. When the context ends it returns what there is, with verdicts
// incomplete where runs are missing, and no error.
func (e Experiment) Run(ctx context.Context, o Options) (*Result, error) {
	if o.Cache == nil {
		o.Cache, _ = OpenCache("")
	}
	datasets := namesOf(o.Sets)
	r := &runner{Options: o, cells: e.plan(o.Effort, datasets), env: NewEnv(o.Seed, o.Sets...),
		began: time.Now()}
	r.runs = make([]*RawRun, len(r.cells))
	kernel := props.ThisTool().Kernel
	for _, c := range r.cells {
		r.keys = append(r.keys, e.key(c, o.Effort, o.Seed, kernel))
	}
	if err := r.all(ctx); err != nil {
		return nil, err
	}
	out := &Result{Schema: SchemaName, Experiment: e.Name, Tool: props.ThisTool(),
		Skipped: append([]string{}, o.Skipped...), Runs: []RawRun{},
		Run: Setting{Effort: o.Effort, Seed: o.Seed, Datasets: datasets, Sizes: encoded(e.sizes(o.Effort)),
			Alpha: Alpha, Cells: results.Count{Planned: len(r.cells), Run: r.done}, Interrupted: ctx.Err() != nil}}
	for _, run := range r.runs {
		if run != nil {
			out.Runs = append(out.Runs, *run)
		}
	}
	_, err := e.Judge(out)
	return out, err
}

// runner is one run in progress.
type runner struct {
	Options
	env            *Env
	cells          []planned
	keys           []string
	began          time.Time
	mu             sync.Mutex
	runs           []*RawRun // nil where there is none yet
	done, computed int
}

// all runs the cells, Jobs at a time, until the context ends or one breaks.
func (r *runner) all(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range max(1, r.Jobs) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(r.cells) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := r.one(ctx, i); err != nil && ctx.Err() == nil {
					cancel(fmt.Errorf("experiment: %s: %w", r.cells[i].name, err))
				}
			}
		})
	}
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, ctx.Err()) {
		return cause
	}
	return nil
}

// one runs a cell, or takes it from the cache.
func (r *runner) one(ctx context.Context, i int) error {
	c := r.cells[i]
	value, cached := r.Cache.get(r.keys[i])
	if !cached {
		trained, err := c.train(ctx, r.env)
		if err != nil {
			return err
		}
		if value, err = r.Cache.put(r.keys[i], c.name, trained); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs[i] = &RawRun{Cell: c.cell, Value: value}
	if r.done++; !cached {
		r.computed++
	}
	if r.Progress != nil {
		left := time.Duration(0) // unknown, as long as all came from the cache
		if r.computed > 0 {
			left = time.Since(r.began) / time.Duration(r.computed) * time.Duration(len(r.cells)-r.done)
		}
		r.Progress(r.done, len(r.cells), left, c.name)
	}
	return nil
}
