// Package spectra pairs theorems on the spectra of random matrices with sampled matrices.
package spectra

import "github.com/thm-suite/thm/props"

// Claims are the claims of this source; add here.
var Claims = []props.Claim{
	hardEdge,
	marchenkoPastur,
	quadraticForm,
	haar,
	freeProduct,
	bbp,
	softEdge,
	deformed,
	gaussianEquivalence,
	doubleDescent,
}
