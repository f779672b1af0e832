//go:build amd64 && !noasm && !gccgo && !safe

package kernelkit

// gonumAssembly says that gonum runs its assembly in this build.
const gonumAssembly = true
