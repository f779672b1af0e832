// Package atomicfile writes files that are never seen half written.
package atomicfile
