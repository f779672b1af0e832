package sum

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// calls counts the processes that report a benchmark, in a file: they share nothing else.
func calls(b *testing.B, name string) int64 {
	f, err := os.OpenFile(os.Getenv("FAKE_CALLS")+name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write([]byte{'.'}); err != nil {
		b.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// report reports a time of around 100 ns that varies by one per cent, and sometimes by a lot.
func report(b *testing.B, name string) {
	h := fnv.New64a()
	fmt.Fprint(h, name)
	rng := rand.New(rand.NewPCG(h.Sum64(), uint64(calls(b, name))))
	time := 100 * Factor * math.Exp(0.01*rng.NormFloat64())
	if rng.Float64() < 0.05 {
		time *= 1.5
	}
	for range b.N {
	}
	b.ReportMetric(time, "ns/op")
	b.ReportMetric(Allocations, "allocs/op")
}

func BenchmarkSum(b *testing.B) {
	for _, n := range []int{10, 20} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { report(b, fmt.Sprint(n)) })
	}
	b.Run("n=10", func(b *testing.B) { report(b, "again") }) // go test names it n=10#01
}

func BenchmarkRead(b *testing.B) {
	if _, err := os.ReadFile("testdata/input.txt"); err != nil {
		b.Fatal(err)
	}
	report(b, "read")
}

func TestNothing(t *testing.T) { t.Fatal("no test should run") }
