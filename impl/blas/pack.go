package blas

// packedA holds slivers of A, each as many rows as the main tile is high (the last may have fewer), one after the
// other. Inside a sliver entry (i, p) is at i·rs + p·cs: the rows stay contiguous when they were so, else the columns
// are.
type packedA struct {
	data   []float64
	rs, cs int
}

// packedFor is room for A, k columns of it.
func packedFor(kern *kernel, data []float64, a view, k int) packedA {
	if a.cs != 1 {
		return packedA{data, 1, kern.rows()}
	}
	return packedA{data, k, 1}
}

// at is the part of p from row i on, at which a sliver begins.
func (p packedA) at(i, k int) packedA {
	p.data = p.data[i*k:]
	return p
}

// fill copies a, m×k.
func (p packedA) fill(kern *kernel, a view, m, k int) {
	if a.cs != 1 {
		packSlivers(kern, p.data, kern.rows(), a.data, a.cs, k, m)
		return
	}
	for i := range m { // slivers follow each other as their rows do
		copy(p.data[i*k:][:k], a.data[i*a.rs:])
	}
}

// packB copies B, k×n, into slivers as wide as the main tile, row after row; the last sliver is padded with zeros.
func packB(kern *kernel, to []float64, b view, k, n int) {
	width := kern.cols()
	if rest := n % width; rest != 0 {
		clear(to[(n-rest)*k : (n-rest+width)*k])
	}
	if b.cs == 1 {
		packSlivers(kern, to, width, b.data, b.rs, k, n)
		return
	}
	for j := 0; j < n; j += width {
		transpose(kern, to[j*k:(j+width)*k], width, b.data[j*b.cs:], b.cs, min(width, n-j), k)
	}
}

// packSlivers copies a row-major matrix of n columns into slivers of some width, each k rows one after the other. It
// takes some rows of all slivers at a time, so that it reads long runs from few pages.
func packSlivers(kern *kernel, dst []float64, width int, src []float64, lds, k, n int) {
	const batch = 16
	for p := 0; p < k; p += batch {
		rows := min(batch, k-p)
		for j := 0; j < n; j += width {
			cols := min(width, n-j)
			to := dst[j*k+p*width:]
			if cols == width && kern.id.packStrip(width, rows, src[p*lds+j:], lds, to) {
				continue
			}
			for r := range rows {
				copy(to[r*width:r*width+cols], src[(p+r)*lds+j:])
			}
		}
	}
}

// transpose writes the rows×cols matrix src as the columns of dst.
func transpose(kern *kernel, dst []float64, ldd int, src []float64, lds int, rows, cols int) {
	// Rows of dst that are a multiple of 2 KiB apart want the same places in the first-level cache: then only some of them
	// at a time, which takes a third of the time at 8 KiB.
	const batch = 8
	if ldd%256 == 0 && cols > batch {
		for j := 0; j < cols; j += batch {
			transpose(kern, dst[j*ldd:], ldd, src[j:], lds, rows, min(batch, cols-j))
		}
		return
	}
	i := 0
	for i+4 <= rows {
		strip := 4
		if i+8 <= rows {
			strip = 8
		}
		done := kern.id.transposeStrip(strip, cols, src[i*lds:], lds, dst[i:], ldd)
		for r := i; r < i+strip; r++ {
			for j := done; j < cols; j++ {
				dst[j*ldd+r] = src[r*lds+j]
			}
		}
		i += strip
	}
	for ; i < rows; i++ {
		for j, v := range src[i*lds : i*lds+cols] {
			dst[j*ldd+i] = v
		}
	}
}
