package history

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
)

// enough is the number of random orders that must give as much as the data before a p-value counts as known (J. Besag
// and P. Clifford, Sequential Monte Carlo p-values, Biometrika 78, 1991: the p-value is then enough over their number,
// and valid as if all orders had been tried). Its relative standard deviation is 1/√400 = 5 %. Series of one length
// share their random orders, so that this is also how far the false-alarm rate of one seed is from the rate over all
// seeds, which is the level.
const enough = 400

// maxOrders bounds the random orders: p-values end at 1/(1+maxOrders), and below enough/maxOrders = 1/1000 the
// relative standard deviation grows, to 1/√40 = 16 % at 1/10000.
const maxOrders = 400000

// Calibration finds change points. The zero value permutes single runs.
type Calibration struct {
	Block int    // runs that stay together in a random order; 0 and 1 are the same
	Seed  uint64 // of the random orders
}

// nulls holds the nulls of single runs by seed and scores, a *null each, which all calibrations share: series of one
// length without ties have the same scores.
var nulls sync.Map

// null is the statistic on random orders of one set of scores, as many as were asked for so far.
type null struct {
	mu     sync.Mutex
	rng    *rand.Rand
	scores []int
	order  []int     // of the blocks
	scales []float64 // by the place of a split, nearly what the statistic multiplies squares by
	values []float64
}

// split is the place where a series differs most, and the size of the difference.
type split struct {
	at    int     // the first run after it; 0 if nothing varies
	value float64 // of the statistic
}

// grain is the unit of the normal scores, which are rounded to multiples of it. Integers have exact sums, in any order.
const grain = 1.0 / 4096

// scores replaces a series by its normal scores (B. L. van der Waerden, 1952): the quantile of the normal distribution
// at rank/(n+1), ties sharing their mean rank, in units of grain/n and less their mean. No value weighs more than its
// rank allows, and a few runs at the end still weigh enough: with plain ranks, five runs after a hundred never would.
func scores(x []float64) []int {
	n := len(x)
	order := list.Fill(n, func(i int) int { return i })
	slices.SortFunc(order, func(i, k int) int { return cmp.Compare(x[i], x[k]) })
	out, total := make([]int, n), 0
	for i := 0; i < n; {
		end := i
		for end < n && x[order[end]] == x[order[i]] {
			end++
		}
		rank := float64(i+1+end) / 2 // the mean of i+1..end
		score := int(math.Round(-math.Sqrt2 * math.Erfcinv(2*rank/float64(n+1)) / grain))
		for _, at := range order[i:end] {
			out[at] = score * n
		}
		total += score * (end - i)
		i = end
	}
	for i := range out {
		out[i] -= total
	}
	return out
}

// statistic of a split before run k of n, from the sum of the scores before it: its square over its variance in random
// orders, k(n-k), up to a factor that is the same in every order and place. Equal sums at equal places give equal bits,
// so that ties of the statistic count.
func statistic(sum, k, n int) float64 { return float64(sum) * float64(sum) / float64(k*(n-k)) }

// widest is the split with the largest statistic.
func widest(r []int) split {
	best, sum, n := split{}, 0, len(r)
	for k := 1; k < n; k++ {
		sum += r[k-1]
		if v := statistic(sum, k, n); v > best.value {
			best = split{k, v}
		}
	}
	return best
}

// pvalue is the chance of a value of the statistic at least as large, when all orders of the scores are equally likely.
// It is resolved to a fraction of the level.
func (c *Calibration) pvalue(r []int, value, level float64) float64 {
	if !(value > 0) {
		return 1
	}
	d, limit, found := c.nullOf(r), orders(level), 0
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range limit {
		if i == len(d.values) {
			d.draw(max(c.Block, 1))
		}
		if d.values[i] >= value {
			if found++; found == enough {
				return float64(enough) / float64(i+1)
			}
		}
	}
	return float64(found+1) / float64(limit+1)
}

// orders returns the number of random orders that resolve a level.
func orders(level float64) int {
	if !(level > enough/float64(maxOrders)) {
		return maxOrders
	}
	return int(math.Ceil(enough / level))
}

// nullOf returns what was drawn for these scores. Blocks depend on the order that the ranks have; single runs do not.
func (c *Calibration) nullOf(r []int) *null {
	r = slices.Clone(r)
	if c.Block <= 1 {
		slices.Sort(r)
	}
	key := fmt.Sprint(r)
	if c.Block <= 1 {
		name := fmt.Sprint(c.Seed, key)
		if shared, ok := nulls.Load(name); ok {
			return shared.(*null)
		}
		d := &null{rng: streams.New(c.Seed, "history", "orders", key), scores: r,
			scales: list.Fill(len(r), func(k int) float64 { return 1 / float64(max(1, k*(len(r)-k))) })}
		shared, _ := nulls.LoadOrStore(name, d)
		return shared.(*null)
	}
	d := &null{rng: streams.New(c.Seed, "history", "orders", key), scores: r}
	for i := 0; i < len(r); i += c.Block {
		d.order = append(d.order, i)
	}
	return d
}

// draw adds the statistic on one more random order.
func (d *null) draw(block int) {
	if block == 1 {
		d.values = append(d.values, d.shuffled())
		return
	}
	d.rng.Shuffle(len(d.order), func(i, k int) { d.order[i], d.order[k] = d.order[k], d.order[i] })
	shuffled := make([]int, 0, len(d.scores))
	for _, at := range d.order {
		shuffled = append(shuffled, d.scores[at:min(at+block, len(d.scores))]...)
	}
	d.values = append(d.values, widest(shuffled).value)
}

// shuffled is the largest statistic of single runs that it shuffles where they are, from the last to the first, as
// [rand.Rand.Shuffle] does. All scores add up to 0, so that those from a place on have the square of those before it. A
// division for every place would take as long as all the rest: only what comes near the largest so far is divided.
func (d *null) shuffled() float64 {
	largest, near, sum, n, r := 0.0, 0.0, 0, len(d.scores), d.scores
	scales := d.scales[:n]
	for i := n - 1; i > 0; i-- {
		k := int(d.rng.Uint64N(uint64(i + 1)))
		x := r[k]
		r[i], r[k] = x, r[i]
		sum += x
		if v := float64(sum) * float64(sum) * scales[i]; v > near {
			largest = max(largest, statistic(sum, i, n))
			near = largest * (1 - 0x1p-40)
		}
	}
	return largest
}

// Found is a change point of a series.
type Found struct {
	At int     // index of the first run after it
	P  float64 // for the series: the smallest level at which it is found, given those found before it
}

// Find returns the change points of a series at a level, in order of time. The chance of any in a series of
// exchangeable runs is at most the level. Values must be finite.
func (c *Calibration) Find(x []float64, level float64) []Found {
	return c.within(x, 0, len(x), level)
}

// within finds the change points of a part of a series of n runs that begins at run start. The part has the share of
// the level that is its length. Parts of a series in which nothing changes are apart from each other, and their levels
// add up to the level of the series.
func (c *Calibration) within(x []float64, start, n int, level float64) []Found {
	at, p := c.best(x, n, level)
	if !(p <= level) {
		return nil
	}
	before := c.within(x[:at], start, n, level)
	after := c.within(x[at:], start+at, n, level)
	return slices.Concat(before, []Found{{start + at, p}}, after)
}

// best returns the place where a part of a series of n runs differs most, and its p-value for the series.
func (c *Calibration) best(x []float64, n int, level float64) (at int, p float64) {
	share := float64(len(x)) / float64(n)
	if len(x) < 2 || !(orderly(len(x)) <= level*share) {
		return 0, 1
	}
	r := scores(x)
	s := widest(r)
	return s.at, c.pvalue(r, s.value, level*share) / share
}

// finds reports whether [Calibration.Find] finds anything, which the series as a whole decides.
func (c *Calibration) finds(x []float64, level float64) bool {
	_, p := c.best(x, len(x), level)
	return p <= level
}

// orderly is the smallest p-value that n distinct runs can have: for the lower half before the upper half, or the
// reverse. With n = 2m+1 the middle run may stand on either side, and has two places between the halves in the orders
// that count twice.
func orderly(n int) float64 {
	m, p := n/2, 1.0 // p = 1/C(n, m)
	for i := 1; i <= m; i++ {
		p *= float64(i) / float64(n-m+i)
	}
	if n%2 == 0 {
		return min(2*p, 1)
	}
	return min(4*p-2*p/float64(m+1), 1)
}

// minRuns is the number of runs from which on a change can be found at a level.
func minRuns(level float64) int {
	n := 2
	for orderly(n) > level {
		n++
	}
	return n
}

// delay returns the number of runs after which a change that is larger than the noise can be found, in a series of n
// runs, the new ones included; 0 if the series is too short for the level.
func (c *Calibration) delay(n int, level float64) int {
	if !(orderly(n) <= level) {
		return 0
	}
	distinct, sum := scores(list.Fill(n, func(i int) float64 { return float64(i) })), 0
	for r := 1; r <= n/2; r++ {
		sum += distinct[n-r]
		if c.pvalue(distinct, statistic(sum, r, n), level) <= level {
			return r
		}
	}
	return 0
}
