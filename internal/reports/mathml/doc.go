// Package mathml converts the formulas of statements from a small subset of LaTeX to MathML Core, which browsers
// draw without any script.
//
// The subset contains only what a displayed formula needs:
//
//	groups and scripts   {…}  x_i^2  f'
//	fractions and roots  \frac \tfrac \dfrac \binom \sqrt[n]{x}
//	fences               \left( … \middle| … \right)  \lVert \rVert \langle \rangle \lfloor \lceil \| \bigl \bigr
//	letters              Greek, \mathrm \mathbf \boldsymbol \mathbb \mathcal \operatorname{…} \text{…}
//	accents              \hat \tilde \bar \dot \vec \widehat \widetilde \overline
//	large operators      \sum \prod \int \lim \min \max \sup \inf \Pr …
//	environments         pmatrix bmatrix matrix cases aligned, with & and \\
//	spacing              \, \; \: \! \quad \qquad
//
// and the symbols listed in symbols.go. Anything else is an error that names the command and its position: a formula is
// shown correctly or not at all.
package mathml
