package catalog_test

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

const modulePath = "github.com/thm-suite/thm"

// module is the real source tree.
var module = os.DirFS("../..")

// Every gate is open on the real catalogue.
func TestGates(t *testing.T) {
	claims := catalog.All()
	require.NotEmpty(t, claims)
	misplaced, err := misplacedIn(module, claims)
	require.NoError(t, err)
	upward, err := upwardImports(module, modulePath)
	require.NoError(t, err)
	for name, complaints := range map[string][]string{
		"flaws":     flaws(claims),
		"conflicts": props.Conflicts(claims),
		"misplaced": misplaced,
		"upward":    upward,
	} {
		t.Run(name, func(t *testing.T) {
			for _, complaint := range complaints {
				t.Error(complaint)
			}
		})
	}
}

// flaws returns the flaws of the claims and of their statements.
func flaws(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		for _, flaw := range slices.Concat(c.Flaws(), c.Statement.Flaws()) {
			out = append(out, c.Statement.Slug+": "+flaw)
		}
	}
	return out
}

// one is a check of the number one, with a control that drops an assumption, one that does not, and an erratum.
func one() props.Drawn[float64, float64] {
	two := func(c *float64) { *c = 2 }
	return props.Drawn[float64, float64]{
		Name: "true", Cases: props.Scale{Quick: 1}, Draw: props.Constant(1.0), Claim: 1,
		Judge: func(r *props.Record, x, claim float64) { r.Exactly("one", x, claim) },
		Controls: []props.Wrong[float64, float64]{
			{Name: "wrong", Assumption: "first", Claim: two},
			{Name: "factor", Claim: two},
			{Erratum: "typo", Claim: two},
		},
	}
}

// sound is a claim that passes every gate; the tests below break one thing at a time.
func sound() props.Spec {
	return props.Spec{
		Statement: &theory.Statement{
			Slug: "some/claim", Title: "title", Plain: "It is one.",
			Kind: theory.Identity, Standing: theory.Theorem, Setting: "setting",
			Params: []theory.Param{{Name: "x", Symbol: "x", Meaning: "a number", Domain: theory.Above(0), Default: "2"}},
			Claim:  "1 = 1", TeX: "1 = 1",
			Assumptions: []theory.Assumption{{ID: "first", Text: "text"}, {ID: "second", Text: "text", NoControl: "reason"}},
			Errata:      []theory.Erratum{{ID: "typo", Printed: "1 = 2", Locus: "(1)", Correct: "1 = 1", Counterexample: "1"}},
			Source:      theory.Source{Paper: "paper", Version: "v1", Year: 2020, Locus: "Theorem 1"},
			Proof:       "obvious", Tolerance: "none", Limits: "everything else",
			Predict: func(v theory.Values) []theory.Quantity {
				return []theory.Quantity{{Name: "root", Value: math.Sqrt(v.Float("x"))}}
			},
		},
		Checks: []props.Check{one()},
	}
}

type wrong = props.Wrong[float64, float64]

// recontrolled edits the controls of a claim's check.
func recontrolled(edit func([]wrong) []wrong) func(*props.Spec) {
	return func(s *props.Spec) {
		check := one()
		check.Controls = edit(check.Controls)
		s.Checks = []props.Check{check}
	}
}

// Each case breaks one thing, and exactly one complaint names it.
func TestClaimGatesCanFail(t *testing.T) {
	all := func(claims []props.Claim) []string { return slices.Concat(flaws(claims), props.Conflicts(claims)) }
	require.Empty(t, all([]props.Claim{sound().Claim()}))
	require.Contains(t, all([]props.Claim{sound().Claim(), sound().Claim()}), "some/claim: slug occurs twice")

	for want, degrade := range map[string]func(*props.Spec){
		`some/claim: control "wrong" occurs twice`: func(s *props.Spec) {
			again := one()
			again.Name, again.Controls = "again", again.Controls[:1]
			s.Checks = append(s.Checks, again)
		},
		`some/claim: assumption "first" is dropped by no control and gives no reason (NoControl)`: recontrolled(
			func(c []wrong) []wrong {
				c[0].Assumption = ""
				return c
			}),
		`some/claim: assumption "first" is dropped by a control and yet says that it cannot be`: func(s *props.Spec) {
			s.Statement.Assumptions[0].NoControl = "reason"
		},
		`some/claim: control "factor" drops assumption "third", which the statement does not have`: recontrolled(
			func(c []wrong) []wrong {
				c[1].Assumption = "third"
				return c
			}),
		`some/claim: erratum "typo" is refuted by nothing`: recontrolled(
			func(c []wrong) []wrong { return c[:2] }),
		`some/claim: reading "so" is refuted by nothing`: func(s *props.Spec) {
			s.Statement.Readings = []theory.Reading{{ID: "so", Reading: "r", Locus: "l", Correct: "c", Counterexample: "x"}}
		},
		"some/claim: text of reading so is empty": func(s *props.Spec) {
			s.Statement.Readings = []theory.Reading{{ID: "so", Locus: "l", Correct: "c", Counterexample: "x"}}
			recontrolled(func(c []wrong) []wrong {
				return append(c, wrong{Reading: "so", Claim: c[0].Claim})
			})(s)
		},
		`some/claim: contradicted by "large", which is no name of an experiment`: func(s *props.Spec) {
			s.Statement.Contradicted = map[string]string{"large": "it is not so"}
		},
		"some/claim: what contradicts it in some/large is empty": func(s *props.Spec) {
			s.Statement.Contradicted = map[string]string{"some/large": ""}
		},
		"some/claim: proof is empty": func(s *props.Spec) {
			s.Statement.Proof = ""
		},
		"some/claim: tolerance is empty": func(s *props.Spec) {
			s.Statement.Tolerance = ""
		},
		"some/claim: limits is empty": func(s *props.Spec) {
			s.Statement.Limits = ""
		},
		"Some/claim: slug is not source/name in lower-case letters and digits": func(c *props.Spec) {
			c.Statement.Slug = "Some/claim"
		},
		"some/claim_test: slug is not source/name in lower-case letters and digits": func(c *props.Spec) {
			c.Statement.Slug = "some/claim_test"
		},
		"some/claim: title is empty": func(c *props.Spec) { c.Statement.Title = "" },
		"some/claim: plain is empty": func(c *props.Spec) { c.Statement.Plain = "" },
		"some/claim: plain has 26 words, more than 25": func(c *props.Spec) {
			c.Statement.Plain = strings.Repeat("word ", 25) + "end."
		},
		"some/claim: plain is not one sentence that ends in a full stop": func(c *props.Spec) {
			c.Statement.Plain = "One. Two."
		},
		"some/claim: setting is empty":                    func(c *props.Spec) { c.Statement.Setting = "" },
		"some/claim: claim is empty":                      func(c *props.Spec) { c.Statement.Claim = "" },
		"some/claim: a dollar sign of the claim is alone": func(c *props.Spec) { c.Statement.Claim = "$x" },
		"some/claim: 2 formulas are marked, and TeX has 1": func(c *props.Spec) {
			c.Statement.Claim = "$x$ and $y$"
		},
		"some/claim: tex is empty":                func(c *props.Spec) { c.Statement.TeX = "" },
		`some/claim: kind "" is unknown`:          func(c *props.Spec) { c.Statement.Kind = "" },
		`some/claim: standing "lemma" is unknown`: func(c *props.Spec) { c.Statement.Standing = "lemma" },
		"some/claim: source.paper is empty":       func(c *props.Spec) { c.Statement.Source.Paper = "" },
		"some/claim: source.locus is empty":       func(c *props.Spec) { c.Statement.Source.Locus = "" },
		"some/claim: source.version is empty":     func(c *props.Spec) { c.Statement.Source.Version = "" },
		"some/claim: source.year is 0":            func(c *props.Spec) { c.Statement.Source.Year = 0 },
		"some/claim: assumptions is empty": func(s *props.Spec) {
			recontrolled(func(c []wrong) []wrong { c[0].Assumption = ""; return c })(s)
			s.Statement.Assumptions = nil
		},
		"some/claim: text of assumption first is empty": func(c *props.Spec) { c.Statement.Assumptions[0].Text = "" },
		`some/claim: assumption "second" occurs twice`: func(c *props.Spec) {
			c.Statement.Assumptions = append(c.Statement.Assumptions, c.Statement.Assumptions[1])
		},
		"some/claim: counterexample of erratum typo is empty": func(c *props.Spec) {
			c.Statement.Errata[0].Counterexample = ""
		},
		"some/claim: symbol of x is empty": func(c *props.Spec) {
			c.Statement.Params[0].Symbol = ""
		},
		`some/claim: rests on "some/claim", which is no other claim`: func(c *props.Spec) {
			c.Statement.RestsOn = []string{"some/claim"}
		},
		`some/claim: rests on "some/thing", which is no other claim`: func(c *props.Spec) {
			c.Statement.RestsOn = []string{"some/thing"}
		},
		"some/claim: prediction at the defaults: root is NaN": func(c *props.Spec) {
			*c.Statement.Params[0].Domain, c.Statement.Params[0].Default = *theory.Real(), "-1"
		},
		"some/claim: prediction at the defaults: x (a number) is missing; give x=VALUE, real number > 0": func(
			c *props.Spec) {
			c.Statement.Params[0].Default = ""
		},
		"some/claim: prediction at the defaults: no quantity at all": func(c *props.Spec) {
			c.Statement.Predict = func(theory.Values) []theory.Quantity { return nil }
		},
	} {
		s := sound()
		degrade(&s)
		require.Equal(t, []string{want}, all([]props.Claim{s.Claim()}))
	}

	bare := sound()
	recontrolled(func([]wrong) []wrong { return nil })(&bare)
	bare.Statement.Assumptions[0].NoControl, bare.Statement.Errata = "reason", nil
	const toothless = "some/claim: the claim has no control: nothing says that its checks can fail"
	require.Equal(t, []string{toothless}, all([]props.Claim{bare.Claim()}))
	bare.Checks = nil
	require.Equal(t, []string{"some/claim: the claim has no check", toothless}, all([]props.Claim{bare.Claim()}))
}

func TestBudgetGateCanFail(t *testing.T) {
	spend := func(alphas ...float64) []string {
		var row results.Claim
		for _, a := range alphas {
			row.Criteria = append(row.Criteria, results.Criterion{Check: "c", Name: "p", Alpha: a})
		}
		return overspent(&results.Results{Claims: []results.Claim{row}})
	}
	require.Empty(t, spend(0, stat.PartAlpha, stat.SuiteAlpha/2))
	require.Len(t, spend(stat.SuiteAlpha, stat.PartAlpha), 1)
	require.Len(t, spend(-stat.PartAlpha), 1)
	require.Len(t, spend(math.NaN()), 2)
}

func TestFigureGateCanFail(t *testing.T) {
	drawn := func(ids ...string) []string {
		row := results.Claim{ID: "some/claim"}
		for _, id := range ids {
			row.Figures = append(row.Figures, props.Figure{ID: id})
		}
		return confused(&results.Results{Claims: []results.Claim{row}})
	}
	require.Empty(t, drawn("a", "b"))
	require.Equal(t, []string{`some/claim: figure "a" occurs twice`}, drawn("a", "b", "a"))
	require.Equal(t, []string{"some/claim: figure number 1 has no name"}, drawn(""))
}

func TestMisplacedGateCanFail(t *testing.T) {
	const good = `package some
var Claim = theory.Statement{Slug: "some/claim"}
var paper = theory.Source{}
`
	tree := func(files map[string]string) []string {
		fsys := fstest.MapFS{}
		for name, text := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		complaints, err := misplacedIn(fsys, []props.Claim{sound().Claim()})
		require.NoError(t, err)
		slices.Sort(complaints)
		return complaints
	}
	require.Empty(t, tree(map[string]string{"theory/some/claim.go": good, "props/some/claim.go": "package some"}))
	require.Empty(t, tree(map[string]string{"theory/some/claim.go": good,
		"props/some/internal/claim/claim.go": "package claim"}))
	require.Equal(t,
		[]string{`props/some/internal/claim/other.go: the names of the files of some/claim begin with claim_`},
		tree(map[string]string{"theory/some/claim.go": good, "props/some/internal/claim/claim.go": "package claim",
			"props/some/internal/claim/claim_part.go": "package claim", "props/some/internal/claim/other.go": "package claim"}))
	require.Equal(t, []string{`some/claim: neither props/some/claim.go nor props/some/internal/claim/claim.go exists`},
		tree(map[string]string{"theory/some/claim.go": good}))
	require.Equal(t, []string{
		`some/claim: theory/some/claim.go does not exist`,
		`theory/some/other.go: Claim has the slug "some/claim"; the file asks for "some/other"`,
	}, tree(map[string]string{"theory/some/other.go": good, "props/some/claim.go": "package some"}))
	require.Equal(t, []string{`some/claim: no statement with this slug in theory/*/*.go`},
		tree(map[string]string{"theory/some/claim.go": "package some", "props/some/claim.go": "package some"}))
	require.Equal(t, []string{`theory/some/orphan.go: Orphan ("some/orphan") is stated, and no claim in the catalogue ` +
		`checks it`},
		tree(map[string]string{"theory/some/claim.go": good, "props/some/claim.go": "package some",
			"theory/some/orphan.go": "package some\nvar (\n\tx = 1\n\tOrphan = &theory.Statement{Title: \"t\", Slug: " +
				"`some/orphan`}\n)"}))
	_, err := misplacedIn(fstest.MapFS{"theory/some/claim.go": {Data: []byte("no Go")}}, nil)
	require.Error(t, err)
}

func TestImportGateCanFail(t *testing.T) {
	upward := func(file string, imports ...string) []string {
		text := "package p\n"
		for _, i := range imports {
			text += "import " + `"` + modulePath + i + `"` + "\n"
		}
		complaints, err := upwardImports(fstest.MapFS{file: {Data: []byte(text)}}, modulePath)
		require.NoError(t, err)
		return complaints
	}
	require.Empty(t, upward("theory/some/a.go", "/theory", "/theory/hermite"))
	require.Empty(t, upward("props/some/a.go", "/theory/some", "/impl/nn", "/props/gen", "extra/reports"))
	require.Empty(t, upward("cmd/thm/a.go", "/theory", "/impl", "/props", "/bench", "/reports", "/cmd/other"))
	require.Empty(t, upward("props/testdata/a.go", "/cmd/thm"))
	require.Empty(t, upward("internal/some/a.go", "/internal/other"))
	for _, own := range []string{"theory", "impl", "props", "bench", "reports", "cmd"} {
		require.Empty(t, upward(own+"/a.go", "/internal/some"))
		require.Len(t, upward("internal/some/a.go", "/"+own), 1, own)
	}
	for _, c := range [][2]string{
		{"theory/some/a.go", "/impl/nn"}, {"impl/nn/a.go", "/theory"}, {"impl/nn/a.go", "/props/gen"},
		{"theory/some/a_test.go", "/props"}, {"props/a.go", "/bench"}, {"bench/a.go", "/reports"},
		{"reports/a_test.go", "/cmd/thm"}, {"cmd/thm/a.go", "/tool/x"}, {"props/a.go", ""},
	} {
		require.Len(t, upward(c[0], c[1]), 1, c)
	}
	for _, c := range [][2]string{ // what a layer keeps in internal is of this layer
		{"internal/impl/nn/a.go", "/theory"}, {"internal/impl/nn/a.go", "/props"}, {"internal/draw/a.go", "/internal/props"},
		{"theory/some/a.go", "/internal/impl/nn"}, {"internal/gate/a.go", "/internal/bench/record"},
	} {
		require.Len(t, upward(c[0], c[1]), 1, c)
	}
	require.Empty(t, upward("props/a.go", "/internal/impl/nn", "/internal/props/x", "/internal/draw"))
	for _, own := range []string{"theory", "impl/blas", "props/gen", "internal/bench/record", "bench/gated", "reports"} {
		require.Len(t, upward("bench/gate/some/a.go", "/"+own), 1, own)
		require.Len(t, upward("bench/gate/some/a_test.go", "/"+own), 1, own)
		require.Len(t, upward("cmd/benchgate/a.go", "/"+own), 1, own)
	}
	for _, file := range []string{"theory/spectra/a.go", "props/width/a.go"} { // what another module could not write
		require.Len(t, upward(file, "/internal/roundoff"), 1, file)
		require.Empty(t, upward(file, "/theory", "/theory/linear"), file)
	}
	require.Empty(t, upward("props/width/a_test.go", "/internal/roundoff"))
	for _, file := range []string{"impl/nn/a.go", "bench/gate/some/a.go"} { // the statistics are for all
		require.Empty(t, upward(file, "/props/stat"))
	}
	for _, imported := range []string{"/theory", "/impl/nn", "/props", "/props/gen"} {
		require.Len(t, upward("props/stat/a.go", imported), 1, imported)
	}
	require.Empty(t, upward("bench/gate/some/a.go", "/bench/gate/other", "/internal/some", "extra/props"))
	require.Empty(t, upward("cmd/benchgate/main.go", "/bench/gate/command", "/internal/cli"))
	require.Empty(t, upward("internal/bench/record/a.go", "/internal/gate/measure", "/props"))
	require.Empty(t, upward("cmd/thm/a.go", "/bench/gate/command"))
	for _, own := range []string{"internal", "theory", "impl", "props", "bench", "reports"} {
		require.Len(t, upward(own+"/a.go", "/cmd/thm"), 1, own)
	}
	const outside = " lies outside of internal, theory, impl, props, bench, reports, cmd"
	require.Equal(t, []string{"tool/a.go" + outside}, upward("tool/a.go"))
	require.Equal(t, []string{"tool.go" + outside}, upward("tool.go"))
}
