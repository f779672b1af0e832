package command

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"

	"github.com/thm-suite/thm/internal/reports/documents"
)

func (p *program) docsCommand() *cobra.Command {
	var check bool
	var root string
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Rewrite the generated parts of the documents",
		Long: `Rewrite what stands between the markers BEGIN GENERATED and END GENERATED in the
documents of the repository. With --check nothing is written; every document that
would change is named on a line, and the exit code is 1.`,
		Example: "  thm docs\n  thm docs --check",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			if check {
				return p.docsCheck(root)
			}
			return p.docsWrite(root)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "only say what is stale")
	cmd.Flags().StringVar(&root, "root", ".", "root of the repository")
	_ = cmd.MarkFlagDirname("root")
	return cmd
}

// docsWrite rewrites the documents that have changed.
func (p *program) docsWrite(root string) error {
	for _, g := range documents.Parts {
		old, text, err := g.Regenerate(root, p.statements())
		switch {
		case err != nil:
			return err
		case old == text:
			continue
		}
		if err := atomicfile.Write(filepath.Join(root, g.File), []byte(text)); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
		if err := p.Print("rewrote " + g.File + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// docsCheck names what is stale, a line each.
func (p *program) docsCheck(root string) error {
	var stale []string
	for _, g := range documents.Parts {
		old, text, err := g.Regenerate(root, p.statements())
		switch {
		case err != nil:
			return err
		case old != text:
			stale = append(stale, g.File+": "+g.Title()+" is stale; run thm docs")
		}
	}
	if len(stale) == 0 {
		return nil
	}
	if err := p.Print(strings.Join(stale, "\n") + "\n"); err != nil {
		return err
	}
	return cli.Exit{Code: cli.Refuted}
}
