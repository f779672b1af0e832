package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// Grace is the time that a command has after the first signal to end what it is at. What it has not written by then it
// does not write, and the process ends with [Unsettled].
const Grace = 800 * time.Millisecond

// Interruptible returns a context that ends with the first SIGINT, SIGTERM or SIGHUP, and ends the process after
// [Grace] unless it was stopped before. A second signal ends the process at once, unless the terminal has gone: a shell
// and the system both tell of that, and what is said then goes nowhere.
func Interruptible(parent context.Context, note func(string)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals, stopped := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		var first os.Signal
		select {
		case <-stopped:
			return
		case <-parent.Done():
			return
		case first = <-signals:
		}
		if first == syscall.SIGHUP {
			signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP)
		}
		cancel()
		late := time.After(Grace)
		note("stopping within a second; Ctrl-C again quits at once")
		for {
			select {
			case <-stopped:
				return
			case <-late:
				note("stopped in the middle: nothing of that was written")
				os.Exit(Unsettled)
			case again := <-signals:
				if first != syscall.SIGHUP || again != syscall.SIGHUP {
					os.Exit(Killed)
				}
			}
		}
	}()
	return ctx, sync.OnceFunc(func() {
		signal.Stop(signals) // from here on a signal ends the process, as it would any other
		close(stopped)
		cancel()
	})
}
