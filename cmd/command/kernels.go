package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit"
	"github.com/thm-suite/thm/props/kernelkit/faulty"

	"github.com/thm-suite/thm/internal/reports/conformance"
)

// kernelsFlags holds the flags of thm kernels.
type kernelsFlags struct {
	commonFlags
	list    bool
	faults  bool
	noSpeed bool
	check   string
	lib     []string
	timeout time.Duration
	waivers string
	files   conformance.Files
}

func (p *program) kernelsCommand() *cobra.Command {
	f := kernelsFlags{commonFlags: flagsAt(props.Quick, "")}
	cmd := &cobra.Command{
		Use:   "kernels [NAME...]",
		Short: "Run the conformance kit on BLAS kernels and factorisations",
		Long: `Run the conformance kit on this module's kernels for every instruction set that
runs here, on gonum, and on OpenBLAS, BLIS and the reference BLAS where they are
found, and print the differences side by side: the worst ratio of every check (the
check holds at or below 1), the simplest failing instances, which failures are waived
and until when, and the speed of each kernel on one thread.

thm kernels --list lists the names of kernels. Without names all run, and the exit
code depends on this module and gonum only; libraries of the system are shown for
comparison. A named kernel always counts, and so does a library named by --lib.
Libraries run in a process of their own: one that hangs or crashes has failed that
check, and the others go on.

A library is tested on the routines that it exports under the names of cblas, Fortran
or LAPACK, as several kernels: NAME, NAME-single in single precision, and NAME-gesvd
for LAPACK's drivers gesvd and syevr. --waivers accepts known failures; its list of
{"kernel", "check", "reason", "expires"} fails once one of them is not needed.

Exit codes: 0 all kernels that count conform; 1 one of them fails a check that is
not waived, or a waiver is expired or not needed; 2 bad usage; 3 incomplete.`,
		Example: `  thm kernels
  thm kernels --list
  thm kernels gonum openblas --check 'gemm/*'
  thm kernels --lib ./libmine.so
  thm kernels --lib ./libmine.so --waivers known.json --junit junit.xml --html kernels.html --badge kernels.svg
  thm kernels openblas --no-speed --reproducers programs
  thm kernels --faults
  THM_BLAS_KERNEL=avx2 thm kernels thm --json`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
			cobra.ShellCompDirective) {
			var names []string
			for _, k := range conformance.All() {
				if !slices.Contains(args, k.Name) {
					names = append(names, k.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			switch {
			case f.timeout <= 0:
				return fmt.Errorf("--timeout %v: want a positive duration, such as 90s", f.timeout)
			case f.list && len(names) > 0:
				return errors.New("--list lists all kernels; give no names")
			case f.list:
				return p.kernelsList(f)
			case f.faults:
				return p.kernelsFaults(cmd.Context(), f, names)
			}
			return p.kernels(cmd.Context(), f, names)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.list, "list", false, "list the kernels and libraries, and run nothing")
	flags.BoolVar(&f.faults, "faults", false, "run kernels with built-in faults: every check must reject its own")
	flags.BoolVar(&f.noSpeed, "no-speed", false, "do not measure speed")
	flags.StringArrayVar(&f.lib, "lib", nil, "a library in a `FILE`, with the names of cblas or of Fortran: "+
		"cblas_dgemm or dgemm_")
	flags.DurationVar(&f.timeout, "timeout", time.Minute, "how long a check of a library may take before it has failed")
	flags.StringVar(&f.waivers, "waivers", "", "accept the failures in a `FILE` of JSON, each with a reason and "+
		"until a day")
	flags.StringVar(&f.files.JUnit, "junit", "", "write JUnit XML to a `FILE`")
	flags.StringVar(&f.files.Page, "html", "", "write a page to a `FILE`")
	flags.StringVar(&f.files.Badge, "badge", "", "write a badge to a `FILE` of SVG")
	flags.StringVar(&f.files.Reproducers, "reproducers", "", "write a program for each failure to a `DIR`, in C or Go")
	flags.StringVar(&f.check, "check", "", "only the checks that match: globs or parts of names, separated by commas")
	f.add(cmd, "effort", "seed", "json", "quiet", "no-color")
	return cmd
}

// kernels runs the kit on one kernel after the other.
func (p *program) kernels(ctx context.Context, f kernelsFlags, names []string) error {
	chosen, err := chosenKernels(names, f.lib)
	if err != nil {
		return err
	}
	checks, err := kernelkit.Match(f.check)
	if err != nil {
		return fmt.Errorf("%w; without --check thm kernels shows all of them", err)
	}
	waivers := kernelkit.Waivers()
	if f.waivers != "" {
		own, err := conformance.ReadWaivers(f.waivers)
		if err != nil {
			return err
		}
		waivers = append(waivers, own...)
	}
	for _, to := range []struct{ flag, file string }{
		{"junit", f.files.JUnit}, {"html", f.files.Page}, {"badge", f.files.Badge},
	} {
		if to.file == "" {
			continue
		}
		if err := cli.WritableFile(to.flag, to.file); err != nil {
			return err
		}
	}
	show := terminal.NewProgress(p.Stderr, p.Name, f.quiet)
	defer show.Close()
	ctx, stop := cli.Interruptible(ctx, show.Note)
	defer stop()
	o := kernelkit.Options{Effort: f.effort, Seed: f.seed, Match: f.check, Waivers: waivers, Limit: f.timeout}
	report, err := conformance.Run(ctx, chosen, o, !f.noSpeed, len(checks), show)
	if err != nil {
		return err
	}
	if err := report.Write(f.files, strings.Join(append([]string{p.Name}, os.Args[1:]...), " ")); err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: err}
	}
	return p.publishKernels(ctx, f, report)
}

// chosenKernels returns the named kernels and those of the given library files, or all known kernels if there are
// neither.
func chosenKernels(names, files []string) ([]conformance.Entrant, error) {
	var out []conformance.Entrant
	for _, file := range files {
		opened, err := conformance.Open(file)
		if err != nil {
			return nil, err
		}
		out = append(out, opened...)
	}
	if len(files) > 0 && len(names) == 0 {
		return out, nil
	}
	named, err := conformance.Select(names)
	return append(out, named...), err
}

// kernelsChildCommand runs checks of a library for thm kernels, which must outlive it.
func (p *program) kernelsChildCommand() *cobra.Command {
	f := kernelsFlags{commonFlags: flagsAt(props.Quick, "")}
	cmd := &cobra.Command{Use: conformance.ChildCommand + " NAME", Hidden: true, Args: cli.Args(1, 1, "one NAME"),
		RunE: func(cmd *cobra.Command, names []string) error {
			find := func() ([]conformance.Entrant, error) { return conformance.Select(names) }
			if len(f.lib) > 0 {
				find = func() ([]conformance.Entrant, error) { return chosenKernels(nil, f.lib) }
			}
			all, err := find()
			if err != nil {
				return err
			}
			i := slices.IndexFunc(all, func(e conformance.Entrant) bool { return e.Name == names[0] })
			if i < 0 {
				return fmt.Errorf("there is no %s in %s", names[0], f.lib)
			}
			o := kernelkit.Options{Effort: f.effort, Seed: f.seed, Limit: f.timeout}
			return conformance.Child(cmd.Context(), all[i], o, os.Stdin, p.Stdout)
		}}
	cmd.Flags().StringArrayVar(&f.lib, "lib", nil, "a library in a `FILE`")
	cmd.Flags().DurationVar(&f.timeout, "timeout", time.Minute, "how long a check may take")
	f.add(cmd, "effort", "seed")
	return cmd
}

// publishKernels prints the report and chooses the exit code.
func (p *program) publishKernels(ctx context.Context, f kernelsFlags, r conformance.Report) error {
	err := p.present(f.commonFlags, r, func(s terminal.Style) string { return conformance.Text(r, s) })
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return cli.Exit{Code: cli.Unsettled}
	}
	if code := r.ExitCode(); code != cli.Green {
		return cli.Exit{Code: code}
	}
	return nil
}

// kernelsFaults runs the kernels with built-in faults.
func (p *program) kernelsFaults(ctx context.Context, f kernelsFlags, names []string) error {
	if len(names) > 1 {
		return errors.New("--faults are built into one kernel; name one, or none for thm")
	}
	chosen, err := conformance.Select([]string{append(names, "thm")[0]})
	if err != nil {
		return err
	}
	checks, err := kernelkit.Match(f.check)
	if err != nil {
		return err
	}
	show := terminal.NewProgress(p.Stderr, p.Name, f.quiet)
	defer show.Close()
	ctx, stop := cli.Interruptible(ctx, show.Note)
	defer stop()
	event, end := conformance.Watch(show, chosen[0].Name+" with faults", len(checks))
	o := kernelkit.Options{Effort: f.effort, Seed: f.seed, Match: f.check, Progress: event, Jobs: 1}
	matrix, err := faulty.Kills(ctx, chosen[0].Kernel, o, false)
	end("")
	if err != nil {
		return err
	}
	gaps := matrix.Gaps()
	err = p.present(f.commonFlags, matrix, func(terminal.Style) string {
		var text strings.Builder
		_ = matrix.Render(&text)
		for _, gap := range gaps {
			text.WriteString("gap: " + gap + "\n")
		}
		return text.String()
	})
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return cli.Exit{Code: cli.Unsettled}
	case len(gaps) > 0:
		return cli.Exit{Code: cli.Refuted}
	}
	return nil
}

// kernelsList lists the kernels and libraries.
func (p *program) kernelsList(f kernelsFlags) error {
	l := conformance.List()
	return p.present(f.commonFlags, l, func(s terminal.Style) string { return conformance.ListText(l, s) })
}
