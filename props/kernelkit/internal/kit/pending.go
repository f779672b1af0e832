package kit

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// inProgress holds what checks are asking of kernels, to show it of one that does not return.
var inProgress sync.Map // of *request

type request struct {
	check         string
	begun         time.Time
	what, program fmt.Stringer
}

// observer is told of every request.
var observer atomic.Pointer[func(what string)]

// Observe has all requests told to a function before they are made: of a kernel that ends the process, the last one.
func Observe(tell func(what string)) { observer.Store(&tell) }

// Asking notes what a check asks of the kernel, until it calls answered. The program, which may be nil, makes the call.
func Asking(check string, what, program fmt.Stringer) (answered func()) {
	if tell := observer.Load(); tell != nil {
		(*tell)(what.String())
	}
	r := &request{check, time.Now(), what, program}
	inProgress.Store(r, nil)
	return func() { inProgress.Delete(r) }
}

// Unanswered returns the request to which a check has waited longest for an answer, or nothing, and a program that
// makes the same request.
func Unanswered(check string) (what, program string) {
	var longest *request
	inProgress.Range(func(key, _ any) bool {
		if r := key.(*request); r.check == check && (longest == nil || r.begun.Before(longest.begun)) {
			longest = r
		}
		return true
	})
	if longest == nil {
		return "", ""
	}
	if longest.program != nil {
		program = longest.program.String()
	}
	return fmt.Sprintf("asked %.1f s ago: %v\n", time.Since(longest.begun).Seconds(), longest.what), program
}
