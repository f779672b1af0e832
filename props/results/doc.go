// Package results holds the results of a run in the form of results.json: a row for each claim, with its criteria,
// controls, regimes, measurements and figures. [Results.Conclude] derives verdicts, counts and the digest again from
// the other fields of a file and never trusts the stored values.
//
// A program that reads results needs only this package; package props produces them.
package results
