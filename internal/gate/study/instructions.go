package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
	"github.com/thm-suite/thm/internal/gate/measure/counter"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/internal/strictjson"
)

// plant is a benchmark that can be slowed down.
type plant struct {
	folder, name string
	iterations   int
}

// planted are the benchmarks of the study of instructions, with the iterations over which each is counted: multiples of
// a hundred, so that one per cent more is a whole number. The last two work with modules that others wrote.
var planted = []plant{
	{workload, "Plant/sort", 300},
	{workload, "Plant/sha256", 200},
	{workload, "Plant/format", 300},
	{modules, "Plant/x-text", 300},
	{modules, "Plant/klauspost", 1500},
}

// modules is the folder of a module of its own, whose requirements are not ours.
const modules = "./internal/gate/study/testdata/modules"

// Slowdowns are those of the places in a round: the unchanged code twice, as a comparison has it, and slowed down.
var Slowdowns = []float64{0, 0, 0.01, 0.02, 0.05}

// firstLook is the number of rounds after which a count is first looked at, as in benchgate diff.
const firstLook = 3

// lookRounds is the number of rounds of the second look: two more than the fewest that the level needs, as in benchgate
// diff.
func lookRounds() int {
	return blocks.Minimum(blocks.Share(compare.DefaultPolicy().Alpha, len(planted), 2)) + 2
}

// countSlot is a sample: of the unchanged and slowed code, or of a twin.
type countSlot struct {
	Name  string `json:"name"`
	Round int    `json:"round"`
	Place int    `json:"place"`          // among the slowdowns
	Twin  int    `json:"twin,omitempty"` // its number; 0 for no twin
}

// Counting is one sample of the study of instructions.
type Counting struct {
	countSlot
	Instructions float64 `json:"instructions"`
	Nanoseconds  float64 `json:"ns"`
	Load         float64 `json:"load"`
}

// CountPlan is how the study of instructions is made. It stands in the first line of its data.
type CountPlan struct {
	Format    string    `json:"format"`
	Seed      uint64    `json:"seed"`
	Benchtime string    `json:"benchtime"` // of the samples of time
	Jobs      int       `json:"jobs"`      // samples that were taken at the same time, at most
	Counter   string    `json:"counter"`
	Machine   string    `json:"machine"`
	Commit    string    `json:"commit"`
	Started   time.Time `json:"started"`
}

// agrees reports whether samples of two plans may stand in one study.
func (p CountPlan) agrees(q CountPlan) bool {
	p.Commit, p.Started, p.Jobs = q.Commit, q.Started, q.Jobs
	return p == q
}

const countFormat = "thm.study.instructions/v1"

// counting is a study of instructions as it goes on.
type counting struct {
	Options
	counter counter.Counter
	dir     string
	bins    map[string]measure.Binary // of the unchanged code, by folder

	mu    sync.Mutex
	file  *os.File
	have  []Counting
	built map[int]measure.Binary // of the twins that are not the same binary
}

// Count measures rounds of counts and times: in each every benchmark and slowdown once and the twins whose turn it is,
// in random order; then further rounds of the twins that three leave undecided, as benchgate diff does. A line of the
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
	plan := CountPlan{Format: countFormat, Seed: o.Seed, Benchtime: o.Benchtime, Jobs: o.Jobs, Counter: c.String(),
		Machine: machine(config), Commit: commit, Started: time.Now().UTC().Truncate(time.Second)}
	file, have, err := openCounts(o.Data, plan)
	if err != nil {
		return err
	}
	defer file.Close()
	s := &counting{Options: o, counter: c, dir: scratch.Dir, bins: bins, file: file, have: have,
		built: map[int]measure.Binary{}}
	if err := s.take(ctx, countSchedule(o.Seed, o.Rounds)); err != nil {
		return err
	}
	return s.take(ctx, furtherSchedule(o.Seed, openTwins(s.have)))
}

// take takes those samples that are missing, so many at the same time as there are jobs.
func (s *counting) take(ctx context.Context, slots []countSlot) error {
	slots = slices.DeleteFunc(slots, func(x countSlot) bool {
		return slices.ContainsFunc(s.have, func(c Counting) bool { return c.countSlot == x })
	})
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan countSlot)
	var workers sync.WaitGroup
	n := s.instructions()
	for range max(1, s.Jobs) {
		workers.Go(func() {
			for slot := range next {
				if err := s.sample(ctx, n, slot); err != nil {
					cancel(err)
				}
			}
		})
	}
	began := time.Now()
	for i, slot := range slots {
		s.report(i, len(slots), time.Since(began))
		select {
		case next <- slot:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

func (s *counting) report(done, planned int, spent time.Duration) {
	if s.Progress == nil {
		return
	}
	left := time.Duration(0)
	if done > 0 {
		left = spent / time.Duration(done) * time.Duration(planned-done)
	}
	s.Progress(done, planned, left)
}

// instructions count over the iterations of planted.
func (s *counting) instructions() *measure.Instructions {
	n := &measure.Instructions{Counter: s.counter, Limit: 30 * time.Minute}
	for _, p := range planted {
		n.Adopt([]measure.Sample{{Benchmark: s.benchmark(p.folder, p.name), Counted: p.iterations}})
	}
	return n
}

func (s *counting) benchmark(folder, name string) measure.Benchmark {
	return measure.Benchmark{Package: s.bins[folder].Package.ImportPath, Name: name}
}

// sample takes one sample, and keeps it.
func (s *counting) sample(ctx context.Context, n *measure.Instructions, slot countSlot) error {
	p := planted[slices.IndexFunc(planted, func(p plant) bool { return p.name == slot.Name })]
	bin, err := s.binary(ctx, p.folder, slot.Twin)
	if err != nil {
		return err
	}
	bin.Env = []string{"THM_STUDY_PLANT=" + strconv.FormatFloat(Slowdowns[slot.Place], 'g', -1, 64)}
	taken, err := measure.Take(ctx, bin, s.benchmark(p.folder, p.name), slot.Round, s.Benchtime)
	if err == nil && taken.Fail == "" {
		err = n.Add(ctx, bin, &taken)
	}
	if err != nil {
		return err
	}
	if why := taken.Fail + taken.Uncounted; why != "" {
		return fmt.Errorf("%s: %s", p.name, why)
	}
	instructions, _ := taken.Result.Value(measure.InstructionUnit)
	seconds, _ := taken.Result.Value("sec/op")
	return s.keep(Counting{slot, instructions, nanoseconds(seconds), taken.Load})
}

// binary is that of the unchanged code or of a twin, which is built when it is first needed.
func (s *counting) binary(ctx context.Context, folder string, twin int) (measure.Binary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bin, built := s.built[twin]
	switch {
	case twinKind(twin) == identical: // also the unchanged code itself, which has the number 0
		return s.bins[folder], nil
	case built:
		return bin, nil
	}
	bin, err := buildTwin(ctx, s.bins[folder], twin, s.dir)
	s.built[twin] = bin
	return bin, err
}

func (s *counting) keep(c Counting) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have = append(s.have, c)
	return errors.Join(json.NewEncoder(s.file).Encode(c), s.file.Sync())
}

// countSchedule are the slots of rounds, each round in a random order of its own.
func countSchedule(seed uint64, rounds int) (all []countSlot) {
	for round := range rounds {
		all = append(all, mixed(seed, round, roundSlots(round))...)
	}
	return all
}

// roundSlots are those of a round: every benchmark at every place, and the twins whose turn it is.
func roundSlots(round int) (slots []countSlot) {
	for _, p := range planted {
		for place := range Slowdowns {
			slots = append(slots, countSlot{Name: p.name, Round: round, Place: place})
		}
	}
	for i, p := range planted {
		for _, t := range twinsOf(i, round) {
			slots = append(slots, countSlot{Name: p.name, Round: round, Twin: t})
		}
	}
	return slots
}

// furtherRound is the first of the rounds that only undecided comparisons of twins have.
const furtherRound = 1000

// furtherSchedule are the slots that undecided comparisons lack for a second look.
func furtherSchedule(seed uint64, open []twinComparison) (all []countSlot) {
	for round := furtherRound; round < furtherRound+lookRounds()-firstLook; round++ {
		var slots []countSlot
		for _, c := range open {
			for _, a := range c.arms {
				if slot := a.slot(c.name, round); !slices.Contains(slots, slot) {
					slots = append(slots, slot)
				}
			}
		}
		all = append(all, mixed(seed, round, slots)...)
	}
	return all
}

func mixed(seed uint64, round int, slots []countSlot) []countSlot {
	rng := streams.New(seed, "study", "instructions", strconv.Itoa(round))
	rng.Shuffle(len(slots), func(i, k int) { slots[i], slots[k] = slots[k], slots[i] })
	return slots
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
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	whole := wholeLines(text)
	if len(whole) > 0 {
		var was CountPlan
		if was, have, err = ReadCounts(whole); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		if !was.agrees(plan) {
			return nil, nil, fmt.Errorf("%s was begun with another plan; choose another directory", path)
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, err
	}
	if err := file.Truncate(int64(len(whole))); err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	if len(whole) == 0 {
		err = json.NewEncoder(file).Encode(plan)
	}
	return file, have, err
}

// wholeLines are those with an end: a line without one was torn by an interruption.
func wholeLines(text []byte) []byte { return text[:bytes.LastIndexByte(text, '\n')+1] }

// ReadCounts reads the data of a study of instructions.
func ReadCounts(text []byte) (plan CountPlan, all []Counting, err error) {
	for i, line := range bytes.Split(bytes.TrimSpace(wholeLines(text)), []byte("\n")) {
		if i == 0 {
			err = strictjson.Decode(line, &plan)
			if err == nil && plan.Format != countFormat {
				err = fmt.Errorf("the format is %q and not %s", plan.Format, countFormat)
			}
		} else {
			var c Counting
			if err = strictjson.Decode(line, &c); err == nil {
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
	known := slices.ContainsFunc(planted, func(p plant) bool { return p.name == c.Name })
	if !known || c.Place < 0 || c.Place >= len(Slowdowns) || c.Round < 0 || c.Twin < 0 || c.Twin > twins ||
		!(c.Instructions > 0) || !(c.Nanoseconds > 0) {
		return fmt.Errorf("%+v is no sample", c)
	}
	return nil
}
