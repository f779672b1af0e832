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
	timeAlone    = "time"
	instructions = "instructions"
	cycles       = "cycles"
)

var quantities = []string{timeAlone, instructions, cycles}

// counting reports whether something is counted beside the time.
func (f *sampling) counting() bool { return f.quantity != timeAlone && f.quantity != "" }

// counter finds what counts, and says what its counts are; none if only time is measured.
func (f *sampling) counter(ctx context.Context, m *terminal.Progress, w *builds) (*measure.Instructions, error) {
	if !f.counting() {
		return nil, nil
	}
	c, err := counter.Find(ctx, f.quantity == cycles)
	if err != nil {
		return nil, fmt.Errorf("--meter %s: %w", f.quantity, err)
	}
	if note := c.Note(); note != "" {
		m.Note(note)
	}
	w.config = append(w.config, [2]string{"counter", c.String()})
	return &measure.Instructions{Counter: c, Limit: f.limit}, nil
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
		f.policy.GateOn = compare.GateOnInstructions
	}
	if f.policy.GateOn == compare.GateOnInstructions {
		if !given("count") {
			f.count = 3
		}
		if !given("pilot") {
			f.pilot = 0
		}
	}
}
