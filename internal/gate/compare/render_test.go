package compare

import (
	"bytes"
	"encoding/xml"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// every is a table with a row of every verdict and everything that a format has to cope with.
func every() *Table {
	t := &Table{Policy: DefaultPolicy(), Method: "by hand"}
	t.Policy.Margins = map[string]float64{"ratio": 0.5}
	for i, v := range Verdicts {
		r := Row{Group: "pkg: example.org/m", Name: "Sum/n=" + strings.Repeat("1", i+1) + "-2", Unit: "sec/op",
			Base: "old.txt", Column: "new.txt",
			Old: Summary{1e-6, 0.99e-6, 1.01e-6, "1%", 10}, New: Summary{1.1e-6, 1.09e-6, 1.2e-6, "9%", 10},
			Delta: "+10.00%", Test: "p=0.000 n=10", P: 1e-5,
			Judgement: Judgement{Change: Interval{1.1, 1.08, 1.12, 0.999}, Floor: 0.012, Verdict: v}, Gated: true}
		none := Summary{Number(math.NaN()), Number(math.NaN()), Number(math.NaN()), "", 0}
		switch v {
		case Missing:
			r.New, r.Delta, r.Test, r.P = none, "", "", Number(math.NaN())
		case Added:
			r.Old, r.Delta, r.Test, r.P = none, "", "", Number(math.NaN())
		case Undecided:
			r.Needs, r.Reason, r.Change = 24, "the interval crosses the boundary of the margin",
				Interval{1.04, 0, Number(math.Inf(1)), 1}
		case Unusable:
			r.Reason = "a sample is NaN"
		case Changed:
			r.Unit, r.Gated = "pebbles", false
		}
		t.Rows = append(t.Rows, r)
	}
	t.Rows = append(t.Rows, Row{Group: "pkg: evil", Name: "A|b`<img src=x>@all\x1b[31m\n::error::/x=%,", Unit: "ratio",
		Base: "old.txt", Column: "new.txt",
		Old: Summary{0.1, 0.1, 0.1, "0%", 1}, New: Summary{0.2, 0.2, 0.2, "0%", 1}, Delta: "+100.00%", Test: "n=1",
		Exact: true, Gated: true,
		Judgement: Judgement{Change: Interval{2, 2, 2, 1}, Verdict: Slower},
		Warnings:  []string{"exact distribution expected"}})
	t.Geomeans = []Geomean{{Group: "pkg: example.org/m", Unit: "sec/op", Column: "new.txt", Old: 1e-6, New: 1.1e-6,
		Ratio: 1.1}}
	t.PowerEstimate = &PowerEstimate{Power: 0.8, Pilot: 5, Rounds: 10, Minimum: 7, Rows: []EstimatedRow{
		{"pkg: example.org/m", "Sum/n=1-2", "sec/op", 0.0812, true, 0.003},
		{"pkg: example.org/m", "Sum/n=11-2", "sec/op", 0.31, false, 0.04},
		{"pkg: example.org/m", "Sum/n=111-2", "sec/op", Number(math.NaN()), false, 0.9}}}
	t.Problems = []Problem{{"goversion differs: go1.25 in old.txt, go1.26 in new.txt", false}}
	return t
}

func TestFormats(t *testing.T) {
	for format, file := range map[string]string{"text": "every.txt", "json": "every.json", "markdown": "every.md",
		"github": "every.github"} {
		var b bytes.Buffer
		require.NoError(t, every().Render(&b, format))
		path := filepath.Join("testdata", file)
		if *update {
			require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), b.String(), "%s; go test -update if it should be so", path)
	}
	require.ErrorContains(t, every().Render(new(bytes.Buffer), "yaml"), "text, brief, json, markdown, github")
}

// TestNamesHaveNoMeaning: a benchmark's name cannot make a workflow command, a table column, HTML or a mention.
func TestNamesHaveNoMeaning(t *testing.T) {
	var text, github, markdown bytes.Buffer
	require.NoError(t, every().Render(&text, "text"))
	require.NoError(t, every().Render(&github, "github"))
	for line := range strings.Lines(github.String()) {
		require.Regexp(t, `^::(error|warning|notice) title=[^:,]*::`, line)
	}
	require.NoError(t, every().Render(&markdown, "markdown"))
	require.NotContains(t, text.String()+github.String(), "\x1b")
	require.NotContains(t, markdown.String(), "<img")
	require.NotContains(t, markdown.String(), "@all")
	for line := range strings.Lines(markdown.String()) {
		if strings.HasPrefix(line, "|") {
			require.Equal(t, 8, strings.Count(line, "|"), line)
		}
	}
}

// TestManyAnnotations: GitHub shows ten; the last one says how many there were.
func TestManyAnnotations(t *testing.T) {
	table := every()
	for range 30 {
		table.Rows = append(table.Rows, table.Rows[len(table.Rows)-1])
	}
	var b bytes.Buffer
	require.NoError(t, table.Render(&b, "github"))
	require.Equal(t, 10, strings.Count(b.String(), "::error "))
	require.Contains(t, b.String(), "and 24 more")
}

func TestReadJSONRefuses(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, every().Render(&b, "json"))
	good := b.String()
	_, err := ReadJSON(strings.NewReader(good))
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{Schema, "thm.bench.compare/v3", "the schema is"},
		{`"alpha": 0.01`, `"alpha": 0`, "alpha must be"},
		{`"name": "unusable"`, `"name": "pass"`, "its rows say"},
		{`"code": 2`, `"code": 0`, "its rows say"},
		{`"verdict": "unusable"`, `"verdict": "same"`, "its rows say"},
		{`"verdict": "same"`, `"verdict": "fine"`, `no verdict "fine"`},
		{`"rows"`, `"lines"`, "unknown field"},
		{`"center": 0.000001,`, `"center": "0",`, "is not a number"},
		{good[len(good)/2:], "", "unexpected EOF"},
	} {
		require.Contains(t, good, c.old)
		_, err := ReadJSON(strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want, c.old)
	}
}

// TestOutcomeOrder: what is unusable hides a regression, a regression what is undecided, and a pass needs rows.
func TestOutcomeOrder(t *testing.T) {
	table := func(verdicts ...Decision) *Table {
		out := &Table{Policy: DefaultPolicy()}
		for _, v := range verdicts {
			out.Rows = append(out.Rows, Row{Gated: true, Old: Summary{N: 1}, New: Summary{N: 1},
				Judgement: Judgement{Verdict: v}})
		}
		return out
	}
	require.Equal(t, UnusableInput, table(Same, Undecided, Slower, Unusable).Outcome().Code)
	require.Equal(t, Regression, table(Same, Undecided, Missing, Slower).Outcome().Code)
	require.Equal(t, NotDecided, table(Same, Faster, Undecided).Outcome().Code)
	require.Equal(t, NotDecided, table(Same, Changed).Outcome().Code)
	require.Equal(t, NotDecided, table(Same, Missing).Outcome().Code)
	require.Equal(t, NotDecided, table(Same, "").Outcome().Code)
	require.Equal(t, Pass, table(Same, Faster).Outcome().Code)
	require.Equal(t, UnusableInput, table().Outcome().Code)

	early := table(Undecided, Undecided) // the budget ended before the first round of any benchmark did
	early.Rows[0].New.N, early.Rows[1].New.N = 0, 0
	require.Equal(t, NotDecided, early.Outcome().Code)
	early.Rows[0].Verdict = Unusable
	require.Equal(t, UnusableInput, early.Outcome().Code)
}

// A badge has the word of the outcome, in text and for those who do not see it, and is well-formed.
func TestBadge(t *testing.T) {
	for word, rows := range map[string][]Row{"unusable": nil, "regression": {{Gated: true, Old: Summary{N: 1},
		New: Summary{N: 1}, Judgement: Judgement{Verdict: Slower}}}} {
		var out strings.Builder
		require.NoError(t, (&Table{Policy: DefaultPolicy(), Rows: rows}).Render(&out, "badge"))
		require.NoError(t, xml.Unmarshal([]byte(out.String()), new(struct{})))
		require.Equal(t, 3, strings.Count(out.String(), word), out.String())
	}
}

// TestPowerEstimateSentence covers what there is to say.
func TestPowerEstimateSentence(t *testing.T) {
	p := every().PowerEstimate
	require.Equal(t, "10 rounds find, in noise like this and with probability 0.8 each, a change for the worse of "+
		"8.1% in half of 2 rows and of 31% in all of them, "+
		"the least sensitive being Sum/n=11-2 (sec/op); none below a factor of ten in 1 row; unchanged code is "+
		"called the same with that probability in 1 of 3 rows", p.Sentence())
	p.Rows = p.Rows[:1]
	require.Contains(t, p.Sentence(), "a change for the worse of 8.1% in Sum/n=1-2; unchanged")
	p.Rows[0].Detects = Number(math.NaN())
	require.Contains(t, p.Sentence(), "no change below a factor of ten; unchanged")
	p.Rounds = 6
	require.Equal(t, "the 6 rounds of the first look are too few to decide anything at the level of 1 row: it takes 7",
		p.Sentence())
	p.Rows = nil
	require.Contains(t, p.Sentence(), "no gated row varied")
}

// TestNeeded: what is undecided says how many samples would decide, and whether they would.
func TestNeeded(t *testing.T) {
	row := func(needs int) Row {
		return Row{Gated: true, Old: Summary{N: 9}, New: Summary{N: 9},
			Judgement: Judgement{Verdict: Undecided, Needs: needs}}
	}
	reason := func(rows ...Row) string { return (&Table{Policy: DefaultPolicy(), Rows: rows}).Outcome().Reason }
	require.Equal(t, "2 rows are undecided, of 2; n=30 would decide, each with probability 0.8 if its change is what "+
		"it looks like", reason(row(30), row(20)))
	require.Contains(t, reason(row(30), row(0)), "; n=30 would decide 1 of them, each")
	require.Equal(t, "1 row is undecided, of 1; more samples alone would not decide", reason(row(0)))
	changed := row(0)
	changed.Verdict = Changed
	require.Equal(t, "1 row is undecided, of 1", reason(changed))
}

// TestGuideShowsWhatIsPrinted: the table in the guide is the one that the command prints.
func TestGuideShowsWhatIsPrinted(t *testing.T) {
	table, err := Files([]string{"old=testdata/kernels-old.txt", "new=testdata/kernels-new.txt"},
		Options{Table: "pkg", Filter: ".unit:(ns/op OR ratio)"}, DefaultPolicy())
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, table.Render(&b, "text"))
	guide, err := os.ReadFile("../../../bench/gate/README.md")
	require.NoError(t, err)
	require.Contains(t, string(guide), "```text\n"+b.String()+"```\n")
}
