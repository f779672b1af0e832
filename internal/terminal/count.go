package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// CountTo returns a progress function that writes a line now and then, once two seconds have gone by.
func CountTo(out io.Writer, what string, now func() time.Time) func(done, planned int) {
	const first, every = 2 * time.Second, 5 * time.Second
	var mu sync.Mutex
	next := now().Add(first)
	return func(done, planned int) {
		mu.Lock()
		defer mu.Unlock()
		if t := now(); t.After(next) && done < planned {
			next = t.Add(every)
			fmt.Fprintf(out, "%d of %d %s\n", done, planned, what)
		}
	}
}
