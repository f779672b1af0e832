package reports

import (
	"fmt"
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

// A soak counts the findings among its claims apart, as far as the catalogue knows them.
func TestSoakCountsFindingsApart(t *testing.T) {
	s := &soak.Summary{Claims: 3, Items: []soak.Item{{Claim: "a/finding"}, {Claim: "a/finding", Name: "again"},
		{Claim: "a/theorem"}, {Claim: "a/unknown"}}}
	page, err := SoakPage(s, []*theory.Statement{{Slug: "a/finding", Standing: theory.Finding},
		{Slug: "a/theorem", Standing: theory.Theorem}, {Slug: "b/other", Standing: theory.Finding}}, "thm", "")
	require.NoError(t, err)
	require.Contains(t, string(page), "<dt>Claims</dt><dd><b>2</b> <span>and 1 finding</span></dd>")
}

// claimPageOf is the page of a claim.
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

// TestOrderOfAClaim asks for the order in which a reader asks: what it says, its figure, the verdict with the worst
// conditions open and the rest folded, wrong versions, printed errors, proof, how to reproduce, how to cite.
func TestOrderOfAClaim(t *testing.T) {
	s := sample()
	s.Simulated = map[string]bool{"alpha/residual": true}
	inOrder(t, claimPageOf(t, s, "alpha/residual"), "<h1", "<math", "Used by.", "alpha/order", "<figcaption",
		`download="alpha-residual-order.svg"`, `download="alpha-residual-order.csv"`, ">Verdict</h2>", "slope is 2",
		">Wrong versions</h2>", ">Printed errors</h2>", ">Proof and limits</h2>", ">Reproduce, try, cite</h2>",
		"thm check alpha/residual --seed 1", "thm try alpha/residual step=0.1", "@misc{alpha2023,")
	refuted := claimPageOf(t, s, "beta/spectrum")
	inOrder(t, refuted, "largest eigenvalue", "distance to the density", "variance doubled", "c replaced by 1/c")
	require.NotContains(t, refuted, "thm try")
}

// TestFailuresComeFirst asks that what does not hold is named and linked below the headline, comes first in the list
// whatever the order of the catalogue, and has its mark above those of wrong versions.
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

// TestFallenLemma asks that what rests on a claim that does not hold says so, through others as well.
func TestFallenLemma(t *testing.T) {
	s := sample()
	s.Statements[1].RestsOn = []string{"beta/spectrum"}
	s.Statements[0].RestsOn = []string{"alpha/order"}
	index := string(page(t, s))
	require.Equal(t, 2, strings.Count(index, `class="node holds shaken"`))
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

// TestTimes asks for the claims above their share first, with what they say about it.
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
