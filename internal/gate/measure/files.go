package measure

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// CopyBinary copies an executable file to a new one, in a directory that is made if need be.
func CopyBinary(to, from string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}

// SameTree reports whether two directories hold the same files with the same contents, git's own left aside. A
// benchmark runs in the directory of its package and may read what lies there: with the same tree and the same binary
// it does the same. What cannot be read counts as a difference.
func SameTree(a, b string) bool {
	return holds(a, b) && holds(b, a)
}

// holds reports whether everything below a is below b with the same content.
func holds(a, b string) bool {
	return filepath.WalkDir(a, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".git" {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		within, err := filepath.Rel(a, path)
		if err != nil || entry.IsDir() {
			return err
		}
		return sameFile(path, filepath.Join(b, within))
	}) == nil
}

func sameFile(a, b string) error {
	contents := [2][]byte{}
	for i, file := range []string{a, b} {
		var err error
		if contents[i], err = os.ReadFile(file); err != nil {
			return err
		}
	}
	if !bytes.Equal(contents[0], contents[1]) {
		return fs.ErrInvalid
	}
	return nil
}
