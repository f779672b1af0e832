// Package workload holds the benchmarks on which the studies of package study are made.
//
//	BenchmarkNull/<work>   small works of different kinds: arithmetic, memory, allocation, branches
//	BenchmarkSpin/dose=D   a chain of dependent multiplications, made D per cent longer when the variable
//	                       THM_STUDY_INJECT is set; the unit steps/op counts them
package workload
