package command

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime/metrics"
	"slices"
	"strconv"
	"time"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// freely bounds the cost that thm try accepts without --yes.
var freely = cli.Bound{Time: time.Minute, Memory: 2e9}

// pilot is one simulation on the way from the defaults, at 0, to a user's parameters, at 1, and its cost.
type pilot struct {
	at         float64
	run, after float64 // seconds of processor time: of the simulation, and of predictions and figures
	bytes      float64 // at a time
	allocated  float64 // bytes, those given back included
	found      *props.Simulated
}

// A pilot takes about this many seconds at most, and all of them together.
const (
	onePilot  = 0.2
	allPilots = 0.8
)

// costOf estimates the cost of one simulation. It simulates on the way from the defaults to the parameters, at sizes
// that grow by a half or double, until that takes long enough to show by which power time and memory grow, and
// extrapolates.
func costOf(ctx context.Context, c props.Claim, given map[string]string, o props.SimulationOptions,
	w *cli.Watch) (pilot, error) {
	way := wayTo(c, given)
	var done []pilot
	for at, spent := 0.0, 0.0; ; {
		if at > 1-1e-9 || way.length == 0 {
			at = 1
		}
		p, err := way.pilot(ctx, c, at, o, w)
		switch {
		case err != nil && (at == 1 || ctx.Err() != nil):
			return pilot{}, err
		case err == nil: // on the way some sizes may be refused, odd ones for instance
			done = append(done, p)
		}
		took := p.run + p.after
		spent += max(took, 0.001)
		switch {
		case at == 1:
			return p, nil
		case (took > onePilot || spent > allPilots) && (len(done) > 1 || spent > 4*allPilots):
			return extrapolated(done), nil
		case took > onePilot/10:
			at += math.Log(1.5) / way.length
		default:
			at += math.Log(2) / way.length
		}
	}
}

// extrapolated continues the power by which the last pilot took more than the latest one that took a tenth of it.
func extrapolated(done []pilot) pilot {
	if len(done) == 0 {
		return pilot{}
	}
	last, earlier := done[len(done)-1], done[0]
	for _, p := range done[:len(done)-1] {
		if p.run+p.after < (last.run+last.after)/10 {
			earlier = p
		}
	}
	grown := func(x float64, of func(pilot) float64) float64 {
		from, to := of(earlier), of(last)
		if !(from > 0 && to > from) {
			return x
		}
		return x * math.Pow(to/from, (1-last.at)/(last.at-earlier.at))
	}
	last.run = grown(last.run, func(p pilot) float64 { return p.run })
	last.after = grown(last.after, func(p pilot) float64 { return p.after })
	last.bytes = grown(last.bytes, func(p pilot) float64 { return p.allocated })
	return last
}

// way leads from the defaults of a claim to a user's parameters, on each number that differs, by the same part of the
// distance of the logarithms.
type way struct {
	given  map[string]string
	params []theory.Param
	length float64 // the largest of these distances
}

func wayTo(c props.Claim, given map[string]string) way {
	w := way{given: given}
	for _, p := range theory.Settable(slices.Concat(c.Statement.Params, c.Try.Params)) {
		from, err1 := strconv.ParseFloat(p.Default, 64)
		to, err2 := strconv.ParseFloat(given[p.Name], 64)
		if err1 == nil && err2 == nil && from > 0 && to > 0 && from != to && len(p.Domain.Choices) == 0 {
			w.params, w.length = append(w.params, p), max(w.length, math.Abs(math.Log(to/from)))
		}
	}
	return w
}

// at returns the parameters at a part of the way.
func (w way) at(part float64) map[string]string {
	out := maps.Clone(w.given)
	for _, p := range w.params {
		from, _ := strconv.ParseFloat(p.Default, 64)
		to, _ := strconv.ParseFloat(w.given[p.Name], 64)
		x := from * math.Pow(to/from, part)
		switch {
		case part == 1:
		case p.Domain.Integer:
			out[p.Name] = strconv.FormatFloat(math.Round(x), 'f', 0, 64)
		default:
			out[p.Name] = strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return out
}

// pilot simulates once at a part of the way.
func (w way) pilot(ctx context.Context, c props.Claim, at float64, o props.SimulationOptions, watch *cli.Watch) (pilot,
	error) {
	p := pilot{at: at}
	begin, before := cputime.Process(), allocated()
	o.Reps, o.Jobs, o.Sweep = 1, 1, nil
	o.Progress = func(int, int) { p.run = cputime.Process() - begin }
	watch.Peak()
	var err error
	p.found, err = c.Simulate(ctx, w.at(at), o)
	p.after = cputime.Process() - begin - p.run
	p.allocated = allocated() - before
	p.bytes = min(watch.Peak(), p.allocated)
	return p, err
}

// allocated returns the number of bytes that this process has allocated, including those given back.
func allocated() float64 {
	read := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(read)
	return float64(read[0].Value.Uint64())
}

// cost holds the estimated cost of simulations.
type cost struct {
	seconds, bytes float64
	found          *props.Simulated // by the pilot, if only its simulation was asked for
}

// weigh returns the estimated cost of simulations and its limit. It refuses costs above the free limit without --yes,
// and more memory than this machine has.
func weigh(ctx context.Context, c props.Claim, f tryFlags, given map[string]string, o props.SimulationOptions,
	w *cli.Watch) (cost, cli.Bound, error) {
	begin, clock := cputime.Process(), time.Now()
	ends, points := []map[string]string{given}, 1
	if o.Sweep != nil {
		points, ends = len(o.Sweep.Values), nil
		for _, value := range []string{o.Sweep.Values[0], o.Sweep.Values[points-1]} {
			end := maps.Clone(given)
			end[o.Sweep.Name] = value
			ends = append(ends, end)
		}
	}
	var pilots []pilot
	for _, end := range ends {
		p, err := costOf(ctx, c, end, o, w)
		if err != nil {
			return cost{}, cli.Bound{}, err
		}
		pilots = append(pilots, p)
	}
	x := total(pilots, points, f)
	if p := pilots[0]; o.Sweep == nil && o.Reps == 1 && p.at == 1 {
		x.found = p.found
	}
	if used := cputime.Process() - begin; used > 0.05 { // others may use the processor as well
		x.seconds *= max(1, time.Since(clock).Seconds()/used)
	}
	have, bound := cli.Memory(), freely
	switch {
	case x.bytes > have:
		return x, bound, fmt.Errorf("%s would take %v, and this machine has %s of memory left; take smaller parameters, or "+
			"fewer --jobs", setting(c.Statement.Slug, given), x, cli.Bytes(have))
	case x.seconds <= freely.Time.Seconds() && x.bytes <= freely.Memory:
	case !f.yes:
		return x, bound, fmt.Errorf("%s would take %v; confirm with --yes, or take smaller parameters or fewer --reps",
			setting(c.Statement.Slug, given), x)
	default: // an extrapolation may be wrong
		bound = cli.Bound{Time: max(freely.Time, duration(3*x.seconds)), Memory: max(freely.Memory, 2*x.bytes)}
	}
	bound.Memory = min(bound.Memory, have)
	return x, bound, nil
}

// total returns the cost of all simulations. Between the ends of a sweep the logarithm of a cost is taken to be linear.
func total(ends []pilot, points int, f tryFlags) (x cost) {
	first, last := ends[0], ends[len(ends)-1]
	for i := range points {
		between := func(a, b float64) float64 {
			return max(a, 1e-9) * math.Pow(max(b, 1e-9)/max(a, 1e-9), float64(i)/max(1, float64(points-1)))
		}
		rounds := math.Ceil(float64(f.reps) / float64(f.jobs))
		x.seconds += rounds*between(first.run, last.run) + between(first.after, last.after)
		x.bytes = max(x.bytes, between(first.bytes, last.bytes)*float64(min(f.jobs, f.reps*points)))
	}
	return x
}

// String returns the cost in words.
func (x cost) String() string {
	clock := "less than a second"
	switch {
	case x.seconds >= 100*3600:
		clock = fmt.Sprintf("%.2g hours", x.seconds/3600)
	case x.seconds >= 60:
		clock = "about " + terminal.Clock(duration(x.seconds))
	case x.seconds >= 1:
		clock = fmt.Sprintf("about %.0f s", x.seconds)
	}
	return clock + " and " + cli.Bytes(max(x.bytes, 1e6))
}

func duration(seconds float64) time.Duration {
	return time.Duration(min(seconds, math.MaxInt32) * float64(time.Second))
}

// setting returns the slug of a claim with the given parameters.
func setting(slug string, given map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		slug += " " + name + "=" + given[name]
	}
	return slug
}
