package kit

import (
	"fmt"
	"sync"
	"time"
)

// inProgress holds what checks are asking of kernels, to show it of one that does not return.
var inProgress sync.Map // of *request

type request struct {
	check string
	begun time.Time
	what  fmt.Stringer
}

// Asking notes what a check asks of the kernel, until it calls answered.
func Asking(check string, what fmt.Stringer) (answered func()) {
	r := &request{check, time.Now(), what}
	inProgress.Store(r, nil)
	return func() { inProgress.Delete(r) }
}

// Unanswered is what a check has waited for longest, or nothing.
func Unanswered(check string) string {
	var longest *request
	inProgress.Range(func(key, _ any) bool {
		if r := key.(*request); r.check == check && (longest == nil || r.begun.Before(longest.begun)) {
			longest = r
		}
		return true
	})
	if longest == nil {
		return ""
	}
	return fmt.Sprintf("asked %.1f s ago: %v\n", time.Since(longest.begun).Seconds(), longest.what)
}
