package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/source"
)

// publishedRun is the folder of the run that the documents show.
const publishedRun = "reports/published/example"

func (p *program) publishCommand() *cobra.Command {
	f := checkFlags{}
	cmd := &cobra.Command{
		Use:   "publish",
		Short: "Verify all claims of a commit and replace the published run",
		Long: `Verify all claims, as thm check does, and replace the published report when the run has
finished. The work tree must have no changes, since the results name the commit from
which anybody can repeat them. An interrupted run replaces nothing.`,
		Example: "  thm publish\n  thm publish --out site",
		Args:    cli.Args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := publishable(source.Now()); err != nil {
				return err
			}
			return p.publishRun(cmd.Context(), f)
		},
	}
	f.register(cmd)
	f.out = publishedRun
	for _, name := range []string{"dry-run", "shard", "failed-first"} {
		_ = cmd.Flags().MarkHidden(name)
	}
	cmd.Flags().Lookup("out").DefValue = publishedRun
	return cmd
}

// publishable refuses a source that nobody else has.
func publishable(s source.State) error {
	switch {
	case s.Commit == "":
		return errors.New("the program does not know its commit: run it with go run ./cmd/thm publish in a clone")
	case s.Modified:
		return fmt.Errorf("the tree has changes that are not in commit %.12s: commit or stash them, git status lists them",
			s.Commit)
	}
	return nil
}

// publishRun verifies into a folder next to the published one, and moves the report there at the end.
func (p *program) publishRun(ctx context.Context, f checkFlags) error {
	out := f.out
	if err := runs.Writable(out); err != nil {
		return err
	}
	stage, err := os.MkdirTemp("", "thm-publish-*")
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	defer os.RemoveAll(stage)
	f.out = stage
	verdict := p.check(ctx, f, nil)
	if verdict != nil && !isVerdict(verdict) {
		return verdict
	}
	r, err := reports.Read(filepath.Join(stage, "results.json"))
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	if r.Run.Interrupted {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("interrupted: %s is unchanged", out)}
	}
	site := p.catalogue().Site(r)
	if older, err := reports.Read(filepath.Join(out, "results.json")); err == nil {
		site.Moved = runs.Moved(older, r)
	}
	err = reports.Write(out, site)
	if err == nil {
		err = replaceFolder(filepath.Join(out, "counterexamples"), filepath.Join(stage, "counterexamples"))
	}
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return errors.Join(p.Print(fmt.Sprintf("published: %s, of %s\n", out, source.Now().Name())), verdict)
}

// replaceFolder puts the files of a folder, which may have none, into the place of another one's.
func replaceFolder(old, new string) error {
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if _, err := os.Stat(new); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.CopyFS(old, os.DirFS(new))
}
