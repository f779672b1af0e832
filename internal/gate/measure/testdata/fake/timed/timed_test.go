package timed

import (
	"testing"
	"time"
)

var sink int

//go:noinline
func work(times int) {
	x := 1
	for i := range 40000 * times {
		x = x*31 + i
	}
	sink += x
}

func BenchmarkPlain(b *testing.B) {
	for range b.N {
		work(1)
	}
}

func stopped(b *testing.B, untimed int) {
	for range b.N {
		b.StopTimer()
		work(untimed)
		b.StartTimer()
		work(1)
	}
}

func BenchmarkStopped(b *testing.B) { stopped(b, 1) }

func BenchmarkStoppedMore(b *testing.B) { stopped(b, 9) }

func reset(b *testing.B, before int) {
	for range b.N {
		work(before)
	}
	b.ResetTimer()
	for range b.N {
		work(1)
	}
}

func BenchmarkReset(b *testing.B) { reset(b, 1) }

func BenchmarkResetMore(b *testing.B) { reset(b, 9) }

func BenchmarkLoop(b *testing.B) {
	b.Run("n=1", func(b *testing.B) {
		work(5)
		for b.Loop() {
			work(1)
		}
		work(5)
	})
}

func BenchmarkParallel(b *testing.B) {
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			work(1)
		}
	})
}

func BenchmarkIdle(b *testing.B) {
	for range b.N {
		time.Sleep(time.Millisecond)
	}
}
