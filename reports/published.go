// Package reports holds the published results of this suite as files in the folder published: the report of the
// standard run, the soak, the experiments and the speed of the kernels. Programs read results from there; package
// command writes them, and renders the same pages for any other results.
package reports

import _ "embed"

//go:embed published/soak/soak.json
var soak []byte

// Soak is the summary of the published soak, in JSON of the schema thm.soak/v1: what was measured, over many seeds, of
// the chances that a run is red and that nothing derives.
func Soak() []byte { return soak }
