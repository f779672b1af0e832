// Package plain has no tests.
package plain
