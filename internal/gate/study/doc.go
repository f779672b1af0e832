// Package study judges the published studies of the benchmark tools of this module from their raw data.
//
// The null study compared identical binaries many times over and counts false alarms: of our rule, of benchstat on
// files measured one after the other, and of a 10 % threshold, all on the same occasions. The power study slowed a
// benchmark down by a known amount and counts how often our rule finds it, next to the power that was estimated before
// the slow code ran. A trial plants changes into third-party modules, and a study of pairs compares files of
// identical code, as go test -count writes them; these two can be measured again.
//
// The code that measured the others is that of the commits which the results name; what is here computes the results
// from the data alone, with the rules as they are now.
package study
