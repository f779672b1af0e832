package record

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/bench/peers"
)

// A scaling is what the model of many threads knows of an operation of order n.
type scaling struct {
	name     string
	products float64 // flops in matrix products, over n³; the rest of the time goes into products with vectors
	meetings float64 // how often all threads wait for each other, over n
}

// The counts follow from the algorithms. eigh: 4/3·n³ for the tridiagonal form, half of it in products of matrices, up
// to 4/3·n³ to divide and conquer, 2n³ for the vectors. svd-thin: 8/3·n³, again half, up to 8/3·n³, 4n³.
var scalings = []scaling{{"matmul", 2, 2. / 384}, {"eigh", 4, 5}, {"svd-thin", 8, 6}}

// modelThreads are the threads of the model; meeting is what it takes for them all to wait for each other, in seconds:
// assumed, for threads that are awake.
const (
	modelThreads = 16
	meeting      = 2e-6
)

// blocks is the number of blocks in which package blas cuts a large product of order n.
func blocks(n int) int { return min(64, (n+47)/48*((n+95)/96)) }

// on is the time on some threads: of the products, which blocks let gain, of the rest, which memory lets gain so many
// times, and of the meetings.
func (s scaling) on(threads, n int, alone, products, memory float64) float64 {
	rounds := (blocks(n) + threads - 1) / threads
	gain := float64(blocks(n)) / float64(rounds)
	return products/gain + (alone-products)/memory + max(1, s.meetings*float64(n))*meeting
}

// threads is a table of what the model says, from the times on one thread. It is empty where those are missing.
func threads(r *Record) string {
	var out strings.Builder
	seconds := func(name string, n int) float64 {
		for _, row := range r.Peers.Rows {
			if row.Name == name && row.N == n {
				return row.OursSeconds
			}
		}
		return 0
	}
	for _, s := range scalings {
		for _, n := range peers.Full.Sizes {
			alone, matmul := seconds(s.name, n), seconds("matmul", n)
			if n < 256 || alone == 0 || matmul == 0 {
				continue
			}
			products := min(alone, s.products/2*matmul)
			best := s.on(modelThreads, n, alone, products, modelThreads)
			worst := s.on(modelThreads, n, alone, products, 2)
			fmt.Fprintf(&out, "| %s | %d | %s | %.0f %% | %s | %s to %s | %.1f to %.1f |\n", s.name, n,
				milliseconds(alone), 100*products/alone, milliseconds(max(1, s.meetings*float64(n))*meeting), milliseconds(best),
				milliseconds(worst), alone/worst, alone/best)
		}
	}
	if out.Len() == 0 {
		return ""
	}
	return fmt.Sprintf(`These are estimates from a model, not measurements: the machines here have two threads, the
model has %d. A product of matrices runs at the speed of matmul of that order, cut into blocks that the threads take in
turn. Products with vectors run %d times as fast if caches feed all threads, or twice as fast if memory delivers no more
than two of them use. Threads that wait for each other are assumed to lose %g µs each time:

| operation | n | one thread, measured | of it in products | waiting | %d threads | gain |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
%s
`, modelThreads, modelThreads, meeting*1e6, modelThreads, out.String())
}
