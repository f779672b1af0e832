package catalog_test

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/theory"
)

// A finding was observed somewhere, and its title says where: at which size.
func TestTitlesOfFindingsNameASize(t *testing.T) {
	size := regexp.MustCompile(`\d`)
	findings := 0
	for _, c := range catalog.All() {
		if s := c.Statement; s.Standing == theory.Finding {
			findings++
			require.Regexp(t, size, s.Title, s.Slug)
			require.Equal(t, theory.Empirical, s.Kind, s.Slug)
		} else {
			require.NotEqual(t, theory.Empirical, s.Kind, s.Slug)
		}
	}
	require.NotZero(t, findings)
}

// found is one finding of a published experiment.
type found struct {
	Verdict                 string
	Estimate, Lo, Hi, Bound float64
}

var interval, bound = regexp.MustCompile(`(\S+) \[(\S+), (\S+)\]`), regexp.MustCompile(`bound of ([\d.]+\d)`)

// misquoted lists the figures of a sentence that are not those of an experiment: estimates with their intervals, and
// bounds. One of the findings that it quotes has to be one that does not hold there.
func misquoted(sentence string, findings []found) (out []string) {
	three := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	against := false
	for _, quoted := range interval.FindAllStringSubmatch(sentence, -1) {
		at := slices.IndexFunc(findings, func(f found) bool {
			return slices.Equal(quoted[1:], []string{three(f.Estimate), three(f.Lo), three(f.Hi)})
		})
		if at < 0 {
			out = append(out, quoted[0]+" was not found")
			continue
		}
		against = against || findings[at].Verdict != "holds"
	}
	for _, quoted := range bound.FindAllStringSubmatch(sentence, -1) {
		if !slices.ContainsFunc(findings, func(f found) bool { return three(f.Bound) == quoted[1] }) {
			out = append(out, "no "+quoted[0])
		}
	}
	if !against {
		out = append(out, "nothing that is quoted fails to hold")
	}
	return out
}

// What contradicts a finding lies where its page leads to, and is quoted as it is.
func TestContradictionsAreQuotedRight(t *testing.T) {
	contradicted := []string{}
	for _, c := range catalog.All() {
		for experiment, sentence := range c.Statement.Contradicted {
			contradicted = append(contradicted, c.Statement.Slug)
			folder := "reports/published/experiments/" + experiment
			require.Contains(t, source.Experiment(experiment), "/blob/main/"+folder+"/report.md")
			_, err := fs.Stat(module, folder+"/report.md")
			require.NoError(t, err)
			raw, err := fs.ReadFile(module, folder+"/results.json")
			require.NoError(t, err)
			var results struct{ Findings []found }
			require.NoError(t, json.Unmarshal(raw, &results))
			require.Empty(t, misquoted(sentence, results.Findings), c.Statement.Slug)
		}
	}
	require.Equal(t, []string{"latent/learning", "tangent/signs"}, contradicted)

	findings := []found{{"refuted", 0.12345, 0.1, 0.2, 0.05}, {"holds", 1, 0.5, 2, 0.05}}
	require.Empty(t, misquoted("It is 0.123 [0.1, 0.2], above the bound of 0.05.", findings))
	wrong := misquoted("It is 0.124 [0.1, 0.2], above the bound of 0.06, or 1 [0.5, 2].", findings)
	require.Equal(t, []string{"0.124 [0.1, 0.2] was not found", "no bound of 0.06",
		"nothing that is quoted fails to hold"}, wrong)
}
