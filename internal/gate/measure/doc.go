// Package measure samples the Go benchmarks of any module so that the samples can be compared.
//
// A test binary is built once per package. Every sample is a separate process, run from the directory of the package.
// Samples are taken in rounds: a round takes one sample of every benchmark in random order, and when several binaries
// are compared, one of every binary in random order, directly after one another. Drift of the machine thus affects all
// alike, and an interruption leaves equal numbers of samples.
//
// # File
//
// A [Log] is a file in the standard Go benchmark format to which each sample is appended and synced at once, so that a
// killed run keeps what it measured. Configuration lines hold the facts that must agree for two files to be comparable:
// the machine, the build, and the lines that the benchmarks print themselves. Facts that naturally differ between runs
// (commit, time, seed, load) are in comment lines, which readers of the format skip; as configuration lines they would
// make benchstat put every run into a table of its own.
//
//	# thm.bench/v1 {"seed":1,"rounds":10,...}         how the file was measured
//	BenchmarkSum/n=10-2  1000  1201 ns/op              a result
//	# sample {"pkg":"m/sum","name":"Sum/n=10",...}     closes the record of a sample; also says that it failed, and why
package measure
