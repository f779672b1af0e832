package reports

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/reports/soak"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

func TestBibTeX(t *testing.T) {
	require.Equal(t, `@misc{alpha2023,
  author = {A. Author and B. de Author},
  title = {On 50\% of \& all: Steps},
  year = {2023},
  eprint = {2310.07891},
  archiveprefix = {arXiv},
  note = {v3; Theorem 2},
}`, bibTeX(theory.Source{Paper: "A. Author, B. de Author: On 50% of & {all}: Steps", ArXiv: "2310.07891", Version: "v3",
		Year: 2023, Locus: "Theorem 2"}, "alpha/one"))
	require.Equal(t, "@misc{own,\n  title = {This repository},\n}", bibTeX(theory.Source{Paper: "This repository"},
		"own/claim"))
}

// A soak counts the findings among its claims separately, as far as the catalogue knows them.
func TestSoakCountsFindingsApart(t *testing.T) {
	s := &soak.Summary{Claims: 3, Items: []soak.Item{{Claim: "a/finding"}, {Claim: "a/finding", Name: "again"},
		{Claim: "a/theorem"}, {Claim: "a/unknown"}}}
	page, err := SoakPage(s, []*theory.Statement{{Slug: "a/finding", Standing: theory.Finding},
		{Slug: "a/theorem", Standing: theory.Theorem}, {Slug: "b/other", Standing: theory.Finding}}, "thm", "")
	require.NoError(t, err)
	require.Contains(t, string(page), "<dt>Claims</dt><dd><b>2</b> <span>and 1 finding</span></dd>")
}

// claimPageOf returns the page of a claim.
func claimPageOf(t *testing.T, s Site, slug string) string {
	t.Helper()
	files, err := Pages(s)
	require.NoError(t, err)
	for _, f := range files {
		if f.Name == "claims/"+slug+".html" {
			return string(f.Content)
		}
	}
	t.Fatal("no page of " + slug)
	return ""
}

// inOrder fails unless the texts follow one another.
func inOrder(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		_, after, found := strings.Cut(text, w)
		require.True(t, found, "%s is missing or too early", w)
		text = after
	}
}

// TestOrderOfAClaim asks that a page follows the questions of a reader: what the claim says, its figure, the verdict
// with the worst conditions open and the rest folded, wrong versions, printed errors, proof, how to reproduce, how to
// cite.
func TestOrderOfAClaim(t *testing.T) {
	s := sample()
	s.Simulated = map[string]bool{"alpha/residual": true}
	s.Closed = map[string]string{"beta/spectrum": "It cannot be certified: no rows."}
	inOrder(t, claimPageOf(t, s, "alpha/residual"), "<h1", "<math", "Used by.", "alpha/order", "<figcaption",
		`download="alpha-residual-order.svg"`, `download="alpha-residual-order.csv"`, ">Verdict</h2>", "slope is 2",
		">Wrong versions</h2>", ">Printed errors</h2>", ">Proof and limits</h2>", ">Reproduce, try, cite</h2>",
		"thm check alpha/residual --seed 1", "thm try alpha/residual step=0.1",
		"thm show alpha/residual --template", "@misc{alpha2023,")
	refuted := claimPageOf(t, s, "beta/spectrum")
	inOrder(t, refuted, "largest eigenvalue", "distance to the density", "variance doubled", "c replaced by 1/c",
		"<dd>It cannot be certified: no rows.</dd>")
	require.NotContains(t, refuted, "thm try")
}

// TestFailuresComeFirst asks that a claim that does not hold is named and linked below the headline, comes first in the
// list whatever the order of the catalogue, and has its mark above those of wrong versions.
func TestFailuresComeFirst(t *testing.T) {
	s := sample()
	files, err := Pages(s)
	require.NoError(t, err)
	index := string(files[0].Content)
	inOrder(t, index, "<h1", `<ul class="failing"`, "refuted</span> "+`<a class="slug" href="claims/beta/spectrum.html"`,
		"undecided</span> "+`<a class="slug" href="claims/beta/probability.html"`, "claims/beta/stopped.html",
		"claims/beta/broken.html", "</ul>", `<ul class="verdicts"`, "What does not hold", `data-slug="beta/spectrum"`,
		"C. Author: Spectra", `data-slug="beta/probability"`, `data-slug="beta/stopped"`, `data-slug="beta/broken"`,
		"On One Step</th>", `data-slug="alpha/residual"`, `data-slug="alpha/order"`, `data-slug="beta/untouched"`)
	require.Equal(t, 7, strings.Count(index, "data-slug="), "every claim has one row")
	slices.Reverse(s.Statements)
	inOrder(t, string(page(t, s)), `data-slug="beta/spectrum"`, `data-slug="beta/probability"`,
		`data-slug="beta/untouched"`)
	for _, none := range []string{`class="failing"`, "What does not hold", "--refuted,"} {
		require.NotContains(t, string(page(t, green())), none)
	}

	_, row, _ := strings.Cut(index, `data-slug="beta/spectrum"`)
	row, _, _ = strings.Cut(row, "</svg>")
	last := func(colour string) int { return strings.LastIndex(row, `<g style="fill:var(--`+colour) }
	require.Greater(t, last("series-1"), last("series-2"), "the mark of the claim lies above those of wrong versions")
}

// TestManyFailures asks that the head of the index stays short when a run was stopped early.
func TestManyFailures(t *testing.T) {
	s := Site{Results: &results.Results{}}
	for i := range namedFailing + 3 {
		s.Results.Claims = append(s.Results.Claims, results.Claim{ID: fmt.Sprintf("a/c%d", i),
			Verdict: results.Incomplete})
	}
	view := s.view(inside)
	require.Len(t, view.Failing, 1)
	require.Len(t, view.Failing[0].Claims, namedFailing)
	require.Contains(t, string(page(t, s)), ">and 3 more</a>")
	require.Len(t, view.Groups, 1)
	require.Len(t, view.Groups[0].Rows, namedFailing+3)
}

// TestFallenLemma asks that a claim says so if it depends, directly or through others, on a claim that does not hold.
func TestFallenLemma(t *testing.T) {
	s := sample()
	s.Statements[1].RestsOn = []string{"beta/spectrum"}
	s.Statements[0].RestsOn = []string{"alpha/order"}
	index := string(page(t, s))
	require.Equal(t, 4, strings.Count(index, `class="node holds shaken"`), "two, in the map and in the graph")
	require.Equal(t, 2, strings.Count(index, "rests on beta/spectrum (refuted)"))
	require.NotContains(t, string(page(t, green())), "shaken\"")
}

// TestOlderRowsSayFromWhen asks that a row of an earlier run says so, in the index and on its page.
func TestOlderRowsSayFromWhen(t *testing.T) {
	s := sample()
	at := s.Results.Run.Started.AddDate(0, 0, -1)
	s.Results.Claims[0].Older = &at
	const want = "from the run of 30 September 2026, 12:30 UTC"
	require.Equal(t, 2, strings.Count(string(page(t, s)), want))
	require.Contains(t, claimPageOf(t, s, "alpha/residual"), "This row is "+want)
	require.NotContains(t, claimPageOf(t, s, "alpha/order"), want)
}

// TestTimes asks that claims above their share of time come first, with their own explanation.
func TestTimes(t *testing.T) {
	s := sample()
	s.Statements[2].Cost = "Eigenvalues of large matrices."
	view := times(s.entries(), inside)
	require.Equal(t, "beta/spectrum", view.Large[0].Slug)
	require.Equal(t, "Eigenvalues of large matrices.", view.Large[0].Why)
	require.Equal(t, "It gives no reason.", view.Large[1].Why)
	require.Len(t, append(view.Large, view.Rest...), 6)
	for _, v := range view.Rest {
		require.Empty(t, v.Why)
	}
}

// TestMovedComesFirst asks that changes stand above the table, with losses named, that a claim that is gone has no
// link, and that a page without a comparison does not mention one.
func TestMovedComesFirst(t *testing.T) {
	s := sample()
	require.NotContains(t, string(page(t, s)), "What moved")
	nan := results.Number(math.NaN())
	s.Moved = &Moved{Since: "the run of yesterday", Same: 3, Ratios: 2, Rows: []Move{
		{Claim: "beta/spectrum", Why: "verdict", Loss: true, Verdicts: [2]results.Verdict{results.Holds, results.Refuted},
			Ratio: [2]results.Number{0.5, 7.5}, Resolution: [2]results.Number{0.05, 0.05}},
		{Claim: "beta/gone", Why: "claim is gone", Loss: true, Verdicts: [2]results.Verdict{results.Holds, ""},
			Ratio: [2]results.Number{0.5, nan}, Resolution: [2]results.Number{0.05, nan}},
		{Claim: "alpha/order", Why: "new claim", Verdicts: [2]results.Verdict{"", results.Holds},
			Ratio: [2]results.Number{nan, 0.5}, Resolution: [2]results.Number{nan, 0.05}}}}
	index := page(t, s)
	require.Empty(t, structure(index))
	inOrder(t, string(index), `class="failing"`, "What moved since the run of yesterday", "2 losses.", "3 did not move",
		"of 2 only the worst ratio did", "New, and it holds: ", ">alpha/order</a>.</p>",
		`<a href="#beta/spectrum">`, "holds</span> → ", "refuted</span>", "0.5 → 7.5",
		"0.05</td>", ">beta/gone</th>", "not there</span>", `"Worst ratio">0.5</td>`, ">Claims</h2>")
	require.Equal(t, "7.5", fromTo([2]results.Number{nan, 7.5}), "a new claim has no ratio of before")
	s.Moved.Smaller, s.Moved.Rows[0].Cases = "standard", [2]int{4, 4000}
	s.Moved.Rows[0].Resolution = [2]results.Number{0.5, 0.05}
	inOrder(t, string(page(t, s)), "What this effort resolves beyond standard effort, the run of yesterday",
		"0.5 → 0.05</td>", "4 → "+whole(4000)+"</td>")
	require.Equal(t, "It resolves 0.05, where standard effort resolves 0.5, on "+whole(4000)+
		" cases, where standard effort has 4.",
		s.Moved.beyond("beta/spectrum"))
	s.Moved.Rows[0].Resolution[0], s.Moved.Rows[0].Cases = 0.05, [2]int{4, 4}
	require.Equal(t, "It has the same resolution as at standard effort, on the 4 cases of standard effort.",
		s.Moved.beyond("beta/spectrum"))
	s.Moved.Rows[0].Verdicts[0] = ""
	require.Empty(t, s.Moved.beyond("beta/spectrum"), "the other results do not have it")
	require.Empty(t, s.Moved.beyond("beta/other"))
	s.Moved.Smaller, s.Moved.Rows = "", nil
	require.Empty(t, s.Moved.beyond("beta/spectrum"))
	require.Contains(t, string(page(t, s)),
		"<p>No verdict, no resolution and no wrong version moved; 2 worst ratios did.</p>")
}

// TestOne asks that a single thing is not counted in the plural.
func TestOne(t *testing.T) {
	s := green()
	c := &s.Results.Claims[0]
	s.Results.Claims, s.Statements = s.Results.Claims[:1], s.Statements[:1]
	s.Results.Manifest.Planned = s.Results.Manifest.Planned[:1]
	c.Controls, c.Checks[0].Cases = c.Controls[:1], results.Count{Planned: 1, Run: 1}
	c.Checks, c.Criteria = c.Checks[:1], c.Criteria[:1]
	s.Results.Conclude()
	md, err := Markdown(s)
	require.NoError(t, err)
	xml, err := JUnit(s)
	require.NoError(t, err)
	claim := claimPageOf(t, s, c.ID)
	require.Contains(t, string(page(t, s)), ">1 case<")
	require.Contains(t, string(md), "1 case, 1 wrong version rejected")
	many := "(cases|claims|findings|controls|wrong versions|printed errors|readings|losses)"
	require.NotRegexp(t, `(^|[^\d.,\x{202f}])1 `+many+`\b`, string(page(t, s))+claim+string(md)+string(xml))
}

// TestSlider asks that the slider moves the parameter on which most closed forms depend, over the values that the
// statement allows, and that the page shows all values without a script.
func TestSlider(t *testing.T) {
	st := &theory.Statement{Slug: "a/b", Params: []theory.Param{
		{Name: "name", Domain: theory.OneOf("x", "y"), Default: "x"},
		{Name: "idle", Symbol: "i", Domain: theory.Above(0), Default: "1"},
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerFrom(3), Default: "4"},
		{Name: "c", Symbol: "c", Domain: theory.Inside(0, 1), Default: "0.5"},
		{Name: "W", Shape: "m×n"}},
		Predict: func(v theory.Values) []theory.Quantity {
			n, c := v.Float("n"), v.Float("c")
			return []theory.Quantity{{Name: "still", Value: 1}, {Name: "one", Symbol: "n", Value: n},
				{Name: "two", Value: n * c}, {Name: "three", Value: math.Sqrt(9.5 - n)}}
		}}
	v := slider(st)
	require.Equal(t, "n", v.Param.Name)
	require.Equal(t, "name = x, idle = 1, c = 0.5", v.Others)
	require.Len(t, v.Names, 3)
	require.Equal(t, "3", v.Rows[0].At)
	require.Equal(t, "16", v.Rows[len(v.Rows)-1].At)
	require.Equal(t, sliderRow{"4", []string{"4", "2", "2.35"}, []float64{1, 4, 2, math.Sqrt(5.5)}}, v.Rows[v.Start])
	require.Equal(t, "NaN", v.Rows[len(v.Rows)-1].Values[2])

	st.Params[2].Domain, st.Predict = theory.IntegerBetween(3, 5), func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "two", Value: v.Float("n") * v.Float("c")}}
	}
	v = slider(st)
	require.Equal(t, "c", v.Param.Name, "three integers are too few")
	require.Len(t, v.Rows, 11, "the ends are not allowed")
	require.Equal(t, "0.5", v.Rows[v.Start].At)
	st.Params[3].Domain = theory.Inside(0, 1e20)
	v = slider(st)
	require.Equal(t, "0.125 0.5 2", v.Rows[0].At+" "+v.Rows[v.Start].At+" "+v.Rows[len(v.Rows)-1].At)
	st.Predict = func(theory.Values) []theory.Quantity { return []theory.Quantity{{Name: "still", Value: 1}} }
	require.Nil(t, slider(st))

	s := green()
	s.Statements[0].Predict = func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "shift", Symbol: "γ²", Value: v.Float("step") * v.Float("step")}}
	}
	claim := claimPageOf(t, s, "alpha/residual")
	require.Empty(t, structure([]byte(claim)))
	inOrder(t, claim, ">At other parameters</h2>", `<div class="slider" data-start="6" data-name="γ">`,
		"change with γ, step size",
		`<th scope="row" class="num">0.025</th>`, ">0.1</th>", ">0.4</th>", ">Proof and limits</h2>")
	stored, err := json.Marshal(Sliders(s.Statements))
	require.NoError(t, err)
	s.Statements[0].Predict = nil // so that nothing is computed
	require.NotContains(t, claimPageOf(t, s, "alpha/residual"), "At other parameters")
	require.NoError(t, json.Unmarshal(stored, &s.Sliders))
	inOrder(t, claimPageOf(t, s, "alpha/residual"), "At other parameters", ">0.025</th>", ">0.4</th>")
}

// TestWhatDecides asks that a figure has the worst conditions in plain words next to it.
func TestWhatDecides(t *testing.T) {
	inOrder(t, claimPageOf(t, sample(), "alpha/residual"), "<figcaption", `<ul class="asked"`,
		"<b>slope is 2</b>: met if the whole interval lies within 0.05 of the claimed value.</li>", "</ul>", ">Verdict</h2>",
		"met if the whole interval lies within 0.05 of the claimed value; it misses the true value once in "+
			"10<sup>8</sup> runs, and a difference above 0.11 would be noticed")
	needs := results.Criterion{Alpha: 1e-8, Margin: 0.05, Detects: 0.2, Needs: 5.24}
	require.Contains(t, test(needs), "noticed; 5.24 times as many samples would make it that narrow")
}

// TestRowsHaveTheirFigure asks for the small figure of a claim that holds, and for the strip of one that does not.
func TestRowsHaveTheirFigure(t *testing.T) {
	index := string(page(t, sample()))
	row := func(slug string) string {
		_, row, _ := strings.Cut(index, `data-slug="`+slug+`"`)
		row, _, _ = strings.Cut(row, "</tr>")
		return row
	}
	require.Contains(t, row("alpha/residual"), "<title>Order in the step size</title>")
	require.NotContains(t, row("alpha/residual"), `class="strip"`)
	for _, slug := range []string{"beta/spectrum", "alpha/order"} {
		require.Contains(t, row(slug), `class="strip"`, slug)
	}
}
