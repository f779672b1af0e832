// Package study judges the published studies of the benchmark tools of this module from their raw data.
//
// The null study compared identical binaries many times and counts false alarms: of our rule, of benchstat on files
// measured one after the other, and of a 10 % threshold, all on the same occasions. The power study slowed a benchmark
// down by a known amount and counts how often our rule detects this, together with the power that was estimated before
// the slow code ran. A trial plants changes into third-party modules, and a study of pairs compares files of identical
// code, as go test -count writes them; these two can be measured again.
//
// The others were measured by the code of the commits that the results name; this package computes the results from the
// data alone, with the current rules.
package study
