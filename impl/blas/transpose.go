package blas

// Transpose writes the transpose of src, rows×cols with leading dimension lds, to dst, cols×rows with leading
// dimension ldd. The two must not overlap.
func Transpose(rows, cols int, src []float64, lds int, dst []float64, ldd int) {
	checkM(rows)
	checkN(cols)
	checkLdA(lds, cols)
	checkLdB(ldd, rows)
	if rows == 0 || cols == 0 {
		return
	}
	checkA(len(src), rows, cols, lds)
	checkB(len(dst), cols, rows, ldd)
	kern := current()
	const block = 64 // rows of dst of a block: the lines of cache that it writes to are filled before they are left
	for j := 0; j < cols; j += block {
		transpose(kern, dst[j*ldd:], ldd, src[j:], lds, rows, min(block, cols-j))
	}
}
