// Package reports turns the results of a run into files: results.json for programs, index.html for readers,
// report.md for the summary of a CI job, junit.xml for its test view.
//
// The format of results.json is published as a JSON Schema ([Schema]). [Decode] rejects a file that does not fit, says
// where and what was expected, and never guesses. Everything else here is a function of the decoded results and their
// statements, so that a report can be rendered again at any time.
//
// An experiment has its own results, with a page, a summary and a figure in the same style.
package reports
