package streams

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The streams are part of what a seed means: other first numbers make every published result irreproducible.
func TestStreamKnownAnswer(t *testing.T) {
	key := []string{"vcl/residual", "identity", "0", "0"}
	// Computed with another implementation of SHA-256, from the seed and the names, each after its length, as 64-bit
	// little-endian words. The first is the hash of eight zero bytes.
	require.Equal(t, "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc", fmt.Sprintf("%x", digest(0)))
	require.Equal(t, "3b4dcfe99d0ee2b4fa69541c8c1178ecce89489c040cb93da7f0927883678bab",
		fmt.Sprintf("%x", digest(1, key...)))
	// What ChaCha8 makes of the second key.
	r := New(1, key...)
	require.Equal(t, []uint64{0xa0c6c65382ada0dd, 0xf02def91eaa1f2cc, 0x52bbc2e5d04d2d8c},
		[]uint64{r.Uint64(), r.Uint64(), r.Uint64()})
}

func TestStreamsDiffer(t *testing.T) {
	keys := [][]string{
		nil, {""}, {"", ""}, {"a"}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {"a", "b", "c"}, {"c", "ab"}, {"abc", ""},
		{"", "abc"},
		{"a\x00b"}, {"a", "\x00b"}, {"\x01\x00\x00\x00\x00\x00\x00\x00a"},
	}
	seen := map[uint64][]string{}
	for _, seed := range []uint64{0, 1, 1 << 63} {
		for _, key := range keys {
			first := New(seed, key...).Uint64()
			require.NotContains(t, seen, first, "seed %d, %q", seed, key)
			seen[first] = key
		}
	}
}

func TestStreamsAreIndependentOfOrder(t *testing.T) {
	a, b := New(3, "a"), New(3, "b")
	first := []uint64{a.Uint64(), b.Uint64(), a.Uint64(), b.Uint64()}
	b, a = New(3, "b"), New(3, "a")
	second := []uint64{b.Uint64(), b.Uint64(), a.Uint64(), a.Uint64()}
	require.Equal(t, first, []uint64{second[2], second[0], second[3], second[1]})
}
