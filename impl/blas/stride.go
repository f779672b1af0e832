package blas

import "sync"

// start is the index of the first element: with a negative increment the vector runs backwards from the end.
func start(n, inc int) int {
	if inc < 0 {
		return (1 - n) * inc
	}
	return 0
}

// vector is n contiguous elements: the caller's own when the increment is 1, else a copy. So results do not depend on
// increments.
type vector struct {
	data   []float64
	pooled *[]float64
}

var vectors = sync.Pool{New: func() any { return new([]float64) }}

// workspaceVector is a vector of arbitrary contents.
func workspaceVector(n int) vector {
	p := vectors.Get().(*[]float64)
	*p = grow(*p, n)
	return vector{*p, p}
}

// gather returns the elements of x in order.
func gather(n int, x []float64, inc int) vector {
	if inc == 1 {
		return vector{data: x[:n]}
	}
	v := workspaceVector(n)
	at := start(n, inc)
	for i := range v.data {
		v.data[i] = x[at]
		at += inc
	}
	return v
}

// scatter writes a gathered vector back.
func (v vector) scatter(x []float64, inc int) {
	if v.pooled == nil {
		return
	}
	at := start(len(v.data), inc)
	for _, e := range v.data {
		x[at] = e
		at += inc
	}
}

func (v vector) free() {
	if v.pooled != nil {
		vectors.Put(v.pooled)
	}
}
