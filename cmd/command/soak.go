package command

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/reports/soak"
	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// soakFlags holds the flags of thm soak.
type soakFlags struct {
	commonFlags
	seeds   []uint64
	text    string // of the seeds
	entropy int
	shard   runs.Shard
	join    []string
}

func (p *program) soakCommand() *cobra.Command {
	f := soakFlags{commonFlags: flagsAt(props.Quick, defaultOut+"/soak"), shard: runs.Undivided}
	cmd := &cobra.Command{
		Use:   "soak [PATTERN...]",
		Short: "Verify claims at many seeds, and say how close each verdict came to changing",
		Long: `Verify the claims that match any PATTERN, or all of them, at many seeds, and write
index.html and soak.json to the directory of the soak: the seeds at which something was
red, and, for every criterion and every wrong version, the ratio nearest to the limit,
the cases that were declined, and the chance that it makes a run at another seed red.

Results are kept in ` + soak.JournalName + `, with a line for each claim at each seed: the same command
continues where it stopped, and a command with more seeds adds to the file. With
--shard I/N only every N-th seed is run; thm soak --join DIR,DIR joins the parts. If two
different programs ran a claim, the join keeps the results from the last directory; so
after a change you need to soak only the claims that it affects. A directory that holds
soak.json but no journal, such as a published one, supplies only the claims that the
others lack.

Exit codes: 0 everything is green at every seed; 1 something is refuted or a wrong version
was accepted; 2 bad usage; 3 something is undecided, incomplete or broken.`,
		Example: `  thm soak --seeds 2..101
  thm soak '{source}/*' --seeds 2..21 --effort standard
  thm soak --entropy 20 --out /tmp/soak
  thm soak --seeds 2..101 --shard 1/2 --out part1
  thm soak --join part1,part2 --out joined`,
		ValidArgsFunction: p.completePatterns,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return p.soak(cmd.Context(), f, patterns)
		},
	}
	flags := cmd.Flags()
	flags.Var(cli.NewValue(&f.seeds, "SEEDS", func(text string) ([]uint64, error) {
		f.text = text
		return soak.ParseSeeds(text)
	}), "seeds", "seeds and ranges of them, such as 2..101 or 1,5,7..9")
	flags.IntVar(&f.entropy, "entropy", 0, "run this many seeds from the system's entropy, and print them")
	flags.Var(cli.NewValue(&f.shard, "I/N", runs.ParseShard), "shard", "run the I-th of N parts of the seeds")
	flags.StringSliceVar(&f.join, "join", nil, "run nothing: join the soaks in these directories")
	f.add(cmd, "effort: size of each run", "jobs", "out: directory of the soak",
		"json: print soak.json instead of the table", "quiet", "no-color")
	cmd.MarkFlagsMutuallyExclusive("seeds", "entropy", "join")
	return cmd
}

func (p *program) soak(ctx context.Context, f soakFlags, patterns []string) error {
	if f.entropy < 0 || f.entropy == 0 && len(f.seeds) == 0 && len(f.join) == 0 {
		return errors.New("give the seeds to run with --seeds, as in --seeds 2..101, or their number with --entropy")
	}
	release, err := runs.Take(f.out)
	if err != nil {
		return err
	}
	defer release()
	if len(f.join) > 0 {
		s, err := soak.Join(f.join)
		if err != nil {
			return err
		}
		return p.finishSoak(f, s, "")
	}
	selected, err := runs.Select(p.claims, patterns...)
	if err != nil {
		return err
	}
	command := strings.Join(append(append([]string{source.Invocation(), "soak"}, patterns...), "--seeds", f.text,
		"--effort", string(f.effort)), " ")
	if f.entropy > 0 {
		f.seeds = entropy(f.entropy)
		command = strings.Replace(command, "--seeds ", fmt.Sprintf("--entropy %d", f.entropy), 1)
	}
	here := source.Now()
	run := soak.Run{Tool: props.ThisTool(), Commit: here.Commit, Binary: here.Binary, Effort: f.effort}
	if here.Modified {
		run.Commit = "" // only the very same program may go on
	}
	journal, entries, err := soak.Open(f.out, run)
	if err != nil {
		return err
	}
	defer journal.Close()
	entries, interrupted, err := p.soakSeeds(ctx, f, selected, journal, entries)
	if err != nil {
		return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("the soak cannot be written: %w", err)}
	}
	err = p.finishSoak(f, soak.Summarise(run, entries), command)
	if interrupted && (err == nil || isVerdict(err)) {
		err = cli.Exit{Code: cli.Unsettled, Err: errors.New("interrupted; the same command goes on where it stopped")}
	}
	return err
}

// entropy draws seeds that nobody has chosen.
func entropy(n int) []uint64 {
	out := make([]uint64, n)
	_ = binary.Read(rand.Reader, binary.LittleEndian, out) // never fails
	return out
}

// soakSeeds runs the missing claims and seeds, and keeps each row as soon as it is finished.
func (p *program) soakSeeds(ctx context.Context, f soakFlags, selected []props.Claim, journal *soak.Journal,
	entries []soak.Entry) (all []soak.Entry, interrupted bool, err error) {
	known := map[soak.At]bool{}
	for _, e := range entries {
		known[e.At()] = true
	}
	show := terminal.NewProgress(p.Stderr, "soak", f.quiet)
	defer show.Close()
	ctx, stop := cli.Interruptible(ctx, show.Note)
	defer stop()
	defer shareThreads(f.jobs)()
	mine := f.shard.Of(f.seeds)
	begin := time.Now()
	for i, seed := range mine {
		missing := slices.DeleteFunc(slices.Clone(selected), func(c props.Claim) bool {
			return known[soak.At{Seed: seed, Claim: c.Statement.Slug}]
		})
		if len(missing) == 0 || ctx.Err() != nil {
			continue
		}
		done, red := 0, []string{}
		props.Run(ctx, missing, props.Options{Effort: f.effort, Seed: seed, Jobs: f.jobs, Uncalibrated: true,
			Progress: func(e props.Event) {
				row := e.Finished
				if row == nil || row.Verdict == results.Incomplete {
					return
				}
				entry := soak.EntryOf(seed, *row)
				if failed := journal.Keep(entry); failed != nil && err == nil {
					err = failed
				}
				entries = append(entries, entry)
				if !entry.Green {
					red = append(red, row.ID)
				}
				done++
				show.Set(fmt.Sprintf("seed %d (%d of %d): %d of %s, %s", seed, i+1, len(mine), done,
					terminal.Plural(len(missing), "claim"), terminal.Clock(time.Since(begin))))
			}})
		if err != nil {
			return entries, false, err
		}
		outcome := "green"
		switch {
		case f.quiet && done == len(missing) && len(red) == 0:
			continue
		case done < len(missing):
			outcome = "stopped"
		case len(red) > 0:
			slices.Sort(red)
			outcome = "not green: " + strings.Join(red, ", ")
		}
		show.Note(fmt.Sprintf("seed %d (%d of %d): %s, %s", seed, i+1, len(mine), outcome, terminal.Clock(time.Since(begin))))
	}
	return entries, ctx.Err() != nil, nil
}

// finishSoak writes the page and prints the table.
func (p *program) finishSoak(f soakFlags, s *soak.Summary, command string) error {
	page, err := reports.SoakPage(s, p.statements(), source.Invocation(), command)
	if err != nil {
		return err
	}
	text, err := soakJSON(s)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"index.html": page, soak.SummaryName: text} {
		if err := atomicfile.Write(filepath.Join(f.out, name), content); err != nil {
			return cli.Exit{Code: cli.Unsettled, Err: fmt.Errorf("writing the soak: %w", err)}
		}
	}
	if f.json {
		err = p.Print(string(text))
	} else {
		err = p.Print(console.Soak(s, reports.SoakSentence(s), source.Invocation(),
			terminal.StyleOf(p.Stdout, f.noColor)) + "page: " + filepath.Join(f.out, "index.html") + "\n")
	}
	if err != nil {
		return err
	}
	return soakVerdict(s)
}

// soakJSON writes a criterion or control on each line: a file that can be read, and compared.
func soakJSON(s *soak.Summary) ([]byte, error) {
	head := *s
	head.Items = nil
	b, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	out := strings.TrimSuffix(string(b), "null}") + "[\n"
	for i, item := range s.Items {
		line, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		out += string(line)
		if i < len(s.Items)-1 {
			out += ","
		}
		out += "\n"
	}
	return []byte(out + "]}\n"), nil
}

// soakVerdict returns the exit code of a soak: that of its worst seed.
func soakVerdict(s *soak.Summary) error {
	code := cli.Green
	if len(s.Seeds) == 0 {
		code = cli.Unsettled
	}
	for _, at := range s.Seeds {
		if code != cli.Refuted && at.Exit != cli.Green {
			code = at.Exit
		}
	}
	if code == cli.Green {
		return nil
	}
	return cli.Exit{Code: code}
}
