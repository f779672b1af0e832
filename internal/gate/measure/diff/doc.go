// Package diff judges two versions of benchmarks that were measured together in randomised blocks, row by row of a
// whole table. The numbers of benchstat and the rules for exact units come from package compare; intervals, noise
// floors and verdicts of times and other samples come from package blocks.
package diff
