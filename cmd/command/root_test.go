package command

import (
	"context"
	"errors"
	"strings"
	"testing"

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
	for _, cmd := range p.root().Commands() {
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
	for _, cmd := range p.root().Commands() {
		help := cmd.Long + cmd.Example + cmd.LocalFlags().FlagUsages()
		for _, other := range p.root().Commands() {
			require.NotContains(t, help, "thm "+other.Name(), cmd.Name())
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
