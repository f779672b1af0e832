package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"

	"github.com/thm-suite/thm/internal/reports/documents"
)

func (p *program) docsCommand() *cobra.Command {
	var check bool
	var root, site string
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Rewrite the generated parts of the documents",
		Long: `Rewrite the text between the markers BEGIN GENERATED and END GENERATED in the documents
of the repository. With --check nothing is written; each document that would change is
named on a line, and then the exit code is 1. With --site the documents and the
published reports become a static site without broken links.`,
		Example: "  thm docs\n  thm docs --check\n  thm docs --site site",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case site != "" && check:
				return errors.New("--check looks at the documents and --site makes pages of them: give one of the two")
			case site != "":
				return p.docsSite(root, site)
			case check:
				return p.docsCheck(root)
			}
			return p.docsWrite(root)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "only list the stale documents")
	cmd.Flags().StringVar(&root, "root", ".", "root of the repository")
	cmd.Flags().StringVar(&site, "site", "", "`DIR` of a static site to write")
	_ = cmd.MarkFlagDirname("root")
	_ = cmd.MarkFlagDirname("site")
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

// docsSite writes the site of a repository into a folder.
func (p *program) docsSite(root, dir string) error {
	files, err := documents.SiteFiles(os.DirFS(root))
	if err != nil {
		return fmt.Errorf("%w; run this at the root of the repository or give --root", err)
	}
	if err := reports.Place(dir, files); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return p.Print(fmt.Sprintf("site: %s, %d files\n", filepath.Join(dir, "index.html"), len(files)))
}

// docsCheck lists the stale documents, one per line.
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
