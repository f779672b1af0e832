// Package cputime says how much processor time this process has used.
package cputime
