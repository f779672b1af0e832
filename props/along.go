package props

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/theory"
)

// Along is the figure of a theorem: what a claim predicts over one of its parameters, as curves, against what its
// simulation measures there, as points. Parameters that it does not name take their defaults. It is drawn once the
// claim is settled, with the streams of thm try, and no verdict rests on it.
type Along struct {
	Param    string            // of the horizontal axis, logarithmic where it goes over a decade or more
	From, To float64           // its ends
	Of       []string          // names of predicted quantities; empty for all that the simulation measures
	At       map[string]string // other parameters that do not take their defaults
	Each     *ParamSweep       // another parameter, with a curve for each of its values; nil for none
	Y        string            // label of the vertical axis; empty for what a single quantity means
	Points   string            // name of the points, where the claim bounds them; empty for the name of the quantity
	Draw     bool              // whether what the simulation draws at these parameters follows

	Places int // how many values are simulated; 0 stands for 9
	Reps   int // how often each is simulated; 0 stands for 5
	Smooth int // predictions from one place to the next, 1 where each takes long; 0 stands for 6
}

// alongID is the ID of the figure that an [Along] draws.
const alongID = "theorem"

// along is an Along being drawn.
type along struct {
	Along
	claim   Claim
	axis    theory.Param
	options SimulationOptions
	shown   []SimulatedQuantity // of the last curves
}

// theoremFigures are the figure of the theorem and what the simulation draws next to it.
func (c Claim) theoremFigures(ctx context.Context, o Options, p *pool) ([]Figure, error) {
	first, err := c.alongFigure(ctx, o, p)
	if err != nil || !c.Along.Draw {
		return []Figure{first}, err
	}
	at, err := c.points(c.Along.At, nil)
	if err != nil {
		return nil, err
	}
	drawn, err := c.draw(ctx, at[0], SimulationOptions{Seed: o.Seed})
	return append([]Figure{first}, drawn...), err
}

// alongFigure draws the figure of the theorem, with simulations in the given pool.
func (c Claim) alongFigure(ctx context.Context, o Options, p *pool) (Figure, error) {
	a := along{Along: *c.Along, claim: c}
	at := slices.IndexFunc(c.params(), func(p theory.Param) bool { return p.Name == a.Param })
	if at < 0 {
		return Figure{}, fmt.Errorf("%s has no parameter %q to draw its figure over", c.Statement.Slug, a.Param)
	}
	a.Places, a.Reps, a.Smooth = cmp.Or(a.Places, 9), cmp.Or(a.Reps, 5), cmp.Or(a.Smooth, 6)
	if o.sketch {
		a.Places, a.Reps, a.Smooth = min(a.Places, 5), 1, 1
	}
	a.axis, a.options = c.params()[at], SimulationOptions{Seed: o.Seed, Reps: a.Reps, pool: p}
	f := Figure{ID: alongID, X: Axis{Label: a.axis.Meaning + ", " + a.axis.Symbol, Log: a.log()}}
	each := []string{""}
	if a.Each != nil {
		each = a.Each.Values
	}
	for _, value := range each {
		curves, err := a.curves(ctx, value)
		if err != nil {
			return Figure{}, err
		}
		f.Curves = append(f.Curves, curves...)
	}
	f.Title, f.Caption, f.Y = a.title(), a.caption(), Axis{Label: a.label(), Log: a.decades(f.Curves)}
	return f, f.Valid()
}

// log reports whether the horizontal axis is logarithmic.
func (a along) log() bool { return a.From > 0 && a.To >= 10*a.From }

// values are evenly spaced on the horizontal axis, as text. Integers are rounded, and each occurs once.
func (a along) values(n int) []string {
	if a.log() {
		return spaced(a.From, a.To, n, a.axis.Domain.Integer)
	}
	var out []string
	for i := range n {
		x := a.From + (a.To-a.From)*float64(i)/float64(n-1)
		if a.axis.Domain.Integer {
			x = math.Round(x)
		}
		if text := strconv.FormatFloat(x, 'g', 6, 64); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// settings are the places to simulate: those that the hypotheses of the claim allow.
func (a *along) settings(args map[string]string) ([]setting, error) {
	var out []setting
	var excluded error
	for _, text := range a.values(a.Places) {
		points, err := a.claim.points(args, &ParamSweep{a.Param, []string{text}})
		if out = append(out, points...); excluded == nil {
			excluded = err
		}
	}
	if len(out) < 3 {
		return nil, tooFew{fmt.Errorf("only %d places of the figure can be simulated: %w", len(out), excluded)}
	}
	return out, nil
}

// tooFew says why a figure would have no more than two points.
type tooFew struct{ error }

// curves simulates and predicts for one value of the other parameter.
func (a *along) curves(ctx context.Context, value string) ([]Curve, error) {
	args := maps.Clone(a.At)
	if args == nil {
		args = map[string]string{}
	}
	if a.Each != nil {
		args[a.Each.Name] = value
	}
	points, err := a.settings(args)
	if err != nil {
		return nil, err
	}
	measured, err := a.claim.simulateAll(ctx, points, a.options)
	if err != nil {
		return nil, err
	}
	var places []SimulatedPoint
	for i, p := range points {
		places = append(places, p.point(a.claim.Statement.Predict(p.values), measured[i*a.Reps:(i+1)*a.Reps]))
	}
	a.shown = nil
	var out []Curve
	for k, q := range places[0].Quantities {
		if !a.wanted(q, places, k) {
			continue
		}
		a.shown = append(a.shown, q)
		name := a.name(symbolAmong(places[0].Quantities, q), value)
		seen := observedAlong(places, k)
		if seen.Name = name; a.Points != "" && a.Each == nil && len(a.Of) == 1 { // several are paired by their names
			seen.Name = a.Points
		}
		out = append(out, seen, a.predicted(args, k, name))
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s measures none of the quantities of its figure", a.claim.Statement.Slug)
	}
	return out, nil
}

// wanted reports whether a quantity is drawn: it is measured somewhere, and asked for or nothing is.
func (a *along) wanted(q SimulatedQuantity, places []SimulatedPoint, k int) bool {
	measured := slices.ContainsFunc(places,
		func(p SimulatedPoint) bool { return finite(float64(p.Quantities[k].Measured)) })
	return measured && (len(a.Of) == 0 || slices.Contains(a.Of, q.Name))
}

// symbolAmong is the symbol of a quantity, or its name where it has none or shares it with another.
func symbolAmong(all []SimulatedQuantity, q SimulatedQuantity) string {
	shared := func(other SimulatedQuantity) bool { return other.Symbol == q.Symbol && other.Name != q.Name }
	if q.Symbol == "" || slices.ContainsFunc(all, shared) {
		return q.Name
	}
	return q.Symbol
}

// name returns the name of a curve: the quantity, the value of the other parameter, or both where there are several of
// both.
func (a *along) name(symbol, value string) string {
	if a.Each == nil {
		return symbol
	}
	other := value
	if at := slices.IndexFunc(a.claim.params(), func(p theory.Param) bool { return p.Name == a.Each.Name }); at >= 0 {
		if p := a.claim.params()[at]; len(p.Domain.Choices) == 0 {
			other = p.Symbol + " = " + value
		}
	}
	if len(a.Of) == 1 {
		return other
	}
	return symbol + ", " + other
}

// observedAlong are the measured means, with their intervals where replicates differ.
func observedAlong(places []SimulatedPoint, k int) Curve {
	c := Curve{Style: Points}
	wide := false
	for _, p := range places {
		x, _ := strconv.ParseFloat(p.At, 64)
		q := p.Quantities[k]
		if !finite(float64(q.Measured)) {
			continue
		}
		lo, hi := float64(q.Lo), float64(q.Hi)
		if !finite(lo, hi) {
			lo, hi = float64(q.Measured), float64(q.Measured)
		}
		wide = wide || lo < hi
		c.X, c.Y, c.Lo, c.Hi = append(c.X, x), append(c.Y, float64(q.Measured)), append(c.Lo, lo), append(c.Hi, hi)
	}
	if !wide {
		c.Lo, c.Hi = nil, nil
	}
	return c
}

// predicted returns the curve of the claim for quantity k along the axis. Where the claim says nothing, the curve has a
// gap.
func (a *along) predicted(args map[string]string, k int, name string) Curve {
	c := Curve{Name: name, Style: Dashed}
	args = maps.Clone(args)
	for _, text := range a.values(a.Smooth*(a.Places-1) + 1) {
		args[a.Param] = text
		x, _ := strconv.ParseFloat(text, 64)
		y := math.NaN()
		v, err := a.claim.Statement.Values(args, a.claim.Try.Params...)
		if err == nil {
			y = a.claim.Statement.Predict(v)[k].Value
		} else if a.axis.Domain.Integer { // such as an even number, where the claim is about odd ones
			continue
		}
		c.X, c.Y = append(c.X, x), append(c.Y, y)
	}
	return c
}

// decades reports whether all that is drawn is positive and goes over more than a decade and a half.
func (a *along) decades(curves []Curve) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, y := range slices.Concat(c.Y, c.Lo) {
			if finite(y) {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}
	return lo > 0 && hi > 30*lo
}

func (a *along) label() string {
	switch {
	case a.Y != "":
		return a.Y
	case len(a.shown) == 1 && strings.HasPrefix(a.shown[0].Meaning, "of "):
		return a.shown[0].Name + " " + a.shown[0].Meaning
	case len(a.shown) == 1 && a.shown[0].Meaning != "":
		return a.shown[0].Meaning
	case len(a.shown) == 1:
		return a.shown[0].Name
	}
	return "value"
}

func (a *along) title() string {
	if a.Y == "" && len(a.shown) > 1 {
		return a.claim.Statement.Title
	}
	return fmt.Sprintf("%s, over %s", upperFirst(a.label()), a.axis.Symbol)
}

// caption says what points and curves are, and at which parameters.
func (a *along) caption() string {
	text, dashed := "Points: ", " Dashed: what the claim predicts."
	if a.Points != "" {
		text, dashed = text+a.Points+", ", " Dashed: what the claim says of it."
	}
	if a.Reps > 1 {
		text += fmt.Sprintf("the mean of %d simulations, with 95 %% intervals where they differ.", a.Reps)
	} else {
		text += "one simulation at each place."
	}
	text += dashed
	var at []string
	for _, p := range a.claim.params() {
		value, given := a.At[p.Name]
		if !given {
			value = p.Default
		}
		if p.Name != a.Param && (a.Each == nil || p.Name != a.Each.Name) {
			if x, err := strconv.ParseFloat(value, 64); err == nil {
				value = draw.Number(x)
			}
			at = append(at, p.Symbol+" = "+value)
		}
	}
	if len(at) > 0 {
		text += " Here " + strings.Join(at, ", ") + "."
	}
	return text
}
