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
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/theory"
)

// absurd lists values that somebody will type some day. Those in unread are parsed before any claim sees them, so one
// claim suffices to try them.
var (
	absurd = []string{"1e12", "NaN", "Inf", "-1", "-1e12", "0", "0.5", "1", "1000000", "1e300", "1e-300", "1e308",
		"5e-324"}
	unread = []string{"1000000000000", "100000000000000000000", "", "x"}
)

// Whatever the parameters, a prediction is a number or a refusal of one line, and it comes at once. A value is infinite
// only if it is so in exact arithmetic or exceeds every float.
func TestPredictionsAnswerOrRefuse(t *testing.T) {
	infinite := []string{ // no such step; a power of a power; no structure that could be learnt
		"vcl/feasibility", "vcl/algorithm1", "emergence/learning",
	}
	values := slices.Concat(unread, absurd)
	for _, c := range catalog.All() {
		slug := c.Statement.Slug
		for _, words := range absurdWords(c.Statement, values) {
			code, out, said := answer(t, []props.Claim{c}, append([]string{"predict", slug, "--json"}, words...),
				(*program).predictCommand)
			answered := code == cli.Green && said == ""
			refused := code == cli.Usage && out == "" && strings.Count(said, "\n") == 1
			assert.True(t, answered || refused, "%s %v: exit code %d\n%s%s", slug, words, code, out, said)
			assert.NotContains(t, out, `"value": "NaN"`, "%s %v", slug, words)
			if !slices.Contains(infinite, slug) {
				assert.NotContains(t, out, `Inf`, "%s %v", slug, words)
			}
		}
		values = absurd
	}
}

// absurdWords returns arguments that set each parameter alone, and all of them at once.
func absurdWords(s *theory.Statement, values []string) [][]string {
	var out [][]string
	for _, x := range values {
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

// promptly runs a command of the whole program in this process.
func promptly(t *testing.T, words []string) (code int, out, said string) {
	t.Helper()
	return answer(t, catalog.All(), words)
}

// answer runs a command on some claims in this process, with the whole program or, for thousands of runs, with one that
// has no other commands. A command that hangs fails the test; its speed is not judged, since it depends on what else
// runs.
func answer(t *testing.T, claims []props.Claim, words []string, only ...func(*program) *cobra.Command) (code int, out,
	said string) {
	t.Helper()
	type result struct {
		code      int
		out, said strings.Builder
	}
	done := make(chan *result, 1)
	go func() {
		var r result
		p := program{Output: cli.Output{Name: "thm", Stdout: &r.out, Stderr: &r.said}, claims: claims}
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
	case <-time.After(2 * time.Minute):
		require.Fail(t, "no answer", "thm %s", strings.Join(words, " "))
		return 0, "", ""
	}
}
