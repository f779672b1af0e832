package blas

// MultiplyAdds runs 24·n independent fused multiply-adds in the widest registers of the named kernel, on one thread,
// and returns the number of floating-point operations that these are: who takes the time has the peak of the processor.
func MultiplyAdds(kernel string, n int) (flops float64, err error) {
	k, err := find(kernel)
	if err != nil {
		return 0, err
	}
	return k.id.fmaLoop(n), nil
}
