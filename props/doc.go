// Package props compares claims (package theory) with independent implementations of their objects (package impl), and
// reports whether they agree.
//
// A [Spec] is one claim: a statement and the checks that could refute it. There are two kinds of check. [Drawn] draws
// many small instances with rapid and judges each on its own; it suits identities and inequalities, and its
// counterexample is shrunk. [Grid] measures cells, each with its own random stream, and judges each cell, all of them
// together, or both; it suits orders, exponents, limits and probabilities. A [Property] is the simplest check, without
// controls and without a resolution, for suites that belong to no claim, such as conformance tests of kernels.
//
// Every check runs its controls too, [Wrong] or [WrongCell]: wrong versions of the claim, which it must reject on every
// replicate. A control draws or measures something else, alters the drawn or measured instance, or claims something
// else. Instances and measurements do not depend on the claim, and neither contains the mistakes: the claim and its
// controls run through the same judge.
//
// A judge writes criteria into a [Record], each with the obtained and the claimed value. The record forms the
// difference, and computes from it the resolution: the smallest relative error of the claim that this case would have
// noticed. So the resolution is never declared by hand. Criteria that depend on the regime, such as wide and tall
// matrices, are counted by regime, and a regime that the statement allows and that no case reached is reported.
//
// [Run] runs claims at an [Effort] and returns their results (package props/results); [Test] runs each claim as a
// subtest. [TestPinned] also compares the results of the checks with the evidence pinned in testdata/evidence, so that
// a check that has become weaker fails until somebody deliberately rewrites the file. A [Journal] keeps measurements,
// so that a killed run can continue and machines can share the work. The same seed gives the same bits for any number
// of workers.
//
// # Glossary
//
//   - Statement: what a source claims, in words, in TeX and as closed forms (theory.Statement).
//   - Claim: a statement with the checks that could refute it.
//   - Check: one way to compare a statement with an implementation, a [Drawn] or a [Grid].
//   - Instance: one drawn example, a struct whose exported fields are the parameters of the statement.
//   - Cell: one point of a [Grid], and the unit in which work is distributed.
//   - Size sweep: cells of increasing size, from which an order or an exponent is estimated.
//   - Case: one instance or one cell that was judged.
//   - Criterion: one named condition of a check, an equation, a bound, an estimate, or a yes-or-no condition.
//   - Measurement: a measured number that is shown next to the claimed one, and that no verdict rests on.
//   - Ratio: a discrepancy divided by what is allowed; a criterion holds at or below 1.
//   - Lower end of a ratio: the ratio at the favourable end of a confidence interval; a criterion is refuted beyond 1.
//   - Tolerance: what is allowed in a deterministic criterion, a formula with a derivation.
//   - Equivalence margin: the discrepancy up to which an estimate counts as equal to the claimed value.
//   - Alpha: the probability that a statistical criterion refutes a true claim.
//   - Verdict: holds, refuted, undecided, unproven, incomplete or error; only holds is green.
//   - Control: a version of the claim that is wrong, by a mistake or a dropped assumption, and must be rejected.
//   - Erratum: a printed statement that is false; it is a control, and is refuted again in every run.
//   - Reading: a natural reading of the source that fails; it is a control too, and accuses nobody.
//   - Perturbation ε: an error put into the claimed value, relative to it or added to an exponent.
//   - Resolution: the smallest ε that the median case of the worst regime rejects.
//     Of a finding it is the smallest effect that would have been seen, as a share of the effect that was.
//   - Near control: the comparison at a perturbation a little beyond the resolution, which must be rejected.
//   - Regime: a part of the domain of the statement that is counted apart, such as tall and wide matrices.
//   - Replicate: a repetition of a control on fresh random streams.
//   - Effort: the size of a run, quick, standard or deep; the claims are the same at each.
//   - Pinned evidence: what the checks showed at quick effort and seed 1, kept in a file and compared in every test.
package props
