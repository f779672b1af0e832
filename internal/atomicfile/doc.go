// Package atomicfile writes files atomically: nobody sees a half-written file.
package atomicfile
