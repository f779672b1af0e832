// Package reports turns the results of a run into files: results.json for programs, index.html for readers,
// report.md for the summary of a CI job, junit.xml for its test view.
//
// The format of results.json is published as a JSON Schema ([Schema]). [Decode] refuses what does not fit, says where
// and what was expected, and never guesses. Everything else here is a function of the decoded results and the
// statements they speak about, so that a report can be rendered again at any time.
//
// An experiment has results of its own, and a page, a summary and a figure in the same frame.
package reports
