package command

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/catalog"
)

// Bad input is refused as the command `refuses` of the scripts asks: one line on stderr that matches the pattern,
// nothing on stdout, exit code 2, and no file. These refusals look for no file, so that one process can make them all.
func TestRefusals(t *testing.T) {
	text, err := os.ReadFile("testdata/refusals.txt")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	claims, seen := map[string][]props.Claim{"thm": catalog.All(), "fixture": fixtures()}, 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var words []string
		for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
			words = append(words, strings.Trim(word, "'"))
		}
		require.Equal(t, "refuses", words[0])
		require.Contains(t, claims, words[2])
		code, out, said := answer(t, claims[words[2]], words[3:])
		assert.Equal(t, cli.Usage, code, line)
		assert.Empty(t, out, line)
		assert.Regexp(t, "^thm: .*"+words[1], said, line)
		assert.Equal(t, 1, strings.Count(said, "\n"), line)
		files, err := os.ReadDir(".")
		require.NoError(t, err)
		require.Empty(t, files, line)
		seen++
	}
	require.Greater(t, seen, 50)
}
