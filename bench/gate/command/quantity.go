package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/counter"
	"github.com/thm-suite/thm/internal/terminal"
)

// The values of --meter.
const (
	automatic    = "auto"
	timeAlone    = "time"
	instructions = "instructions"
	cycles       = "cycles"
)

var quantities = []string{automatic, timeAlone, instructions, cycles}

// counting reports whether something is counted along with the time.
func (f *sampling) counting() bool { return f.quantity == instructions || f.quantity == cycles }

// counter finds what counts; none if only time is measured. Where nothing counts, auto is time, and a line says what to
// install.
func (f *sampling) counter(ctx context.Context, m *terminal.Progress) (*measure.Instructions, error) {
	if f.quantity == timeAlone || f.quantity == "" {
		return nil, nil
	}
	c, err := counter.Find(ctx, f.quantity == cycles)
	if err == nil {
		_, err = measure.GoSystem(ctx, f.dir)
	}
	switch {
	case err == nil:
		if f.quantity == automatic {
			f.quantity = instructions
		}
		return &measure.Instructions{Counter: c, Limit: f.limit}, nil
	case f.quantity == automatic && ctx.Err() == nil:
		f.quantity = timeAlone
		m.Note("judged by time alone: " + err.Error())
		return nil, nil
	}
	return nil, fmt.Errorf("--meter %s: %w", f.quantity, err)
}

// lacking says on which processor was counted, if it is not this machine's; empty if it is.
func lacking(n *measure.Instructions) string {
	if n == nil {
		return ""
	}
	missing := n.Lacking()
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("counted by %s, whose processor lacks %s that this machine has: code that chooses its version by "+
		"these (checksums, hashes, ciphers, vectors) was counted in the version for the lesser processor, and is timed in "+
		"the other", n.Counter, strings.Join(missing, ", "))
}

func (f *sampling) validQuantity() error {
	if !slices.Contains(quantities, f.quantity) {
		return fmt.Errorf("--meter %s: a meter is one of %s", f.quantity, strings.Join(quantities, ", "))
	}
	if f.limit < time.Second {
		return fmt.Errorf("--count-limit %v: a process that is counted needs a second at least", f.limit)
	}
	return nil
}

// settleQuantity sets what is not given to what suits the quantity: where instructions gate, three rounds and no pilot.
func (f *diffFlags) settleQuantity(given func(name string) bool) {
	if !f.counting() {
		return
	}
	if f.policy.GateOn == "" && !given("gate-on") {
		f.policy.GateOn = compare.GateOnBoth
	}
	if f.policy.GateOn != compare.GateOnTime {
		if !given("count") {
			f.count = 3
		}
		if !given("pilot") {
			f.pilot = 0
		}
	}
}
