// Package study measures what the benchmark tools of this module say of themselves, on a machine as it is.
//
// The null study compares identical binaries many times over and counts false alarms: of our rule, of benchstat on
// files measured one after the other, and of a 10 % threshold, all on the same occasions. The power study slows a
// benchmark down by a known amount and counts how often our rule finds it, beside the power that was estimated before
// the slow code ran.
//
// Every comparison is appended to a file as it ends, so that a study can be interrupted and resumed, and its raw data
// are published. Results are computed from that file alone.
package study
