// Package history stores runs of benchmarks and finds the runs at which their numbers changed.
//
// A record is a folder with the output of thm bench run and a manifest derived from it ([Add]). Folders are written
// once and never changed; [Load] reads all of them and rejects any that was altered.
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
// same runs that give at least this value. The calibration includes the choice of the place, so that picking the best
// place does not affect the level. If nothing changed and runs are exchangeable, the p-value is valid at every length
// and for every distribution. A series with a detected change is split there, and each part is tested in turn.
//
// The level α holds for the table of a setup: the chance that any series in which nothing changed shows a change is at
// most α. Each of the m series of the table has level α/m, and a part of a series has a share in proportion to its
// length. A series keeps its level for further change points, so this is Bonferroni's rule and not Holm's. The level is
// exact for the first change point of a series. For further ones it is approximate, because the data determine where
// the parts begin. It holds for one look at the history; with a look after every run, it holds for each look
// separately.
//
// Runs are not exchangeable when the machine has good and bad weeks. [Policy.Block] then permutes blocks of consecutive
// runs in place of runs. The [Study] measures all of this, and says where it fails.
//
// For numbers that do not vary within a run (allocations, units declared exact), every difference is a change.
package history
