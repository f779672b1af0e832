package command

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/cli/clitest"
)

// TestMain installs two commands: thm itself, and fixture, which is thm with a catalogue in which every verdict occurs.
// Tests within this process compute and collect garbage as [Main] does.
func TestMain(m *testing.M) {
	blas.Use()
	testscript.Main(m, map[string]func(){
		"thm": func() { Main("thm", "Feature-learning theory, checked", catalog.All()) },
		"fixture": func() {
			freely = cli.Bound{Time: 10 * time.Second, Memory: 300e6}
			// The digest of a test binary, which is large, would take longer than the checks of a fixture.
			source.Now = func() source.State { return source.State{Build: []string{}, Binary: strings.Repeat("f1", 32)} }
			p := program{Output: cli.Output{Name: "thm", Stdout: os.Stdout, Stderr: os.Stderr}, title: "Fixtures",
				claims: fixtures(), uncalibrated: true}
			os.Exit(p.run(os.Args[1:]))
		},
	})
}

func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func runScripts(t *testing.T, dir string) {
	t.Helper()
	torch, err := filepath.Abs("testdata/torch")
	require.NoError(t, err)
	params := clitest.Params(dir, "thm")
	params.Setup = func(env *testscript.Env) error { env.Setenv("TORCH", torch); return nil }
	params.Cmds["tamper"] = tamper
	testscript.Run(t, params)
}

// tamper FILE OLD NEW replaces a text that the file must contain.
func tamper(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

func fixtures() []props.Claim {
	return []props.Claim{
		fixture("green/holds", holding()),
		fixture("green/other", holding()),
		fixture("red/refuted", beyondSix(), holding()),
		fixture("red/weak", weak()),
		fixture("grey/undecided", straddling(), holding()),
		fixture("grey/broken", breaking()),
		fixture("grey/unplanned", planless()),
		fixture("slow/sleeper", sleeping(400, 50*time.Millisecond), holding()),
		fixture("slow/stuck", sleeping(1, time.Hour)),
		fixture("slow/bulky", bulky(), holding()),
	}
}

// fixture returns a claim with the given checks.
func fixture(slug string, checks ...props.Check) props.Claim {
	source, name, _ := strings.Cut(slug, "/")
	return props.Spec{
		Statement: &theory.Statement{
			Slug: slug, Title: "The claim " + name + " of " + source,
			Plain: "In plain words, " + name + " of " + source + ".", Kind: theory.Identity, Standing: theory.Theorem,
			Setting: "A number x, and nothing else.",
			Params: []theory.Param{
				{Name: "x", Symbol: "x", Meaning: "a number", Domain: theory.AtLeast(-1), Default: "4"},
				{Name: "n", Symbol: "n", Meaning: "a power", Domain: theory.IntegerFrom(1), Default: "1"},
				{Name: "root", Symbol: "√", Meaning: "which root", Domain: theory.OneOf("square", "cube"),
					Default: "square"},
				{Name: "A", Symbol: "A", Meaning: "a matrix", Shape: "n×n"},
			},
			Claim: "x = x for every x ≥ −1.", TeX: `x = x`,
			Assumptions: []theory.Assumption{{ID: "real", Text: "x is real"},
				{ID: "here", Text: "x is here", NoControl: "it is nowhere else"}},
			Errata: []theory.Erratum{{ID: "typo", Printed: "x = x + 1", Locus: "equation (1)", Correct: "x = x",
				Counterexample: "x = 0"}},
			Source: theory.Source{Paper: "A. Nobody: On Nothing", ArXiv: "0000.00000", Version: "v1", Year: 2020,
				Locus: "Theorem 1"},
			Deviations: "None.",
			Predict: func(v theory.Values) []theory.Quantity {
				root := math.Sqrt(v.Float("x"))
				if v.Choice("root") == "cube" {
					root = math.Cbrt(v.Float("x"))
				}
				return []theory.Quantity{{Name: "root", Symbol: "√xⁿ", Value: math.Pow(root, v.Float("n")),
					Meaning: "root of a power"}}
			},
		},
		Checks: checks,
		Try: &props.Simulation{
			Params: []theory.Param{{Name: "size", Symbol: "s", Meaning: "a size", Domain: theory.IntegerFrom(1),
				Default: "10"},
				{Name: "toil", Symbol: "s", Meaning: "milliseconds", Domain: theory.AtLeast(0), Default: "1"},
				{Name: "hoard", Symbol: "m", Meaning: "megabytes", Domain: theory.AtLeast(0), Default: "1"},
				{Name: "nap", Symbol: "z", Meaning: "seconds", Domain: theory.AtLeast(0), Default: "0"}},
			Run: func(t *props.Trial, v theory.Values) (map[string]float64, error) {
				burden(v)
				if v.Int("size") > 1000 {
					return nil, errors.New("size is too large to simulate")
				}
				root := math.Pow(math.Sqrt(v.Float("x")), v.Float("n"))
				return map[string]float64{"root": root * (1 + t.Rand.NormFloat64()/float64(v.Int("size")))}, nil
			},
			Draw: func(t *props.Trial, v theory.Values) ([]props.Figure, error) {
				first := t.Rand.NormFloat64()
				matrix := mat.NewDense(2, 2, []float64{v.Float("x"), first, first, 1})
				return []props.Figure{{ID: "matrix", Title: "A matrix", Caption: "What was drawn.",
					Curves: []props.Curve{props.HeatMap("matrix", matrix)}}}, nil
			},
		},
	}.Claim()
}

// burden uses as much processor time and memory as the parameters ask for.
func burden(v theory.Values) {
	hoard := make([]byte, v.Int("hoard")*1e6)
	for end := cputime.Process() + v.Float("toil")/1000; cputime.Process() < end; {
		clear(hoard)
	}
	if nap := v.Float("nap"); nap > 0 {
		fmt.Fprintln(os.Stderr, "asleep")
		time.Sleep(time.Duration(nap * float64(time.Second)))
	}
	runtime.KeepAlive(hoard)
}

var scale = props.Scale{Quick: 20, Standard: 40, Deep: 60}

// scalar is an instance that a user can bring.
type scalar struct {
	X float64 `npy:"x"`
}

// holding returns a check that a number equals itself, with a control, a control that drops an assumption, and an
// erratum.
func holding() props.Drawn[scalar, identity] {
	return props.Drawn[scalar, identity]{
		Name: "equal", Cases: scale, Draw: drawNumber,
		Claim: func(x float64) float64 { return x },
		Judge: func(r *props.Record, in scalar, claim identity) { r.Exactly("equal", in.X, claim(in.X)) },
		Controls: []props.Wrong[scalar, identity]{
			{Name: "imaginary x", Assumption: "real", Claim: claiming(func(x float64) float64 { return x + 1 })},
			{Name: "factor two", Claim: claiming(func(x float64) float64 { return 2 * x })},
			{Erratum: "typo", Claim: claiming(func(x float64) float64 { return x + 1 })},
		},
	}
}

// identity returns the claimed value of a number.
type identity func(float64) float64

func claiming(other identity) func(*identity) { return func(c *identity) { *c = other } }

func drawNumber(t *props.T) scalar {
	return scalar{float64(rapid.IntRange(1, 100).Draw(t.T, "x"))}
}

// weak returns a check that holds and accepts its second control.
func weak() props.Check {
	check := holding()
	check.Controls[1].Claim = claiming(func(x float64) float64 { return x })
	return check
}

func beyondSix() props.Check {
	return props.Drawn[scalar, struct{}]{Name: "small", Cases: scale, Draw: drawNumber,
		Judge: func(r *props.Record, in scalar, _ struct{}) { r.AtMost("small", in.X, 6, 1e-9) }}
}

func straddling() props.Check {
	return props.Grid[int, float64, struct{}]{Name: "between", Cells: cells(2), Measure: instant,
		Conclude: func(r *props.Record, _ []int, _ []float64, _ struct{}) {
			r.Equals("margin", stat.Known(1, 0.1, 1e-9), 0, 1)
		}}
}

func breaking() props.Check {
	return props.Drawn[scalar, struct{}]{Name: "breaks", Cases: props.Times(1),
		Draw: func(t *props.T) scalar {
			drawNumber(t)
			panic("on purpose")
		},
		Judge: func(*props.Record, scalar, struct{}) {}}
}

func planless() props.Check {
	return props.Grid[int, float64, struct{}]{Name: "planless", Cells: func(props.Effort) []int { panic("no plan") }}
}

func cells(n int) func(props.Effort) []int { return props.Times(n).Indices }

func instant(*props.Trial, int) float64 { return 1 }

// sleeping returns a check that sleeps, and says so on stderr, for tests that wait until it is running.
func sleeping(n int, nap time.Duration) props.Check {
	return props.Grid[int, float64, struct{}]{Name: "sleeps", Cells: cells(n),
		Measure: func(*props.Trial, int) float64 {
			fmt.Fprintln(os.Stderr, "asleep")
			time.Sleep(nap)
			return 1
		},
		Judge:    func(r *props.Record, _ int, m float64, _ struct{}) { r.Exactly("slept", m, 1) },
		Controls: twice("sleeping twice"),
	}
}

// twice returns a control that doubles the measurement.
func twice(name string) []props.WrongCell[int, float64, struct{}] {
	return []props.WrongCell[int, float64, struct{}]{{Name: name, Alter: func(_ int, m *float64) { *m *= 2 }}}
}

// bulky returns a check with a figure of many points, so that most of its run goes into writing the report.
func bulky() props.Check {
	return props.Grid[int, float64, struct{}]{Name: "draws", Cells: cells(1), Measure: instant,
		Controls: twice("drawing twice"),
		Conclude: func(r *props.Record, _ []int, m []float64, _ struct{}) {
			points := make([]float64, 20000)
			for i := range points {
				points[i] = float64(i)
			}
			r.Exactly("drawn", m[0], 1)
			r.Figure(figure.Figure{ID: "line", Title: "A line", Caption: "A straight line.",
				Curves: []figure.Curve{{Name: "line", Style: figure.Line, X: points, Y: points}}})
		}}
}
