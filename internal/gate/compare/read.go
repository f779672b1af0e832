package compare

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// maxBytes is the size of an input that is refused: no benchmark run writes that much.
const maxBytes = 1 << 28

// input is one file of results: what it is called in tables, and what it holds.
type input struct {
	path, label string
	content     []byte
}

// open reads the files as benchstat does: a word is PATH or LABEL=PATH, "-" is the standard input, and a path that
// occurs twice is numbered.
func open(words []string) ([]input, error) {
	var out []input
	times := map[string]int{}
	for _, word := range words {
		in := input{path: word, label: word}
		if label, path, ok := strings.Cut(word, "="); ok {
			in = input{path: path, label: label}
		} else {
			times[word]++
		}
		out = append(out, in)
	}
	numbered := map[string]int{}
	for i := range out {
		in := &out[i]
		if in.label == in.path && times[in.path] > 1 {
			in.label = fmt.Sprintf("%s#%d", in.path, numbered[in.path])
			numbered[in.path]++
		}
		var err error
		if in.content, err = readAll(in.path); err != nil {
			return nil, fmt.Errorf("%s: %w", in.path, err)
		}
	}
	return out, nil
}

func readAll(path string) ([]byte, error) {
	f, err := os.Stdin, error(nil)
	if path != "-" {
		if f, err = os.Open(path); err == nil {
			defer f.Close()
		}
	}
	var content []byte
	if err == nil {
		content, err = io.ReadAll(io.LimitReader(f, maxBytes+1))
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return nil, e.Err
	} else if err != nil {
		return nil, err
	}
	return text(content)
}

// text refuses what is no text, and drops the mark that some editors put before UTF-8 and what logs put around results.
func text(content []byte) ([]byte, error) {
	switch {
	case len(content) > maxBytes:
		return nil, fmt.Errorf("larger than %d MB", maxBytes>>20)
	case bytes.HasPrefix(content, []byte{0xff, 0xfe}), bytes.HasPrefix(content, []byte{0xfe, 0xff}):
		return nil, errors.New("the text is UTF-16 (a redirection in PowerShell writes that); save it as UTF-8")
	case bytes.IndexByte(content, 0) >= 0:
		return nil, errors.New("not a text file")
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	return short(unwrap(bytes.ToValidUTF8(content, []byte(string(utf8.RuneError))))), nil
}

// maxLine is the length of a line that no result has, and that the reader of results does not take.
const maxLine = 1 << 15

// short empties lines that are too long for a result: benchmarks print anything. One that begins as a result becomes
// none that can be read, so that it is not overlooked.
func short(content []byte) []byte {
	var out []byte
	for line := range bytes.Lines(content) {
		switch {
		case len(line) <= maxLine:
		case bytes.HasPrefix(line, []byte("Benchmark")):
			line = []byte("BenchmarkInALine longer-than-a-result ns/op\n")
		default:
			line = []byte("\n")
		}
		out = append(out, line...)
	}
	return out
}

// scan passes the results of a file on, in order. It returns what is wrong with the file, in sentences that begin with
// its path.
func scan(r *benchfmt.Reader, in input, each func(r *benchfmt.Result, process int) error) ([]Problem, error) {
	content, problems := complete(in)
	problems = append(append(problems, failures(in)...), defects(in)...)
	r.Reset(bytes.NewReader(content), in.path, ".file", in.label)
	results, of := 0, processes{ends: processEnds(content)}
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			problems = append(problems, Problem{rec.Error(), true})
		case *benchfmt.UnitMetadata:
			if wrong := unitDefect(rec); wrong != "" {
				problems = append(problems, Problem{wrong, true})
			}
		case *benchfmt.Result:
			results++
			tidy(rec)
			if garbled(rec) {
				problems = append(problems, Problem{fmt.Sprintf("%s: the name or unit of %s is not UTF-8", in.path,
					rec.Name), true})
			}
			if err := each(rec, of.process(rec)); err != nil {
				return nil, err
			}
		}
	}
	if err := r.Err(); err != nil {
		return nil, err // bufio.ErrTooLong, with path and line
	}
	if results == 0 {
		problems = append(problems, Problem{in.path + ": no benchmark results" + hint(content), true})
	}
	return problems, nil
}

// processes numbers the processes of a file's results. Results of a benchmark are of one process if they follow each
// other and nothing between them says that a process ended: go test -count prints them so, and runs in rounds do not.
type processes struct {
	ends   []int // lines
	last   string
	number int
}

func (p *processes) process(r *benchfmt.Result) int {
	_, line := r.Pos()
	ended := len(p.ends) > 0 && p.ends[0] < line
	for len(p.ends) > 0 && p.ends[0] < line {
		p.ends = p.ends[1:]
	}
	if name := string(r.Name); ended || name != p.last {
		p.last = name
		p.number++
	}
	return p.number
}

// processEnds are the lines between the results of two processes: what go test prints at the beginning and at the end,
// and the mark of a sample, which is a process.
func processEnds(content []byte) (lines []int) {
	number := 0
	for line := range bytes.Lines(content) {
		number++
		for _, mark := range []string{"goos: ", "pkg: ", "PASS", "FAIL", "ok ", "ok\t", sampleMark} {
			if bytes.HasPrefix(line, []byte(mark)) {
				lines = append(lines, number)
				break
			}
		}
	}
	return lines
}

// sampleMark begins the line after a sample of the command run.
const sampleMark = "# sample "

// tidy names the units of zeros and infinities as those of other values. The reader leaves them as they are, since
// their value is the same in every unit; "0 ns/op" would stand in a table of its own, where nobody looks for it.
func tidy(r *benchfmt.Result) {
	for i := range r.Values {
		v := &r.Values[i]
		if _, unit := benchunit.Tidy(1, v.Unit); unit != v.Unit {
			v.OrigValue, v.OrigUnit, v.Unit = v.Value, v.Unit, unit
		}
	}
}

// garbled reports whether a name or unit was not UTF-8, so that two of them could look the same.
func garbled(r *benchfmt.Result) bool {
	return bytes.ContainsRune(r.Name, utf8.RuneError) ||
		slices.ContainsFunc(r.Values, func(v benchfmt.Value) bool {
			return strings.ContainsRune(v.Unit, utf8.RuneError)
		})
}

// hint guesses how a file without results came to be.
func hint(content []byte) string {
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return "; the file is empty"
	case bytes.Contains(content, []byte("[no test files]")), bytes.HasPrefix(content, []byte("PASS")),
		bytes.Contains(content, []byte("\nPASS")):
		return "; the pattern of go test -bench matched nothing"
	}
	return ""
}

// complete drops a last line without an end. What is left of a line that was cut can look like a whole one, with
// another unit or fewer digits.
func complete(in input) ([]byte, []Problem) {
	if len(in.content) == 0 || bytes.HasSuffix(in.content, []byte("\n")) {
		return in.content, nil
	}
	end := bytes.LastIndexByte(in.content, '\n') + 1
	if !bytes.HasPrefix(in.content[end:], []byte("Benchmark")) {
		return in.content, nil
	}
	line := bytes.Count(in.content, []byte("\n")) + 1
	text := fmt.Sprintf("%s:%d: the last line has no end: the run was cut", in.path, line)
	return in.content[:end], []Problem{{text, true}}
}

// failures finds what go test prints when a benchmark or its package failed, and what thm bench run notes then. The
// other results may still be good, but what is missing then is no accident.
func failures(in input) []Problem {
	line := 0
	for text := range bytes.Lines(in.content) {
		line++
		text = bytes.TrimSpace(text)
		ours := bytes.HasPrefix(text, []byte(sampleMark)) && bytes.Contains(text, []byte(`"fail":`))
		for _, mark := range []string{"--- FAIL: Benchmark", "FAIL\t", "panic: "} {
			if ours || bytes.HasPrefix(text, []byte(mark)) {
				said := strings.Join(strings.Fields(strings.ToValidUTF8(string(text[:min(len(text), 120)]), "?")), " ")
				return []Problem{{fmt.Sprintf("%s:%d: a benchmark failed: %s", in.path, line, said), true}}
			}
		}
	}
	return nil
}

// twins finds inputs with the same content: nobody measures the same times twice.
func twins(inputs []input) []Problem {
	seen := map[[32]byte]string{}
	var out []Problem
	for _, in := range inputs {
		sum := sha256.Sum256(in.content)
		if other, ok := seen[sum]; ok && len(in.content) > 0 {
			out = append(out, Problem{fmt.Sprintf("%s and %s have the same content", other, in.path), true})
		}
		seen[sum] = in.path
	}
	return out
}
