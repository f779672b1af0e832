package command

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/props/kernelkit"

	"github.com/thm-suite/thm/internal/reports/conformance"
)

// A panic is our bug and not bad usage, so it has another exit code.
func TestPanicIsNotBadUsage(t *testing.T) {
	c := fixture("green/holds", holding())
	c.Statement.Predict = func(theory.Values) []theory.Quantity { panic("on purpose") }
	var out, said strings.Builder
	p := program{Output: cli.Output{Name: "thm", Stdout: &out, Stderr: &said}, claims: []props.Claim{c}}
	require.Equal(t, cli.Unsettled, p.run([]string{"predict", "holds"}))
	require.Contains(t, said.String(), "thm: internal error: on purpose\n")
	require.Empty(t, out.String())
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, words := range [][]string{{"list"}, {"list", "--json"}, {"show", "holds"}, {"predict", "holds"},
		{"version"}} {
		var said strings.Builder
		p := program{Output: cli.Output{Name: "thm", Stdout: fullDisk{}, Stderr: &said}, claims: fixtures()}
		require.Equal(t, cli.Unsettled, p.run(words))
		require.Equal(t, "thm: writing the output: no space left on device\n", said.String())
	}
}

// Every subcommand describes its purpose at length and shows examples.
func TestEveryCommandIsExplained(t *testing.T) {
	p := program{Output: cli.Output{Name: "thm"}, claims: fixtures()}
	root := p.root()
	p.illustrate(root)
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" || cmd.Hidden {
			continue
		}
		require.NotEmpty(t, cmd.Short, cmd.Name())
		require.NotEmpty(t, cmd.Long, cmd.Name())
		require.Contains(t, cmd.Example, "thm "+cmd.Name())
	}
}

// The command of another module speaks of itself by its own name, since thm does not know that module's claims.
func TestACommandOfAnotherNameNeverNamesThm(t *testing.T) {
	var said strings.Builder
	p := program{Output: cli.Output{Name: "mine", Stdout: &said, Stderr: &said}, claims: fixtures()}
	require.Equal(t, cli.Usage, p.run([]string{"schema", "nothing"}))
	require.Contains(t, said.String(), "; mine schema lists the names")
	commands := p.root().Commands()
	for _, cmd := range commands {
		said.Reset()
		require.Equal(t, cli.Green, p.run([]string{cmd.Name(), "--help"}))
		require.Equal(t, cli.Green, p.run([]string{cobra.ShellCompRequestCmd, cmd.Name(), "-"}))
		require.Contains(t, said.String(), "mine "+cmd.Name())
		require.Contains(t, said.String(), "\nCompletion ended")
		require.NotRegexp(t, `\{[a-z]+\}`, said.String(), cmd.Name())
		for _, other := range commands {
			require.NotContains(t, said.String(), "thm "+other.Name(), cmd.Name())
		}
	}
}

func TestAnInterruptedRunOfKernelsIsNotGreen(t *testing.T) {
	holding := conformance.Kernel{Counts: true, Result: &kernelkit.Result{Kernel: "thm",
		Counts: map[kernelkit.Verdict]int{kernelkit.Holds: 1}}}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out strings.Builder
	p := program{Output: cli.Output{Stdout: &out}}
	require.NoError(t, p.publishKernels(context.Background(), kernelsFlags{},
		conformance.Report{Kernels: []conformance.Kernel{holding}}))
	err := p.publishKernels(ctx, kernelsFlags{}, conformance.Report{Kernels: []conformance.Kernel{holding}})
	require.Equal(t, cli.Exit{Code: cli.Unsettled}, err)
}
