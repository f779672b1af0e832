package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/theory"
)

// absurd are values that somebody types once.
var absurd = []string{"1e12", "1000000000000", "NaN", "Inf", "-1", "-1e12", "0", "0.5", "1", "1000000", "1e300",
	"1e-300", "1e308", "5e-324", "100000000000000000000", "", "x"}

// Whatever the parameters, a prediction is a number or a refusal of one line, and it comes at once. Infinite is only
// what is infinite in exact arithmetic, or beyond any float.
func TestPredictionsAnswerOrRefuse(t *testing.T) {
	infinite := []string{ // no such step; a power of a power; no structure that could be learnt
		"vcl/feasibility", "vcl/algorithm1", "emergence/learning",
	}
	for _, c := range catalog.All() {
		slug := c.Statement.Slug
		for _, words := range absurdWords(c.Statement) {
			code, out, said := promptly(t, append([]string{"predict", slug, "--json"}, words...), (*program).predictCommand)
			answered := code == cli.Green && said == ""
			refused := code == cli.Usage && out == "" && strings.Count(said, "\n") == 1
			assert.True(t, answered || refused, "%s %v: exit code %d\n%s%s", slug, words, code, out, said)
			assert.NotContains(t, out, `"value": "NaN"`, "%s %v", slug, words)
			if !slices.Contains(infinite, slug) {
				assert.NotContains(t, out, `Inf`, "%s %v", slug, words)
			}
		}
	}
}

// absurdWords set each parameter alone, and all of them at once.
func absurdWords(s *theory.Statement) [][]string {
	var out [][]string
	for _, x := range absurd {
		var all []string
		for _, p := range theory.Settable(s.Params) {
			out = append(out, []string{p.Name + "=" + x})
			if len(p.Domain.Choices) == 0 {
				all = append(all, p.Name+"="+x)
			}
		}
		out = append(out, all)
	}
	for _, end := range []func(*theory.Domain) *float64{func(d *theory.Domain) *float64 { return d.Min },
		func(d *theory.Domain) *float64 { return d.Max }} {
		var all []string
		for _, p := range theory.Settable(s.Params) {
			if x := end(p.Domain); x != nil {
				all = append(all, fmt.Sprintf("%s=%v", p.Name, *x))
				out = append(out, all[len(all)-1:])
			}
		}
		out = append(out, all)
	}
	return out
}

// Every simulation runs at its defaults and measures something; what has none refuses in one line.
func TestSimulationsRunAtTheirDefaults(t *testing.T) {
	for _, c := range catalog.All() {
		slug := c.Statement.Slug
		code, out, said := promptly(t, []string{"try", slug, "--reps", "1", "--quiet", "--json"})
		if c.Try == nil {
			require.Equal(t, cli.Usage, code, slug)
			require.Equal(t, "thm: "+slug+" has nothing to simulate; thm show "+slug+" says what it claims\n", said)
			continue
		}
		assert.Equal(t, cli.Green, code, "%s: %s", slug, said)
		assert.Regexp(t, `"measured": -?[0-9]`, out, slug)
	}
}

// promptly runs a command in this process: of the whole program, or of one that has no other commands, where it is run
// thousands of times. What hangs fails the test; how fast it is here depends on what else runs.
func promptly(t *testing.T, words []string, only ...func(*program) *cobra.Command) (code int, out, said string) {
	type result struct {
		code      int
		out, said strings.Builder
	}
	done := make(chan *result, 1)
	go func() {
		var r result
		p := program{Output: cli.Output{Name: "thm", Stdout: &r.out, Stderr: &r.said}, claims: catalog.All()}
		root := p.root
		if len(only) > 0 {
			root = func() *cobra.Command { return cli.Root(p.Output, &cobra.Command{Use: "thm"}, only[0](&p)) }
		}
		r.code = p.Run(root, words)
		done <- &r
	}()
	select {
	case r := <-done:
		return r.code, r.out.String(), r.said.String()
	case <-time.After(30 * time.Second):
		require.Fail(t, "no answer", "thm %s", strings.Join(words, " "))
		return 0, "", ""
	}
}
