package history

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/thm-suite/thm/internal/gate/measure"
)

// The files of a record.
const (
	manifestFile = "manifest.json"
	dataFile     = "results.txt"
)

// maxBytes is the size of a file that is refused: no run writes that much.
const maxBytes = 1 << 28

// Run is a run of benchmarks that is on record.
type Run struct {
	Manifest
	record *measure.Contents
}

// History is the runs on record, in order of time.
type History struct{ Runs []Run }

// folder is the name of a record.
var folder = regexp.MustCompile(`^\d{4}-\d\d-\d\d-\d{6}-[0-9a-f]{8}-([0-9a-f]{12}|nocommit)$`)

// Load reads all records below a directory. Other folders are passed over, unless they hold a manifest. A record that
// is not as it was written is an error that names it.
func Load(dir string) (*History, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	h := &History{}
	for _, e := range entries {
		if !e.IsDir() || e.Name()[0] == '.' {
			continue
		}
		at := filepath.Join(dir, e.Name())
		manifest, err := os.ReadFile(filepath.Join(at, manifestFile))
		if errors.Is(err, fs.ErrNotExist) && !folder.MatchString(e.Name()) {
			continue
		}
		if err != nil {
			return nil, err
		}
		data, err := readData(filepath.Join(at, dataFile))
		if err != nil {
			return nil, err
		}
		run, err := verify(e.Name(), manifest, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		h.Runs = append(h.Runs, run)
	}
	slices.SortFunc(h.Runs, func(a, b Run) int { return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Name, b.Name)) })
	return h, nil
}

func readData(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxBytes {
		return nil, fmt.Errorf("%s is not a results file", path)
	}
	return os.ReadFile(path)
}

// Add puts a file of thm bench run on record below a directory, which is made if need be, and returns where. The label
// tells machines apart that look the same; it may be empty. The folder appears at once and complete. One that is there
// already is left alone, and so is a run that is on record.
func Add(dir, file, label string) (string, error) {
	data, err := readData(file)
	if err != nil {
		return "", err
	}
	m, _, err := describe(data, label)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	known := &History{}
	if _, err := os.Stat(dir); err == nil {
		if known, err = Load(dir); err != nil {
			return "", err
		}
	}
	for _, r := range known.Runs {
		if r.Data == m.Data || r.Name == m.Name {
			return "", fmt.Errorf("%s is on record as %s; records are never written again", file,
				filepath.Join(dir, r.Name))
		}
	}
	manifest, err := m.encode()
	if err != nil {
		return "", err
	}
	if _, err := verify(m.Name, manifest, data); err != nil {
		return "", err // what is written can be read
	}
	return install(dir, m.Name, map[string][]byte{manifestFile: manifest, dataFile: data})
}

// install writes files to the disk next to their place and then renames their folder, which fails where one is that is
// not empty.
func install(dir, name string, files map[string][]byte) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(dir, ".adding-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	for file, content := range files {
		if err := write(filepath.Join(scratch, file), content); err != nil {
			return "", err
		}
	}
	if err := os.Chmod(scratch, 0o755); err != nil {
		return "", err
	}
	at := filepath.Join(dir, name)
	return at, os.Rename(scratch, at)
}

func write(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}
