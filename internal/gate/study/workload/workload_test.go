package workload

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var sink uint64

// works take some 10 to 100 microseconds each.
var works = []struct {
	name string
	make func(rng *rand.Rand) func()
}{
	{"sort", func(rng *rand.Rand) func() {
		from, to := rng.Perm(1000), make([]int, 1000)
		return func() { copy(to, from); slices.Sort(to) }
	}},
	{"sha256", func(rng *rand.Rand) func() {
		text := make([]byte, 1<<14)
		for i := range text {
			text[i] = byte(rng.Uint32())
		}
		return func() { sum := sha256.Sum256(text); sink += uint64(sum[0]) }
	}},
	{"alloc", func(*rand.Rand) func() {
		var keep [64][]byte
		return func() {
			for i := range keep {
				keep[i] = make([]byte, 512)
			}
			sink += uint64(len(keep[7]))
		}
	}},
	{"matmul", func(rng *rand.Rand) func() {
		a, b, c := mat.NewDense(48, 48, nil), mat.NewDense(48, 48, nil), mat.NewDense(48, 48, nil)
		for i := range 48 {
			for j := range 48 {
				a.Set(i, j, rng.Float64())
				b.Set(j, i, rng.Float64())
			}
		}
		return func() { c.Mul(a, b) }
	}},
	{"map", func(rng *rand.Rand) func() {
		keys := rng.Perm(1000)
		return func() {
			m := map[int]int{}
			for _, k := range keys {
				m[k] = k
			}
			sink += uint64(len(m))
		}
	}},
	{"copy", func(*rand.Rand) func() {
		from, to := make([]byte, 1<<20), make([]byte, 1<<20)
		return func() { copy(to, from); sink += uint64(to[5]) }
	}},
	{"chase", func(rng *rand.Rand) func() {
		next := make([]uint32, 1<<18) // one cycle through 1 MiB, in random order
		order := rng.Perm(len(next))
		for i, k := range order {
			next[k] = uint32(order[(i+1)%len(order)])
		}
		at := uint32(0)
		return func() {
			for range 2000 {
				at = next[at]
			}
			sink += uint64(at)
		}
	}},
	{"format", func(*rand.Rand) func() {
		return func() {
			for i := range 100 {
				sink += uint64(len(fmt.Sprintf("%d: %g", i, 1/float64(i+1))))
			}
		}
	}},
}

func BenchmarkNull(b *testing.B) {
	for _, w := range works {
		b.Run(w.name, func(b *testing.B) {
			work := w.make(rand.New(rand.NewPCG(1, 2)))
			work()
			for b.Loop() {
				work()
			}
		})
	}
}

// plant calls work once for each iteration, and once more as often as THM_STUDY_PLANT asks: 0.02 is every fiftieth
// time.
func plant(b *testing.B, work func()) {
	share, _ := strconv.ParseFloat(os.Getenv("THM_STUDY_PLANT"), 64)
	work()
	b.ResetTimer()
	for i := range b.N {
		work()
		if int(share*float64(i+1)+1e-9) > int(share*float64(i)+1e-9) {
			work()
		}
	}
}

func BenchmarkPlant(b *testing.B) {
	for _, w := range works {
		b.Run(w.name, func(b *testing.B) { plant(b, w.make(rand.New(rand.NewPCG(1, 2)))) })
	}
}

// spin is a chain of multiplications of which each needs the one before.
func spin(steps int) {
	x := uint64(1)
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink += x
}

// steps of an operation without a slowdown.
const steps = 20000

func BenchmarkSpin(b *testing.B) {
	for _, slowdown := range []int{0, 2, 3, 5, 10, 20} {
		b.Run(fmt.Sprintf("dose=%d", slowdown), func(b *testing.B) {
			n := steps
			if os.Getenv("THM_STUDY_INJECT") != "" {
				n += steps * slowdown / 100
			}
			spin(n)
			for b.Loop() {
				spin(n)
			}
			b.ReportMetric(float64(n), "steps/op")
		})
	}
}

// The chain is as long as it says: its end is that of the same steps taken by repeated squaring of the affine map.
func TestSpinTakesItsSteps(t *testing.T) {
	for _, n := range []int{0, 1, 7, steps, steps + steps*3/100} {
		a, c := uint64(1), uint64(0) // x ↦ ax + c, for the steps so far
		pa, pc := uint64(6364136223846793005), uint64(1442695040888963407)
		for k := n; k > 0; k /= 2 {
			if k%2 == 1 {
				a, c = pa*a, pa*c+pc
			}
			pa, pc = pa*pa, pa*pc+pc
		}
		before := sink
		spin(n)
		if got := sink - before; got != a+c {
			t.Errorf("%d steps end at %d, want %d", n, got, a+c)
		}
	}
}

// Every work can be done again and again.
func TestWorksRun(t *testing.T) {
	for _, w := range works {
		work := w.make(rand.New(rand.NewPCG(1, 2)))
		work()
		work()
	}
}
