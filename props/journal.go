package props

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
)

// journalSchema is the version of the format of a journal.
const journalSchema = "thm.journal/v5"

// RunID says which run a journal belongs to. Measurements of two runs may stand side by side only if all of it agrees,
// apart from the shard.
type RunID struct {
	Schema string   `json:"schema"`
	Tool   string   `json:"tool"`   // version, Go and architecture of the binary
	Source string   `json:"source"` // that it was built from, as package source names it
	Binary string   `json:"binary"` // its digest, so that changed code does not go on where the old one stopped
	Effort Effort   `json:"effort"`
	Seed   uint64   `json:"seed"`
	Budget float64  `json:"budget,omitempty"` // seconds of processor time, of a deep run
	Claims []string `json:"claims"`           // slugs

	Patterns []string `json:"patterns"` // that chose the claims
	Shard    string   `json:"shard"`
}

// Differs says in what two runs differ, or returns an empty string. Shards of one run may come from several machines,
// and so from several builds of one source.
func (id RunID) Differs(other RunID) string {
	switch {
	case id.Tool != other.Tool:
		return "version"
	case id.Source != other.Source:
		return "source tree"
	case id.Effort != other.Effort:
		return "effort"
	case id.Seed != other.Seed:
		return "seed"
	case id.Budget != other.Budget:
		return "budget"
	case !slices.Equal(id.Claims, other.Claims):
		return "list of claims"
	}
	return ""
}

// Journal keeps the measurements of a run, one for each unit of work, as they are made. A run that was killed goes on
// from its journal, and the journals of shards together are the measurements of the whole run. What it holds stays in
// the files until it is asked for, except for small units of a merge. The zero value and nil keep and know nothing.
type Journal struct {
	mu     sync.Mutex
	file   *os.File
	end    int64 // of the last whole unit of file
	read   []*os.File
	known  map[digest]spot
	owned  map[unitPlace][]int // cells of this run, which is a shard, by the place of the first; nil is all of them
	held   arena               // small units of a merge, which would otherwise be read twice
	closed bool                // no unit is made: what is not known stays unknown
	spent  map[string]float64  // seconds of processor time, by the shard that spent them
	failed error               // the first error of writing
}

// digest names a unit in a journal: a checksum of its claim, by which a reader passes over the claims that it does not
// ask for, and 64 bits of a hash of its key.
type digest [4 + 8]byte

func digestOf(key string) digest {
	slug, _, _ := strings.Cut(key, keySeparator)
	sum := sha256.Sum256([]byte(key))
	claim := claimMark(slug)
	return digest(append(claim[:], sum[:len(digest{})-len(claim)]...))
}

func claimMark(slug string) (mark [4]byte) {
	binary.LittleEndian.PutUint32(mark[:], crc32.ChecksumIEEE([]byte(slug)))
	return mark
}

// claim is what digests of one claim have in common.
func (d digest) claim() [4]byte { return [4]byte(d[:4]) }

// spot is where a unit stands, and what it cost.
type spot struct {
	file    io.ReaderAt
	at      int64
	length  uint32
	seconds float64
	body    []byte // nil where it stays in the file
}

// read returns a unit, which is not to be changed.
func (p spot) read() ([]byte, error) {
	if p.body != nil {
		return p.body, nil
	}
	unit := make([]byte, p.length)
	_, err := p.file.ReadAt(unit, p.at)
	return unit, err
}

// arena keeps bytes in memory, up to a limit.
type arena struct {
	chunk []byte
	size  int
}

// The size of a chunk of an arena, its largest part, and how much it keeps.
const chunkSize, heldUnit, heldLimit = 1 << 20, 1 << 14, 64 << 20

// keep copies bytes, or returns nil where they have no room.
func (a *arena) keep(b []byte) []byte {
	if len(b) > heldUnit || a.size+len(b) > heldLimit {
		return nil
	}
	if cap(a.chunk)-len(a.chunk) < len(b) {
		a.chunk = make([]byte, 0, chunkSize)
	}
	begin := len(a.chunk)
	a.chunk, a.size = append(a.chunk, b...), a.size+len(b)
	return a.chunk[begin:len(a.chunk):len(a.chunk)]
}

// OpenJournal opens the journal of a run, or begins one. A journal that belongs to another run, and whatever of it is
// cut off or damaged, is made anew. It returns the number of units that are done.
func OpenJournal(path string, id RunID) (j *Journal, done int, err error) {
	id.Schema = journalSchema
	j = &Journal{known: map[digest]spot{}}
	if j.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666); err != nil {
		return nil, 0, err
	}
	old, end, err := readRunID(j.file)
	if err == nil && id.Differs(old) == "" && old.Binary == id.Binary && old.Shard == id.Shard {
		j.end, _ = readUnits(j.file, end, func(name digest, unit spot, _ []byte) { j.known[name] = unit })
		return j, len(j.known), nil
	}
	if err := errors.Join(j.file.Truncate(0), j.begin(id)); err != nil {
		return nil, 0, errors.Join(err, j.file.Close())
	}
	return j, 0, nil
}

// begin writes the first line.
func (j *Journal) begin(id RunID) error {
	line, err := json.Marshal(id)
	if err != nil {
		return err
	}
	n, err := j.file.WriteAt(append(line, '\n'), 0)
	j.end = int64(n)
	return err
}

// JournalOf says which run a journal belongs to.
func JournalOf(path string) (RunID, error) {
	f, err := os.Open(path)
	if err != nil {
		return RunID{}, err
	}
	defer f.Close()
	id, _, err := readRunID(f)
	return id, err
}

// MergeJournals reads the journals of shards of one run. What no shard has made stays incomplete: a file that is not
// there, that has nothing in it or that is damaged is a note, and of no file at all the run is zero. When the run is
// known, choose says of which claims the measurements are wanted, by their slugs; nil is all. The caller closes the
// journal.
func MergeJournals(paths []string, choose func(RunID) (slugs []string, err error)) (j *Journal, first RunID,
	notes []string, err error) {
	j = &Journal{known: map[digest]spot{}, closed: true, spent: map[string]float64{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, j.Close())
		}
	}()
	named, wanted := "", func([4]byte) bool { return true }
	for _, path := range paths {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			notes = append(notes, path+" is not there")
			continue
		}
		if err != nil {
			return j, first, notes, err
		}
		j.read = append(j.read, f)
		id, start, err := readRunID(f)
		switch {
		case errors.Is(err, io.EOF):
			notes = append(notes, path+" is empty")
			continue
		case err != nil:
			return j, first, notes, fmt.Errorf("%s: %w", path, err)
		case named == "":
			first, named = id, path
			slugs, err := choose(id)
			if err != nil {
				return j, first, notes, err
			}
			wanted = ofClaims(slugs)
		}
		if what := first.Differs(id); what != "" {
			return j, first, notes, fmt.Errorf("these are shards of different runs: %s and %s differ in %s", named, path, what)
		}
		disagrees := false
		_, damage := readUnits(f, start, func(name digest, unit spot, body []byte) {
			j.spent[id.Shard] += unit.seconds
			if !wanted(name.claim()) {
				return
			}
			other, twice := j.known[name]
			unit.body = j.held.keep(body)
			disagrees = disagrees || twice && !sameUnit(other, unit)
			j.known[name] = unit
		})
		for _, d := range damage {
			notes = append(notes, fmt.Sprintf("%s is damaged: bytes %d to %d are no measurement", path, d[0], d[1]-1))
		}
		if disagrees {
			return j, first, notes, fmt.Errorf("%s disagrees with another shard on a measurement that both have made", path)
		}
	}
	return j, first, notes, nil
}

// ofClaims reports whether a mark is that of one of these claims; nil is all of them.
func ofClaims(slugs []string) func([4]byte) bool {
	if slugs == nil {
		return func([4]byte) bool { return true }
	}
	marks := map[[4]byte]bool{}
	for _, slug := range slugs {
		marks[claimMark(slug)] = true
	}
	return func(mark [4]byte) bool { return marks[mark] }
}

func sameUnit(a, b spot) bool {
	x, errX := a.read()
	y, errY := b.read()
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Own restricts the run to the units of one shard.
func (j *Journal) Own(units []WorkUnit) {
	j.owned = map[unitPlace][]int{}
	for _, u := range units {
		place := u.place()
		place.cell = 0
		j.owned[place] = append(j.owned[place], u.cell)
	}
}

// Has reports whether a unit has been made.
func (j *Journal) Has(u WorkUnit) bool {
	_, made := j.known[digestOf(u.key())]
	return made
}

// Made returns a function that counts the units of a claim that have been made, by its slug.
func (j *Journal) Made() func(slug string) int {
	made := map[[4]byte]int{}
	for name := range j.known {
		made[name.claim()]++
	}
	return func(slug string) int { return made[claimMark(slug)] }
}

// Spent returns the seconds of processor time that a shard has spent, of those that were merged.
func (j *Journal) Spent(shard string) float64 { return j.spent[shard] }

// Err is the first error of writing: the measurements are right, and lost if the run is killed.
func (j *Journal) Err() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failed
}

// Close ends the writing. Some file systems say only now that they had no room.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	var err error
	if j.file != nil {
		err = errors.Join(j.file.Sync(), j.file.Close())
	}
	for _, f := range j.read {
		err = errors.Join(err, f.Close())
	}
	return err
}

// lookup returns a unit that has been made, and the seconds that it cost.
func (j *Journal) lookup(key string, c codec) (m any, spent float64, known bool) {
	if j == nil {
		return nil, 0, false
	}
	j.mu.Lock()
	at, known := j.known[digestOf(key)]
	j.mu.Unlock()
	if !known {
		return nil, 0, false
	}
	unit, err := at.read()
	if err == nil {
		m, err = c.decode(unit)
	}
	if err != nil {
		return nil, 0, false
	}
	return m, at.seconds, true
}

// isShard reports whether the run makes some of the units alone.
func (j *Journal) isShard() bool { return j != nil && j.owned != nil }

// ownsNone reports whether no cell of what is measured belongs to this run.
func (j *Journal) ownsNone(slug string, key measurementKey) bool {
	return j.isShard() && len(j.owned[unitPlace{slug, key, 0}]) == 0
}

// ownCells lists the positions of the cells, of n, that belong to this run. A shard has few of them.
func (j *Journal) ownCells(slug string, key measurementKey, n int) []int {
	if j.isShard() {
		return j.owned[unitPlace{slug, key, 0}]
	}
	return Indices(n)
}

// makes reports whether this run makes the units of its own that it does not know.
func (j *Journal) makes() bool { return j == nil || !j.closed }

// keep writes a unit down, with the seconds that it cost. An error of writing does not stop the run; the next unit
// takes the place of what was written in part.
func (j *Journal) keep(key string, c codec, m any, spent float64) {
	if j == nil || j.file == nil {
		return
	}
	unit, err := c.encode(m)
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil {
		f := frame(digestOf(key), unit, spent)
		if _, err = j.file.WriteAt(f, j.end); err == nil {
			j.end += int64(len(f))
		}
	}
	j.failed = cmp.Or(j.failed, err)
}

// A unit stands in the file as a head and its measurement. The head is a mark, by which a reader finds the next unit
// behind a damaged one, the length, the cost, the unit's name, and a checksum of all the rest.
const (
	frameMark = "\xf7thm"
	frameHead = len(frameMark) + 4 + 4 + len(digest{}) + 4
)

func frame(name digest, body []byte, spent float64) []byte {
	head := binary.LittleEndian.AppendUint32([]byte(frameMark), uint32(len(body)))
	head = binary.LittleEndian.AppendUint32(head, math.Float32bits(float32(spent)))
	head = append(head, name[:]...)
	head = binary.LittleEndian.AppendUint32(head, checksum(head, body))
	return append(head, body...)
}

func checksum(head, body []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, body)
}

// unitLimit bounds a unit, so that a damaged length is not taken for a reason to allocate.
const unitLimit = 1 << 30

func readRunID(f *os.File) (id RunID, end int64, err error) {
	line, err := bufio.NewReader(io.NewSectionReader(f, 0, unitLimit)).ReadBytes('\n')
	if err != nil && len(line) == 0 {
		return id, 0, io.EOF
	}
	if err != nil || json.Unmarshal(line, &id) != nil || id.Schema != journalSchema {
		return id, 0, fmt.Errorf("not a journal of thm check (its first line has no schema %q)", journalSchema)
	}
	return id, int64(len(line)), nil
}

// readUnits calls take for the units that a journal holds from a place on, with bytes that stay until the next one. It
// returns where the last whole one ends, and from where to where the file is damaged. What is cut off at the end is no
// damage: a run that is killed leaves it.
func readUnits(f *os.File, from int64, take func(name digest, unit spot, body []byte)) (end int64, damage [][2]int64) {
	end = from
	w := window{file: f}
	for at := end; ; {
		name, unit, body, size := w.frame(at)
		if size > 0 {
			if at > end {
				damage = append(damage, [2]int64{end, at})
			}
			take(name, unit, body)
			at += size
			end = at
			continue
		}
		if at = w.nextMark(at + 1); at < 0 {
			return end, damage
		}
	}
}

// window is the part of a file that is in memory: a journal has some ten thousand small units, one after the other.
type window struct {
	file *os.File
	from int64
	held bytes.Buffer
}

// windowSize is the number of bytes that are read at a time, if a unit is not larger.
const windowSize = 1 << 18

// bytes returns so many bytes of the file from a place on, or what there is of them. They stay until the next call.
func (w *window) bytes(at int64, n int) []byte {
	if at < w.from || at+int64(n) > w.from+int64(w.held.Len()) {
		w.held.Reset()
		w.held.Grow(windowSize + bytes.MinRead)
		_, _ = w.held.ReadFrom(io.NewSectionReader(w.file, at, int64(max(n, windowSize))))
		w.from = at
	}
	held := w.held.Bytes()[at-w.from:]
	return held[:min(n, len(held))]
}

// frame reads the unit at a place. Its size is 0 where there is none.
func (w *window) frame(at int64) (name digest, unit spot, body []byte, size int64) {
	var copied [frameHead]byte
	head := copied[:copy(copied[:], w.bytes(at, frameHead))]
	if len(head) < frameHead || string(head[:len(frameMark)]) != frameMark {
		return digest{}, spot{}, nil, 0
	}
	fields := head[len(frameMark):]
	length := binary.LittleEndian.Uint32(fields)
	if length > unitLimit {
		return digest{}, spot{}, nil, 0
	}
	body = w.bytes(at+int64(frameHead), int(length))
	if len(body) != int(length) || checksum(head[:frameHead-4], body) != binary.LittleEndian.Uint32(head[frameHead-4:]) {
		return digest{}, spot{}, nil, 0
	}
	spent := math.Float32frombits(binary.LittleEndian.Uint32(fields[4:]))
	unit = spot{file: w.file, at: at + int64(frameHead), length: length, seconds: float64(spent)}
	return digest(fields[8 : 8+len(digest{})]), unit, body, int64(frameHead) + int64(length)
}

// nextMark is the place of the next mark from a place on, or negative.
func (w *window) nextMark(from int64) int64 {
	for {
		chunk := w.bytes(from, windowSize)
		if i := bytes.Index(chunk, []byte(frameMark)); i >= 0 {
			return from + int64(i)
		}
		if len(chunk) < windowSize {
			return -1
		}
		from += int64(len(chunk) - len(frameMark) + 1)
	}
}
