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
// cell holds everything that its value depends on, except the code: [cellsVersion] stands for that.
type Cache struct {
	mu   sync.Mutex
	path string
	done map[string]json.RawMessage
	torn bool // the file does not end with a newline
}

// line is one finished cell.
type line struct {
	Key   string          `json:"key"`
	Cell  Cell            `json:"cell"`
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

// keyOf is the name under which a cell is kept. The grid and the number of seeds are not part of it: a larger plan goes
// on from a smaller one.
func keyOf(c Cell, s Sizes, seed uint64, data, kernel string) string {
	s.Gammas, s.Seeds = nil, 0
	b, err := json.Marshal([]any{cellsVersion, c, s, strconv.FormatUint(seed, 10), data, kernel})
	if err != nil {
		panic("experiment: a cell has no name: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}

// get decodes a finished cell into value.
func (c *Cache) get(key string, value any) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	raw, ok := c.done[key]
	return ok && json.Unmarshal(raw, value) == nil
}

// put keeps a finished cell.
func (c *Cache) put(key string, cell Cell, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("experiment: %s: %w", cell, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[key] = raw
	if c.path == "" {
		return nil
	}
	b, err := json.Marshal(line{key, cell, raw})
	if err != nil {
		return fmt.Errorf("experiment: %s: %w", cell, err)
	}
	if c.torn {
		b, c.torn = append([]byte("\n"), b...), false
	}
	f, err := os.OpenFile(c.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("experiment: cache: %w", err)
	}
	_, err = f.Write(append(b, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("experiment: cache: %w", err)
	}
	return nil
}

// kernel is what the cells of this program are computed with.
func kernel() string { return props.ThisTool().Kernel }
