// Package cputime reports the processor time that this process has used.
package cputime
