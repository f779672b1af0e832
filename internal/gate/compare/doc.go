// Package compare reports the changes between two sets of Go benchmark results, with their confidence.
//
// The numbers of benchstat come from benchstat's own packages (golang.org/x/perf: benchfmt, benchproc, benchmath,
// benchunit): medians with their intervals, the change of the medians, p and n. To them this package adds, for each
// benchmark and unit, an interval for the change itself, the noise floor of the measurement and a [Decision]; and for
// the whole table one stated chance α of any wrong verdict, and an [Outcome] that a build can be gated on.
//
//	table, err := compare.Files([]string{"old.txt", "new.txt"}, compare.Options{Table: "pkg"}, compare.DefaultPolicy())
//	err = table.Render(os.Stdout, "text")
//	os.Exit(table.Outcome().Code) // 0 pass, 1 regression, 2 unusable input, 3 undecided
//
// [Results] compares results in memory, by a [Rule] of the caller's if they were not measured one side after the other.
//
// # What a verdict means
//
// Let r be the ratio of new to old, [Lo, Hi] its interval, z the margin (the smallest relative change that matters) and
// f the noise floor. With w = max(z, f), a unit for which less is better is
//
//	faster     if Hi < 1/(1+w): all ratios that the data allow are improvements that matter
//	slower     if Lo > 1+w
//	same       if 1/(1+z) <= Lo and Hi <= 1+z, and f <= z
//	undecided  otherwise; Needs says how many samples would decide
//
// The intervals of a table hold simultaneously: each misses with probability at most α divided by the number of rows,
// so that the probability of one wrong verdict in the whole table is at most α (Bonferroni). This holds for samples
// that were taken under the same conditions. Two files that were measured one after the other can also differ because
// the machine drifted between them. The noise floor estimates this from within the files: from the drift of the row and
// of the other rows, and, where all samples of a row were taken at one moment, from twice the change that one other row
// in ten exceeds.
package compare
