// Package results is what a run found, as results.json keeps it: a row for each claim, with its criteria, controls,
// regimes, measurements and figures. Whatever follows from something else in a file, such as verdicts, counts and the
// digest, is derived again by [Results.Conclude] and never believed.
//
// A program that reads results needs this package alone; package props makes them.
package results
