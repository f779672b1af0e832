package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWrapAndFit(t *testing.T) {
	require.Equal(t, []string{"one two", "three"}, wrap("one two  three", 8))
	require.Equal(t, []string{"a", "", "b"}, wrap("a\n\nb", 8))
	require.Equal(t, []string{"unbreakable", "x"}, wrap("unbreakable x", 4))
	require.Equal(t, "abc…", fit("abcdef", 4))
	require.Equal(t, "abcd", fit("abcd", 4))
	require.Equal(t, "", fit("abcd", 0))
	require.Equal(t, 2, columns("x̂y"))
}

func TestColourOnlyForTerminals(t *testing.T) {
	require.Equal(t, "text", styleOf(&strings.Builder{}, false).paint(red, "text"))
	require.Equal(t, "\x1b[31mtext\x1b[0m", style{true}.paint(red, "text"))
	require.Equal(t, "text", style{true}.paint(plain, "text"))
	require.Empty(t, style{true}.paint(red, ""))
	require.False(t, isTerminal(&strings.Builder{}))
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer f.Close()
	require.False(t, isTerminal(f))
	width, height := size(f)
	require.Equal(t, [2]int{80, 24}, [2]int{width, height})
}

// A table lines up what a terminal shows: marks that combine and colours take no room.
func TestTable(t *testing.T) {
	table := &table{columns: []column{{"name", false}, {"n", true}}}
	table.add(cell{"x̂", plain}, cell{"10", red})
	table.add(cell{"long name", plain}, cell{"5", plain})
	require.Equal(t, "name        n\nx̂          10\nlong name   5\n", table.render(style{}))
	require.Equal(t, "\x1b[1mname\x1b[0m        \x1b[1mn\x1b[0m\nx̂          \x1b[31m10\x1b[0m\nlong name   5\n", table.render(style{true}))
	require.Equal(t, "| name | n |\n| --- | ---: |\n| x̂ | 10 |\n| long name | 5 |\n", table.markdown())
}

// Counting is silent for two seconds, then says a line every five, and nothing at the end.
func TestCountTo(t *testing.T) {
	var out strings.Builder
	at := time.Unix(0, 0)
	count := countTo(&out, "steps", func() time.Time { return at })
	for i := range 10 {
		at = at.Add(time.Second)
		count(i+1, 10)
	}
	require.Equal(t, "3 of 10 steps\n9 of 10 steps\n", out.String())
}

func TestWords(t *testing.T) {
	require.Equal(t, "1 claim", plural(1, "claim"))
	require.Equal(t, "0 claims", plural(0, "claim"))
	require.Equal(t, "2 units of work", plural(2, "unit of work"))
	require.Equal(t, "1:05", clock(65*time.Second))
	require.Equal(t, "2:00:01", clock(2*time.Hour+1500*time.Millisecond))
}

// A line that is drawn without a terminal is a line of its own; what is quiet only tells notes.
func TestMeter(t *testing.T) {
	var out, said bytes.Buffer
	loud, quiet := &meter{out: &out, name: "thm"}, &meter{out: &said, name: "thm", quiet: true}
	for _, m := range []*meter{loud, quiet} {
		m.draw() // nothing is known yet
		m.count("measuring", 1, 4, 90*time.Second)
		m.draw()
		m.note("careful")
	}
	require.Equal(t, "measuring: 1 of 4 (25 %), about 1:30 left\nthm: careful\n", out.String())
	require.Equal(t, "thm: careful\n", said.String())
	live := &meter{out: &said, name: "thm", live: true, width: func() int { return 10 }}
	said.Reset()
	live.count("measuring", 0, 4, 0)
	live.draw()
	require.Equal(t, "\r\x1b[Kmeasurin…", said.String())
}
