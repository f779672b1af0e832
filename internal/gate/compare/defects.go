package compare

import (
	"bytes"
	"fmt"
	"slices"

	"golang.org/x/perf/benchfmt"
)

// unitValues are the values that the keys of a unit line can have.
var unitValues = map[string][]string{
	"better": {"higher", "lower"},
	"assume": {"nothing", "exact"},
}

// unitDefect says what is wrong with a unit line, if anything is: a misspelt value would be taken for none.
func unitDefect(u *benchfmt.UnitMetadata) string {
	said := fmt.Sprintf("Unit %s %s=%s", u.OrigUnit, u.Key, u.Value)
	if file, line := u.Pos(); file != "" {
		said = fmt.Sprintf("%s:%d: %s", file, line, said)
	}
	values, isKey := unitValues[u.Key]
	switch {
	case !isKey:
		return said + ": a key is better or assume"
	case !slices.Contains(values, u.Value):
		return fmt.Sprintf("%s: %s is %s or %s", said, u.Key, values[0], values[1])
	case u.Key == "better" && known(u.Unit) != 0 && (known(u.Unit) > 0) != (u.Value == "higher"):
		return said + ": everybody knows better; only a policy may say so"
	}
	return ""
}

// repeated reports whether the result lines of a file repeat its first half. Times of that many samples do not repeat
// in all digits.
func repeated(content []byte) bool {
	var lines [][]byte
	distinct := map[string]bool{}
	for line := range bytes.Lines(content) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("Benchmark")) && bytes.Contains(line, []byte(" ns/op")) {
			lines = append(lines, line)
			distinct[string(line)] = true
		}
	}
	half := len(lines) / 2
	if len(distinct) < 4 || len(lines)%2 != 0 {
		return false
	}
	return slices.EqualFunc(lines[:half], lines[half:], bytes.Equal)
}

// unended reports whether the output of go test has no end: its head is there, and neither PASS nor FAIL after the last
// result. What has no head is a part that somebody chose.
func unended(content []byte) bool {
	last := bytes.LastIndex(content, []byte("\nBenchmark"))
	if bytes.HasPrefix(content, []byte("# thm.bench/")) || last < 0 ||
		!bytes.HasPrefix(content, []byte("goos: ")) && !bytes.Contains(content, []byte("\ngoos: ")) {
		return false
	}
	return !slices.ContainsFunc([]string{"\nPASS", "\nok ", "\nok\t", "\nFAIL", "\n--- FAIL"},
		func(end string) bool { return bytes.Contains(content[last:], []byte(end)) })
}

// shortened reports whether the file ends in the middle of a benchmark: all others have the same number of results, and
// the last one has fewer.
func shortened(content []byte) bool {
	counts := map[string]int{}
	last := ""
	for line := range bytes.Lines(content) {
		if name, _, ok := bytes.Cut(line, []byte(" ")); ok && bytes.HasPrefix(name, []byte("Benchmark")) {
			last = string(name)
			counts[last]++
		} else if bytes.HasPrefix(line, []byte("PASS")) {
			last = ""
		}
	}
	all := 0
	for name, n := range counts {
		if name == last {
			continue
		}
		if all != 0 && n != all {
			return false
		}
		all = n
	}
	return last != "" && counts[last] < all
}

// defects are the problems of a file that its lines do not show one by one.
func defects(in input) []Problem {
	var out []Problem
	if repeated(in.content) {
		out = append(out, Problem{in.path + ": the file holds its samples twice; nobody measures the same times again",
			true})
	}
	switch {
	case unended(in.content):
		out = append(out, Problem{in.path + ": neither PASS nor FAIL follows the last result: the run was cut", true})
	case shortened(in.content) && !bytes.HasPrefix(in.content, []byte("# thm.bench/")):
		out = append(out, Problem{in.path + ": the last benchmark has fewer samples than the others; was the run cut?",
			false})
	}
	return out
}
