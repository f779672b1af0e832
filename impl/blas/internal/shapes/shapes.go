// Package shapes lists the shapes for which routines in assembly exist: the generator writes these, and package blas
// calls no others.
package shapes

// A Set are the shapes of the routines for one instruction set.
type Set struct {
	Lanes     int // float64 in a vector register
	Registers int // vector registers

	// Tiles[r-1] is the number of columns of the widest tile of r rows, a multiple of Lanes. There are tiles of every
	// smaller number of vectors too; the last entry is the main tile.
	Tiles []int

	// There are trapezoids of these rows, powers of two, by these numbers of vectors, of which 0 stands for one column.
	TrapezoidRows    []int
	TrapezoidVectors []int

	// Partial is the number of vectors up to which the last vector of a trapezoid need not be full.
	Partial int
}

// The sets that there are.
var (
	AVX2 = &Set{Lanes: 4, Registers: 16, Tiles: []int{32, 24, 16, 12},
		TrapezoidRows: []int{1, 2, 4}, TrapezoidVectors: []int{1, 3}, Partial: 1}
	AVX512 = &Set{Lanes: 8, Registers: 32, Tiles: []int{64, 64, 64, 48, 32, 32, 24, 24, 16, 16, 16, 16},
		TrapezoidRows: []int{1, 2, 4, 8}, TrapezoidVectors: []int{1, 2, 3}, Partial: 3}
	NEON = &Set{Lanes: 2, Registers: 32, Tiles: []int{24, 18, 14, 12, 10, 8, 6, 6},
		TrapezoidRows: []int{1, 2, 4, 8}, TrapezoidVectors: []int{0, 1, 3}}
)

// TileVectors are Tiles in vectors.
func (s *Set) TileVectors() []int {
	vectors := make([]int, len(s.Tiles))
	for i, cols := range s.Tiles {
		vectors[i] = cols / s.Lanes
	}
	return vectors
}

// Rows returns how many of n > 0 rows one trapezoid takes.
func (s *Set) Rows(n int) int {
	i := len(s.TrapezoidRows) - 1
	for s.TrapezoidRows[i] > n {
		i--
	}
	return s.TrapezoidRows[i]
}

// Cols returns how many of n > 0 columns one trapezoid takes.
func (s *Set) Cols(n int) int {
	if n <= s.Partial*s.Lanes {
		return n
	}
	i := len(s.TrapezoidVectors) - 1
	for s.TrapezoidVectors[i]*s.Lanes > n {
		i--
	}
	return max(1, s.TrapezoidVectors[i]*s.Lanes)
}
