package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that ends with the first SIGINT, SIGTERM or SIGHUP. The second ends the process,
// unless the terminal has gone: a shell and the system both tell of that, and what is said then goes nowhere.
func Interruptible(parent context.Context, note func(string)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		var first os.Signal
		select {
		case <-ctx.Done():
			return
		case first = <-signals:
		}
		if first == syscall.SIGHUP {
			signal.Ignore(syscall.SIGPIPE, syscall.SIGHUP)
		}
		cancel()
		note("stopping after the cells that are running; Ctrl-C again quits at once")
		for again := range signals {
			if first != syscall.SIGHUP || again != syscall.SIGHUP {
				os.Exit(Killed)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals) // from here on a signal ends the process, as it would any other
		cancel()
	}
}
