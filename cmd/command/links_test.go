package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Every link of a document to a file of this module leads somewhere.
func TestLinks(t *testing.T) {
	require.Equal(t, []string{"nowhere.md"}, deadLinks("..",
		"[a](nowhere.md) [b](thm#top) [c](https://example.org) [d](#here)"))
	checked := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git" || entry.Name() == "latest"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		checked++
		assert.Empty(t, deadLinks(filepath.Dir(path), string(text)), path)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, checked, 5)
}

// deadLinks returns the links of a text to files that do not exist.
func deadLinks(dir, text string) (dead []string) {
	for _, match := range link.FindAllStringSubmatch(text, -1) {
		target, _, _ := strings.Cut(match[1], "#")
		if target == "" || strings.Contains(target, ":") {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(target))); err != nil {
			dead = append(dead, match[1])
		}
	}
	return dead
}
