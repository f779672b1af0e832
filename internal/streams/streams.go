// Package streams derives random streams only from a seed and a list of names, so that they do not depend on which
// worker draws or when.
package streams

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// digest hashes a seed and a list of names. Each name is preceded by its length, so that ("ab","c") and
// ("a","bc") differ.
func digest(seed uint64, names ...string) [32]byte {
	h := sha256.New()
	var word [8]byte
	put := func(x uint64) {
		binary.LittleEndian.PutUint64(word[:], x)
		h.Write(word[:])
	}
	put(seed)
	for _, name := range names {
		put(uint64(len(name)))
		h.Write([]byte(name))
	}
	return [32]byte(h.Sum(nil))
}

// New returns the random stream that belongs to a seed and a list of names: suite seed, slug, check, cell,
// replicate. It depends on nothing else, least of all on which worker runs the cell or when.
func New(seed uint64, names ...string) *rand.Rand {
	return rand.New(rand.NewChaCha8(digest(seed, names...)))
}
