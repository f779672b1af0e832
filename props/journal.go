package props

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sync"
)

// JournalSchema is the version of the format of a journal.
const JournalSchema = "thm.journal/v2"

// RunID says which run a journal belongs to. Measurements of two runs may stand side by side only if all of it agrees,
// apart from the shard.
type RunID struct {
	Schema string   `json:"schema"`
	Tool   string   `json:"tool"`   // version, Go, architecture and kernel of the binary
	Source string   `json:"source"` // that it was built from, as package source names it
	Binary string   `json:"binary"` // its digest, so that changed code does not go on where the old one stopped
	Effort Effort   `json:"effort"`
	Seed   uint64   `json:"seed"`
	Claims []string `json:"claims"` // slugs

	Patterns []string `json:"patterns"` // that chose the claims
	Shard    string   `json:"shard"`
}

// sameRun reports in what two runs differ, or returns an empty string. Shards of one run may come from several
// machines, and so from several builds of one source.
func (id RunID) sameRun(other RunID) string {
	switch {
	case id.Schema != other.Schema:
		return "format"
	case id.Tool != other.Tool:
		return "version"
	case id.Source != other.Source:
		return "source tree"
	case id.Effort != other.Effort:
		return "effort"
	case id.Seed != other.Seed:
		return "seed"
	case !slices.Equal(id.Claims, other.Claims):
		return "list of claims"
	}
	return ""
}

// Journal keeps the measurements of a run, one for each unit of work, as they are made. A run that was killed goes on
// from its journal, and the journals of shards together are the measurements of the whole run. The zero value and nil
// keep nothing and know nothing.
type Journal struct {
	mu     sync.Mutex
	file   *os.File
	known  map[string][]byte
	owned  map[string]bool // units that this run makes itself; nil is all of them
	closed bool            // no unit is made: what is not known stays unknown
	failed error           // the first error of writing
}

// OpenJournal opens the journal of a run, or begins one. A journal that belongs to another run, and whatever of it is
// cut off in the middle, is dropped. It returns the number of units that are done.
func OpenJournal(path string, id RunID) (j *Journal, done int, err error) {
	j = &Journal{known: map[string][]byte{}}
	end := int64(0)
	if old, units, size, err := readJournal(path); err == nil && id.sameRun(old) == "" && old.Binary == id.Binary &&
		old.Shard == id.Shard {
		j.known, end = units, size
	}
	j.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, 0, err
	}
	if end > 0 {
		if err := errors.Join(j.file.Truncate(end), seekTo(j.file, end)); err != nil {
			return nil, 0, errors.Join(err, j.file.Close())
		}
		return j, len(j.known), nil
	}
	if err := errors.Join(j.file.Truncate(0), j.begin(id)); err != nil {
		return nil, 0, errors.Join(err, j.file.Close())
	}
	return j, 0, nil
}

func seekTo(f *os.File, at int64) error {
	_, err := f.Seek(at, io.SeekStart)
	return err
}

// begin writes the first line.
func (j *Journal) begin(id RunID) error {
	id.Schema = JournalSchema
	line, err := json.Marshal(id)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(line, '\n'))
	return err
}

// JournalOf says which run a journal belongs to.
func JournalOf(path string) (RunID, error) {
	id, _, _, err := readJournal(path)
	return id, err
}

// MergeJournals reads the journals of shards of one run. What no shard has made stays incomplete.
func MergeJournals(paths []string) (*Journal, RunID, error) {
	j := &Journal{known: map[string][]byte{}, closed: true}
	var first RunID
	for i, path := range paths {
		id, units, _, err := readJournal(path)
		if err != nil {
			return nil, RunID{}, fmt.Errorf("%s: %w", path, err)
		}
		if i == 0 {
			first = id
		}
		if what := first.sameRun(id); what != "" {
			return nil, RunID{}, fmt.Errorf("these are not shards of one run: %s and %s differ in %s", paths[0], path, what)
		}
		for key, unit := range units {
			if other, twice := j.known[key]; twice && !slices.Equal(other, unit) {
				return nil, RunID{}, fmt.Errorf("%s disagrees with another shard on a measurement that both have made", path)
			}
			j.known[key] = unit
		}
	}
	return j, first, nil
}

// Own restricts the run to the units of one shard.
func (j *Journal) Own(keys []string) {
	j.owned = map[string]bool{}
	for _, k := range keys {
		j.owned[k] = true
	}
}

// Err is the first error of writing: the measurements are right, and lost if the run is killed.
func (j *Journal) Err() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failed
}

// Close ends the writing.
func (j *Journal) Close() error {
	if j == nil || j.file == nil {
		return nil
	}
	return j.file.Close()
}

func (j *Journal) lookup(key string, c codec) (any, bool) {
	if j == nil {
		return nil, false
	}
	j.mu.Lock()
	unit, ok := j.known[key]
	j.mu.Unlock()
	if !ok {
		return nil, false
	}
	m, err := c.decode(unit)
	return m, err == nil
}

// owns reports whether this run makes a unit that it does not know.
func (j *Journal) owns(key string) bool {
	return j == nil || !j.closed && (j.owned == nil || j.owned[key])
}

// keep writes a unit down. An error of writing does not stop the run.
func (j *Journal) keep(key string, c codec, m any) {
	if j == nil || j.file == nil {
		return
	}
	unit, err := c.encode(m)
	if err == nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		_, err = j.file.Write(frame(key, unit))
	}
	if err != nil && j.failed == nil {
		j.failed = err
	}
}

// frame is a unit as it stands in the file: two lengths, a checksum, the key, the measurement.
func frame(key string, unit []byte) []byte {
	body := append([]byte(key), unit...)
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(key)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(unit)))
	head = binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(body))
	return append(head, body...)
}

// unitLimit bounds a unit, so that a damaged length is not taken for a reason to allocate.
const unitLimit = 1 << 30

// readJournal returns what a journal holds and where its last whole unit ends.
func readJournal(path string) (id RunID, units map[string][]byte, end int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return id, nil, 0, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	line, err := r.ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &id) != nil || id.Schema != JournalSchema {
		return id, nil, 0, fmt.Errorf("not a journal of thm check (its first line has no schema %q)", JournalSchema)
	}
	units, end = map[string][]byte{}, int64(len(line))
	for {
		key, unit, ok := readFrame(r)
		if !ok {
			return id, units, end, nil
		}
		units[key] = unit
		end += int64(12 + len(key) + len(unit))
	}
}

func readFrame(r io.Reader) (key string, unit []byte, ok bool) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", nil, false
	}
	keyLength, unitLength := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
	if keyLength > unitLimit || unitLength > unitLimit {
		return "", nil, false
	}
	body, err := io.ReadAll(io.LimitReader(r, int64(keyLength)+int64(unitLength)))
	if err != nil || len(body) != int(keyLength)+int(unitLength) ||
		crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(head[8:]) {
		return "", nil, false
	}
	return string(body[:keyLength]), body[keyLength:], true
}
