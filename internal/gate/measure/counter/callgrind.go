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

// callgrind runs processes under valgrind --tool=callgrind, which counts while the process asks for it.
type callgrind struct{ path, version string }

func (c *callgrind) String() string { return "callgrind of " + c.version }

func (c *callgrind) Caches() bool { return true }

func (c *callgrind) Count(ctx context.Context, p Process) (Counts, error) {
	dir, err := os.MkdirTemp("", "thm-count-*")
	if err != nil {
		return Counts{}, err
	}
	defer os.RemoveAll(dir)
	log, out := filepath.Join(dir, "log"), filepath.Join(dir, "counts")
	args := append([]string{"--tool=callgrind", "--instr-atstart=no", "--cache-sim=yes", "--vgdb=no", "--log-file=" + log,
		"--callgrind-out-file=" + out, p.Path}, p.Args...)
	limited, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	p.Env = append(p.Env[:len(p.Env):len(p.Env)], Variable+"=valgrind")
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

// functions sums the instructions of each function. The names are numbered where they first occur. A line that begins
// with a position has the costs there; the one after "calls=" those of what was called, which are counted there.
func functions(text []byte) map[string]float64 {
	names, out := map[string]string{}, map[string]float64{}
	at, called := "", false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		key, rest, named := strings.Cut(line, "=")
		switch {
		case line == "":
		case named && (key == "fn" || key == "cfn"):
			number, name, first := strings.Cut(rest, " ")
			if first {
				names[number] = name
			}
			if key == "fn" {
				at = names[number]
			}
		case named && key == "calls":
			called = true
		case strings.ContainsRune("+-*0123456789", rune(line[0])):
			if fields := strings.Fields(line); at != "" && !called && len(fields) > 1 {
				x, err := strconv.ParseFloat(fields[1], 64)
				if err == nil {
					out[at] += x
				}
			}
			called = false
		}
	}
	return out
}

var unknownInstruction = regexp.MustCompile(`(?i)unrecognised instruction|unhandled instruction`)

// parse reads the sums of a callgrind file: a line "events:" that names them, and a line "totals:" with the numbers.
// Zeros at the end of the numbers are left out.
func parse(text []byte) (Counts, error) {
	var events, sums []string
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "events:"); ok {
			events = strings.Fields(rest)
		}
		if rest, ok := strings.CutPrefix(line, "totals:"); ok {
			sums = strings.Fields(rest)
		}
	}
	if len(events) == 0 || len(sums) == 0 || len(events) < len(sums) {
		return Counts{}, fmt.Errorf("the file of callgrind has %d events and %d sums", len(events), len(sums))
	}
	of := map[string]float64{}
	for i, name := range events {
		if i >= len(sums) {
			of[name] = 0
			continue
		}
		x, err := strconv.ParseFloat(sums[i], 64)
		if err != nil {
			return Counts{}, fmt.Errorf("the file of callgrind: %w", err)
		}
		of[name] = x
	}
	c := Counts{Instructions: of["Ir"], Cycles: math.NaN(), Functions: functions(text)}
	if _, simulated := of["D1mr"]; simulated {
		c.Cycles = of["Ir"] + 10*(of["I1mr"]+of["D1mr"]+of["D1mw"]) + 100*(of["ILmr"]+of["DLmr"]+of["DLmw"])
	}
	return c, nil
}
