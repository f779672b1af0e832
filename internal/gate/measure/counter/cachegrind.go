package counter

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// cachegrind runs processes under valgrind --tool=cachegrind.
type cachegrind struct {
	path, version string
	caches        bool
}

func (c *cachegrind) String() string { return "cachegrind of " + c.version }

func (c *cachegrind) Note() string {
	text := "instructions were counted under " + c.version + ", which offers a program AVX2 at most"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil && bytes.Contains(info, []byte(" avx512f")) {
		return text + ": code that chooses by the processor was counted without the AVX-512 that this machine has"
	}
	return text
}

func (c *cachegrind) Count(ctx context.Context, p Process) (Counts, error) {
	dir, err := os.MkdirTemp("", "thm-count-*")
	if err != nil {
		return Counts{}, err
	}
	defer os.RemoveAll(dir)
	log, out := filepath.Join(dir, "log"), filepath.Join(dir, "counts")
	caches := "no"
	if c.caches {
		caches = "yes"
	}
	args := append([]string{"--tool=cachegrind", "--cache-sim=" + caches, "--vgdb=no", "--log-file=" + log,
		"--cachegrind-out-file=" + out, p.Path}, p.Args...)
	limited, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	cmd := command(limited, p, c.path, args)
	var printed bytes.Buffer
	cmd.Stdout = &printed
	if err := cmd.Run(); err != nil {
		if said, _ := os.ReadFile(log); unknownInstruction.Match(said) {
			return Counts{}, fmt.Errorf("%s does not know an instruction that it uses", c.version)
		}
		return Counts{}, fmt.Errorf("under %s: %w", c.version, ended(limited, p, err))
	}
	if err := p.Read(printed.Bytes()); err != nil {
		return Counts{}, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return Counts{}, err
	}
	return parse(text)
}

var unknownInstruction = regexp.MustCompile(`(?i)unrecognised instruction|unhandled instruction`)

// parse reads the sums of a cachegrind file: a line "events:" that names them, and a line "summary:" with the numbers.
func parse(text []byte) (Counts, error) {
	var events, sums []string
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "events:"); ok {
			events = strings.Fields(rest)
		}
		if rest, ok := strings.CutPrefix(line, "summary:"); ok {
			sums = strings.Fields(rest)
		}
	}
	if len(events) == 0 || len(events) != len(sums) {
		return Counts{}, fmt.Errorf("the file of cachegrind has %d events and %d sums", len(events), len(sums))
	}
	of := map[string]float64{}
	for i, name := range events {
		x, err := strconv.ParseFloat(strings.ReplaceAll(sums[i], ",", ""), 64)
		if err != nil {
			return Counts{}, fmt.Errorf("the file of cachegrind: %w", err)
		}
		of[name] = x
	}
	c := Counts{Instructions: of["Ir"], Cycles: math.NaN()}
	if _, simulated := of["D1mr"]; simulated {
		c.Cycles = of["Ir"] + 10*(of["I1mr"]+of["D1mr"]+of["D1mw"]) + 100*(of["ILmr"]+of["DLmr"]+of["DLmw"])
	}
	return c, nil
}
