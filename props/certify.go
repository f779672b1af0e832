package props

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/internal/tensors"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// certifier judges an instance that a user brings.
type certifier struct {
	check   string
	names   []string // of the arrays
	regimes []string
	wrong   []string // the controls that claim something else of the same numbers
	judge   func(r *Record, in any, claimed string)
	blank   func() any // a pointer to an empty instance
	drawn   func(slug string, index int) any
}

// certifierOf returns nil where the instance is not a struct of tagged fields. Fields that are not exported are the
// suite's own, and zero in what a user brings. Tags on some exported fields and not on others are a mistake.
func certifierOf(t reflect.Type, check string, judge func(*Record, any, string), regimes []string,
	controls []Control, drawn func(slug string, index int) any) *certifier {
	if t.Kind() != reflect.Struct {
		return nil
	}
	c := &certifier{check: check, regimes: regimes, drawn: drawn,
		blank: func() any { return reflect.New(t).Interface() },
		judge: func(r *Record, in any, claimed string) { judge(r, reflect.ValueOf(in).Elem().Interface(), claimed) }}
	for _, w := range named(controls) {
		if w.claimed == w.Name && w.done == "" {
			c.wrong = append(c.wrong, w.Name)
		}
	}
	untagged := 0
	for i := range t.NumField() {
		field := t.Field(i)
		switch name := field.Tag.Get("npy"); {
		case !field.IsExported():
		case name == "":
			untagged++
		default:
			c.names = append(c.names, name)
		}
	}
	if len(c.names) == 0 {
		return nil
	}
	if untagged > 0 {
		panic(fmt.Sprintf("props: check %q: %d fields of its instance have no names of arrays, others have", check, untagged))
	}
	return c
}

// Certificate says what a claim's check found in a user's numbers.
type Certificate struct {
	Schema   string                `json:"schema"`
	Slug     string                `json:"slug"`
	Check    string                `json:"check"`
	File     string                `json:"file"`
	Unit     results.Number        `json:"unit_roundoff"` // of the numbers in the file
	Verdict  results.Verdict       `json:"verdict"`
	Regime   string                `json:"regime,omitempty"`
	Criteria []CertifiedResult     `json:"criteria"`
	Measured []results.Measurement `json:"measured"`
	Message  string                `json:"message,omitempty"`
}

// CertificateSchema is the version of the format of a [Certificate].
const CertificateSchema = "thm.certificate/v1"

// CertifiedResult is one criterion on a user's numbers.
type CertifiedResult struct {
	Name    string          `json:"name"`
	Verdict results.Verdict `json:"verdict"`
	Form    results.Form    `json:"form"`
	Ratio   results.Number  `json:"ratio"`
	Notices results.Number  `json:"notices"`         // the smallest error of the claim that these numbers would show
	Sides   *results.Sides  `json:"sides,omitempty"` // if it does not hold
}

// Certifiable lists the checks that can judge a user's own numbers: an instance, or a table of measurements.
func (c Claim) Certifiable() (instances, tables []string) {
	for _, k := range c.checks {
		switch {
		case k.certify != nil:
			instances = append(instances, k.name)
		case k.table() != nil:
			tables = append(tables, k.name)
		}
	}
	return instances, tables
}

// Uncertifiable says why no numbers of a user's own can be judged; "" where some can.
func (c Claim) Uncertifiable() string {
	switch instances, tables := c.Certifiable(); {
	case len(instances)+len(tables) > 0:
		return ""
	case slices.ContainsFunc(c.checks, func(k checker) bool { return k.shrink == nil }):
		return "It cannot be certified: the measurements of a cell are matrices of a whole run, which do not fit " +
			"into a row of a table."
	}
	return "It cannot be certified: its checks draw their instances and compute both sides of every comparison " +
		"themselves, so that there is no array or column to supply."
}

// Arrays are the names of the arrays, or of the columns of a table, that each of [Claim.Certifiable] wants.
func (c Claim) Arrays(check string) []string {
	for _, k := range c.checks {
		switch {
		case k.name != check:
		case k.certify != nil:
			return k.certify.names
		case k.table() != nil:
			return k.table().header()
		}
	}
	return nil
}

// judges are the check of that name, or all checks that can judge a user's numbers, those of the kind.
func (c Claim) judges(check string, is func(checker) bool) (out []checker, err error) {
	for _, k := range c.checks {
		if is(k) && (check == "" || k.name == check) {
			out = append(out, k)
		}
	}
	instances, tables := c.Certifiable()
	switch names := slices.Concat(instances, tables); {
	case len(out) > 0:
		return out, nil
	case len(names) == 0:
		return nil, fmt.Errorf("%s: %s", c.Statement.Slug, c.Uncertifiable())
	case check != "" && !slices.Contains(names, check):
		return nil, fmt.Errorf("%s has no check %q that judges a user's numbers; it has: %s", c.Statement.Slug, check,
			strings.Join(names, "; "))
	}
	return nil, fmt.Errorf("%s needs a different file: thm show %s --template prints what writes it", c.Statement.Slug,
		c.Statement.Slug)
}

// ofTensors and ofTable tell apart what a check judges.
func ofTensors(k checker) bool { return k.certify != nil }
func ofTable(k checker) bool   { return k.table() != nil }

// fields are the arrays that a check wants, as the statement explains them.
func (c *certifier) fields(s *theory.Statement) ([]tensors.Field, error) {
	var out []tensors.Field
	for _, name := range c.names {
		at := slices.IndexFunc(s.Params, func(p theory.Param) bool { return p.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("%s does not explain the array %q of its check %q: the statement needs a parameter of that "+
				"name", s.Slug, name, c.check)
		}
		p := s.Params[at]
		f := tensors.Field{Name: p.Name, Shape: p.Shape, Meaning: p.Meaning}
		if p.Domain != nil {
			f.Integer, f.Choices = p.Domain.Integer, p.Domain.Choices
		}
		out = append(out, f)
	}
	return out, nil
}

// Template is a Python script that writes a file for [Claim.Certify]: as it stands, of an instance or of measurements
// of this suite.
func (c Claim) Template(check string) (string, error) {
	all, err := c.judges(check, ofTensors)
	if err == nil {
		fields, err := all[0].certify.fields(c.Statement)
		if err != nil {
			return "", err
		}
		return all[0].certify.template(c.Statement.Slug, fields), nil
	}
	if all, tabled := c.judges(check, ofTable); tabled == nil {
		option := ""
		if check != "" {
			option = fmt.Sprintf(" --check %q", check)
		}
		return all[0].table().template(c.Statement.Slug, option)
	}
	return "", err
}

// Certify checks the claim on the instance in an .npz or .safetensors file or a folder of .npy files, or on the table
// in a .csv file, through the check of that name. Without a name it takes the first check that wants the arrays of the
// file and has a tolerance: a check that compares to the last bit is made for integers, and refutes what is right but
// for rounding. Tolerances follow from the numbers in the file: with float32 among them they are wider by 2²⁹. An error
// says what of the file does not fit, or which hypothesis the instance violates: its method Valid() error, if it has
// one.
func (c Claim) Certify(check, path string) (*Certificate, error) {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		return c.certifyTable(check, path)
	}
	all, err := c.judges(check, ofTensors)
	if err != nil {
		return nil, err
	}
	file, err := tensors.Read(path)
	if err != nil {
		return nil, err
	}
	first, err := c.certify(all[0].certify, file, path)
	if err != nil || !first.exact() {
		return first, err
	}
	for _, k := range all[1:] {
		if other, err := c.certify(k.certify, file, path); err == nil && !other.exact() {
			return other, nil
		}
	}
	return first, nil
}

// certifyTable judges the measurements in a table by the first check that has its columns. The claim's controls must be
// rejected on them: numbers that agree with a wrong version as well say nothing.
func (c Claim) certifyTable(check, path string) (*Certificate, error) {
	all, err := c.judges(check, ofTable)
	if err != nil {
		return nil, err
	}
	var k checker
	var effort Effort
	var measured []any
	for _, k = range all {
		effort, measured, err = k.table().read(path)
		if err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	s := newSession(&run{Options: Options{Effort: effort, Seed: 1}}, c.Statement.Slug)
	s.measurements[measurementKey{check: k.name}] = measuredCells{cells: k.plan(effort), results: measured,
		count: results.Count{Planned: len(measured), Run: len(measured)}}
	o := s.evaluate(k, variant{}, 0)
	if o.tally == nil {
		return nil, fmt.Errorf("%s does not fit: %s; thm show %s --template prints what writes it", path,
			strings.ReplaceAll(o.message, "\n", "; "), c.Statement.Slug)
	}
	row := newRow(c)
	addTally(&row, k, o.tally)
	row.Conclude()
	out := &Certificate{Schema: CertificateSchema, Slug: c.Statement.Slug, Check: k.name, File: path, Unit: 0x1p-53,
		Verdict: o.verdict, Message: o.message, Measured: row.Measurements}
	for _, p := range row.Criteria {
		f := finding{Criterion: Criterion{Name: p.Name, Form: p.Form}, Epsilon: float64(p.Resolution)}
		if why := f.blind(); why != "" && p.Verdict == results.Holds && p.Coarse == "" {
			p.Verdict = results.Undecided
			out.say(why)
		}
		out.Verdict = results.Worst(out.Verdict, p.Verdict)
		shown := CertifiedResult{Name: p.Name, Verdict: p.Verdict, Form: p.Form, Ratio: p.Ratio, Notices: p.Resolution}
		for _, r := range p.Regimes {
			if shown.Sides == nil || r.Ratio == p.Ratio {
				shown.Sides = r.Sides
			}
		}
		out.Criteria = append(out.Criteria, shown)
	}
	if k.table().copied(effort, measured) && (out.Verdict == results.Holds || out.Verdict == results.Refuted) {
		out.Verdict = results.Undecided
		out.say("rows are copies of each other: bring independent replicates")
	}
	s.compare(k, out)
	return out, nil
}

// compare tries the controls that claim something else of a table.
func (s *session) compare(k checker, out *Certificate) {
	tried := 0
	for _, control := range k.controls {
		if control.done != "" {
			continue
		}
		tried++
		o := s.evaluate(k, variant{claimed: control.claimed}, 0)
		rejected := false
		if o.tally != nil {
			ratio, _ := o.rejecting(control.Criterion)
			rejected = ratio.Verdict() == results.Refuted
		}
		switch {
		case out.Verdict == results.Refuted && o.verdict == results.Holds:
			out.say("your numbers agree with: " + control.Name)
		case !rejected && (out.Verdict == results.Holds || out.Verdict == results.Undecided):
			out.Verdict = results.Undecided
			out.say("your table cannot tell the claim from: " + control.Name)
		}
	}
	if out.Verdict == results.Holds {
		out.say(fmt.Sprintf("%d of %d controls judge your table, and are rejected; the others measure something else",
			tried, len(k.controls)))
	}
}

// examples is the number of instances that a template chooses from.
const examples = 20

// template writes the shortest of some instances that the claim holds for, as a user would bring it.
func (c *certifier) template(slug string, fields []tensors.Field) (shortest string) {
	held := false
	for index := range examples {
		in, drawn := c.blank(), reflect.ValueOf(c.drawn(slug, index))
		for i := range drawn.NumField() {
			if drawn.Type().Field(i).IsExported() {
				reflect.ValueOf(in).Elem().Field(i).Set(drawn.Field(i))
			}
		}
		found := &Certificate{}
		c.run(found, in, 0x1p-53)
		v, ok := in.(interface{ Valid() error })
		holds := found.Verdict == results.Holds && (!ok || v.Valid() == nil)
		text := tensors.Template(slug, fields, in)
		if shortest == "" || holds && !held || holds == held && len(text) < len(shortest) {
			shortest, held = text, holds
		}
	}
	return shortest
}

// certify judges the instance in a file through one check.
func (c Claim) certify(k *certifier, file tensors.File, path string) (*Certificate, error) {
	fields, err := k.fields(c.Statement)
	if err != nil {
		return nil, err
	}
	in := k.blank()
	if err := tensors.Decode(file, in, fields); err != nil {
		return nil, err
	}
	err = k.outside(c.Statement.Params, in)
	if v, ok := in.(interface{ Valid() error }); ok && err == nil {
		err = v.Valid()
	}
	if err != nil {
		return nil, fmt.Errorf("%s says nothing about %s: %w", c.Statement.Slug, path, err)
	}
	out := &Certificate{Schema: CertificateSchema, Slug: c.Statement.Slug, Check: k.check, File: path,
		Unit: results.Number(file.Unit())}
	k.run(out, in, file.Unit())
	if name := file.Widened(); name != "" {
		out.say(fmt.Sprintf("every number of %s is one of float32: the file is judged by the unit roundoff of "+
			"float32", name))
	}
	return out, nil
}

// outside names a number of an instance that is outside the domain of its parameter.
func (c *certifier) outside(params []theory.Param, in any) error {
	var numbers theory.Statement
	args, fields := map[string]string{}, reflect.ValueOf(in).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Tag.Get("npy")
		at := slices.IndexFunc(params, func(p theory.Param) bool { return p.Name == name })
		if at >= 0 && params[at].Domain != nil && params[at].Shape == "" {
			numbers.Params = append(numbers.Params, params[at])
			args[name] = fmt.Sprint(fields.Field(i))
		}
	}
	_, err := numbers.Values(args)
	return err
}

// coarsest is the resolution beyond which numbers say nothing of the claim: a tenth of what is claimed.
const coarsest = 0.1

// blind says why numbers that agree with the claim would agree with almost any other as well; "" if they would not.
func (f finding) blind() string {
	switch {
	case f.Form == results.Equation && !(f.Epsilon <= coarsest):
		return fmt.Sprintf("%q would notice no error of the claim below %.2g of it", f.Name, f.Epsilon)
	case f.Form == results.Bound && !(f.Slack <= coarsest):
		return fmt.Sprintf("%q allows rounding %.2g of what it compares", f.Name, f.Slack)
	}
	return ""
}

// say adds a sentence to the message.
func (c *Certificate) say(sentence string) {
	if c.Message != "" {
		c.Message += "\n"
	}
	c.Message += sentence
}

// exact reports whether numbers were compared to the last bit and in no other way.
func (c *Certificate) exact() bool {
	return len(c.Criteria) > 0 && !slices.ContainsFunc(c.Criteria, func(p CertifiedResult) bool {
		return p.Form != results.Exactness && p.Form != results.YesNo
	})
}

// run judges the instance. A judge that panics on a user's numbers leaves an error.
func (c *certifier) run(out *Certificate, in any, unit float64) {
	r := &Record{unit: unit, regimes: c.regimes, detailed: true, entry: streams.New(1, "certify")}
	defer func() {
		if p := recover(); p != nil {
			out.Verdict, out.Message = results.Error, describe(p)
		}
	}()
	c.judge(r, in, "")
	out.Verdict = r.ratio().Verdict()
	for _, f := range merged(r.findings) {
		out.Regime = f.Regime
		verdict := f.Ratio.Verdict()
		if f.Declined {
			verdict = results.Worst(verdict, results.Undecided)
			out.say(fmt.Sprintf("these numbers cannot resolve the criterion %q", f.Name))
		}
		if why := f.blind(); why != "" && verdict == results.Holds {
			verdict = results.Undecided
			out.say(why + ": " + remedy(unit))
		}
		if verdict == results.Error {
			out.say(fmt.Sprintf("%q cannot be judged: %s", f.Name, undefined(f.Sides)))
		}
		out.Verdict = results.Worst(out.Verdict, verdict)
		out.Criteria = append(out.Criteria, CertifiedResult{f.Name, verdict, f.Form, results.Number(f.Ratio.Value),
			results.Number(f.Epsilon), f.Sides})
	}
	out.Measured = append(append([]results.Measurement{}, r.measured...), r.largest...)
	if out.Verdict == results.Refuted {
		for _, wrong := range c.wrong {
			if c.agrees(in, unit, wrong) {
				out.say("your numbers agree with: " + wrong)
			}
		}
	}
	if len(r.findings) == 0 {
		out.Verdict, out.Message = results.Error, "the judge states no criterion"
	}
}

// undefined says why a comparison of a user's numbers has no result.
func undefined(s *results.Sides) string {
	finite := func(x results.Number) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
	switch {
	case s == nil:
		return "the claim is not defined for these numbers"
	case !finite(s.Claimed) || !finite(s.Obtained):
		return "what it compares is no finite number; they may violate an assumption, or be too large"
	case s.Allowed == 0:
		return "its tolerance is 0; bring numbers that are not all zero"
	}
	return "its tolerance is no finite number; they may be too large"
}

// agrees reports whether numbers agree with a wrong version of the claim, and could have disagreed. One that is not
// defined on them does not.
func (c *certifier) agrees(in any, unit float64, wrong string) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	r := &Record{unit: unit, regimes: c.regimes, detailed: true, entry: streams.New(1, "certify")}
	c.judge(r, in, wrong)
	return len(r.findings) > 0 && r.ratio().Verdict() == results.Holds &&
		!slices.ContainsFunc(r.findings, func(f finding) bool { return f.Declined || f.blind() != "" })
}

// remedy says how numbers of the given unit roundoff could become more conclusive.
func remedy(unit float64) string {
	if unit > 0x1p-53 {
		return "compute and save the numbers in float64, or take a longer step"
	}
	return "bring numbers that are not all zero, or a longer step"
}
