package bad

import (
	"fmt"
	"math"
	"os"
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
	}
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
