package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/thm-suite/thm/bench/gate/measure"
	"github.com/thm-suite/thm/bench/gate/measure/counter"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/internal/strictjson"
)

// planted are the benchmarks of the study of instructions, with the iterations over which each is counted: multiples of
// a hundred, so that one per cent more is a whole number. The last two work with modules that others wrote.
var planted = []struct {
	folder, name string
	iterations   int
}{
	{workload, "Plant/sort", 300},
	{workload, "Plant/sha256", 200},
	{workload, "Plant/format", 300},
	{modules, "Plant/x-text", 300},
	{modules, "Plant/klauspost", 5000},
}

// modules is the folder of a module of its own, whose requirements are not ours.
const modules = "./bench/gate/study/testdata/modules"

// Slowdowns are those of the samples of a round: the unchanged code three times, as a comparison has it, and slowed
// down.
var Slowdowns = []float64{0, 0, 0, 0.01, 0.02, 0.05}

// Counting is one sample of the study of instructions.
type Counting struct {
	Name         string  `json:"name"`
	Round        int     `json:"round"`
	Place        int     `json:"place"` // among the slowdowns
	Instructions float64 `json:"instructions"`
	Nanoseconds  float64 `json:"ns"`
	Load         float64 `json:"load"`
}

// CountPlan is how the study of instructions is made. It stands in the first line of its data.
type CountPlan struct {
	Format    string    `json:"format"`
	Seed      uint64    `json:"seed"`
	Benchtime string    `json:"benchtime"` // of the samples of time
	Counter   string    `json:"counter"`
	Machine   string    `json:"machine"`
	Commit    string    `json:"commit"`
	Started   time.Time `json:"started"`
}

const countFormat = "thm.study.instructions/v1"

// Count measures rounds of counts and times: in each every benchmark and slowdown once, in random order. A line of the
// file is a sample; a study that was interrupted goes on.
func Count(ctx context.Context, o Options) error {
	c, err := counter.Find(ctx, false)
	if err != nil {
		return err
	}
	scratch, err := measure.NewScratch()
	if err != nil {
		return err
	}
	defer func() { _ = scratch.Remove() }()
	bins, config, err := plantedBinaries(ctx, o.Root, scratch.Dir)
	if err != nil {
		return err
	}
	commit, dirty := measure.Revision(ctx, o.Root)
	if dirty {
		commit += " and changes"
	}
	plan := CountPlan{Format: countFormat, Seed: o.Seed, Benchtime: o.Benchtime, Counter: c.String(),
		Machine: machine(config), Commit: commit, Started: time.Now().UTC().Truncate(time.Second)}
	file, have, err := openCounts(o.Data, plan)
	if err != nil {
		return err
	}
	defer file.Close()
	n := &measure.Instructions{Counter: c, Limit: 5 * time.Minute}
	for _, p := range planted {
		n.Adopt([]measure.Sample{{Benchmark: measure.Benchmark{Package: bins[p.folder].Package.ImportPath, Name: p.name},
			Counted: p.iterations}})
	}
	return countRounds(ctx, o, n, bins, file, have)
}

// countRounds takes what is missing.
func countRounds(ctx context.Context, o Options, n *measure.Instructions, bins map[string]measure.Binary, file *os.File,
	have []Counting) error {
	lines := json.NewEncoder(file)
	for i, s := range countSchedule(o.Seed, o.Rounds) {
		if slices.ContainsFunc(have, func(c Counting) bool {
			return c.Name == planted[s.benchmark].name && c.Round == s.round && c.Place == s.place
		}) {
			continue
		}
		if o.Progress != nil {
			o.Progress(i, o.Rounds*len(planted)*len(Slowdowns), 0)
		}
		p := planted[s.benchmark]
		bin := bins[p.folder]
		bin.Env = []string{"THM_STUDY_PLANT=" + strconv.FormatFloat(Slowdowns[s.place], 'g', -1, 64)}
		b := measure.Benchmark{Package: bin.Package.ImportPath, Name: p.name}
		sample, err := measure.Take(ctx, bin, b, s.round, o.Benchtime)
		if err == nil && sample.Fail == "" {
			err = n.Add(ctx, bin, &sample)
		}
		if err != nil {
			return err
		}
		if why := sample.Fail + sample.Uncounted; why != "" {
			return fmt.Errorf("%s: %s", p.name, why)
		}
		instructions, _ := sample.Result.Value(measure.InstructionUnit)
		seconds, _ := sample.Result.Value("sec/op")
		if err := errors.Join(lines.Encode(Counting{p.name, s.round, s.place, instructions, nanoseconds(seconds),
			sample.Load}), file.Sync()); err != nil {
			return err
		}
	}
	return nil
}

// countSlot is one sample to take.
type countSlot struct{ benchmark, round, place int }

func countSchedule(seed uint64, rounds int) (all []countSlot) {
	for round := range rounds {
		rng := streams.New(seed, "study", "instructions", strconv.Itoa(round))
		for _, k := range rng.Perm(len(planted) * len(Slowdowns)) {
			all = append(all, countSlot{k % len(planted), round, k / len(planted)})
		}
	}
	return all
}

// plantedBinaries builds the test binaries, by folder.
func plantedBinaries(ctx context.Context, root, dir string) (map[string]measure.Binary, [][2]string, error) {
	bins := map[string]measure.Binary{}
	var config [][2]string
	for i, folder := range []string{workload, modules} {
		at := filepath.Join(root, folder)
		found, err := measure.Packages(ctx, at, ".")
		if err != nil {
			return nil, nil, fmt.Errorf("%w; a study needs the source of this module, run it at its root", err)
		}
		bin := measure.Binary{Package: found[0], Path: filepath.Join(dir, fmt.Sprintf("%d.test", i))}
		if err := measure.Build(ctx, bin.Package, bin.Path); err != nil {
			return nil, nil, err
		}
		if config, err = measure.BuildConfig(bin.Path); err != nil {
			return nil, nil, err
		}
		bins[folder] = bin
	}
	return bins, config, nil
}

// openCounts begins a file or goes on with one, and returns what it holds.
func openCounts(path string, plan CountPlan) (*os.File, []Counting, error) {
	var have []Counting
	text, err := os.ReadFile(path)
	if err == nil {
		var was CountPlan
		if was, have, err = ReadCounts(text); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		if was.Seed != plan.Seed || was.Benchtime != plan.Benchtime || was.Counter != plan.Counter ||
			was.Machine != plan.Machine {
			return nil, nil, fmt.Errorf("%s was begun with another plan; choose another directory", path)
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil || len(text) > 0 {
		return file, have, err
	}
	return file, nil, json.NewEncoder(file).Encode(plan)
}

// ReadCounts reads the data of a study of instructions.
func ReadCounts(text []byte) (plan CountPlan, all []Counting, err error) {
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if i == 0 {
			err = strictjson.Decode([]byte(line), &plan)
			if err == nil && plan.Format != countFormat {
				err = fmt.Errorf("the format is %q and not %s", plan.Format, countFormat)
			}
		} else {
			var c Counting
			if err = strictjson.Decode([]byte(line), &c); err == nil {
				err = c.valid()
			}
			all = append(all, c)
		}
		if err != nil {
			return plan, nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return plan, all, nil
}

func (c Counting) valid() error {
	if c.Place < 0 || c.Place >= len(Slowdowns) || c.Round < 0 || !(c.Instructions > 0) || !(c.Nanoseconds > 0) {
		return fmt.Errorf("%+v is no sample", c)
	}
	return nil
}

// shuffled are numbers in random order.
func shuffled(rng *rand.Rand, x []float64) []float64 {
	out := slices.Clone(x)
	rng.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out
}
