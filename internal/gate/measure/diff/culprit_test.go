package diff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/streams"
)

// A count that changed names the functions that it changed in; one that did not names none. The file of stacks has all.
func TestCulprits(t *testing.T) {
	rng := streams.New(1, "diff", "culprits")
	samples := append(timed(rng, "More", 13, 1, 1.1, 1), timed(rng, "Same", 13, 1, 1, 1)...)
	for i, s := range samples {
		samples[i].Functions = map[string]float64{"p.work": 90000, "p.rest": 9000, "p.tiny": 100}
		if s.Arm == New && s.Name == "More" {
			samples[i].Functions = map[string]float64{"p.work": 95000, "p.rest": 9100, "p.(*new).One": 5000}
		}
	}
	c, table := onBoth(t, samples)
	for _, r := range table.Rows {
		named := strings.Contains(strings.Join(r.Warnings, " "), "instructions by function")
		require.Equal(t, r.Name == "More-2" && r.Unit == measure.InstructionUnit, named, r.Name+r.Unit)
		if named {
			require.Equal(t, compare.Slower, r.Verdict)
			require.Contains(t, r.Warnings, "instructions by function: p.(*new).One +5000, p.work +5000")
		}
	}
	var text strings.Builder
	require.NoError(t, c.Folded(&text, []measure.Benchmark{{Package: "m/p", Name: "More"}}))
	require.Equal(t, "m/p;BenchmarkMore;p.(*new).One 0 5000\nm/p;BenchmarkMore;p.rest 9000 9100\n"+
		"m/p;BenchmarkMore;p.tiny 100 0\nm/p;BenchmarkMore;p.work 90000 95000\n", text.String())
}
