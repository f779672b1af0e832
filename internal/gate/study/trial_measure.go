package study

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/counter"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
)

// MeasureTrial measures by counts what the data of a trial lack, and appends it to them round by round.
func MeasureTrial(ctx context.Context, path, commit string, note func(string)) error {
	return measureTrial(ctx, path, commit, note, append(stages(planted), stages(nulls)...))
}

// MeasureTime measures by time what they lack, on a machine that should do nothing else.
func MeasureTime(ctx context.Context, path, commit string, note func(string)) error {
	return measureTrial(ctx, path, commit, note, stages(byTime))
}

func measureTrial(ctx context.Context, path, commit string, note func(string), all []subject) (err error) {
	count, err := counter.Find(ctx, false)
	if err != nil {
		return err
	}
	scratch, err := measure.NewScratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	plan := CountPlan{Format: trialFormat, Seed: 1, Benchtime: "20ms", Counter: count.String(), Machine: machine(),
		Commit: commit, Started: time.Now().UTC().Truncate(time.Second)}
	text, err := begin(path, plan)
	if err != nil {
		return err
	}
	d, err := ReadTrial(text)
	if err != nil {
		return err
	}
	for _, s := range all {
		whole, err := d.complete(s)
		if err != nil {
			return err
		}
		if whole {
			continue
		}
		t := trial{subject: s, data: d, to: path, note: note, scratch: scratch.Dir,
			count: &measure.Instructions{Counter: count, Limit: 10 * time.Minute}}
		if err := t.measure(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.module, err)
		}
	}
	return nil
}

// machine describes where is measured.
func machine() string {
	facts := []string{runtime.Version()}
	for _, fact := range append(measure.Machine(), [2]string{"frequency", measure.Frequency()}) {
		facts = append(facts, fact[0]+" "+fact[1])
	}
	return strings.Join(facts, ", ")
}

// begin reads the data of a study, after writing its plan where there are none.
func begin(path string, plan CountPlan) ([]byte, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if err := appendLines(path, []any{plan}); err != nil {
			return nil, err
		}
	}
	return ReadPacked(path)
}

// appendLines appends values to a compressed file, one a line, in one piece: such files can be put one after the other.
func appendLines(path string, values []any) error {
	var text bytes.Buffer
	z := gzip.NewWriter(&text)
	for _, v := range values {
		if err := json.NewEncoder(z).Encode(v); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text.Bytes())
	return errors.Join(err, file.Close())
}

// trial is the measurement of one module.
type trial struct {
	subject
	data    *TrialData // so far
	to      string     // the file of the data
	count   *measure.Instructions
	note    func(string)
	scratch string
	source  measure.Package
	flags   []string // of the build
}

// fetch copies a module from the module proxy to a directory, and adds its benchmarks. One without a version has no
// more than these.
func (t *trial) fetch(ctx context.Context) error {
	dir := filepath.Join(t.scratch, strings.ReplaceAll(t.module+"/"+t.stage, "/", "-"))
	t.source = measure.Package{ImportPath: t.path(), Dir: filepath.Join(dir, t.pkg)}
	if t.version == "" {
		return errors.Join(os.Mkdir(dir, 0o755),
			os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+t.module+"\n\ngo 1.24\n"), 0o644),
			os.WriteFile(filepath.Join(dir, t.file), []byte("package trial\n"), 0o644), t.addBenchmarks())
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", t.module+"@"+t.version)
	cmd.Dir = t.scratch
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go mod download: %w: %s", err, out)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(found.Dir)); err != nil || t.added == "" {
		return err
	}
	return t.addBenchmarks()
}

// addBenchmarks writes those that the package does not have.
func (t *trial) addBenchmarks() error {
	code, err := os.ReadFile(filepath.Join(t.source.Dir, t.file))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.source.Dir, "trial_test.go"), []byte(clause(code)+"\n\n"+t.added), 0o644)
}

// clause is the line of a file that names its package.
func clause(code []byte) string {
	at := bytes.Index(append([]byte("\n"), code...), []byte("\npackage "))
	line, _, _ := strings.Cut(string(code[max(at, 0):]), "\n")
	return line
}

// plant returns the code of the function's file with a change, and that of a file beside it, if the change has one. The
// work is a loop of so many steps, in a function of its own that is not inlined.
func (s subject) plant(code string, p planting, steps int) (changed, beside string, err error) {
	call := ""
	switch {
	case p.name == anotherComment:
		changed = "// What follows is as it was.\n" + code
	case p.name == anotherForm:
		changed = strings.Replace(code, s.form, s.another, 1)
	case p.name == anotherFunction:
		changed = strings.Replace(code, "\n"+s.function+"\n", "\nfunc trialMore(x uint32) uint32 { return 3*x + 1 }\n\n"+
			"var TrialMore = trialMore // so that it is linked\n\n"+s.function+"\n", 1)
	case p.name == oneAllocation:
		call, beside = "trialKept = new([16]byte)", "var trialKept *[16]byte\n"
	default:
		call, beside = "trialWork()", fmt.Sprintf("//go:noinline\nfunc trialWork() (x uint32) {\n"+
			"\tfor i := uint32(0); i < %d; i++ {\n\t\tx = 3*x + i\n\t}\n\treturn x\n}\n", steps)
	}
	if call != "" {
		changed = strings.Replace(code, "\n"+s.function+"\n", "\n"+s.function+"\n\t"+call+"\n", 1)
		beside = clause([]byte(code)) + "\n\n" + beside
	}
	if changed == code {
		return "", "", fmt.Errorf("%s of %s %s is not as the trial has it: %s", s.file, s.module, s.version, p.name)
	}
	return changed, beside, nil
}

// build builds the test binary of an arm. The source is as it was afterwards.
func (t *trial) build(ctx context.Context, arm string, p planting, steps int) (bin measure.Binary, err error) {
	at, extra := filepath.Join(t.source.Dir, t.file), filepath.Join(t.source.Dir, "trial_work.go")
	code, err := os.ReadFile(at)
	if err != nil {
		return bin, err
	}
	flags := t.flags
	if seed, ok := strings.CutPrefix(p.name, linkerOrder); ok {
		flags = append(slices.Clone(flags), "-ldflags=-randlayout="+seed)
	} else if p.name != unchanged {
		var changed, beside string
		if changed, beside, err = t.plant(string(code), p, steps); err != nil {
			return bin, err
		}
		defer func() { err = errors.Join(err, os.WriteFile(at, code, 0o644), os.RemoveAll(extra)) }()
		if err := os.WriteFile(at, []byte(changed), 0o644); err != nil {
			return bin, err
		}
		if beside != "" {
			if err := os.WriteFile(extra, []byte(beside), 0o644); err != nil {
				return bin, err
			}
		}
	}
	t.note("building " + t.module + ", " + arm)
	bin = measure.Binary{Arm: arm, Package: t.source, Path: filepath.Join(t.source.Dir+".bin", arm+".test")}
	return bin, measure.Build(ctx, t.source, bin.Path, flags...)
}

// instructions is the median of a few counts of the benchmark that is changed.
func (t *trial) instructions(ctx context.Context, bin measure.Binary) (float64, error) {
	var counts []float64
	for range 3 {
		s, err := measure.Take(ctx, bin, t.benchmarks()[0], 0, "1x")
		if err == nil && s.Result != nil {
			err = t.count.Add(ctx, bin, &s)
		}
		if err = cmp.Or(err, because(s.Fail+s.Uncounted)); err != nil {
			return 0, err
		}
		x, _ := s.Result.Value(measure.InstructionUnit)
		counts = append(counts, x)
	}
	return number.Median(counts), nil
}

func because(reason string) error {
	if reason == "" {
		return nil
	}
	return errors.New(reason)
}

// calibrations are the numbers of steps from which is found what one costs, and what the call does: a function that
// calls another can have its registers allocated otherwise.
var calibrations = [2]int{1000, 11000}

// arms builds all versions: the old code twice, and one for each planting, with as many steps as make its share. A
// trial that goes on has the steps that it had.
func (t *trial) arms(ctx context.Context, steps map[string]int) ([]measure.Binary, error) {
	old, err := t.build(ctx, diff.Old, planting{unchanged, 0}, 0)
	if err != nil {
		return nil, err
	}
	again := old
	again.Arm, again.Path = diff.Again, old.Path+".again"
	if err := measure.CopyBinary(again.Path, old.Path); err != nil {
		return nil, err
	}
	if len(steps) == 0 && t.stage != nulls {
		if err := t.calibrate(ctx, old, steps); err != nil {
			return nil, err
		}
	}
	all := []measure.Binary{old, again}
	for _, p := range t.plantings() {
		bin, err := t.build(ctx, p.name, p, steps[p.name])
		if err != nil {
			return nil, err
		}
		all = append(all, bin)
	}
	return all, nil
}

// calibrate finds the steps of each planting.
func (t *trial) calibrate(ctx context.Context, old measure.Binary, steps map[string]int) error {
	base, err := t.instructions(ctx, old)
	if err != nil {
		return err
	}
	var with [2]float64
	for i, n := range calibrations {
		name := fmt.Sprintf("calibration %d", i+1)
		bin, err := t.build(ctx, name, planting{name, 0}, n)
		if err != nil {
			return err
		}
		if with[i], err = t.instructions(ctx, bin); err != nil {
			return err
		}
	}
	step := (with[1] - with[0]) / float64(calibrations[1]-calibrations[0])
	call := with[0] - base - step*float64(calibrations[0])
	for _, p := range plantings {
		if p.share == 0 {
			continue
		}
		if steps[p.name] = int(math.Ceil((p.share*base - call) / step)); !(step > 0) || steps[p.name] < 1 {
			return fmt.Errorf("%s cannot be planted into %s: of %.0f instructions a call takes %.0f and a step %.1f", p.name,
				t.touched, base, call, step)
		}
	}
	return nil
}

// measure takes the first look of all benchmarks, and the second one of what a comparison leaves open.
func (t *trial) measure(ctx context.Context) error {
	if err := t.fetch(ctx); err != nil {
		return err
	}
	hooks, err := measure.Hooked(ctx, t.source.Dir, t.scratch)
	if err != nil {
		return err
	}
	t.flags = []string{hooks}
	steps := map[string]int{}
	for _, stage := range []string{planted, t.stage} {
		if have := t.data.rounds(at(stage)(t.subject)); len(have) > 0 {
			steps = have[0].Steps
		}
	}
	bins, err := t.arms(ctx, steps)
	if err != nil {
		return err
	}
	benchmarks, looks, further, benchtime := t.benchmarks(), t.looks(), false, t.data.Plan.Benchtime
	counting := t.count
	switch t.stage {
	case nulls:
		benchtime = "1x" // its time is not kept
	case byTime:
		benchtime, counting = "200ms", nil // as benchgate diff has it
	}
	for round := len(t.data.rounds(t.subject)); round < looks[1]; round++ {
		if round >= looks[0] && !further {
			var arms []string
			further = true
			if benchmarks, arms, err = t.data.open(t.subject); err != nil || len(benchmarks) == 0 {
				return err
			}
			bins = slices.DeleteFunc(bins, func(b measure.Binary) bool { return !slices.Contains(arms, b.Arm) })
		}
		t.note(fmt.Sprintf("measuring %s, round %d of %d", t.module, round+1, looks[1]))
		began := time.Now()
		session := measure.Session{Binaries: bins, Seed: t.data.Plan.Seed, Benchtime: benchtime, Count: counting}
		samples, err := session.Take(ctx, benchmarks, round, round+1)
		if err != nil {
			return err
		}
		r := TrialRound{Module: t.module, Round: round, Seconds: time.Since(began).Seconds(), Load: measure.LoadAverage(),
			Stage: t.stage, Steps: steps, Samples: list.Map(samples, t.trialSample)}
		t.data.Rounds = append(t.data.Rounds, r)
		if err := appendLines(t.to, []any{r}); err != nil {
			return err
		}
	}
	return nil
}
