// Package report renders the results of the experiments: results.json for programs, index.html for readers, report.md
// for a quick look. reports/published/experiments/vcl holds those of the standard effort.
package report
