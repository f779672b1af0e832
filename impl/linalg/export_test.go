package linalg

import "math"

// CachedOrder is the largest order of a matrix that is reduced in cache, without panels.
var CachedOrder = int(math.Sqrt(fusedSize))
