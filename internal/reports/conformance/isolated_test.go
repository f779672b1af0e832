package conformance

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/kernelkit"
)

// TestMain also plays the child process: it reports that every check holds until the one named "ends", where it exits,
// and in any case exits with an error.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || os.Args[1] != ChildCommand {
		os.Exit(m.Run())
	}
	say := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		_ = say.Encode(childLine{Begin: lines.Text()})
		_ = say.Encode(childLine{Asked: "much"})
		if lines.Text() == "ends" {
			break
		}
		_ = say.Encode(childLine{Result: &kernelkit.CheckResult{Check: lines.Text(), Verdict: kernelkit.Holds}})
	}
	_, _ = os.Stderr.WriteString("out of cheese\nand more\n")
	os.Exit(3)
}

// A process that exits fails the check that was running and no other, also if it exits after the last one.
func TestIsolated(t *testing.T) {
	for _, names := range [][]string{{"a", "ends", "b"}, {"a", "b"}, {"a", "ends"}} {
		var checks []kernelkit.Check
		for _, name := range names {
			checks = append(checks, kernelkit.Check{Name: name})
		}
		rows, sound, err := isolated(t.Context(), Entrant{}, checks, kernelkit.Options{})
		require.NoError(t, err)
		require.False(t, sound)
		require.Len(t, rows, len(names))
		for i, row := range rows {
			require.Equal(t, names[i], row.Check)
			if names[i] != "ends" {
				require.Equal(t, kernelkit.Holds, row.Verdict)
				continue
			}
			require.Equal(t, kernelkit.Failed, row.Verdict)
			require.Equal(t, "the process ended: out of cheese", row.Message)
			require.Equal(t, "asked last: much\n", row.Counterexample)
		}
	}
}
