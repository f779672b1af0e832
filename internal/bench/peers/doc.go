// Package peers times this module against NumPy in the same run. A Python process for each configuration of NumPy stays
// alive for the whole run; the samples of both sides alternate in random order, so that other activity of the machine
// affects both alike. The package reports the ratio of times within a round.
//
// All sides use one thread, and times are the processor time of the whole process: on an idle machine this equals
// elapsed time, and on a busy one it excludes most of the effect of other processes. The time of a second thread would
// count. Before its turn this process spins until the Go runtime polls it less often, and after the turn of a peer with
// several threads it waits until they sleep. Inputs are made here and sent over, and both results are verified against
// the mathematics (package bench) before anything is timed.
//
// # Protocol
//
// A peer is a process that speaks lines on stdin and stdout; matrices follow their line as little-endian float64 by
// rows.
//
//	peer:    thm-peer 1 NAME VERSION CORE         once, at the start; CORE is the core type of OpenBLAS or -
//	request: load NAME ROWS COLS, then a matrix   replaces an operand, a or b
//	reply:   ok
//	request: run OPERATION
//	reply:   arrays COUNT, then COUNT times: a line ROWS COLS, then a matrix
//	request: time OPERATION REPEATS
//	reply:   seconds X                            of processor time, for all repeats together
//	reply:   error TEXT                           to any request
//
// The end of stdin ends the peer.
package peers
