package compare

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lines are n results of a benchmark, each of a process of its own, with times that differ from file to file.
func lines(name string, n int, ns float64) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "Benchmark%s-2 100 %.1f ns/op 64 B/op 2 allocs/op\n# sample {}\n", name, ns+float64(i)/10)
	}
	return out.String()
}

// mixed takes lines of several benchmarks in turn, as a measurement in rounds does.
func mixed(parts ...string) string {
	var out strings.Builder
	first := strings.SplitAfter(parts[0], "\n")
	for i := range first {
		for _, part := range parts {
			out.WriteString(strings.SplitAfter(part, "\n")[i])
		}
	}
	return out.String()
}

const head = "goos: linux\ngoarch: amd64\npkg: example.org/m\ncpu: A\n"

// ended adds what go test prints at the end of a run.
func ended(text string) string {
	if strings.HasPrefix(text, "{") || !strings.Contains(text, "goos: ") || !strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "PASS\n"
}

// gateOf gates two files of runs that ended, unless the test is about one that was cut, by the default policy.
func gateOf(t *testing.T, old, new string) (*Table, error) {
	t.Helper()
	dir := t.TempDir()
	if old = ended(old); !strings.Contains(t.Name(), "/cut") {
		new = ended(new)
	}
	for name, content := range map[string]string{"old.txt": old, "new.txt": new} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	return Files([]string{"old.txt=" + filepath.Join(dir, "old.txt"), "new.txt=" + filepath.Join(dir, "new.txt")},
		Options{Table: "pkg"}, DefaultPolicy())
}

// stampedLines is a text as the log of a build has it.
func stampedLines(text string) string {
	return "2026-11-20T10:11:12.1234567Z " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n",
		"\n2026-11-20T10:11:13.7654321Z ") + "\n"
}

// events is a text as go test -json has it, with the name of each benchmark in an event of its own.
func events(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text + "PASS\n") {
		name, rest, _ := strings.Cut(line, " ")
		for _, part := range []string{name + " ", rest} {
			if rest == "" {
				part = strings.TrimSuffix(part, " ")
			}
			fmt.Fprintf(&out, "{\"Action\":\"output\",\"Package\":\"example.org/m\",\"Output\":%q}\n", part)
		}
	}
	return out.String() + "{\"Action\":\"pass\",\"Package\":\"example.org/m\"}\n"
}

// Rows that the data leave open pass where the policy allows it, and the reason says what that hides; not where one is
// worse.
func TestUndecidedAllowed(t *testing.T) {
	nan := Number(math.NaN())
	row := func(v Decision, lo, hi Number) Row {
		return Row{Gated: true, Old: Summary{N: 9}, New: Summary{N: 9},
			Judgement: Judgement{Verdict: v, Change: Interval{nan, lo, hi, 0.99}}}
	}
	table := &Table{Policy: DefaultPolicy(), Rows: []Row{row(Same, 1, 1), row(Undecided, 0.9, 1.31)}}
	require.Equal(t, NotDecided, table.Outcome().Code)
	table.Policy.Undecided = UndecidedAllowed
	require.NoError(t, table.Policy.Validate())
	require.Equal(t, Outcome{Pass, "pass", "2 rows were compared, none worse; 1 row is undecided, which the policy " +
		"allows: a change of up to 31 % may have passed unseen"}, table.Outcome())
	table.Rows = append(table.Rows, row(Undecided, 0, Number(math.Inf(1))))
	require.Contains(t, table.Outcome().Reason, "for 1 of them no change is excluded")
	table.Rows = append(table.Rows, row(Slower, 1.1, 1.2))
	require.Equal(t, Regression, table.Outcome().Code)
	table.Policy.Undecided = "maybe"
	require.ErrorContains(t, table.Policy.Validate(), "undecided must be undecided or allowed")
}

// setup replaces bytes and allocations by none, but for one sample in three that has the given number of bytes more.
func setup(text string, bytes int) string {
	out := strings.NewReplacer("2 allocs", "0 allocs", "64 B", "0 B").Replace(text)
	for i, line := range strings.SplitAfter(out, "\n") {
		if i%3 == 0 {
			out = strings.Replace(out, line, strings.Replace(line, " 0 B", fmt.Sprintf(" %d B", bytes), 1), 1)
		}
	}
	return out
}

func TestGate(t *testing.T) {
	good := head + lines("Sum", 10, 1000) + lines("Max", 10, 500)
	inRounds := head + mixed(lines("Sum", 10, 1000), lines("Max", 10, 500))
	for name, c := range map[string]struct {
		old, new string
		code     int
		reason   string // in the outcome or a problem or an error
	}{
		"same": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501), Pass,
			"6 rows were compared"},
		"taken at one time": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501), Pass,
			"all samples of a benchmark were taken at one time"},
		"carriage returns": {strings.ReplaceAll(good, "\n", "\r\n"), head + lines("Sum", 10, 1001) +
			lines("Max", 10, 501), Pass, ""},
		"byte order mark": {"\ufeff" + good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501), Pass, ""},
		"slower": {good, head + lines("Sum", 10, 1100) + lines("Max", 10, 501), Regression,
			"1 row is worse, of 6"},
		"faster": {inRounds, head + mixed(lines("Sum", 10, 800), lines("Max", 10, 501)), Pass, ""},
		"faster at one time": {good, head + lines("Sum", 10, 800) + lines("Max", 10, 501), NotDecided,
			"all samples of a benchmark were taken at one time"},
		"one allocation more": {good, head + strings.Replace(lines("Sum", 10, 1001), " 2 allocs", " 3 allocs", -1) +
			lines("Max", 10, 501), Regression, "worse"},
		"allocations that vary": {good, head + strings.Replace(lines("Sum", 10, 1001), " 2 allocs", " 3 allocs", 4) +
			lines("Max", 10, 501), NotDecided, "undecided"},
		"seven bytes more": {good, head + strings.ReplaceAll(lines("Sum", 10, 1001), " 64 B", " 71 B") +
			lines("Max", 10, 501), Pass, ""},
		"eight bytes more": {good, head + strings.ReplaceAll(lines("Sum", 10, 1001), " 64 B", " 72 B") +
			lines("Max", 10, 501), Regression, "worse"},
		"bytes that vary": {good, head + strings.Replace(lines("Sum", 10, 1001), " 64 B", " 67 B", 4) +
			lines("Max", 10, 501), Pass, ""},
		"few samples": {head + lines("Sum", 3, 1000), head + lines("Sum", 3, 1001), NotDecided,
			"1 row is undecided"},
		"missing": {good, head + lines("Sum", 10, 1001), NotDecided, "3 rows are missing"},
		"added":   {good, good + lines("Min", 10, 99), Pass, ""},
		"renamed": {good, head + lines("Total", 10, 1000) + lines("Peak", 10, 500), UnusableInput,
			"nothing was compared"},
		"other package": {good, strings.Replace(good, "example.org/m", "example.org/n", 1), UnusableInput,
			"nothing was compared"},
		"other procs": {good, strings.ReplaceAll(good, "-2 ", "-4 "), UnusableInput, "nothing was compared"},
		"other machine": {good, strings.Replace(head, "cpu: A", "cpu: B", 1) + lines("Sum", 10, 1001) +
			lines("Max", 10, 501), UnusableInput, "cpu differs: A in old.txt, B in new.txt"},
		"machines mixed": {good, good + "cpu: B\n" + lines("Sum", 10, 1001), UnusableInput, "cpu"},
		"no machine": {good, "pkg: example.org/m\n" + lines("Sum", 10, 1001) + lines("Max", 10, 501), Pass,
			"cpu differs: A in old.txt, nothing in new.txt"},
		"no machine before": {"pkg: example.org/m\n" + lines("Sum", 10, 1001) + lines("Max", 10, 501), good, Pass,
			"cpu differs: nothing in old.txt, A in new.txt"},
		"other Go": {"goversion: go1.25\n" + good, "goversion: go1.26\n" + head + lines("Sum", 10, 1001) +
			lines("Max", 10, 501), UnusableInput, "goversion differs"},
		"empty":         {good, "", UnusableInput, "the file is empty"},
		"white space":   {good, "\n \n", UnusableInput, "the file is empty"},
		"no match":      {good, "PASS\nok  \texample.org/m\t0.1s\n", UnusableInput, "matched nothing"},
		"other text":    {good, "Lorem ipsum\ndolor: sit amet\n", UnusableInput, "no benchmark results"},
		"the same file": {good, good, UnusableInput, "the same content"},
		"failed benchmark": {good, head + lines("Sum", 10, 1001) + "--- FAIL: BenchmarkMax-2\nFAIL\n", UnusableInput,
			"a benchmark failed"},
		"failed sample": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501) +
			"# sample {\"name\":\"Min\",\"fail\":\"exit status 2\"}\n", UnusableInput, "a benchmark failed"},
		"failed package": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501) +
			"FAIL\texample.org/n [build failed]\n", UnusableInput, "a benchmark failed"},
		"cut in a name": {good, head + lines("Sum", 10, 1001) + lines("Max", 9, 501) + "BenchmarkMa", UnusableInput,
			"the last line has no end"},
		"cut in a number": {good, head + lines("Sum", 10, 1001) + lines("Max", 9, 501) + "BenchmarkMax-2 100 5",
			UnusableInput, "the last line has no end"},
		"cut in a unit": {good, head + lines("Sum", 10, 1001) + lines("Max", 9, 501) +
			"BenchmarkMax-2 100 501.1 n", UnusableInput, "the last line has no end"},
		"cut inside": {good, head + lines("Sum", 10, 1001) + "BenchmarkMax-2 100 501.1\n" +
			lines("Max", 9, 501), UnusableInput, "missing units"},
		"misspelt assumption": {good, head + "Unit ratio assume=exakt\n" + lines("Sum", 10, 1001) + lines("Max", 10, 501),
			UnusableInput, "assume is nothing or exact"},
		"misspelt direction": {good, head + "Unit ratio better=sideways\n" + lines("Sum", 10, 1001) +
			lines("Max", 10, 501), UnusableInput, "better is higher or lower"},
		"twice": {good, strings.Repeat(head+lines("Sum", 10, 1001)+lines("Max", 10, 501), 2), UnusableInput,
			"holds its samples twice"},
		"cut between packages": {good, head + lines("Sum", 10, 1001) + "PASS\n" + lines("Max", 10, 501), UnusableInput,
			"the run was cut"},
		"cut between lines": {good, head + lines("Sum", 10, 1001) + lines("Max", 7, 501), UnusableInput,
			"the run was cut"},
		"a part": {strings.TrimPrefix(good, head), lines("Sum", 10, 1001) + lines("Max", 7, 501), Pass,
			"fewer samples than the others"},
		"coloured": {good, head + strings.ReplaceAll(lines("Sum", 10, 1001), "Benchmark", "\x1b[32mBenchmark\x1b[0m") +
			lines("Max", 10, 501), Pass, ""},
		"time stamps": {good, stampedLines(head + lines("Sum", 10, 1001) + lines("Max", 10, 501)), Pass, ""},
		"events":      {good, events(head + lines("Sum", 10, 1001) + lines("Max", 10, 501)), Pass, ""},
		"slower events": {good, events(head + lines("Sum", 10, 1100) + lines("Max", 10, 501)), Regression,
			"1 row is worse"},
		"no number": {good, head + lines("Sum", 10, 1001) + "BenchmarkMax-2 100 fast ns/op\n", UnusableInput,
			"parsing measurement"},
		"NaN": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501) +
			"BenchmarkMax-2 100 NaN ns/op\n", UnusableInput, "1 row has values"},
		"infinite": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501) +
			"BenchmarkMax-2 100 +Inf ns/op\n", UnusableInput, "1 row has values"},
		"too large to hold": {good, head + lines("Sum", 10, 1001) + "BenchmarkMax-2 100 1e999 ns/op\n", UnusableInput,
			"value out of range"},
		"negative": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501) +
			"BenchmarkMax-2 100 -3 ns/op\n", UnusableInput, "1 row has values"},
		"zero time": {good, head + lines("Sum", 10, 1001) + lines("Max", 10, 501) +
			"BenchmarkMax-2 100 0 ns/op\n", UnusableInput, "1 row has values"},
		"huge": {good, head + lines("Sum", 10, 1e300) + lines("Max", 10, 501), Regression, "worse"},
		"tiny": {inRounds, head + mixed(strings.ReplaceAll(lines("Sum", 10, 1001), " 1001.",
			" 0.000000000100"), lines("Max", 10, 501)), Pass, ""},
		"other unit": {head + "BenchmarkX 1 5 ms/op\n", head + "BenchmarkX 1 5 ns/op\n", UnusableInput,
			"nothing was compared"},
		"units that disagree": {"Unit ratio better=lower\n" + good, "Unit ratio better=higher\n" + good, UnusableInput,
			"already set"},
		"name not in UTF-8": {good, good + "BenchmarkA\xff 1 1 ns/op\n", UnusableInput, "not UTF-8"},
		"binary":            {good, "\x7fELF\x00\x01", -1, "not a text file"},
		"UTF-16":            {good, "\xff\xfeB\x00e\x00", -1, "UTF-16"},
		"one long line":     {good, strings.Repeat("x", 8*maxLine), UnusableInput, "no benchmark results"},
		"a long line": {good, head + lines("Sum", 10, 1001) + strings.Repeat("x", 8*maxLine) + "\n" +
			lines("Max", 10, 501), Pass, "6 rows were compared"},
		"a long result": {good, head + lines("Sum", 10, 1001) + "BenchmarkMax-2 1 1 ns/op" + strings.Repeat("x", 8*maxLine) +
			"\n" + lines("Max", 9, 501), UnusableInput, "new.txt:"},
		"misspelt key": {good, head + "Unit ratio bettr=higher\n" + lines("Sum", 10, 1001) + lines("Max", 10, 501),
			UnusableInput, "a key is better or assume"},
		"time turned over": {good, head + "Unit sec/op better=higher\n" + lines("Sum", 10, 1200) + lines("Max", 10, 501),
			UnusableInput, "everybody knows better"},
		"setup of no allocation": {inRounds, setup(head+mixed(lines("Sum", 10, 1001), lines("Max", 10, 501)), 13), Pass, ""},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := gateOf(t, c.old, c.new)
			if c.code == -1 {
				require.ErrorContains(t, err, c.reason)
				require.ErrorContains(t, err, "new.txt")
				return
			}
			require.NoError(t, err)
			o := table.Outcome()
			require.Equal(t, c.code, o.Code, "%+v %+v", o, table.Problems)
			said := o.Reason
			for _, p := range table.Problems {
				said += "; " + p.Text
			}
			require.Contains(t, said, c.reason)
			passesOnlyWhatItCompared(t, table)
		})
	}
}

// passesOnlyWhatItCompared fails if a table passes although a row was not compared, or may be slower. No input may lead
// to that.
func passesOnlyWhatItCompared(t *testing.T, table *Table) {
	if table.Outcome().Code != Pass {
		return
	}
	compared := 0
	for _, r := range table.Rows {
		if !r.Gated {
			continue
		}
		switch r.Verdict {
		case Same, Faster:
			if r.Old.N == 0 || r.New.N == 0 {
				t.Fatalf("passed a row without samples: %+v", r)
			}
			if !r.Exact && !(r.Change.Hi <= Number(1+max(table.Policy.Margin, table.Policy.Margins[r.Unit]))) &&
				table.direction(r) < 0 {
				t.Fatalf("passed a row that may be slower: %+v", r)
			}
			compared++
		case Added:
		case Missing:
			if table.Policy.Missing != MissingAllowed {
				t.Fatalf("passed a missing row: %+v", r)
			}
		default:
			t.Fatalf("passed a row that is %s", r.Verdict)
		}
	}
	if compared == 0 {
		t.Fatal("passed, but nothing was compared")
	}
}

// direction returns the direction of the units whose direction is known without the file.
func (t *Table) direction(r Row) int {
	switch r.Unit {
	case "sec/op", "B/op", "allocs/op":
		return -1
	}
	return 0
}

func TestMissingPolicy(t *testing.T) {
	old, new := head+lines("Sum", 10, 1000)+lines("Max", 10, 500), head+lines("Sum", 10, 1001)
	table, err := gateOf(t, old, new)
	require.NoError(t, err)
	for missing, code := range map[string]int{MissingUndecided: NotDecided, MissingUnusable: UnusableInput,
		MissingAllowed: Pass} {
		table.Policy.Missing = missing
		require.Equal(t, code, table.Outcome().Code, missing)
	}
}

func TestUnreadable(t *testing.T) {
	_, err := Files([]string{"testdata/absent.txt"}, Options{}, DefaultPolicy())
	require.EqualError(t, err, "testdata/absent.txt: no such file or directory")
	_, err = Files([]string{"testdata"}, Options{}, DefaultPolicy())
	require.ErrorContains(t, err, "testdata: is a directory")
	for _, o := range []Options{{Filter: "a:b:"}, {Row: "@"}, {Col: "a@b"}, {Table: "(("}, {Ignore: ".unit"}} {
		_, err = Files([]string{"testdata/kernels-old.txt"}, o, DefaultPolicy())
		require.ErrorContains(t, err, "--", "%+v", o)
	}
}

func TestPolicyReader(t *testing.T) {
	p, err := ReadPolicy(strings.NewReader(`{"zone": 0.1, "zones": {"ns/op": 0.2}, "units": ["ns/op"]}`))
	require.NoError(t, err)
	require.Equal(t, Policy{Alpha: 0.01, Margin: 0.1, Margins: map[string]float64{"ns/op": 0.2},
		Units: []string{"ns/op"}, Missing: MissingUndecided}, p)
	require.Equal(t, []string{"sec/op"}, p.tidy().Units)
	require.Equal(t, map[string]float64{"sec/op": 0.2}, p.tidy().Margins)
	for text, want := range map[string]string{
		``:                      "empty",
		`{"alpha": 0}`:          "alpha must be a probability in (0, 0.5]",
		`{"alpha": 0.6}`:        "alpha must be",
		`{"alpha": "1"}`:        "cannot unmarshal",
		`{"zone": -1}`:          "zone must be",
		`{"zone": 1e9}`:         "zone must be",
		`{"zones": {"": 1}}`:    "margin of a unit",
		`{"zones": {"x": -1}}`:  "margin of a unit",
		`{"units": [""]}`:       "a unit has a name",
		`{"missing": "ignore"}`: "missing must be one of",
		`{"threshold": 0.1}`:    "unknown field",
		`{} {}`:                 "something follows",
		`{"zone": 0.1`:          "unexpected EOF",
		`[]`:                    "cannot unmarshal",
	} {
		_, err := ReadPolicy(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// FuzzFiles: no content makes a panic, a pass that is none, or a table that cannot be written and read again.
func FuzzFiles(f *testing.F) {
	good := head + lines("Sum", 10, 1000)
	f.Add(good, head+lines("Sum", 10, 1001))
	f.Add(good, "Unit ratio better=lower assume=exact\nBenchmarkX 1 NaN ratio 0 B/op\n")
	f.Add("BenchmarkX 1 -1 ns/op\r\n", "BenchmarkX 1 1e308 ns/op 1 x 1e-320 sec/op")
	f.Add("pkg: a\nBenchmarkX 1 1 a 1 a 1 b\nBenchmarkX 1 2 a", "--- FAIL: BenchmarkX\n")
	f.Fuzz(func(t *testing.T, old, new string) {
		g, err := newGrid(Options{Table: "pkg"})
		if err != nil {
			t.Fatal(err)
		}
		var inputs []input
		for name, content := range map[string]string{"old": old, "new": new} {
			b, err := text([]byte(content))
			if err != nil {
				return
			}
			inputs = append(inputs, input{name, name, b})
		}
		if inputs[0].label == "new" {
			inputs[0], inputs[1] = inputs[1], inputs[0]
		}
		if g.read(inputs) != nil {
			return
		}
		table := g.compare(DefaultPolicy())
		passesOnlyWhatItCompared(t, table)
		var written, again bytes.Buffer
		for _, format := range Formats {
			if err := table.Render(&again, format); err != nil {
				t.Fatal(format, err)
			}
		}
		again.Reset()
		if err := table.Render(&written, "json"); err != nil {
			t.Fatal(err)
		}
		read, err := ReadJSON(bytes.NewReader(written.Bytes()))
		if err != nil {
			t.Fatal(err, written.String())
		}
		if err := read.Render(&again, "json"); err != nil || again.String() != written.String() {
			t.Fatalf("%v: %s became %s", err, written.String(), again.String())
		}
	})
}

func FuzzReadPolicy(f *testing.F) {
	f.Add(`{"alpha": 0.05, "zone": 0.1, "zones": {"ratio": 1}, "units": ["sec/op"], "missing": "allowed"}`)
	f.Add(`{"alpha": null}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadPolicy(strings.NewReader(text))
		if err == nil && !(p.Alpha > 0 && p.Alpha <= 0.5 && p.Margin >= 0) {
			t.Fatalf("accepted %+v", p)
		}
	})
}

func FuzzReadJSON(f *testing.F) {
	table, err := Files([]string{"testdata/kernels-old.txt", "testdata/kernels-new.txt"}, Options{}, DefaultPolicy())
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if err := table.Render(&b, "json"); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add(`{"schema": "thm.bench.compare/v2", "rows": [{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := ReadJSON(strings.NewReader(text))
		if err != nil {
			return
		}
		passesOnlyWhatItCompared(t, table)
		for _, format := range Formats {
			if err := table.Render(new(bytes.Buffer), format); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The old results or the policy say which way is better. A direction that only the new ones state is not believed, and
// reported.
func TestDirections(t *testing.T) {
	rate := func(unit string, x float64) string {
		text := unit + head
		for i := range 10 {
			text += fmt.Sprintf("BenchmarkRate-2 100 50 ns/op %v hits\n# sample {}\n", x+float64(i)/1000)
		}
		return text
	}
	verdict := func(old, new, policy string) (Decision, []Problem) {
		dir, p := t.TempDir(), DefaultPolicy()
		p.Better, p.Units = map[string]string{}, []string{"hits"}
		if policy != "" {
			p.Better["hits"] = policy
		}
		var words []string
		for name, content := range map[string]string{"old": ended(old), "new": ended(new)} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
		for _, name := range []string{"old", "new"} {
			words = append(words, name+"="+filepath.Join(dir, name))
		}
		table, err := Files(words, Options{Table: "pkg"}, p)
		require.NoError(t, err)
		for _, r := range table.Rows {
			if r.Unit == "hits" {
				return r.Verdict, table.Problems
			}
		}
		t.Fatal("no row")
		return "", nil
	}
	for name, c := range map[string]struct {
		old, new, policy string
		want             Decision
	}{
		"nobody":       {"", "", "", Changed},
		"the old":      {"Unit hits better=lower\n", "", "", Slower},
		"both":         {"Unit hits better=higher\n", "Unit hits better=higher\n", "", Faster},
		"the new":      {"", "Unit hits better=higher\n", "", Changed},
		"the policy":   {"", "Unit hits better=higher\n", "lower", Slower},
		"policy first": {"Unit hits better=lower\n", "", "higher", Faster},
	} {
		got, problems := verdict(rate(c.old, 10), rate(c.new, 12), c.policy)
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.old == "" && c.new != "", len(problems) == 1, name)
	}
	p := DefaultPolicy()
	p.Better = map[string]string{"hits": "more"}
	require.ErrorContains(t, p.Validate(), "higher or lower")
}
