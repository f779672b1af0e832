package catalog_test

import (
	"math"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
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
	misplaced, err := catalog.Misplaced(module, claims)
	require.NoError(t, err)
	upward, err := catalog.Upward(module, modulePath)
	require.NoError(t, err)
	for name, complaints := range map[string][]string{
		"unchecked":     catalog.Unchecked(claims),
		"untouched":     catalog.Untouched(claims),
		"unrefuted":     catalog.Unrefuted(claims),
		"ambiguous":     catalog.Ambiguous(claims),
		"unfilled":      catalog.Unfilled(catalog.Statements()),
		"unpredictable": catalog.Unpredictable(catalog.Statements()),
		"misplaced":     misplaced,
		"upward":        upward,
	} {
		t.Run(name, func(t *testing.T) {
			for _, complaint := range complaints {
				t.Error(complaint)
			}
		})
	}
}

// sound is a claim that passes every gate; the tests below break one thing at a time.
func sound() props.Claim {
	check := props.Property{Name: "true", Cases: props.Scale{Quick: 1}, Prop: func(*props.T) props.Ratio { return props.Ratio{} }}.Check()
	return props.Claim{
		Statement: &theory.Statement{
			Slug: "some/claim", Title: "title", Kind: theory.Identity, Standing: theory.Theorem, Setting: "setting",
			Params: []theory.Param{{Name: "x", Symbol: "x", Meaning: "a number", Domain: theory.Above(0), Default: "2"}},
			Claim:  "1 = 1", TeX: "1 = 1",
			Assumptions: []theory.Assumption{{ID: "first", Text: "text"}, {ID: "second", Text: "text", NoControl: "reason"}},
			Errata:      []theory.Erratum{{ID: "typo", Printed: "1 = 2", Locus: "(1)", Correct: "1 = 1", Counterexample: "1"}},
			Source:      theory.Source{Paper: "paper", Version: "v1", Year: 2020, Locus: "Theorem 1"},
			Predict: func(v theory.Values) []theory.Quantity {
				return []theory.Quantity{{Name: "root", Value: math.Sqrt(v.Float("x"))}}
			},
		},
		Verify:   []props.LegacyCheck{check},
		Controls: []props.LegacyControl{{Name: "wrong", Assumption: "first", Check: check}, {Name: "factor", Check: check}},
		Errata:   []props.Refutation{{Erratum: "typo", Check: check}},
		Resolve:  []props.Resolution{{Of: "it", Unit: props.Exact}},
	}
}

// Each case breaks one thing, and exactly one complaint names it.
func TestClaimGatesCanFail(t *testing.T) {
	statements := func(gate func([]*theory.Statement) []string) func([]props.Claim) []string {
		return func(claims []props.Claim) []string {
			var list []*theory.Statement
			for _, c := range claims {
				list = append(list, c.Statement)
			}
			return gate(list)
		}
	}
	gates := []func([]props.Claim) []string{catalog.Unchecked, catalog.Untouched, catalog.Unrefuted, catalog.Ambiguous,
		statements(catalog.Unfilled), statements(catalog.Unpredictable)}
	all := func(claims []props.Claim) []string {
		var out []string
		for _, gate := range gates {
			out = append(out, gate(claims)...)
		}
		return out
	}
	require.Empty(t, all([]props.Claim{sound()}))
	require.Contains(t, all([]props.Claim{sound(), sound()}), "some/claim: slug occurs twice")

	for want, spoil := range map[string]func(*props.Claim){
		"some/claim has no check (Verify)":                                                         func(c *props.Claim) { c.Verify = nil },
		"some/claim has no resolution (Resolve)":                                                   func(c *props.Claim) { c.Resolve = nil },
		`some/claim: check "true" occurs twice`:                                                    func(c *props.Claim) { c.Verify = append(c.Verify, c.Verify[0]) },
		`some/claim: control "wrong" occurs twice`:                                                 func(c *props.Claim) { c.Controls[1].Name = "wrong" },
		`some/claim: resolution number 1 has no name`:                                              func(c *props.Claim) { c.Resolve[0].Of = "" },
		`some/claim: assumption "first" is dropped by no control and gives no reason (NoControl)`:  func(c *props.Claim) { c.Controls[0].Assumption = "" },
		`some/claim: assumption "first" is dropped by a control and yet says that it cannot be`:    func(c *props.Claim) { c.Statement.Assumptions[0].NoControl = "reason" },
		`some/claim: control "factor" drops assumption "third", which the statement does not have`: func(c *props.Claim) { c.Controls[1].Assumption = "third" },
		`some/claim: erratum "typo" is refuted by nothing`:                                         func(c *props.Claim) { c.Errata = nil },
		`some/claim: refutation of "typo", which is no erratum of the statement`:                   func(c *props.Claim) { c.Statement.Errata = nil },
		"Some/claim: slug is not source/name in lower-case letters and digits":                     func(c *props.Claim) { c.Statement.Slug = "Some/claim" },
		"some/claim_test: slug is not source/name in lower-case letters and digits":                func(c *props.Claim) { c.Statement.Slug = "some/claim_test" },
		"some/claim: title is empty":                                                               func(c *props.Claim) { c.Statement.Title = "" },
		"some/claim: setting is empty":                                                             func(c *props.Claim) { c.Statement.Setting = "" },
		"some/claim: claim is empty":                                                               func(c *props.Claim) { c.Statement.Claim = "" },
		"some/claim: tex is empty":                                                                 func(c *props.Claim) { c.Statement.TeX = "" },
		`some/claim: kind "" is unknown`:                                                           func(c *props.Claim) { c.Statement.Kind = "" },
		`some/claim: standing "lemma" is unknown`:                                                  func(c *props.Claim) { c.Statement.Standing = "lemma" },
		"some/claim: source.paper is empty":                                                        func(c *props.Claim) { c.Statement.Source.Paper = "" },
		"some/claim: source.locus is empty":                                                        func(c *props.Claim) { c.Statement.Source.Locus = "" },
		"some/claim: source.version is empty":                                                      func(c *props.Claim) { c.Statement.Source.Version = "" },
		"some/claim: source.year is 0":                                                             func(c *props.Claim) { c.Statement.Source.Year = 0 },
		"some/claim: assumptions is empty":                                                         func(c *props.Claim) { c.Statement.Assumptions, c.Controls[0].Assumption = nil, "" },
		"some/claim: text of assumption first is empty":                                            func(c *props.Claim) { c.Statement.Assumptions[0].Text = "" },
		`some/claim: assumption "second" occurs twice`: func(c *props.Claim) {
			c.Statement.Assumptions = append(c.Statement.Assumptions, c.Statement.Assumptions[1])
		},
		"some/claim: counterexample of erratum typo is empty":        func(c *props.Claim) { c.Statement.Errata[0].Counterexample = "" },
		"some/claim: symbol of x is empty":                           func(c *props.Claim) { c.Statement.Params[0].Symbol = "" },
		`some/claim: rests on "some/claim", which is no other claim`: func(c *props.Claim) { c.Statement.RestsOn = []string{"some/claim"} },
		`some/claim: rests on "some/thing", which is no other claim`: func(c *props.Claim) { c.Statement.RestsOn = []string{"some/thing"} },
		"some/claim: prediction at the defaults: root is NaN": func(c *props.Claim) {
			*c.Statement.Params[0].Domain, c.Statement.Params[0].Default = *theory.Real(), "-1"
		},
		"some/claim: prediction at the defaults: x (a number) is missing; give x=VALUE, real number > 0": func(c *props.Claim) { c.Statement.Params[0].Default = "" },
		"some/claim: prediction at the defaults: no quantity at all":                                     func(c *props.Claim) { c.Statement.Predict = func(theory.Values) []theory.Quantity { return nil } },
	} {
		c := sound()
		spoil(&c)
		require.Equal(t, []string{want}, all([]props.Claim{c}))
	}

	bare := sound()
	bare.Controls, bare.Statement.Assumptions[0].NoControl = nil, "reason"
	require.Equal(t, []string{"some/claim has no control (Controls)"}, all([]props.Claim{bare}))
}

func TestBudgetGateCanFail(t *testing.T) {
	spend := func(alphas ...float64) []string {
		var row props.ClaimResult
		for _, a := range alphas {
			row.Parts = append(row.Parts, props.PartResult{Check: "c", Name: "p", Alpha: a})
		}
		return catalog.Overspent(&props.Results{Claims: []props.ClaimResult{row}})
	}
	require.Empty(t, spend(0, stat.PartAlpha, stat.SuiteAlpha/2))
	require.Len(t, spend(stat.SuiteAlpha, stat.PartAlpha), 1)
	require.Len(t, spend(-stat.PartAlpha), 1)
	require.Len(t, spend(math.NaN()), 2)
}

func TestFigureGateCanFail(t *testing.T) {
	drawn := func(ids ...string) []string {
		row := props.ClaimResult{ID: "some/claim"}
		for _, id := range ids {
			row.Figures = append(row.Figures, props.Figure{ID: id})
		}
		return catalog.Confused(&props.Results{Claims: []props.ClaimResult{row}})
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
		complaints, err := catalog.Misplaced(fsys, []props.Claim{sound()})
		require.NoError(t, err)
		slices.Sort(complaints)
		return complaints
	}
	require.Empty(t, tree(map[string]string{"theory/some/claim.go": good, "props/some/claim.go": "package some"}))
	require.Equal(t, []string{`some/claim: props/some/claim.go does not exist`},
		tree(map[string]string{"theory/some/claim.go": good}))
	require.Equal(t, []string{
		`some/claim: theory/some/claim.go does not exist`,
		`theory/some/other.go: Claim has the slug "some/claim"; the file asks for "some/other"`,
	}, tree(map[string]string{"theory/some/other.go": good, "props/some/claim.go": "package some"}))
	require.Equal(t, []string{`some/claim: no statement with this slug in theory/*/*.go`},
		tree(map[string]string{"theory/some/claim.go": "package some", "props/some/claim.go": "package some"}))
	require.Equal(t, []string{`theory/some/orphan.go: Orphan ("some/orphan") is stated, and no claim in the catalogue checks it`},
		tree(map[string]string{"theory/some/claim.go": good, "props/some/claim.go": "package some",
			"theory/some/orphan.go": "package some\nvar (\n\tx = 1\n\tOrphan = &theory.Statement{Title: \"t\", Slug: `some/orphan`}\n)"}))
	_, err := catalog.Misplaced(fstest.MapFS{"theory/some/claim.go": {Data: []byte("no Go")}}, nil)
	require.Error(t, err)
}

func TestImportGateCanFail(t *testing.T) {
	upward := func(file string, imports ...string) []string {
		text := "package p\n"
		for _, i := range imports {
			text += "import " + `"` + modulePath + i + `"` + "\n"
		}
		complaints, err := catalog.Upward(fstest.MapFS{file: {Data: []byte(text)}}, modulePath)
		require.NoError(t, err)
		return complaints
	}
	require.Empty(t, upward("theory/some/a.go", "/theory", "/theory/hermite"))
	require.Empty(t, upward("props/some/a.go", "/theory/some", "/impl/nn", "/props/stat", "extra/reports"))
	require.Empty(t, upward("cmd/thm/a.go", "/theory", "/impl", "/props", "/bench", "/reports", "/cmd/other"))
	require.Empty(t, upward("props/testdata/a.go", "/cmd/thm"))
	require.Empty(t, upward("internal/some/a.go", "/internal/other"))
	for _, own := range []string{"theory", "impl", "props", "bench", "reports", "cmd"} {
		require.Empty(t, upward(own+"/a.go", "/internal/some"))
		require.Len(t, upward("internal/some/a.go", "/"+own), 1, own)
	}
	for _, c := range [][2]string{
		{"theory/some/a.go", "/impl/nn"}, {"impl/nn/a.go", "/theory"}, {"impl/nn/a.go", "/props/stat"},
		{"theory/some/a_test.go", "/props"}, {"props/a.go", "/bench"}, {"bench/a.go", "/reports"},
		{"reports/a_test.go", "/cmd/thm"}, {"cmd/thm/a.go", "/tool/x"}, {"props/a.go", ""},
	} {
		require.Len(t, upward(c[0], c[1]), 1, c)
	}
	const outside = " lies outside of internal, theory, impl, props, bench, reports, cmd"
	require.Equal(t, []string{"tool/a.go" + outside}, upward("tool/a.go"))
	require.Equal(t, []string{"tool.go" + outside}, upward("tool.go"))
}
