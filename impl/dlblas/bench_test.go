package dlblas

import "testing"

// BenchmarkCall times calls with next to nothing to compute: the price of calling C without cgo, which is part of every
// figure of these libraries.
func BenchmarkCall(b *testing.B) {
	for _, c := range Candidates() {
		if c.Library == nil {
			continue
		}
		x, y := []float64{1}, []float64{1}
		b.Run("impl="+c.Name+"/routine=ddot", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Library.Ddot(1, x, 1, y, 1)
			}
		})
		b.Run("impl="+c.Name+"/routine=dgemm", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Library.Dgemm('N', 'N', 1, 1, 1, 1, x, 1, x, 1, 0, y, 1)
			}
		})
		single := []float32{1}
		b.Run("impl="+c.Name+"/routine=sgemm", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Library.single.Sgemm('N', 'N', 1, 1, 1, 1, single, 1, single, 1, 0, single, 1)
			}
		})
	}
}
