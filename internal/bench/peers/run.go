package peers

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Schema is the version of the format of a report.
const Schema = "thm.peers/v1"

// Plan says what to measure.
type Plan struct {
	Operations []string // of [Operations]; none means all
	Sizes      []int
	Samples    int           // per row and side; at least 6, for fewer give no interval
	Burst      time.Duration // how long a sample should take; shorter operations are repeated
	Seed       uint64        // of the order of samples
	Threads    int           // of every side; 0 stands for 1
}

// The plans of the command.
var (
	Full  = Plan{Sizes: []int{64, 128, 256, 512, 1024}, Samples: 15, Burst: 20 * time.Millisecond, Seed: 1}
	Quick = Plan{Sizes: []int{64, 128, 256}, Samples: 10, Burst: 5 * time.Millisecond, Seed: 1}
)

// Row is one operation at one size against one peer. Times are medians over the samples, of one operation, in seconds
// of processor time, with several threads of time on the clock. The paired ratio is the median of the ratios within a
// round, with an interval that covers the true median with probability Level or more (see medianInterval).
type Row struct {
	Name        string  `json:"name"`
	N           int     `json:"n"`
	Peer        string  `json:"peer"`
	OursSeconds float64 `json:"ours_seconds"`
	PeerSeconds float64 `json:"peer_seconds"`
	Ratio       float64 `json:"ratio"` // ours / the peer's
	Paired      float64 `json:"paired_ratio"`
	Low         float64 `json:"paired_low"`
	High        float64 `json:"paired_high"`
	Samples     int     `json:"samples"`
	OursError   float64 `json:"ours_error"` // of the result, divided by the rounding error bound
	PeerError   float64 `json:"peer_error"`
}

// String is the row in a line of progress.
func (r Row) String() string {
	return fmt.Sprintf("%-10s n = %-5d %.3g of the time of %s", r.Name, r.N, r.Paired, r.Peer)
}

// Side describes a peer.
type Side struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Core    string `json:"core"`
}

// Report is the result of a run.
type Report struct {
	Schema  string   `json:"schema"`
	Kernel  string   `json:"kernel"` // ours
	Go      string   `json:"go"`
	Level   float64  `json:"level"` // of the intervals
	Seed    uint64   `json:"seed"`
	Threads int      `json:"threads,omitempty"` // of every side where there are several
	Peers   []Side   `json:"peers"`
	Notes   []string `json:"notes"`
	Rows    []Row    `json:"rows"`
}

// level is the confidence level of the intervals of the ratio.
const level = 0.95

// WrongResult is returned when a result is wrong; nothing is timed then.
type WrongResult struct {
	Who, Name string
	N         int
	Ratio     float64
}

func (e *WrongResult) Error() string {
	return fmt.Sprintf("%s: the result of %s at n = %d is wrong (error %.3g times the rounding error bound)", e.Who,
		e.Name, e.N, e.Ratio)
}

// Run measures, one row after the other, and reports each row to progress. The rows that are complete are returned with
// an error.
func Run(ctx context.Context, peers []*Peer, plan Plan, progress func(Row)) (*Report, error) {
	r := &Report{Schema: Schema, Kernel: builtin.InUse(), Go: runtime.Version(), Level: level, Seed: plan.Seed,
		Notes: []string{}, Rows: []Row{}}
	for _, p := range peers {
		r.Peers = append(r.Peers, Side{p.Name, p.Version, p.Core})
	}
	if plan.several() {
		r.Threads = plan.Threads
		r.Peers = append(r.Peers, Side{OneThread, "-", "-"})
	}
	defer builtin.Limit(max(1, plan.Threads))()
	return r, plan.each(func(o operation, n int) error {
		rows, err := measure(ctx, o, n, peers, plan)
		for _, row := range rows {
			progress(row)
		}
		r.Rows = append(r.Rows, rows...)
		return err
	})
}

// several reports that the sides of the plan use more than one thread.
func (plan Plan) several() bool { return plan.Threads > 1 }

// OneThread is the name of this module on one thread, which stands next to the peers where the others use several.
const OneThread = "thm-alone"

// each visits the operations and sizes of a plan, until there is an error.
func (plan Plan) each(visit func(o operation, n int) error) error {
	for _, o := range operations {
		if len(plan.Operations) > 0 && !slices.Contains(plan.Operations, o.name) {
			continue
		}
		for _, n := range plan.Sizes {
			if o.largest > 0 && n > o.largest {
				continue
			}
			if err := visit(o, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge computes once and returns the error of the result, divided by the rounding error bound, and the seconds of
// processor time of the computation, or says what is wrong.
func (t task) judge(who, name string, n int) (value, seconds float64, err error) {
	start := cputime.Process()
	outputs, err := t.ours()
	seconds = cputime.Process() - start
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %s at n = %d: %w", who, name, n, err)
	}
	ratio := t.ratio(outputs)
	if ratio.Verdict() != results.Holds {
		return 0, 0, &WrongResult{who, name, n, ratio.Value}
	}
	return ratio.Value, seconds, nil
}

// measure verifies and times one operation at one size on all sides.
func measure(ctx context.Context, o operation, n int, peers []*Peer, plan Plan) ([]Row, error) {
	t := o.make(builtin.Thm(), n)
	rows := make([]Row, len(peers), len(peers)+1)
	right, _, err := t.judge("thm", o.name, n)
	if err != nil {
		return nil, err
	}
	sides := []side{oursSide(t, plan.several()).afterWaking()}
	for i, p := range peers {
		ratio, err := verify(p, o.name, t)
		if err != nil {
			return nil, err
		}
		if ratio.Verdict() != results.Holds {
			return nil, &WrongResult{p.Name, o.name, n, ratio.Value}
		}
		rows[i] = Row{Name: o.name, N: n, Peer: p.Name, Samples: plan.Samples, OursError: right, PeerError: ratio.Value}
		turn := side(func(repeats int) (float64, error) { return p.Time(o.name, repeats) })
		if plan.several() {
			turn = turn.thenRest()
		}
		sides = append(sides, turn)
	}
	if plan.several() {
		rows = append(rows, Row{Name: o.name, N: n, Peer: OneThread, Samples: plan.Samples, OursError: right,
			PeerError: right})
		sides = append(sides, onOneThread(sides[0]))
	}
	seconds, err := sample(ctx, sides, plan, o.name, n)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].fill(seconds[0], seconds[i+1])
	}
	return rows, nil
}

// verify sends the operands to a peer and judges its result.
func verify(p *Peer, name string, t task) (props.Ratio, error) {
	if err := p.Load("a", t.a); err != nil {
		return props.Ratio{}, err
	}
	if t.b != nil {
		if err := p.Load("b", t.b); err != nil {
			return props.Ratio{}, err
		}
	}
	outputs, err := p.Run(name)
	if err != nil {
		return props.Ratio{}, err
	}
	return t.ratio(outputs), nil
}

// side times an operation, repeated, in seconds.
type side func(repeats int) (float64, error)

// oursSide times a task by the processor time of this process, or by the clock.
func oursSide(t task, clock bool) side {
	now := cputime.Process
	if clock {
		begin := time.Now()
		now = func() float64 { return time.Since(begin).Seconds() }
	}
	return func(repeats int) (float64, error) {
		start := now()
		for range repeats {
			if err := t.timed(); err != nil {
				return 0, err
			}
		}
		return now() - start, nil
	}
}

// afterWaking is a side of this process that begins while the process is busy.
func (s side) afterWaking() side {
	return func(repeats int) (float64, error) {
		wake()
		return s(repeats)
	}
}

// How long the runtime watches a process, and other threads wait; see wake and thenRest. Tests ask nothing of how long
// something took, and do not wait.
var watched, rest = 10 * time.Millisecond, 100 * time.Millisecond

// wake computes nothing for as long as the Go runtime watches a process that was idle: a thread of its own then wakes
// up every 20 microseconds, and more and more rarely while work goes on. That took 3 to 8 % of turns of 20
// milliseconds, which a program that computes does not pay.
func wake() {
	for start := time.Now(); time.Since(start) < watched; {
	}
}

// thenRest is a side of another process with several threads: those of OpenBLAS go on waiting for work on their
// processors for 2²⁶ cycles after it, some hundredths of a second, in which the next side would be one processor short.
func (s side) thenRest() side {
	return func(repeats int) (float64, error) {
		defer time.Sleep(rest)
		return s(repeats)
	}
}

// onOneThread is a side of this process with one thread for the kernels.
func onOneThread(s side) side {
	return func(repeats int) (float64, error) {
		defer blas.SetThreads(blas.Threads())
		blas.SetThreads(1)
		return s(repeats)
	}
}

// sample returns for each side the seconds of one operation in every round. In a round each side has one turn, in
// random order.
func sample(ctx context.Context, sides []side, plan Plan, name string, n int) ([][]float64, error) {
	repeats := make([]int, len(sides))
	for i, s := range sides { // this also warms up
		var err error
		if repeats[i], err = calibrate(s, plan.Burst); err != nil {
			return nil, err
		}
	}
	order := streams.New(plan.Seed, "peers", name, strconv.Itoa(n))
	out := make([][]float64, len(sides))
	for range plan.Samples {
		for _, i := range order.Perm(len(sides)) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			seconds, err := sides[i](repeats[i])
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], seconds/float64(repeats[i]))
		}
	}
	return out, nil
}

// calibrate finds how many repeats take about as long as a burst, at least one.
func calibrate(s side, burst time.Duration) (int, error) {
	for repeats := 1; ; repeats *= 2 {
		seconds, err := s(repeats)
		if err != nil {
			return 0, err
		}
		if seconds >= burst.Seconds()/4 || repeats >= 1<<20 {
			return max(1, int(float64(repeats)*burst.Seconds()/seconds)), nil
		}
	}
}

// fill computes the figures of a row from paired times.
func (r *Row) fill(ours, peer []float64) {
	ratios := quotients(ours, peer)
	r.OursSeconds, r.PeerSeconds = number.Median(ours), number.Median(peer)
	r.Ratio = r.OursSeconds / r.PeerSeconds
	r.Paired = number.Median(ratios)
	r.Low, r.High = medianInterval(ratios, level)
}
