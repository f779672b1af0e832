// Package report renders the results of experiments: results.json for programs, index.html for readers, report.md with
// one figure for a quick look, and a README.md that lists the experiments of a folder. reports/published/experiments
// holds those of the standard effort.
package report
