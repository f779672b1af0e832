package record

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/internal/bench/peers"
)

// Options say what to measure.
type Options struct {
	Plan  peers.Plan
	Two   []*peers.Peer // the peers on two threads; none leaves two threads out
	Quick bool          // the roofline of small products only
	Say   func(string)  // progress, a line at a time
}

// Run measures everything but the facts about the code and the command, which the caller knows.
func Run(ctx context.Context, others []*peers.Peer, o Options) (*Record, error) {
	r := &Record{Facts: here(Schema)}
	var err error
	if r.Roofline, err = MeasureRoofline(ctx, o.Quick, func(p Point) {
		o.Say(fmt.Sprintf("%s: %s, %.3g Gflop/s", p.Impl, p.Operation, p.Flops/1e9))
	}); err != nil {
		return nil, err
	}
	if r.Peers, err = peers.Run(ctx, others, o.Plan, func(row peers.Row) { o.Say(row.String()) }); err != nil {
		return nil, err
	}
	if len(o.Two) > 0 {
		two := o.Plan
		two.Threads, two.Operations = 2, []string{"matmul", "svd-thin", "eigh", "eigvalsh"}
		two.Sizes = slices.DeleteFunc(slices.Clone(two.Sizes), func(n int) bool { return n < 256 })
		r.Two, err = peers.Run(ctx, o.Two, two, func(row peers.Row) { o.Say("two threads: " + row.String()) })
		if err != nil {
			return nil, err
		}
	}
	slow := o.Plan
	slow.Samples = 3
	r.Gonum, err = peers.Alone(ctx, kernels.Gonum(), slow, func(t peers.Timing) { o.Say("gonum: " + t.String()) })
	return r, err
}

// here are the facts about the machine.
func here(schema string) Facts {
	return Facts{Schema: schema, CPU: cpu(), CPUs: runtime.NumCPU(), Load: load()}
}

// cpu is the name of the processor, with family and model, since a vendor gives one name to several.
func cpu() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	return processor(string(info))
}

// processor is cpu from what Linux says.
func processor(info string) string {
	said := make(map[string]string)
	for _, line := range strings.Split(info, "\n") {
		key, value, _ := strings.Cut(line, ":")
		if key = strings.TrimSpace(key); said[key] == "" {
			said[key] = strings.TrimSpace(value)
		}
	}
	switch name := said["model name"]; {
	case name == "":
		return runtime.GOARCH
	case said["cpu family"] == "":
		return name
	default:
		return fmt.Sprintf("%s (family %s, model %s)", name, said["cpu family"], said["model"])
	}
}

// load is the load average over a minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text) + " unknown")[0]
}
