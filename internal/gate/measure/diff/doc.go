// Package diff judges two versions of benchmarks that were measured together in randomised blocks, row by row of a
// whole table: each round runs the old code, the old code again, and the new code in random order. The numbers of
// benchstat and the rules for exact units come from package compare.
//
// The old code appears twice for two reasons. The difference between its two appearances is the noise floor, seen in
// the same job as the change that it may explain. And it makes the test more powerful: if nothing changed, each of the
// three is the new one with probability 1/3 in every round, by the randomisation of the order and without any
// assumption about the noise, so that n rounds can refute "nothing changed" at a level of 2·3⁻ⁿ; with one appearance it
// would be 2·2⁻ⁿ.
//
// # The test
//
// Take logarithms, subtract from each block its level (the mean of its two smaller numbers), and rank all 3n numbers
// (aligned ranks). The statistic is the sum of the ranks of the new code. If nothing changed, its distribution given
// the ranks is the distribution of a sum of n independent draws, one from the three ranks of each block; it is computed
// exactly. To test a change by θ, θ is first subtracted from the logarithms of the new code. The interval of a change
// contains the θ that are not rejected.
//
// Hodges, Lehmann: Rank methods for combination of independent experiments in analysis of variance, Ann. Math. Stat.
// 33 (1962).
//
// # Many rows, and looking again
//
// The probability that any interval of a table misses, at any look, is at most α: look k = 1, 2, ... spends α/(k(k+1)),
// the sum of which is α, divided equally among the rows ([Share]). By the union bound this holds for any dependence
// between rows and looks, for any choice of rows to measure further, and for any stopping rule. Every look uses all
// rounds so far, so evidence accumulates; nothing is measured again from scratch until it passes.
//
// Less strict rules gain little. The order of each row is randomised separately, so rows are independent under the
// hypothesis, and a calibration by the maximum over all rows would allow each 1-(1-α)^(1/m) in place of α/m, a relative
// gain of less than α/2. Holm's procedure gains power when many rows have changed, but gives no intervals, and verdicts
// here are read from intervals.
package diff
