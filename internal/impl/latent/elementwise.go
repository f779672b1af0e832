package latent

import "math"

// rectify overwrites to with max(0, biases ± from), for a sign of 1 or −1, without branches: random signs mispredict
// them. What is not finite becomes NaN or +∞. to may be from.
func rectify(to, from, biases []float64, sign float64) {
	from, biases = from[:len(to)], biases[:len(to)]
	for j := rectifyInFours(to, from, biases, sign); j < len(to); j++ {
		x := biases[j] + sign*from[j]
		to[j] = 0.5 * (x + math.Abs(x))
	}
}

// indicate overwrites the preactivations of neurons by 1 where they and the biases add up to 0 or more, and by 0
// elsewhere.
func indicate(row, biases []float64) {
	biases = biases[:len(row)]
	for j := indicateInFours(row, biases); j < len(row); j++ {
		// A mask by the sign bit: a branch on random signs is mispredicted half of the time. Adding 0 makes −0 a +0.
		negative := uint64(int64(math.Float64bits(row[j]+biases[j]+0)) >> 63)
		row[j] = math.Float64frombits(one &^ negative)
	}
}

// one is the bits of 1.
const one = 0x3ff0000000000000
