// Package history keeps runs of benchmarks and says when their numbers changed.
//
// A record is a folder with what thm bench run wrote and a manifest that follows from it ([Add]). Folders are made
// once and never written again; [Load] reads all of them and refuses any that is not as it was.
//
//	history, err := history.Load("bench/history")
//	analysis := history.Analyse(DefaultPolicy())
//	verdict := history.Check(DefaultPolicy())
//
// # Change points
//
// The runs of one benchmark and unit on one setup (a machine and a length of samples) are a series of medians, in order
// of time. Series of different setups are never compared. For a series of n runs with normal scores s (the ranks, bent
// to a normal distribution, less their mean) the statistic is
//
//	max over k of (s₁ + … + s_k)² / (k(n-k)),
//
// the largest van der Waerden statistic over all places to split. Its p-value is the fraction of random orders of the
// same runs that give as much: the choice of the place is part of what is calibrated, so that picking the best place
// costs nothing of the level. If nothing changed and runs are exchangeable, the p-value is valid at every length and
// for every distribution. A series that is found to change is split there and each part is tested in turn.
//
// The level α holds for the table of a setup: the chance that any series in which nothing changed shows a change is at
// most α. Each of the m series of the table has α/m, and a part of a series the share that is its length; what a series
// needs for its further change points is not handed on to others, which is why this is Bonferroni's rule and not
// Holm's. For the first change point of a series that is exact. For further ones it is approximate, because the data
// chose where the parts begin. It is a statement about one look at the history; a history that is looked at after every
// run has that chance at every look.
//
// Runs are not exchangeable when the machine has good and bad weeks. [Policy.Block] then permutes blocks of consecutive
// runs in place of runs. The [Study] measures all of this, and says where it fails.
//
// Numbers that do not vary within a run (allocations, units declared exact) leave nothing to chance: every change is
// one.
package history
