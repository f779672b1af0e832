package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/streams"
)

const pairsFormat = "thm.study.pairs/v1"

// seeded is a module whose benchmarks depend on a seed that every process has of its own: by it a map of strings grows
// more or less.
var seeded = subject{module: "example.org/seeded", pkg: ".", file: "seeded.go", touched: "Sum",
	others: [2]string{"Map"}, added: `import (
	"hash/maphash"
	"strconv"
	"testing"
)

var seed = maphash.MakeSeed()

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		rounds := 100 + int(maphash.String(seed, "rounds")%32)
		kept := make([]byte, 64*rounds)
		for k := range kept {
			kept[k] = byte(maphash.Bytes(seed, kept[max(0, k-16):k]))
		}
	}
}

func BenchmarkMap(b *testing.B) {
	for i := 0; i < b.N; i++ {
		m := map[string]int{}
		for k := range 150 + int(maphash.String(seed, "size")%100) {
			m[strconv.Itoa(k)] = k
		}
	}
}
`}

// The pairs: files of go test -count, each run by a number of processes, from a pool of processes of each module.
var (
	pairCounts    = []int{1, 2, 3, 6, 10}
	pairProcesses = []int{1, 3, 6, 10}
	pairSubjects  = append(slices.Clone(subjects[:4]), seeded)
)

const (
	poolSize = 20 // processes of a module, so that a pair of the largest files takes all
	pairEach = 4  // pairs of each module, count and number of processes
)

// poolProcess holds the output of a process that ran go test -count 10.
type poolProcess struct {
	Module string  `json:"module"`
	Load   float64 `json:"load"`
	Text   string  `json:"text"`
}

// MeasurePairs runs the pool of processes of each module that the data lack.
func MeasurePairs(ctx context.Context, path, commit string, note func(string)) (err error) {
	scratch, err := measure.NewScratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Remove()) }()
	text, err := begin(path, CountPlan{Format: pairsFormat, Seed: 1, Benchtime: "5ms", Machine: machine(), Commit: commit,
		Started: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	d, err := readPairs(text)
	if err != nil {
		return err
	}
	for _, s := range pairSubjects {
		if len(d.pool(s)) > 0 {
			continue
		}
		t := trial{subject: s, note: note, scratch: scratch.Dir}
		lines, err := t.pool(ctx, d.Plan.Benchtime)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return fmt.Errorf("%s: %w", s.module, err)
		}
		if err := appendLines(path, lines); err != nil {
			return err
		}
	}
	return nil
}

// pool runs the processes of a module.
func (t *trial) pool(ctx context.Context, benchtime string) (lines []any, err error) {
	if err := t.fetch(ctx); err != nil {
		return nil, err
	}
	bin, err := t.build(ctx, "pool", planting{unchanged, 0}, 0)
	if err != nil {
		return nil, err
	}
	pattern := pairPattern(t.touched, t.others[0])
	for i := range poolSize {
		t.note(fmt.Sprintf("%s, process %d of %d", t.module, i+1, poolSize))
		cmd := exec.CommandContext(ctx, bin.Path, "-test.run", "^$", "-test.bench", pattern, "-test.benchmem",
			"-test.count", fmt.Sprint(slices.Max(pairCounts)), "-test.benchtime", benchtime)
		cmd.Dir = t.source.Dir
		out, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		lines = append(lines, poolProcess{t.module, measure.LoadAverage(), string(out)})
	}
	return lines, nil
}

// pairPattern is a pattern of go test -bench for two benchmarks, level by level.
func pairPattern(a, b string) string {
	levels, others := strings.Split(a, "/"), strings.Split(b, "/")
	for i, level := range levels {
		levels[i] = "^(" + level + "|" + others[i] + ")$"
	}
	levels[0] = "^Benchmark" + levels[0][1:]
	return strings.Join(levels, "/")
}

// pairsData is a study of pairs as far as it has come.
type pairsData struct {
	Plan CountPlan
	Pool []poolProcess
}

func readPairs(text []byte) (*pairsData, error) {
	plan, pool, err := readCounts(text, pairsFormat, func(p poolProcess) error {
		if !strings.HasSuffix(p.Text, "PASS\n") {
			return fmt.Errorf("a process of %s did not end", p.Module)
		}
		return nil
	})
	return &pairsData{plan, pool}, err
}

func (d *pairsData) pool(s subject) []poolProcess {
	return slices.DeleteFunc(slices.Clone(d.Pool), func(p poolProcess) bool { return p.Module != s.module })
}

// PairsResult holds the results for the pairs of files.
type PairsResult struct {
	Plan    CountPlan    `json:"plan"`
	Load    [3]float64   `json:"load"`
	Modules []PairsCount `json:"modules"`
	Counts  []PairsCount `json:"counts"`
	Accused Fraction     `json:"accused"`
	// Benchstat is the pairs in which the test of benchstat sees a difference in any row, with p below 0.05.
	Benchstat Fraction `json:"benchstat"`
}

// PairsCount counts the pairs of a kind, by the exit code of benchgate gate.
type PairsCount struct {
	Kind  string `json:"kind"`
	Codes [4]int `json:"codes"`
}

// judge judges all pairs. The processes of a pair are a random choice out of the pool of its module, without
// replacement: the two files of a pair share none, and two pairs can.
func (d *pairsData) judge() (*PairsResult, error) {
	r := &PairsResult{Plan: d.Plan, Load: loadsOf(list.Map(d.Pool, func(p poolProcess) float64 { return p.Load }))}
	dir, err := os.MkdirTemp("", "benchgate-pairs-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	byCount := map[int]*PairsCount{}
	for _, n := range pairCounts {
		byCount[n] = &PairsCount{Kind: fmt.Sprintf("-count %d", n)}
	}
	total, accused, different := 0, 0, 0
	for _, s := range pairSubjects {
		pool, m := d.pool(s), PairsCount{Kind: s.module}
		if len(pool) != poolSize {
			return nil, fmt.Errorf("%s has %d processes of %d; go on with --measure", s.module, len(pool), poolSize)
		}
		rng := streams.New(d.Plan.Seed, "study", "pairs", s.module)
		for _, n := range pairCounts {
			for _, processes := range pairProcesses {
				for range pairEach {
					order := rng.Perm(poolSize)
					words := make([]string, 2)
					for side := range words {
						var text strings.Builder
						for _, k := range order[side*processes : (side+1)*processes] {
							text.WriteString(firstOf(pool[k].Text, n))
						}
						at := filepath.Join(dir, fmt.Sprint(side))
						if err := os.WriteFile(at, []byte(text.String()), 0o644); err != nil {
							return nil, err
						}
						words[side] = []string{"old=", "new="}[side] + at
					}
					table, err := compare.Files(words, compare.Options{}, compare.DefaultPolicy())
					if err != nil {
						return nil, fmt.Errorf("%s: %w", s.module, err)
					}
					code := table.Outcome().Code
					m.Codes[code]++
					byCount[n].Codes[code]++
					total, accused = total+1, accused+number.Indicator(code == compare.Regression)
					different += number.Indicator(slices.ContainsFunc(table.Rows, func(r compare.Row) bool { return r.P < 0.05 }))
				}
			}
		}
		r.Modules = append(r.Modules, m)
	}
	for _, n := range pairCounts {
		r.Counts = append(r.Counts, *byCount[n])
	}
	r.Accused, r.Benchstat = fraction(accused, total), fraction(different, total)
	return r, nil
}

// firstOf is the output of a process with the first n samples of each benchmark, as go test prints it.
func firstOf(text string, n int) string {
	var out strings.Builder
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		if name, _, _ := strings.Cut(line, "\t"); strings.HasPrefix(line, "Benchmark") {
			if seen[name]++; seen[name] > n {
				continue
			}
		}
		out.WriteString(line)
	}
	return out.String() + "ok  \texample.org/m\t1.000s\n"
}

// Markdown is the result as tables.
func (r *PairsResult) Markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Pairs: files of identical code\n\n`benchgate gate` judges pairs of files such as `go test "+
		"-count` writes, each from 1, 3, 6 or 10 processes. %d processes\nof each module ran two benchmarks with `-count "+
		"10`. Each pair draws its processes from these at random, without replacement,\nand uses the first samples of "+
		"each. So nothing drifts between the two files of a pair, though processes differ; two pairs\ncan share processes. "+
		"The benchmarks of %s do more or less work, by a hash seed of their process.\n\nAccused: %d of %d (%s to %s at 95 "+
		"%%). The test of benchstat, which treats all samples as independent, sees a\ndifference in %d of them (p < 0.05 "+
		"in any row).\n",
		poolSize, seeded.module, r.Accused.Events, r.Accused.Trials, percent(float64(r.Accused.Lo)),
		percent(float64(r.Accused.Hi)), r.Benchstat.Events)
	for _, kinds := range [][]PairsCount{r.Modules, r.Counts} {
		out.WriteString("\n| pairs | pass | regression | unusable | undecided |\n| --- | --- | --- | --- | --- |\n")
		for _, k := range kinds {
			fmt.Fprintf(&out, "| %s | %d | %d | %d | %d |\n", k.Kind, k.Codes[0], k.Codes[1], k.Codes[2], k.Codes[3])
		}
	}
	fmt.Fprintf(&out, "\nSamples of %s.\n%s\nMade by `benchgate study pairs`; `benchgate study pairs --measure` measures "+
		"again.\n", r.Plan.Benchtime, where(r.Plan.Started, r.Plan.Commit, r.Plan.Machine, r.Load))
	return out.String()
}
