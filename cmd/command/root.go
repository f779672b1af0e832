package command

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"

	"github.com/thm-suite/thm/internal/reports/runs"

	"github.com/thm-suite/thm/impl/blas"
)

// program is the command with its surroundings, so that tests can give it other claims and streams.
type program struct {
	cli.Output
	title        string // the subject that it verifies, for help texts and reports
	claims       []props.Claim
	uncalibrated bool // see [props.Options]
}

func (p *program) run(args []string) int {
	p.Rename = p.named
	return p.Run(p.root, args)
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   p.Name,
		Short: p.title,
		Long: p.title + `.

thm verifies the claims of its catalogue: it runs every claim's checks on an
implementation, runs the wrong versions that the same checks must reject,
refutes the printed errors again, and measures how wrong a formula could have
been without being noticed.

A claim is named by its slug, SOURCE/NAME, or by NAME, in any case. Where a PATTERN is
asked for, a source will do, a glob such as '{source}/*spike*', and any part of slugs or
titles that names no slug and no source.

Exit codes: 0 everything holds and every wrong version was rejected; 1 something
is refuted or a wrong version was accepted; 2 bad usage, nothing was done;
3 undecided, incomplete or broken; 4 another run holds the directory.`,
		Example: `  thm check                 verify everything
  thm check '{source}/*' --effort quick
  thm show {claim}     the statement of a claim, and the last evidence
  thm completion bash       shell completion`,
	}
	kernelFlag(root)
	root.Version = "of this program" // so that the flag exists; the template prints the version
	cobra.AddTemplateFunc("versionLine", versionLine)
	root.SetVersionTemplate("{{versionLine}}")
	commands := []*cobra.Command{
		p.checkCommand(),
		p.newCommand(),
		p.soakCommand(),
		p.falsifyCommand(),
		p.listCommand(),
		p.showCommand(),
		p.predictCommand(),
		p.tryCommand(),
		p.recordCommand(),
		p.certifyCommand(),
		p.observeCommand(),
		p.reportCommand(),
		p.schemaCommand(),
		p.planCommand(),
		p.mergeCommand(),
		p.diffCommand(),
		p.evidenceCommand(),
		p.digestCommand(),
		p.kernelsCommand(),
		p.kernelsChildCommand(),
		p.benchCommand(),
		p.versionCommand(),
		// add here
	}
	if ownModule() {
		commands = append(commands, p.publishCommand(), p.costsCommand(), p.dataCommand(), p.experimentCommand(),
			p.docsCommand())
	}
	root = cli.Root(p.Output, root, commands...)
	p.illustrateLate(root)
	return root
}

// catalogue returns the claims that the program verifies, for its reports.
func (p *program) catalogue() runs.Catalogue {
	return runs.Catalogue{Title: p.Name + " · " + p.title, Claims: p.claims}
}

// ownModule reports whether the program is one of this module, whose data, experiments and documents it can make again.
func ownModule() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && info.Main.Path == ownPath()
}

// ownPath returns the path of this module.
func ownPath() string {
	path, _ := strings.CutSuffix(reflect.TypeFor[program]().PkgPath(), "/cmd/command")
	return path
}

func (p *program) statements() []*theory.Statement { return runs.Statements(p.claims) }

// kernelFlag registers the flag that every command has: which of this module's inner routines to compute with.
func kernelFlag(root *cobra.Command) {
	root.PersistentFlags().Var(cli.NewValue(new(string), "NAME", func(name string) (string, error) {
		if err := blas.SetKernel(name); err != nil {
			return "", fmt.Errorf("%w; thm kernels --list says what there is", err)
		}
		return name, nil
	}), "kernel", "kernels to compute with: portable, avx2 or avx512 (amd64), neon (arm64); the variable "+
		blas.EnvKernel+" does the same")
	_ = root.RegisterFlagCompletionFunc("kernel",
		func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []string
			for _, k := range blas.Kernels() {
				if k.Available {
					names = append(names, k.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		})
}
