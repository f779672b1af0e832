package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/thm-suite/thm/props"
)

// Cache keeps finished cells in a file of JSON lines, so that a run that was stopped goes on where it was. The key of a
// cell holds everything that its value depends on, except the code: Version of the spec stands for that.
type Cache struct {
	mu   sync.Mutex
	path string
	done map[string]json.RawMessage
	torn bool // the file does not end with a newline
}

// line is one finished cell.
type line struct {
	Key   string          `json:"key"`
	Cell  string          `json:"cell"` // for a reader
	Value json.RawMessage `json:"value"`
}

// OpenCache reads the cells of a file, which need not exist yet. Without a path it is a cache in memory only. Lines
// that are torn, because the program was killed while it wrote, are left out.
func OpenCache(path string) (*Cache, error) {
	c := &Cache{path: path, done: map[string]json.RawMessage{}}
	if path == "" {
		return c, nil
	}
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("experiment: cache: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("experiment: cache: %w", err)
	}
	c.torn = len(b) > 0 && b[len(b)-1] != '\n'
	for _, text := range bytes.Split(b, []byte("\n")) {
		var l line
		if json.Unmarshal(text, &l) == nil && l.Key != "" {
			c.done[l.Key] = l.Value
		}
	}
	return c, nil
}

// key is the name under which a cell is kept. The plan is no part of it: a larger one goes on from a smaller one.
func (e Experiment) key(c planned, effort props.Effort, seed uint64, kernel string) string {
	var on struct {
		Dataset string `json:"dataset"`
	}
	_ = json.Unmarshal(c.cell, &on) // of its own encoding
	sum := sha256.Sum256(encoded([]any{e.Name, e.version, c.cell, on.Dataset, e.sizes(effort),
		strconv.FormatUint(seed, 10), kernel}))
	return hex.EncodeToString(sum[:12])
}

// get returns the value of a finished cell.
func (c *Cache) get(key string) (json.RawMessage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, ok := c.done[key]
	return value, ok
}

// put keeps the value of a finished cell, and returns it as it is kept.
func (c *Cache) put(key, cell string, trained any) (json.RawMessage, error) {
	value, err := json.Marshal(trained)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[key] = value
	if c.path == "" {
		return value, nil
	}
	b := append(encoded(line{key, cell, value}), '\n')
	if c.torn {
		b, c.torn = append([]byte("\n"), b...), false
	}
	f, err := os.OpenFile(c.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.Write(b)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: cache: %w", err)
	}
	return value, nil
}
