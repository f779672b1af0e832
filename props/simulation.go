package props

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// Simulation measures what a statement predicts, at parameters that a user names.
type Simulation struct {
	// Params are the parameters that the simulation needs beyond those of the statement's prediction, sizes for instance.
	Params []theory.Param

	// Run simulates once and returns measured values by the names of the predicted quantities. What it does not measure is
	// left out, and at the defaults a name that is not predicted is an error. An error, or [Trial.Need], says which
	// parameter cannot be simulated and why.
	Run func(t *Trial, v theory.Values) (map[string]float64, error)

	// Draw, if there is one, returns figures of one simulation: at each point the figure of the first replicate, whose
	// stream it gets from its beginning. What Run and Draw both need is drawn in a function that both call.
	Draw func(t *Trial, v theory.Values) ([]Figure, error)

	// Over, if there is one, asks for a figure of what Run measures at a user's value of a parameter and at halvings of
	// it, and what is predicted: that value and the other parameters are its To and At, and eight places stand for 0.
	Over *Along
}

// refused says why a simulation cannot be run.
type refused struct{ error }

// Need ends a simulation with an error unless a condition on its parameters holds. The message says which of them
// cannot be simulated, and why.
func (t *Trial) Need(condition bool, format string, args ...any) {
	if !condition {
		t.Refuse(fmt.Errorf(format, args...))
	}
}

// Refuse ends a simulation with an error, if there is one.
func (t *Trial) Refuse(err error) {
	if err != nil {
		panic(refused{err})
	}
}

// refusal is the error of what a simulation panicked with.
func refusal(p any) error {
	if r, ok := p.(refused); ok {
		return r.error
	}
	return errors.New(describe(p))
}

// SimulationOptions say how to simulate.
type SimulationOptions struct {
	Seed     uint64
	Reps     int // simulations at each point
	Jobs     int // at a time; 0 means one per processor
	Sweep    *ParamSweep
	Progress func(done, planned int) // called from several goroutines, one call at a time; may be nil

	pool *pool // in place of Jobs, where the simulations are part of a run
}

// ParamSweep is a list of values that one parameter takes in turn.
type ParamSweep struct {
	Name   string
	Values []string
}

// SimulatedConfidence is the level of the intervals of a simulation. They are Student's: for looking at, and no verdict
// rests on them.
const SimulatedConfidence = 0.95

// Simulated holds the results of simulations, with the predictions.
type Simulated struct {
	Schema string           `json:"schema"`
	Slug   string           `json:"slug"`
	Inputs map[string]any   `json:"inputs"` // all parameters; the swept one is left out
	Sweep  string           `json:"sweep,omitempty"`
	Seed   uint64           `json:"seed"`
	Reps   int              `json:"reps"`
	Points []SimulatedPoint `json:"points"`
	GoodTo []GoodFrom       `json:"good_to_5_percent,omitempty"`
}

// SimulationSchema is the version of the format of [Simulated].
const SimulationSchema = "thm.try/v1"

// SimulatedPoint is one setting of the parameters.
type SimulatedPoint struct {
	At         string              `json:"at,omitempty"` // the value of the swept parameter
	Quantities []SimulatedQuantity `json:"quantities"`
	Figures    []Figure            `json:"figures,omitempty"` // of the first simulation
}

// SimulatedQuantity is a predicted number and the mean of the measured ones.
type SimulatedQuantity struct {
	Name      string         `json:"name"`
	Symbol    string         `json:"symbol"`
	Meaning   string         `json:"meaning"`
	Predicted results.Number `json:"predicted"`
	Measured  results.Number `json:"measured"` // NaN where the simulation does not measure it
	Lo        results.Number `json:"lo"`
	Hi        results.Number `json:"hi"`
	Bound     string         `json:"bound,omitempty"`    // as of a [theory.Quantity]: then nothing is predicted
	Excluded  bool           `json:"excluded,omitempty"` // the interval excludes the prediction, or lies beyond the bound
}

// exclude says whether the interval excludes the prediction, the rounding of means and of printed digits apart.
func (q *SimulatedQuantity) exclude() {
	slack := results.Number(max(5e-6*math.Abs(float64(q.Predicted)), 0x1p-40))
	below, above := q.Predicted < q.Lo-slack, q.Predicted > q.Hi+slack
	switch q.Bound {
	case "":
		q.Excluded = (below || above) && !math.IsInf(float64(q.Predicted), 0)
	case "≤":
		q.Excluded = below
	case "≥":
		q.Excluded = above
	}
}

// GoodFrom says from which value of the swept parameter on the prediction stays within 5 % of the measured mean.
type GoodFrom struct {
	Name string `json:"name"`
	From string `json:"from,omitempty"` // empty where it never does
}

// Simulate simulates the claim at a user's parameters, in the form name → text.
func (c Claim) Simulate(ctx context.Context, args map[string]string, o SimulationOptions) (*Simulated, error) {
	if c.Try == nil || c.Try.Run == nil || c.Statement.Predict == nil {
		return nil, fmt.Errorf("%s has nothing to simulate; thm show %s says what it claims", c.Statement.Slug,
			c.Statement.Slug)
	}
	points, err := c.points(args, o.Sweep)
	if err != nil {
		return nil, err
	}
	predicted := make([][]theory.Quantity, len(points))
	for i, p := range points {
		predicted[i] = c.Statement.Predict(p.values)
		if !slices.ContainsFunc(predicted[i], func(q theory.Quantity) bool { return !math.IsNaN(q.Value) }) {
			return nil, fmt.Errorf("%s predicts nothing at %s: together its parameters violate a hypothesis; see thm show %s",
				c.Statement.Slug, theory.Given(args), c.Statement.Slug)
		}
	}
	measured, err := c.simulateAll(ctx, points, o)
	if err != nil {
		return nil, err
	}
	out := &Simulated{Schema: SimulationSchema, Slug: c.Statement.Slug, Inputs: c.inputs(points[0], o.Sweep), Seed: o.Seed,
		Reps: o.Reps}
	if o.Sweep != nil {
		out.Sweep = o.Sweep.Name
	}
	for i, p := range points {
		reps := measured[i*o.Reps : (i+1)*o.Reps]
		if len(args) == 0 && o.Sweep == nil { // elsewhere a claim may say less than is measured
			if err := unpredicted(predicted[i], reps); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Statement.Slug, err)
			}
		}
		point := p.point(predicted[i], reps)
		if point.Figures, err = c.draw(ctx, p, o); err != nil {
			return nil, err
		}
		out.Points = append(out.Points, point)
	}
	if o.Sweep != nil {
		out.GoodTo = goodFrom(out.Points)
	}
	return out, nil
}

// setting is one point of a simulation.
type setting struct {
	at     string
	args   map[string]string
	values theory.Values
}

// points reads the parameters of every point before anything is simulated.
func (c Claim) points(args map[string]string, sweep *ParamSweep) ([]setting, error) {
	if sweep == nil {
		sweep = &ParamSweep{Values: []string{""}}
	} else if _, twice := args[sweep.Name]; twice {
		return nil, fmt.Errorf("%s is given a value and swept", sweep.Name)
	}
	var out []setting
	for _, value := range sweep.Values {
		at := map[string]string{}
		for name, text := range args {
			at[name] = text
		}
		if sweep.Name != "" {
			at[sweep.Name] = value
		}
		v, err := c.Statement.Values(at, c.Try.Params...)
		if err != nil {
			return nil, err
		}
		out = append(out, setting{value, at, v})
	}
	return out, nil
}

// params are all that a user can set.
func (c Claim) params() []theory.Param {
	return theory.Settable(slices.Concat(c.Statement.Params, c.Try.Params))
}

// inputs are all parameters but the swept one: numbers as numbers, choices as text.
func (c Claim) inputs(p setting, sweep *ParamSweep) map[string]any {
	out := map[string]any{}
	for _, param := range c.params() {
		switch {
		case sweep != nil && param.Name == sweep.Name:
		case len(param.Domain.Choices) > 0:
			out[param.Name] = p.values.Choice(param.Name)
		default:
			out[param.Name] = results.Number(p.values.Float(param.Name))
		}
	}
	return out
}

// simulateAll runs every replicate of every point, each with a stream of its own. The first error ends it.
func (c Claim) simulateAll(ctx context.Context, points []setting, o SimulationOptions) ([]map[string]float64, error) {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.pool == nil {
		o.pool = newPool(o.Jobs)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out, done := make([]map[string]float64, len(points)*o.Reps), 0
	o.pool.each(ctx, len(out), func(i int) func() {
		p := points[i/o.Reps]
		found, err := c.simulate(c.simulation(p, i%o.Reps, o.Seed), p.values)
		return func() {
			if err != nil {
				cancel(err)
			}
			out[i] = found
			if done++; o.Progress != nil {
				o.Progress(done, len(out))
			}
		}
	})
	return out, context.Cause(ctx)
}

// simulate runs one replicate.
func (c Claim) simulate(t *Trial, v theory.Values) (found map[string]float64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = refusal(p)
		}
	}()
	return c.Try.Run(t, v)
}

// simulation is a replicate at a point. Its stream depends on nothing else but the seed.
func (c Claim) simulation(p setting, replicate int, seed uint64) *Trial {
	key := append([]string{c.Statement.Slug, "try", strconv.Itoa(replicate)}, keyOf(p.args)...)
	return &Trial{Effort: Standard, Index: replicate, Rand: streams.New(seed, key...), seed: seed, key: key}
}

// draw draws the first simulation at a point.
func (c Claim) draw(ctx context.Context, p setting, o SimulationOptions) (figures []Figure, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer func() {
		if p := recover(); p != nil {
			err = refusal(p)
		}
	}()
	if c.Try.Over != nil {
		switch f, err := c.halvings(ctx, p, o); {
		case err == nil:
			figures = append(figures, f)
		case !errors.As(err, new(tooFew)):
			return nil, err
		}
	}
	if c.Try.Draw != nil {
		drawn, err := c.Try.Draw(c.simulation(p, 0, o.Seed), p.values)
		if err != nil {
			return nil, err
		}
		figures = append(figures, drawn...)
	}
	for _, f := range figures {
		err = errors.Join(err, f.Valid())
	}
	return figures, err
}

// halvings draws one simulation at each of the halvings of a parameter.
func (c Claim) halvings(ctx context.Context, p setting, o SimulationOptions) (Figure, error) {
	over := *c.Try.Over
	over.Places, over.Reps = cmp.Or(over.Places, 8), 1
	over.To, over.At = p.values.Float(over.Param), maps.Clone(p.args)
	over.From = math.Ldexp(over.To, 1-over.Places)
	delete(over.At, over.Param)
	c.Along = &over
	f, err := c.alongFigure(ctx, Options{Seed: o.Seed}, newPool(cmp.Or(max(o.Jobs, 0), runtime.GOMAXPROCS(0))))
	f.ID = "halvings"
	return f, err
}

// keyOf lists assignments in the order of their names.
func keyOf(args map[string]string) []string {
	var out []string
	for name, text := range args {
		out = append(out, name+"="+text)
	}
	slices.Sort(out)
	return out
}

// unpredicted is the author's mistake of a measured quantity that the prediction does not name.
func unpredicted(predicted []theory.Quantity, measured []map[string]float64) error {
	names := list.Map(predicted, func(q theory.Quantity) string { return q.Name })
	for _, m := range measured {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !slices.Contains(names, name) {
				return fmt.Errorf("the simulation measures %q, and the prediction has %q: name both alike", name, names)
			}
		}
	}
	return nil
}

// point joins the predictions with the measurements of all replicates.
func (p setting) point(predicted []theory.Quantity, measured []map[string]float64) SimulatedPoint {
	out := SimulatedPoint{At: p.at}
	for _, q := range predicted {
		var xs []float64
		for _, m := range measured {
			if x, ok := m[q.Name]; ok {
				xs = append(xs, x)
			}
		}
		s := SimulatedQuantity{Name: q.Name, Symbol: q.Symbol, Meaning: q.Explained(), Predicted: results.Number(q.Value),
			Measured: results.Number(math.NaN()), Lo: results.Number(math.NaN()), Hi: results.Number(math.NaN()), Bound: q.Bound}
		switch iv := stat.Mean(xs, 1-SimulatedConfidence); {
		case len(xs) == 1:
			s.Measured = results.Number(xs[0])
		case iv.Valid():
			if q.Nonnegative {
				iv.Lo = max(iv.Lo, 0)
			}
			s.Measured, s.Lo, s.Hi = results.Number(iv.Estimate), results.Number(iv.Lo), results.Number(iv.Hi)
			s.exclude()
		}
		out.Quantities = append(out.Quantities, s)
	}
	return out
}

// goodFrom looks along the sweep for the first point from which on each prediction is good to 5 %.
func goodFrom(points []SimulatedPoint) []GoodFrom {
	var out []GoodFrom
	for k, q := range points[0].Quantities {
		if math.IsNaN(float64(q.Measured)) || q.Bound != "" {
			continue
		}
		from := ""
		for i := len(points) - 1; i >= 0; i-- {
			x := points[i].Quantities[k]
			if !(math.Abs(float64(x.Measured-x.Predicted)) <= 0.05*math.Abs(float64(x.Predicted))) {
				break
			}
			from = points[i].At
		}
		out = append(out, GoodFrom{q.Name, from})
	}
	return out
}

// ParseSweep reads NAME=FROM:TO, doubling from the first value to the last, or NAME=FROM:TO:POINTS, that number of
// values whose logarithms are evenly spaced. Values of an integer parameter are rounded, and each occurs once.
func (c Claim) ParseSweep(text string) (*ParamSweep, error) {
	form := fmt.Errorf("--sweep %q is not of the form NAME=FROM:TO or NAME=FROM:TO:POINTS with 0 < FROM < TO, as in "+
		"n=200:3200", text)
	name, span, found := strings.Cut(text, "=")
	ends := strings.Split(span, ":")
	if !found || len(ends) < 2 || len(ends) > 3 || c.Try == nil {
		return nil, form
	}
	from, err1 := strconv.ParseFloat(ends[0], 64)
	to, err2 := strconv.ParseFloat(ends[1], 64)
	if err1 != nil || err2 != nil || !(from > 0) || !(to > from) || math.IsInf(to, 1) {
		return nil, form
	}
	points := int(math.Floor(math.Log2(to/from)+1e-9)) + 1
	top := from * math.Exp2(float64(points-1))
	if len(ends) == 3 {
		n, err := strconv.Atoi(ends[2])
		if err != nil || n < 2 || n > 100 {
			return nil, fmt.Errorf("--sweep %q: the number of points is a whole number from 2 to 100", text)
		}
		points, top = n, to
	}
	if points < 2 || points > 100 {
		return nil, fmt.Errorf("--sweep %q has %d points; from 2 to 100 are possible", text, points)
	}
	for _, p := range c.params() {
		if p.Name == name && len(p.Domain.Choices) == 0 {
			return &ParamSweep{name, spaced(from, top, points, p.Domain.Integer)}, nil
		}
	}
	return nil, fmt.Errorf("%s has no number %q to sweep", c.Statement.Slug, name)
}

// spaced returns numbers with evenly spaced logarithms, as text.
func spaced(from, to float64, points int, integer bool) []string {
	var out []string
	for i := range points {
		x := from * math.Pow(to/from, float64(i)/float64(points-1))
		if integer {
			x = math.Round(x)
		}
		text := strconv.FormatFloat(x, 'g', 6, 64)
		if integer {
			text = strconv.FormatFloat(x, 'f', 0, 64)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
