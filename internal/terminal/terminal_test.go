package terminal

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
	require.Equal(t, []string{"one two", "three"}, Wrap("one two  three", 8))
	require.Equal(t, []string{"a", "", "b"}, Wrap("a\n\nb", 8))
	require.Equal(t, []string{"unbreakable", "x"}, Wrap("unbreakable x", 4))
	require.Equal(t, "abc…", Fit("abcdef", 4))
	require.Equal(t, "abcd", Fit("abcd", 4))
	require.Equal(t, "", Fit("abcd", 0))
	require.Equal(t, 2, Width("x̂y"))
}

func TestColourOnlyForTerminals(t *testing.T) {
	require.Equal(t, "text", StyleOf(&strings.Builder{}, false).Paint(Red, "text"))
	require.Equal(t, "\x1b[31mtext\x1b[0m", Style{true}.Paint(Red, "text"))
	require.Equal(t, "text", Style{true}.Paint(Plain, "text"))
	require.Empty(t, Style{true}.Paint(Red, ""))
	require.False(t, IsTerminal(&strings.Builder{}))
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer f.Close()
	require.False(t, IsTerminal(f))
	width, height := Size(f)
	require.Equal(t, [2]int{80, 24}, [2]int{width, height})
}

// A table lines up what a terminal shows: marks that combine and colours take no room.
func TestTable(t *testing.T) {
	table := NewTable("name", "#n")
	table.Add(Text("x̂"), Painted("10", Red))
	table.Add(Text("long name"), Text("5"))
	require.Equal(t, "name        n\nx̂          10\nlong name   5\n", table.Render(Style{}))
	require.Equal(t, "\x1b[1mname\x1b[0m        \x1b[1mn\x1b[0m\nx̂          \x1b[31m10\x1b[0m\nlong name   5\n",
		table.Render(Style{true}))
	require.Equal(t, "| name | n |\n| --- | ---: |\n| x̂ | 10 |\n| long name | 5 |\n", table.Markdown())
}

func TestWords(t *testing.T) {
	require.Equal(t, "1 claim", Plural(1, "claim"))
	require.Equal(t, "0 claims", Plural(0, "claim"))
	require.Equal(t, "2 units of work", Plural(2, "unit of work"))
	require.Equal(t, "1:05", Clock(65*time.Second))
	require.Equal(t, "2:00:01", Clock(2*time.Hour+1500*time.Millisecond))
}

// A line that is drawn without a terminal is a line of its own; what is quiet only tells notes.
func TestProgress(t *testing.T) {
	var out, said bytes.Buffer
	loud, quiet := &Progress{out: &out, name: "thm"}, &Progress{out: &said, name: "thm", quiet: true}
	for _, m := range []*Progress{loud, quiet} {
		m.draw() // nothing is known yet
		m.Count("measuring", 1, 4, 90*time.Second)
		m.draw()
		m.Note("careful")
	}
	require.Equal(t, "measuring: 1 of 4 (25 %), about 1:30 left\nthm: careful\n", out.String())
	require.Equal(t, "thm: careful\n", said.String())
	live := &Progress{out: &said, name: "thm", live: true, width: func() int { return 10 }}
	said.Reset()
	live.Count("measuring", 0, 4, 0)
	live.draw()
	require.Equal(t, "\r\x1b[Kmeasurin…", said.String())
}
