//go:build !windows

package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/theory"
)

var (
	trialOf    = flag.String("trial", "", "claims that TestTrial tries at absurd values of every parameter")
	trialEdits = flag.Int("trial-edits", 5, "edited results files that TestTrial reads")
)

// trialValues lists values that nobody intends, but that somebody types or a script computes.
var trialValues = []string{"0", "-1", "NaN", "Inf", "-Inf", "1e308", "1e9", "123456789", "5e-324", "½", "٣",
	"\x1b[31m1", strings.Repeat("9", 400), "0x10", " 1", ""}

// trial runs the real command as a user would, and collects the defects.
type trial struct {
	*testing.T
	dir     string
	whole   bool // every value at every parameter, and signals at all moments
	mu      sync.Mutex
	defects []string
	runs    atomic.Int64
}

// The bounds of a run: in seconds, the time that thm try takes without asking, one to stop, and a reserve for a machine
// that has other work; in memory, the heap and what a process needs outside it.
const (
	trialSeconds = 60 + 1 + 30
	trialMemory  = 2_000_000 + 300_000 // kB
)

// run checks one command line against the rules for all, and returns its exit code, standard output and standard error.
// If after is positive, it sends SIGTERM after that time.
func (t *trial) run(after time.Duration, words ...string) (code int, out, said string) {
	t.runs.Add(1)
	ctx, cancel := context.WithTimeout(t.Context(), 2*trialSeconds*time.Second)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 40000000; exec "$0" "$@"`}, words...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.dir, &stdout, &stderr
	require.NoError(t, cmd.Start())
	limit, begin := trialSeconds*time.Second, time.Now()
	if after > 0 {
		time.Sleep(after)
		limit, begin = 20*time.Second, time.Now() // a second, on a machine that does nothing else
		_ = cmd.Process.Signal(syscall.SIGTERM)   // it may have ended
	}
	_ = cmd.Wait()
	took := time.Since(begin)
	code, out, said = cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
	defect := func(format string, args ...any) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.defects = append(t.defects, fmt.Sprintf("%.200q: ", words)+fmt.Sprintf(format, args...)+
			fmt.Sprintf("\n  exit code %d, %.1f s, said %.400q", code, took.Seconds(), said))
	}
	switch usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); {
	case took > limit:
		defect("longer than %v", limit)
	case ok && runtime.GOOS == "linux" && usage.Maxrss > trialMemory:
		defect("%d MB of memory", usage.Maxrss/1000)
	}
	dump := regexp.MustCompile(`(?m)^(panic:|fatal error:|runtime:|goroutine \d+ \[|SIG[A-Z]+:)|internal error`)
	switch {
	case dump.MatchString(said + out):
		defect("a dump of Go")
	case strings.ContainsFunc(said+out, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		defect("control characters")
	case !slices.Contains([]int{cli.Green, cli.Refuted, cli.Usage, cli.Unsettled}, code) && after == 0:
		defect("exit code %d", code)
	case code == cli.Usage && (out != "" || strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "thm: ")):
		defect("bad usage is not refused in one line")
	}
	return code, out, said
}

// shows runs try at the defaults and asks that the measurements are not all 0 if a prediction is not.
func (t *trial) shows(slug string) {
	words := []string{"thm", "try", slug, "--reps", "2", "--quiet", "--json"}
	code, out, _ := t.run(0, words...)
	measured := regexp.MustCompile(`"measured": (-?[\d.]+(e[+-]\d+)?)`).FindAllStringSubmatch(out, -1)
	zero := func(m []string) bool { return strings.Trim(m[1], "-0.") == "" }
	switch nothing := !slices.ContainsFunc(measured, func(m []string) bool { return !zero(m) }); {
	case code != cli.Green:
		t.complain(words, fmt.Sprintf("exit code %d at the defaults", code))
	case nothing && regexp.MustCompile(`"predicted": -?[\d.]*[1-9]`).MatchString(out):
		t.complain(words, "nothing but 0 is measured")
	}
}

// number runs predict or try, and asks that no prediction in its JSON is NaN and that a refusal names the parameter.
func (t *trial) number(name string, words ...string) {
	code, out, said := t.run(0, words...)
	var found any
	switch {
	case code == cli.Usage && !strings.Contains(said, name):
		t.complain(words, "it is not said what is refused: "+said)
	case code != cli.Green:
	case json.Unmarshal([]byte(out), &found) != nil:
		t.complain(words, "no JSON")
	case strings.Contains(out, `"value": "NaN"`), strings.Contains(out, `"predicted": "NaN"`):
		t.complain(words, "NaN is predicted")
	}
}

func (t *trial) complain(words []string, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.defects = append(t.defects, fmt.Sprintf("%.200q: %s", words, what))
}

// TestTrial gives the commands input that users should not give: bad parameters of predict and try, edited results
// files, signals. Without its flags it tries one claim, each value at one parameter, and each signal at one moment.
func TestTrial(test *testing.T) {
	t := &trial{T: test, dir: test.TempDir(), whole: *trialOf != ""}
	claims, err := runs.Select(catalog.All(), strings.Fields(cmp.Or(*trialOf, "vcl/residual"))...)
	require.NoError(t, err)
	var work []func()
	for _, c := range claims {
		slug, params := c.Statement.Slug, c.Statement.Params
		if c.Try != nil {
			params = slices.Concat(params, c.Try.Params)
			work = append(work, func() { t.shows(slug) })
		} else {
			work = append(work, func() { t.number(slug, "thm", "try", slug, "--json") })
		}
		if c.Statement.Predict == nil {
			work = append(work, func() { t.number(slug, "thm", "predict", slug, "--json") })
		}
		params = theory.Settable(params)
		for i, p := range params {
			for k, x := range trialValues {
				if !t.whole && k%len(params) != i {
					continue
				}
				word := p.Name + "=" + x
				if c.Statement.Predict != nil {
					work = append(work, func() { t.number(p.Name, "thm", "predict", slug, word, "--json") })
				}
				if c.Try != nil {
					work = append(work, func() {
						t.number(p.Name, "thm", "try", slug, word, "--reps", "1", "--quiet", "--json")
					})
				}
			}
		}
	}
	queue := make(chan func())
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for f := range queue {
				f()
			}
		})
	}
	for _, f := range work {
		queue <- f
	}
	close(queue)
	workers.Wait()
	t.edited()
	t.signals()
	t.Logf("%d runs, %d defects", t.runs.Load(), len(t.defects))
	for _, defect := range t.defects {
		t.Error(defect)
	}
}

// edited reads results files in which a number or a text is replaced.
func (t *trial) edited() {
	t.run(0, "thm", "check", "vcl/steps", "--effort", "quick", "--quiet", "--out", "whole")
	whole, err := os.ReadFile(filepath.Join(t.dir, "whole", "results.json"))
	require.NoError(t, err)
	tokens := regexp.MustCompile(`-?\d+(\.\d+)?(e[+-]\d+)?|"[^"\n]*"|true|false|null`).FindAllIndex(whole, -1)
	random := rand.New(rand.NewPCG(1, 2))
	with := []string{"-1", "1e308", "1e999", `"NaN"`, "null", `"\u001b[31m"`, "[]", "{", ""}
	for range *trialEdits {
		at := tokens[random.IntN(len(tokens))]
		text := slices.Concat(whole[:at[0]], []byte(with[random.IntN(len(with))]), whole[at[1]:])
		require.NoError(t, os.WriteFile(filepath.Join(t.dir, "edited.json"), text, 0o644))
		for _, words := range [][]string{{"digest", "edited.json"}, {"diff", "whole", "edited.json", "--markdown"},
			{"report", "edited.json", "--out", "page"}} {
			t.run(0, append([]string{"thm"}, words...)...)
		}
	}
}

// signals ends long commands by one signal at several moments. The exit code is that of an unfinished run, or of the
// signal if the command did not yet handle it, and all files are whole.
func (t *trial) signals() {
	moments := []time.Duration{50 * time.Millisecond, 500 * time.Millisecond, 2 * time.Second}
	if !t.whole {
		moments = []time.Duration{200 * time.Millisecond}
	}
	for _, words := range [][]string{
		{"check", "vcl/residual", "--effort", "deep", "--quiet", "--out", "stopped"},
		{"try", "latent/caps", "d=20000", "--yes", "--reps", "1000", "--quiet", "--out", "stopped"},
		{"soak", "vcl/steps", "--seeds", "1..1000", "--quiet", "--out", "soaked"},
		{"falsify", "vcl/*", "--effort", "standard", "--quiet"},
	} {
		for _, after := range moments {
			if code, _, _ := t.run(after, append([]string{"thm"}, words...)...); code != cli.Unsettled && code != -1 {
				t.complain(words, fmt.Sprintf("a signal after %v: exit code %d", after, code))
			}
		}
	}
	require.NoError(t, filepath.WalkDir(t.dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".json" && filepath.Base(path) != "edited.json" {
			if text, failed := os.ReadFile(path); failed != nil || !json.Valid(text) {
				t.complain([]string{path}, "is no whole file")
			}
		}
		return err
	}))
}
