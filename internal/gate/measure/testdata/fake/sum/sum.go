// Package sum pretends to be measured: its benchmarks report times from a seeded distribution.
package sum

// Factor multiplies the times.
const Factor = 1.0

// Allocations are reported as such.
const Allocations = 3
