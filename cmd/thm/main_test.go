package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// TestMain installs two commands: thm itself, and fixture, which is thm with a catalogue in which every verdict
// occurs.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"thm": main,
		"fixture": func() {
			p := program{claims: fixtures(), stdout: os.Stdout, stderr: os.Stderr}
			os.Exit(p.run(os.Args[1:]))
		},
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "refuses": refuses, "tamper": tamper}})
}

// exits CODE COMMAND... runs a command and asks for an exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code, err := 0, ts.Exec(args[1], args[2:]...)
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		code = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// tamper FILE OLD NEW puts a text in the place of another, which must be there.
func tamper(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// refuses PATTERN COMMAND... runs a command with bad input: exit code 2, nothing on stdout, on stderr one line that
// matches the pattern, and the files as they were.
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	before := files(ts)
	exits(ts, neg, append([]string{"2"}, args[1:]...))
	line := ts.ReadFile("stderr")
	if matched, err := regexp.MatchString("^thm: .*"+args[0], line); err != nil || !matched || strings.Count(line, "\n") != 1 {
		ts.Fatalf("want one line that matches %q, got %q", args[0], line)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("want nothing on stdout, got %q", out)
	}
	if after := files(ts); after != before {
		ts.Fatalf("the files have changed from\n%s\nto\n%s", before, after)
	}
}

// files lists the working directory with sizes.
func files(ts *testscript.TestScript) string {
	var out strings.Builder
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		fmt.Fprintln(&out, path, info.Size())
		return err
	}))
	return out.String()
}

func fixtures() []props.Claim {
	return []props.Claim{
		fixture("green/holds", holding),
		fixture("green/other", holding),
		fixture("red/refuted", beyondSix),
		weak("red/weak"),
		fixture("grey/undecided", func(float64) props.LegacyCheck {
			return props.LegacySweep[int, bool]{Name: "between", Cells: cells(2), Measure: instant,
				Judge: func([]int, []bool) props.Judgement {
					return props.Judgement{Parts: []props.Part{{Name: "zone", Ratio: props.Ratio{Value: 2, Lower: 0.5}, Alpha: 1e-9}}}
				}}.Check()
		}),
		fixture("grey/broken", func(float64) props.LegacyCheck {
			return props.Property{Name: "breaks", Cases: props.Scale{Quick: 1, Standard: 1, Deep: 1}, Prop: func(t *props.T) props.Ratio {
				rapid.Bool().Draw(t.T, "x")
				panic("on purpose")
			}}.Check()
		}),
		fixture("grey/unplanned", func(float64) props.LegacyCheck {
			return props.LegacySweep[int, bool]{Name: "planless", Cells: func(props.Effort) []int { panic("no plan") }}.Check()
		}),
		fixture("slow/sleeper", func(dose float64) props.LegacyCheck { return sleeping(dose, 400, 50*time.Millisecond) }),
		fixture("slow/stuck", func(dose float64) props.LegacyCheck { return sleeping(dose, 1, time.Hour) }),
		fixture("slow/bulky", bulky),
	}
}

// fixture is a claim whose check is wrong at every dose but zero, unless the check says otherwise.
func fixture(slug string, check func(dose float64) props.LegacyCheck) props.Claim {
	source, name, _ := strings.Cut(slug, "/")
	return props.Claim{
		Statement: &theory.Statement{
			Slug: slug, Title: "The claim " + name + " of " + source, Kind: theory.Identity, Standing: theory.Theorem,
			Setting: "A number x, and nothing else.",
			Params: []theory.Param{
				{Name: "x", Symbol: "x", Meaning: "a number", Domain: theory.AtLeast(-1), Default: "4"},
				{Name: "n", Symbol: "n", Meaning: "a power", Domain: theory.IntegerFrom(1), Default: "1"},
				{Name: "root", Symbol: "√", Meaning: "which root", Domain: theory.OneOf("square", "cube"), Default: "square"},
				{Name: "A", Symbol: "A", Meaning: "a matrix", Shape: "n×n"},
			},
			Claim: "x = x for every x ≥ −1.", TeX: `x = x`,
			Assumptions: []theory.Assumption{{ID: "real", Text: "x is real"}, {ID: "here", Text: "x is here", NoControl: "it is nowhere else"}},
			Errata:      []theory.Erratum{{ID: "typo", Printed: "x = x + 1", Locus: "equation (1)", Correct: "x = x", Counterexample: "x = 0"}},
			Source:      theory.Source{Paper: "A. Nobody: On Nothing", ArXiv: "0000.00000", Version: "v1", Year: 2020, Locus: "Theorem 1"},
			Deviations:  "None.",
			Predict: func(v theory.Values) []theory.Quantity {
				root := math.Sqrt(v.Float("x"))
				if v.Choice("root") == "cube" {
					root = math.Cbrt(v.Float("x"))
				}
				return []theory.Quantity{{Name: "root", Symbol: "√xⁿ", Value: math.Pow(root, v.Float("n")), Meaning: "root of a power"}}
			},
		},
		Verify:   []props.LegacyCheck{check(0)},
		Controls: []props.LegacyControl{{Name: "imaginary x", Assumption: "real", Check: holding(1)}, {Name: "factor two", Check: holding(1)}},
		Errata:   []props.Refutation{{Erratum: "typo", Check: holding(1)}},
		Resolve:  []props.Resolution{{Of: "x", Unit: props.Exact, Check: holding}},
	}
}

// weak is a claim that holds and whose second control holds as well.
func weak(slug string) props.Claim {
	c := fixture(slug, holding)
	c.Controls[1].Check = holding(0)
	return c
}

var scale = props.Scale{Quick: 20, Standard: 40, Deep: 60}

func holding(dose float64) props.LegacyCheck {
	return props.Property{Name: "equal", Cases: scale, Prop: func(t *props.T) props.Ratio {
		rapid.Bool().Draw(t.T, "x") // rapid refuses instances that draw nothing
		return props.Exactly(dose)
	}}.Check()
}

func beyondSix(float64) props.LegacyCheck {
	return props.Property{Name: "small", Cases: scale, Prop: func(t *props.T) props.Ratio {
		n := rapid.IntRange(0, 100).Draw(t.T, "n")
		t.Show("n", n)
		return props.Truth(n < 7)
	}}.Check()
}

func cells(n int) func(props.Effort) []int {
	return func(props.Effort) []int { return make([]int, n) }
}

func instant(*props.Trial, int) bool { return true }

// sleeping takes its time, and says so, for a test that waits until it is at it.
func sleeping(dose float64, n int, nap time.Duration) props.LegacyCheck {
	return props.LegacySweep[int, bool]{Name: "sleeps", Cells: cells(n),
		Measure: func(*props.Trial, int) bool {
			fmt.Fprintln(os.Stderr, "asleep")
			time.Sleep(nap)
			return true
		},
		Judge: func([]int, []bool) props.Judgement {
			return props.Judgement{Parts: []props.Part{{Name: "slept", Ratio: props.Exactly(dose)}}}
		}}.Check()
}

// bulky draws a figure of many points, so that most of its run goes into writing the report.
func bulky(dose float64) props.LegacyCheck {
	return props.LegacySweep[int, bool]{Name: "draws", Cells: cells(1), Measure: instant,
		Judge: func([]int, []bool) props.Judgement {
			points := make([]float64, 20000)
			for i := range points {
				points[i] = float64(i)
			}
			return props.Judgement{
				Parts:   []props.Part{{Name: "drawn", Ratio: props.Exactly(dose)}},
				Figures: []props.Figure{{ID: "line", Title: "A line", Caption: "A straight line.", Curves: []props.Curve{{Name: "line", Style: props.Line, X: points, Y: points}}}},
			}
		}}.Check()
}
