package conformance

import (
	"fmt"
	"sync"
	"time"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
)

// Watch shows the progress of the kit on a kernel, out of the estimated number of checks, and returns a function that
// writes the outcome.
func Watch(show *terminal.Progress, kernel string, checks int) (event func(props.Event), end func(outcome string)) {
	var mu sync.Mutex
	began, done, check := time.Now(), 0, ""
	took := func() string { return fmt.Sprintf("%.1f s", time.Since(began).Seconds()) }
	return func(e props.Event) { // a stage is the name of the check that begins
			mu.Lock()
			defer mu.Unlock()
			if e.Stage != "" && e.Stage != check {
				check, done = e.Stage, done+1
				show.Set(fmt.Sprintf("%s: check %d of about %d, %s, %s", kernel, done, checks, check, took()))
			}
		}, func(outcome string) {
			show.Clear()
			if outcome != "" {
				outcome += ", "
			}
			show.Line(kernel + ": " + outcome + took())
		}
}
