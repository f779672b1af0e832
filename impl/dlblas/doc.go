// Package dlblas loads the system's BLAS and LAPACK libraries (OpenBLAS, BLIS and the reference implementation) at run
// time for comparison. The rest of the module does not need it, no C compiler is involved, and a machine without such
// libraries loses only the comparison.
//
//	for _, c := range dlblas.Candidates() {
//		if c.Library != nil {
//			c.Library.Dgemm(...) // gonum's blas.Float64, with gonum's storage by rows
//		}
//	}
//
// # Which file
//
// A library is found by the names of its shared object in the directories of the system's loader. The environment
// variable THM_OPENBLAS, THM_BLIS, THM_NETLIB or THM_NETLIB_LAPACK names another file to load instead. A library reads
// its own variables (OPENBLAS_CORETYPE, OPENBLAS_NUM_THREADS, BLIS_NUM_THREADS, ...) when it is loaded, once per
// process.
//
// # Arguments and errors
//
// C routines print, exit or read out of bounds on bad arguments. They never see any: gonum's own routines check them
// first, and panic. Sizes must fit 32 bits.
//
// # What does not come from the library
//
// Routines that a library does not export are gonum's; [Library.Delegated] lists them. Three conventions of gonum that
// the C interface does not have are added: Idamax of an empty vector is −1, a negative increment makes Idamax return
// −1, Dnrm2 and Dasum 0, and Dscal do nothing, and no routine touches its output when a dimension of it is zero.
//
// # Speed
//
// A call takes half a microsecond to one microsecond more than a call from C (BenchmarkCall), because it goes through
// reflection. Below about n = 32 this is most of the time of a matrix product. Single precision is not suitable for
// comparing speeds: its calls go through reflection twice, which takes several microseconds (BenchmarkCall), and
// triangular routines and those on vectors are checked by having gonum compute on copies.
//
// # Builds
//
// Loading works on Linux and macOS with amd64 and arm64, with cgo or without. On other systems, and with the build tag
// nodlblas (which keeps a build without cgo free of the C library), every candidate reports that this build cannot load
// libraries.
package dlblas
