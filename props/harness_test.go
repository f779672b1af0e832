package props

import (
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/collector"
)

func init() { collector.Set() }

var _ = flag.Bool("update", false, "pin the evidence of the claims that run")

// The harness that fails a build is itself tried from outside: this binary is run again on claims that must be red.

// faulty are claims with one fault each, and what the test must say of it. The claim "sound" has none.
var faulty = map[string]struct {
	claim func() Spec
	says  string
}{
	"sound":   {func() Spec { return counted(0, 1) }, ""},
	"refuted": {func() Spec { return counted(5, 1) }, "verdict refuted"},
	"control rejected on one replicate of two": {func() Spec { return rejectedOn(1) }, "was rejected on a fraction 0.5"},
	"resolution finer on the run's streams than on others": {func() Spec { return flattering() },
		"and on fresh streams nine cases of ten need"},
	"nothing is noticed": {func() Spec { return blind() }, "notices no error of the claim at all"},
	"a tenth as strict":  {func() Spec { return counted(0, 10) }, "weaker than the pinned evidence"},
	"another criterion":  {func() Spec { return withoutSecond() }, "run this test with -update"},
	"a simulation of nothing": {func() Spec { s := counted(0, 1); s.Try = &Simulation{}; return s },
		"its simulation has no Run"},
	"an array that the statement does not explain": {func() Spec { return unexplained() },
		`does not explain the array "x" of its check "numbers"`},
	"a criterion dropped": {func() Spec { return withoutSecond() },
		"numbers / second is gone"},
	"a control dropped": {func() Spec { return withoutControl() },
		`numbers / control "off by 50" is gone`},
	"a criterion that no control violates": {func() Spec { return tautological() }, "numbers / second rejects no control"},
	"ten times as strict":                  {func() Spec { return counted(0, 0.1) }, "other than the pinned evidence"},
	"a number compared with itself": {func() Spec { return mirrored() },
		"numbers / third: both sides are the same in all 100 cases"},
	"a control grosser": {func() Spec { return grosser() },
		`control "off by 50" is rejected at a ratio of`},
	"a tolerance called proven": {func() Spec {
		return edited(func(c *typedInstances[float64]) { c.Proven = map[string]string{"first": "it is"} })
	}, "its tolerance is called proven, and was not"},
	"half of the cases":     {func() Spec { return fewer() }, "50 cases"},
	"one comparison of two": {func() Spec { return narrowed(0, 1) }, "comparisons, pinned 200"},
	"wider in one comparison": {func() Spec { return narrowed(1000, 10) },
		"numbers / first: allows"},
	"what differs on one side only": {func() Spec {
		return edited(func(c *typedInstances[float64]) {
			c.Judge = func(r *Record, x float64, claimed string) { judgeNumbers(r, max(x, inexact(x)), x, claimed, 1) }
		})
	}, "both sides are the same in"},
	"drawn from a part": {func() Spec {
		return edited(func(c *typedInstances[float64]) {
			draw := c.Draw
			c.Draw = func(t *T, done string) float64 { return 1 + (draw(t, done)-1)/5 }
		})
	}, "the number is drawn from 1 to 1.2, pinned 1 to 2"},
	"another name, no file": {func() Spec { s := counted(0, 1); s.Statement = statement("unpinned"); return s },
		"no evidence is pinned"},
}

// counted claims that a number between 1 and 2 is what it is, up to an offset and within a width.
func counted(offset, width float64) Spec {
	return Spec{Statement: statement("numbers"), Checks: []Check{typedInstances[float64]{
		Name: "numbers", Cases: Times(100),
		Draw: func(t *T, _ string) float64 { return 1 + float64(rapid.IntRange(0, 1000).Draw(t.T, "n"))/1000 },
		Judge: func(r *Record, x float64, claimed string) {
			judgeNumbers(r, inexact(x), x+offset, claimed, width)
			r.Within("first", inexact(x), x, 1e-7)
		},
		Controls: []Control{{Name: "off by 50", claimed: "off", Criterion: "first"}},
	}}}
}

func judgeNumbers(r *Record, got, want float64, claimed string, width float64) {
	if claimed == "off" {
		want += 50
	}
	r.Within("first", got, want, width*1e-7)
	r.Within("second", got, want, width*1e-9)
}

// narrowed leaves out a comparison for numbers from a thousandth on, and is so much wider in it for others.
func narrowed(from int, width float64) Spec {
	return edited(func(c *typedInstances[float64]) {
		c.Judge = func(r *Record, x float64, claimed string) {
			judgeNumbers(r, inexact(x), x, claimed, 1)
			if 1000*(x-1) < float64(from)+0.5 {
				r.Within("first", inexact(x), x, width*1e-7)
			}
		}
	})
}

// inexact is a number with some rounding, up or down.
func inexact(x float64) float64 {
	if int(math.Round(1000*x))%2 == 0 {
		return x * (1 - 0x1p-45)
	}
	return x * (1 + 0x1p-45)
}

// mirrored hands what is claimed to itself.
func mirrored() Spec {
	return edited(func(c *typedInstances[float64]) {
		judge := c.Judge
		c.Judge = func(r *Record, x float64, claimed string) {
			judge(r, x, claimed)
			r.Within("third", x, x, 1e-9)
		}
	})
}

func edited(edit func(*typedInstances[float64])) Spec {
	s := counted(0, 1)
	check := s.Checks[0].(typedInstances[float64])
	edit(&check)
	s.Checks[0] = check
	return s
}

// unexplained draws the number as an array of which the statement knows nothing.
func unexplained() Spec {
	return Spec{Statement: statement("numbers"), Checks: []Check{typedInstances[struct {
		X float64 `npy:"x"`
	}]{
		Name: "numbers", Cases: Times(1),
		Draw: func(*T, string) (in struct {
			X float64 `npy:"x"`
		}) {
			return in
		},
		Judge: func(r *Record, in struct {
			X float64 `npy:"x"`
		}, _ string) {
			r.Within("first", in.X, 0, 1)
		},
	}}}
}

func withoutSecond() Spec {
	return edited(func(c *typedInstances[float64]) {
		c.Judge = func(r *Record, x float64, claimed string) {
			want := x
			if claimed == "off" {
				want += 50
			}
			r.Within("first", inexact(x), want, 1e-7)
		}
	})
}

// tautological compares its second number with itself.
func tautological() Spec {
	return edited(func(c *typedInstances[float64]) {
		c.Judge = func(r *Record, x float64, claimed string) {
			want := x
			if claimed == "off" {
				want += 50
			}
			r.Within("first", inexact(x), want, 1e-7)
			r.Within("second", inexact(x), x, 1e-9)
		}
	})
}

func withoutControl() Spec { return edited(func(c *typedInstances[float64]) { c.Controls = nil }) }
func fewer() Spec          { return edited(func(c *typedInstances[float64]) { c.Cases = Times(50) }) }

func grosser() Spec {
	return edited(func(c *typedInstances[float64]) {
		judge := c.Judge
		c.Judge = func(r *Record, x float64, claimed string) {
			if claimed == "off" {
				r.Within("first", x, x+5000, 1e-7)
				return
			}
			judge(r, x, claimed)
		}
	})
}

// rejectedOn has a control that is rejected on so many replicates.
func rejectedOn(times int64) Spec {
	var done atomic.Int64
	return Spec{Statement: statement("sometimes"), Checks: []Check{typedSweep[int, int64]{
		Name: "s", Cells: func(Effort) []int { return []int{0} },
		Measure: func(_ *Trial, _ int, done1 string) int64 {
			if done1 == "wrong" && done.Add(1) <= times {
				return 5
			}
			return 1
		},
		Judge:    func(r *Record, _ int, m int64, _ string) { r.Within("one", float64(m), 1, 1e-7) },
		Controls: []Control{{Name: "wrong", done: "wrong"}},
	}}}
}

// flattering has a tolerance that is ten times finer on the streams of the run itself.
func flattering() Spec {
	return edited(func(c *typedInstances[float64]) {
		var calls atomic.Int64
		c.Judge = func(r *Record, x float64, claimed string) {
			want, width := x, 1e-7
			if claimed == "off" {
				want += 50
			}
			if claimed == "" && calls.Add(1) > 2*100 { // two replicates of 100 cases
				width = 1e-6
			}
			r.Within("first", inexact(x), want, width)
			r.Within("second", inexact(x), want, 1e-9)
		}
	})
}

// blind claims zero, which no relative error moves.
func blind() Spec {
	return Spec{Statement: statement("blind"), Checks: []Check{typedInstances[float64]{
		Name: "zero", Cases: Times(30), Draw: always(0.0),
		Judge: func(r *Record, x float64, _ string) { r.Within("zero", x, 0, 1e-7) },
	}}}
}

func TestHarnessFixture(t *testing.T) {
	f, ok := faulty[os.Getenv("THM_FAULTY")]
	if !ok {
		t.Skip("runs as a process of its own, from TestHarnessFromOutside")
	}
	test(t, []Claim{f.claim().Claim()}, os.Getenv("THM_EVIDENCE"))
}

func TestHarnessFromOutside(t *testing.T) {
	dir := t.TempDir()
	harness := func(name string, args ...string) (string, error) {
		cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestHarnessFixture$", "-test.v"}, args...)...)
		cmd.Env = append(os.Environ(), "THM_FAULTY="+name, "THM_EVIDENCE="+dir, "THM_EFFORT=", "THM_SEED=")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, name := range []string{"sound", "control rejected on one replicate of two", "nothing is noticed"} {
		out, _ := harness(name, "-update")
		require.Contains(t, out, "pinned: ")
	}
	for name, f := range faulty {
		out, err := harness(name)
		if f.says == "" {
			require.NoError(t, err, out)
			continue
		}
		require.Error(t, err, "%s: the test binary is green\n%s", name, out)
		require.Contains(t, out, f.says, name)
	}
}

func TestOrphanedEvidence(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gone.json"), []byte("{}"), 0o600))
	complaints := orphans(dir, []Claim{counted(0, 1).Claim()})
	require.Len(t, complaints, 1)
	require.True(t, strings.HasSuffix(complaints[0], "gone.json is pinned evidence of no claim"))
	require.Len(t, orphans(filepath.Join(dir, "none"), nil), 1, "evidence that cannot be read is a complaint")
}

func TestEvidenceThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	c := claim("numbers")
	row := newRow(c)
	for _, content := range []string{"", "{", `{"claim": "another"}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "numbers.json"), []byte(content), 0o600))
		require.Len(t, compareEvidence(dir, evidenceOf(&row, c)), 1, content)
	}
}
