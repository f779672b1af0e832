package compare

import (
	"math"
	"sort"
	"sync"

	"github.com/aclements/go-moremath/stats"

	"github.com/thm-suite/thm/internal/number"
)

// exactTo is the sample size up to which the distributions of the rank statistics are computed exactly. Beyond, the
// normal approximation is off by less than a rank in the tails that matter here (tested at the boundary).
const exactTo = 50

// slack bounds by how much rounding can lift a tail probability above its level: the probability is a sum of fewer than
// n² positive terms, each after at most 4n roundings, with n <= exactTo; relatively less than (2500 + 200)·2⁻⁵³ <
// 1e-12.
const slack = 1e-12

// orderInterval is the interval between the k-th smallest and the k-th largest of the logarithms, and their median, as
// ratios. With k = 0 it has no ends.
func orderInterval(logs []float64, k int, alpha float64) Interval {
	n := len(logs)
	if n == 0 {
		return nowhere(alpha)
	}
	center := math.Exp((smallest(logs, (n-1)/2) + smallest(logs, n/2)) / 2)
	if k < 1 {
		return Interval{Number(center), 0, Number(math.Inf(1)), 1}
	}
	lo, hi := smallest(logs, k-1), smallest(logs, n-k)
	return Interval{Number(center), Number(math.Exp(lo)), Number(math.Exp(hi)), 1 - alpha}
}

// smallest is the number that would have the index k if the numbers were sorted; those before it end up before it. It
// is Hoare's selection (Find, Comm. ACM 4, 1961): of all ratios of two samples four are wanted, and sorting took most
// of the time. There is no NaN among them.
func smallest(x []float64, k int) float64 {
	for len(x) > 1 {
		a, b, c := x[0], x[len(x)/2], x[len(x)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := 0, len(x)-1
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			x = x[:j+1]
		case k >= i:
			x, k = x[i:], k-i
		default:
			return pivot
		}
	}
	return x[0]
}

// orders remembers rankSumOrder: the rows of a table mostly have the same sizes, and the distribution takes O(m²n²).
var orders sync.Map

// rankSumOrder is the largest k with P(U < k) <= alpha/2, where U is the Mann-Whitney statistic of samples of sizes m
// and n from one distribution; 0 if there is none.
func rankSumOrder(m, n int, alpha float64) int {
	if m == 0 || n == 0 {
		return 0
	}
	if m > exactTo || n > exactTo {
		mean, sd := float64(m)*float64(n)/2, math.Sqrt(float64(m)*float64(n)*float64(m+n+1)/12)
		return normalOrder(mean, sd, alpha)
	}
	type key struct {
		m, n  int
		alpha float64
	}
	at := key{min(m, n), max(m, n), alpha}
	if k, ok := orders.Load(at); ok {
		return k.(int)
	}
	u := stats.UDist{N1: m, N2: n}
	k := largest(m*n/2, func(k int) bool { return u.CDF(float64(k-1)) <= alpha/2*(1+slack) })
	orders.Store(at, k)
	return k
}

// normalOrder is the order by the normal approximation, rounded towards the wider interval with a correction of one
// half for continuity.
func normalOrder(mean, sd, alpha float64) int {
	return max(0, int(math.Floor(mean-0.5-number.NormalQuantile(alpha/2)*sd)))
}

// largest is the largest k in 1..limit with holds(k), which is true up to some k and false beyond; 0 if there is none.
func largest(limit int, holds func(int) bool) int {
	return sort.Search(limit, func(k int) bool { return !holds(k + 1) })
}

// rankSumMinimum is the least n with which two samples of size n have a finite interval: 2/C(2n, n) <= alpha.
func rankSumMinimum(alpha float64) int {
	n, p := 1, 1.0 // p = 2/C(2n, n), and C(2n+2, n+1) = C(2n, n) · (2n+2)(2n+1)/(n+1)²
	for ; p > alpha; n++ {
		p /= 2 * float64(2*n+1) / float64(n+1)
	}
	return n
}
