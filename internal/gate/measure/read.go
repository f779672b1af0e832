package measure

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/thm-suite/thm/internal/strictjson"
)

// Contents holds the run and the samples of a file.
type Contents struct {
	Run     Run
	Samples []Sample // in the order in which they were taken

	whole int64 // bytes up to the end of the last sample that is there as a whole
}

// ReadFile reads a file that a [Log] wrote.
func ReadFile(path string) (*Contents, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Read reads what a [Log] wrote. What follows the last sample that is there as a whole was torn by an interruption and
// does not count. Anything else that does not fit is an error that names its line.
func Read(from io.Reader) (*Contents, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	first, rest, found := bytes.Cut(text, []byte("\n"))
	head, ours := bytes.CutPrefix(first, []byte("# "+Format+" "))
	if !found || !ours {
		return nil, fmt.Errorf("line 1: this is not a file of samples: it does not begin with %q", "# "+Format)
	}
	r := &Contents{whole: int64(len(first) + 1)}
	if err := strictjson.Decode(head, &r.Run); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	c := &collector{}
	number := 1
	for line := range bytes.Lines(rest) {
		number++
		if line[len(line)-1] != '\n' {
			break // torn
		}
		done, err := c.line(string(line))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		c.size += len(line)
		if done != nil {
			r.Samples = append(r.Samples, *done)
			r.whole += int64(c.size)
			c.size = 0
		}
	}
	return r, nil
}

// collector gathers the lines of a sample until its mark.
type collector struct {
	lines strings.Builder // since the last mark
	size  int             // bytes since the last mark
}

// line takes in a line, and returns a sample when the line closes one.
func (c *collector) line(line string) (*Sample, error) {
	text, ours := strings.CutPrefix(line, sampleMark)
	if !ours {
		c.lines.WriteString(line)
		return nil, nil
	}
	var m mark
	if err := strictjson.Decode([]byte(text), &m); err != nil {
		return nil, err
	}
	if m.Name == "" || m.Round < 0 {
		return nil, errors.New("a sample has a name and a round from 0")
	}
	out := readOutput([]byte(c.lines.String()))
	c.lines.Reset()
	s := &Sample{Benchmark: Benchmark{m.Package, m.Name}, Arm: m.Arm, Round: m.Round, Load: unknownLoad,
		Units: out.units, Fail: m.Fail, Counted: m.Counted, Uncounted: m.Uncounted, Note: m.Note, Functions: m.Functions}
	if m.Load != nil {
		s.Load = *m.Load
	}
	switch {
	case out.err != nil:
		return nil, out.err
	case m.Fail == "" && len(out.results) != 1:
		return nil, fmt.Errorf("sample of %s has %d results, want 1", m.Name, len(out.results))
	case m.Fail != "" && len(out.results) != 0:
		return nil, fmt.Errorf("failed sample of %s has a result", m.Name)
	case m.Fail == "":
		s.Result = out.results[0]
		if !named(s.Result, m.Name) {
			return nil, fmt.Errorf("sample of %s has a result of %s", m.Name, s.Result.Name)
		}
		if bad := unusable(s.Result); bad != "" {
			return nil, fmt.Errorf("sample of %s: %s", m.Name, bad)
		}
	}
	return s, nil
}

// Taken counts the samples of each slot: 1, unless a file was put together by hand.
func Taken(samples []Sample) map[Slot]int {
	taken := map[Slot]int{}
	for _, s := range samples {
		taken[Slot{s.Benchmark, s.Arm, s.Round}]++
	}
	return taken
}
