// Package vcl measures the speed of virtual covariance learning: of one step of a layer by each method, of a training
// step of a network, and of the cost as n, m or the batch grows.
//
//	go test -run '^$' -bench . -benchtime 10x ./internal/bench/vcl
//
// The benchmarks are
//
//	BenchmarkVCLStep/method=polar/m=256/n=784/batch=64     one step of a layer with weights m×n; methods are sgd (plain),
//	                                                       full (the paper's route) and those of [VCLMethods]
//	BenchmarkVCLSpeedup/method=polar/m=256/n=784/batch=64  the same, interleaved with full and sgd
//	BenchmarkVCLTraining/layers=2/batch=256/inputs=784     a training step of a dense network, interleaved with SGD's
//
// and their units
//
//	ns/step          processor time of one step, where an iteration is a round of interleaved methods; median over the
//	                 rounds
//	x-full           the time of the paper's route on the same kernels, divided by the method's: how many times faster
//	x-sgd            the method's time, divided by that of SGD's step
//	x-sgd-factored   the same with weights in two factors, see [optim.Factored]
//	x-bar            the margin to the target in speed (see targets and trainings): 1 and more is reached
//	digits           −log₁₀ of the error: of the step relative to its length; for methods that are not exact, of what the
//	                 squared distance from the old weights exceeds the smallest by, relative to that
//
// A step is verified before it is timed: its Gram matrix and its certificate are checked, see verify.go.
package vcl
