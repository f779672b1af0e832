package bad

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// first reports whether this is the dry run, in which the names are found.
func first(b *testing.B) bool { return os.Getenv("FAKE_DRY") == "" }

func spin(b *testing.B) {
	for range b.N {
	}
	b.ReportMetric(7, "ns/op")
}

func BenchmarkFails(b *testing.B) { b.Fatal("no luck") }

func BenchmarkFine(b *testing.B) { spin(b) }

func BenchmarkGarbage(b *testing.B) {
	spin(b)
	if !first(b) {
		fmt.Println("spoils its own line")
		fmt.Println("BenchmarkGarbage-2 1 nonsense")
		fmt.Println("result: 12 looks like configuration")
		fmt.Print("a line without an end")
	}
}

// Loud prints more than anybody keeps.
func BenchmarkLoud(b *testing.B) {
	spin(b)
	if !first(b) {
		line := strings.Repeat("noise ", 1000) + "\n"
		for range 1000 {
			fmt.Print(line)
		}
	}
}

var sink atomic.Int64

func work() {
	x := 1
	for i := range 1000000 {
		x = x*31 + i
	}
	sink.Add(int64(x))
}

func BenchmarkBusy(b *testing.B) {
	for range b.N {
		work()
	}
}

// A leaf a/b next to a/b/c.
func BenchmarkNested(b *testing.B) {
	b.Run("a/b", spin)
	b.Run("a/b/c", spin)
}

func BenchmarkLater(b *testing.B) {
	spin(b)
	if !first(b) {
		b.Fatal("fails when it counts")
	}
}

func BenchmarkNaN(b *testing.B) {
	spin(b)
	if !first(b) {
		b.ReportMetric(math.NaN(), "ns/op")
	}
}

func BenchmarkPanics(b *testing.B) { panic("on purpose") }

func BenchmarkZero(b *testing.B) {
	spin(b)
	if !first(b) {
		b.ReportMetric(0, "ns/op")
	}
}
