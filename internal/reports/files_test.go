package reports

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/props/results"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	if string(want) != string(got) {
		_ = os.WriteFile(filepath.Join("testdata", ".got-"+name), got, 0o644)
	}
	require.Equal(t, string(want), string(got))
}

func TestGolden(t *testing.T) {
	golden(t, "report.md.golden", must(Markdown(sample())))
	golden(t, "junit.xml.golden", must(JUnit(sample())))
	golden(t, "results.json.golden", encoded(t, sample().Results))
}

// wellFormedXML returns an error unless b is an XML document.
func wellFormedXML(b []byte) error {
	d := xml.NewDecoder(strings.NewReader(string(b)))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestMarkdownFits asks that even a hopeless run gives a summary that CI accepts, with closed code blocks, rows of
// equal width in tables, and a count of the rows left out.
func TestMarkdownFits(t *testing.T) {
	s := sample()
	bad := s.Results.Claims[2]
	bad.Counterexample = strings.Repeat("```` | x\n", 5000)
	bad.Message = strings.Repeat("message | ", 5000)
	bad.Errata = []results.Erratum{{ID: "e", Printed: strings.Repeat("p|", 1000)}}
	for i := range 600 {
		c := bad
		c.ID = fmt.Sprintf("many/claim%d", i)
		s.Results.Claims = append(s.Results.Claims, c)
	}
	s.Results.Summarise()
	b := string(must(Markdown(s)))
	require.Less(t, len(b), 100_000)
	require.Equal(t, 3, strings.Count(b, "in index.html.\n"))
	text, blocks, err := cutFences(b)
	require.NoError(t, err)
	require.Contains(t, blocks, "the rest is in index.html")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ") {
			bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			require.True(t, bars == 8 || bars == 4, line)
		}
	}
}

// TestMissesAreFailures: a claim that holds is among what failed if a wrong version of it is accepted.
func TestMissesAreFailures(t *testing.T) {
	s := green()
	require.NotContains(t, string(must(Markdown(s))), "What failed")
	s.Results.Claims[0].Controls[0].Rejected = false
	require.Contains(t, string(must(Markdown(s))), "### What failed\n\n#### `"+s.Results.Claims[0].ID)
}

// outcomes counts failures and errors in a JUnit file, read back.
func outcomes(t *testing.T, b []byte) (tests, failures, broken, skipped int) {
	var all JUnitSuites
	require.NoError(t, xml.Unmarshal(b, &all))
	for _, suite := range all.Suites {
		for _, c := range suite.Cases {
			tests++
			require.NotEmpty(t, c.Time)
			switch {
			case c.Failure != nil:
				failures++
			case c.Error != nil:
				broken++
			case c.Skipped != nil:
				skipped++
			}
		}
	}
	require.Equal(t, []int{all.Tests, all.Failures, all.Errors, all.Skipped}, []int{tests, failures, broken, skipped})
	return tests, failures, broken, skipped
}

// TestJUnitAgreesWithExitCode asks of every row that CI sees red where the command returns an error, and only there.
func TestJUnitAgreesWithExitCode(t *testing.T) {
	for _, c := range sample().Results.Claims {
		r := &results.Results{Claims: []results.Claim{c}}
		_, failures, broken, skipped := outcomes(t, must(JUnit(Site{Results: r})))
		require.Zero(t, skipped, c.ID)
		switch r.ExitCode() {
		case 0:
			require.Zero(t, failures+broken, c.ID)
		case 1:
			require.Positive(t, failures, c.ID)
		default:
			require.Zero(t, failures, c.ID)
			require.Positive(t, broken, c.ID)
		}
	}
	tests, failures, broken, skipped := outcomes(t, must(JUnit(sample())))
	require.Equal(t, []int{26, 3, 7, 1}, []int{tests, failures, broken, skipped})
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "deep")
	require.NoError(t, Write(dir, sample()))
	var names []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o644), info.Mode().Perm())
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	}))
	require.Equal(t, []string{"claims/alpha/order.html", "claims/alpha/residual.html", "claims/beta/broken.html",
		"claims/beta/probability.html", "claims/beta/spectrum.html", "claims/beta/stopped.html", "claims/beta/untouched.html",
		"index.html", "junit.xml", "report.md", "results.json"}, names, "no temporary file is left")
	r, err := Read(filepath.Join(dir, "results.json"))
	require.NoError(t, err)
	require.Equal(t, string(encoded(t, sample().Results)), string(encoded(t, r)))
}

// A report of fewer claims leaves no page of an earlier one behind, and removes no file that reports did not write.
func TestStalePagesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, sample()))
	own := filepath.Join(dir, "claims", "beta", "own.html")
	require.NoError(t, os.WriteFile(own, []byte("mine"), 0o644))
	require.NoError(t, Write(dir, green()))
	require.FileExists(t, own)
	require.FileExists(t, filepath.Join(dir, "claims", "alpha", "residual.html"))
	require.NoFileExists(t, filepath.Join(dir, "claims", "beta", "broken.html"))
	single := green()
	single.Form = FormFile
	require.NoError(t, Write(dir, single))
	require.NoFileExists(t, filepath.Join(dir, "claims", "alpha", "residual.html"))
	b, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.Equal(t, string(page(t, green())), string(b))
}

func TestZip(t *testing.T) {
	dir := t.TempDir()
	s := sample()
	s.Form = FormZip
	require.NoError(t, Write(dir, s))
	archive, err := zip.OpenReader(filepath.Join(dir, "report.zip"))
	require.NoError(t, err)
	defer archive.Close()
	pages, err := Pages(sample())
	require.NoError(t, err)
	require.Len(t, archive.File, len(pages)+1)
	for i, f := range pages {
		require.Equal(t, "report/"+f.Name, archive.File[i].Name)
		r, err := archive.File[i].Open()
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, string(f.Content), string(b))
	}
	again, err := zipped(s)
	require.NoError(t, err)
	require.Equal(t, again, must(os.ReadFile(filepath.Join(dir, "report.zip"))))
}

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, atomicfile.Write(file, []byte("x")))
	require.Error(t, Write(filepath.Join(file, "sub"), sample()), "a directory below a file")
	damaged := sample()
	damaged.Results.Run.Effort = "none"
	require.ErrorContains(t, Write(filepath.Join(dir, "out"), damaged), "results.json: encoding results: run.effort")
	left, err := os.ReadDir(filepath.Join(dir, "out"))
	require.NoError(t, err)
	require.Empty(t, left)
	_, err = Read(filepath.Join(dir, "none.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Read(file)
	require.EqualError(t, err, file+": line 1: expected JSON: invalid character 'x' looking for beginning of value")
}

// TestWriteFileIsAtomic reads a file while it is replaced and asks that it is always whole.
func TestWriteFileIsAtomic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	a, b := strings.Repeat("a", 1<<18), strings.Repeat("b", 1<<19)
	require.NoError(t, atomicfile.Write(path, []byte(a)))
	var wg sync.WaitGroup
	done := make(chan struct{})
	wg.Go(func() {
		defer close(done)
		for i := range 40 {
			if err := atomicfile.Write(path, []byte([]string{a, b}[i%2])); err != nil {
				t.Error(err)
			}
		}
	})
	for running := true; running; {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, string(got) == a || string(got) == b, "half a file of %d bytes", len(got))
		select {
		case <-done:
			running = false
		default:
		}
	}
	wg.Wait()
}
