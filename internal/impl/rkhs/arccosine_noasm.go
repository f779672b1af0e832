//go:build !amd64 || noasm || purego || race

package rkhs

func arccosinesInFours(_, _ []float64, _, _, _ float64) int { return 0 }
