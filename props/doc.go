// Package props pairs what is claimed (package theory) with the things the claims speak about (package impl),
// and says whether they agree.
//
// A [Claim] holds a statement, the checks that verify it, the controls that the same checks must reject, the
// printed errors that they must refute, and a resolution: how wrong the formula could have been without being
// noticed. [Run] runs claims and returns [Results].
//
// A check is built in one of two ways. A [Property] draws many small instances with rapid and judges each on
// its own; it suits identities and inequalities, and shrinks its counterexample. A [Sweep] measures a grid of
// cells and judges all of them together; it suits orders, exponents, limits and probabilities, for which a
// shrunk counterexample would only say that n is small.
//
// A claim file in props/<source> has one function that takes the version of the claim on trial (the claim
// itself, a control, or the claim multiplied by 1+dose) and returns the check. Verification, controls and
// resolution therefore cannot drift apart.
package props
