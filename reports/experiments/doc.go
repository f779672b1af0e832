// Package experiments renders the results of props/vcl/experiment: results.json for programs, index.html for readers,
// report.md for a quick look. The folder vcl holds the published results of the standard effort.
package experiments
