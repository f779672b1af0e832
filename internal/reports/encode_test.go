package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

func encoded(t testing.TB, r *results.Results) []byte {
	b, err := Encode(r)
	require.NoError(t, err)
	return b
}

// TestRoundTrip asks that decoding what was encoded and encoding it again gives the same bytes.
func TestRoundTrip(t *testing.T) {
	small := &results.Results{Schema: results.SchemaName, Run: results.Run{Effort: props.Quick, Shard: "1/1"}}
	small.Claims = []results.Claim{{ID: "a/b", Kind: string(theory.Identity), Standing: string(theory.Theorem)}}
	small.Manifest.Planned = []string{"a/b"}
	for _, r := range []*results.Results{sample().Results, green().Results, small} {
		r.Conclude()
		b := encoded(t, r)
		again, err := Decode("sample", b)
		require.NoError(t, err)
		require.Equal(t, string(b), string(encoded(t, again)))
		require.True(t, bytes.HasSuffix(b, []byte("}\n")))
	}
}

// randomResults draws results as the engine could produce them, with every kind of number.
func randomResults(t *rapid.T) *results.Results {
	text := rapid.String()
	oneOf := func(label string, names ...string) string { return rapid.SampledFrom(names).Draw(t, label) }
	real := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0,
		math.Copysign(0, -1), 5e-324, math.MaxFloat64}))
	number := func() results.Number { return results.Number(real.Draw(t, "number")) }
	size := func() results.Number { return results.Number(math.Abs(real.Draw(t, "size"))) }
	share := func() results.Number { return results.Number(rapid.Float64Range(0, 1).Draw(t, "share")) }
	numbers := func() []float64 { return rapid.SliceOfN(real, 0, 4).Draw(t, "numbers") }
	pointer := func() *results.Number {
		if rapid.Bool().Draw(t, "absent") {
			return nil
		}
		n := number()
		return &n
	}
	times := func() int { return rapid.IntRange(0, 2).Draw(t, "times") }
	count := func() results.Count {
		planned := rapid.IntRange(0, 1<<40).Draw(t, "planned")
		return results.Count{Planned: planned, Run: rapid.IntRange(0, planned).Draw(t, "run")}
	}
	r := &results.Results{Schema: results.SchemaName,
		Tool: results.Tool{Version: text.Draw(t, "version"), CPU: text.Draw(t, "cpu")}}
	r.Run = results.Run{Effort: rapid.SampledFrom(results.Efforts).Draw(t, "effort"),
		Seed:        rapid.Uint64().Draw(t, "seed"),
		Jobs:        rapid.IntRange(0, 99).Draw(t, "jobs"),
		Started:     time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "started"), 0).UTC(),
		WallSeconds: rapid.Float64Range(0, 1e9).Draw(t, "wall"), Shard: "2/3",
		Interrupted: rapid.Bool().Draw(t, "interrupted")}
	for i := range 1 + times() {
		c := results.Claim{ID: fmt.Sprintf("a%d/b", i), Title: text.Draw(t, "title"),
			Kind:           oneOf("kind", string(theory.Identity), string(theory.Impossibility)),
			Standing:       oneOf("standing", string(theory.Theorem), string(theory.Finding)),
			Counterexample: text.Draw(t, "counterexample"), Seconds: rapid.Float64Range(0, 1e9).Draw(t, "seconds")}
		for range times() {
			check := text.Draw(t, "check")
			c.Checks = append(c.Checks, results.Check{Name: check, Cases: count(),
				Broken: rapid.Bool().Draw(t, "broken"), Message: text.Draw(t, "message")})
			c.Criteria = append(c.Criteria, results.Criterion{Check: check,
				Alpha: rapid.Float64Range(0, 1).Draw(t, "alpha"), Margin: number(), Detects: number(), Needs: number(),
				Form: rapid.SampledFrom([]results.Form{results.Equation, results.Bound, results.YesNo}).Draw(t, "form"),
				Unit: rapid.SampledFrom([]results.Unit{results.Exact, results.Relative, results.Exponent,
					results.Absolute, results.Parameter, results.Share, results.Whole}).Draw(t, "unit"),
				Regimes: []results.Regime{{Ratio: size(), Lower: size(), Median: size(), Near: size()}}})
			seen := rapid.IntRange(0, 1000).Draw(t, "seen")
			c.Controls = append(c.Controls, results.Control{Name: text.Draw(t, "control"),
				Erratum: text.Draw(t, "erratum"), Fraction: share(), Ratio: size(),
				Replicates: rapid.IntRange(0, 15).Draw(t, "replicates"), Cases: seen + rapid.IntRange(0, 1000).Draw(t, "cases"),
				Seen: seen, Reserve: size(), Fixed: rapid.Bool().Draw(t, "fixed")})
			c.Errata = append(c.Errata, results.Erratum{Evidence: text.Draw(t, "evidence")})
			c.Measurements = append(c.Measurements,
				results.Measurement{Name: text.Draw(t, "measurement"), Value: number(),
					Lo: pointer(), Hi: pointer(), Claimed: pointer()})
		}
		for k := range times() {
			id := fmt.Sprintf("f%d", k)
			style := rapid.SampledFrom([]figure.Style{figure.Points, figure.Line, figure.Dashed, figure.Band,
				figure.Bars})
			c.Figures = append(c.Figures, figure.Figure{ID: id, Title: "title " + text.Draw(t, "figure"),
				Caption: "caption",
				Kind:    rapid.SampledFrom([]figure.Kind{"", figure.Ratios}).Draw(t, "kind"),
				X:       figure.Axis{Log: rapid.Bool().Draw(t, "log")}, Y: figure.Axis{Log: rapid.Bool().Draw(t, "log")},
				Curves: []figure.Curve{{Style: style.Draw(t, "style"), X: numbers(), Y: numbers(), Lo: numbers(),
					Hi: numbers()}}}, figure.Figure{ID: id + "-heat", Title: "title", Caption: "caption",
				Z:      figure.Axis{Label: text.Draw(t, "scale")},
				Curves: []figure.Curve{figure.HeatMap("heat", 2, 3, func(int, int) float64 { return float64(number()) })}})
		}
		r.Claims, r.Manifest.Planned = append(r.Claims, c), append(r.Manifest.Planned, c.ID)
	}
	r.Conclude()
	return r
}

// TestEveryResultEncodes draws results and asks that they fit the schema, survive the trip, and render.
func TestEveryResultEncodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := randomResults(t)
		b, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode("drawn", b)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := Encode(again); err != nil || !bytes.Equal(b, c) {
			t.Fatalf("encoding twice differs: %v", err)
		}
		site := Site{Results: again}
		page, err := HTML(site)
		if err != nil {
			t.Fatal(err)
		}
		if complaints := structure(page); len(complaints) > 0 {
			t.Fatal(complaints)
		}
		if err := wellFormedXML(must(JUnit(site))); err != nil {
			t.Fatal(err)
		}
		must(Markdown(site))
	})
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// contradicts is the text that an error adds to a path; it does not say which value would pass there.
const contradicts = "disagrees with the rest of the file; run thm check again"

// TestRefused lists documents that are not results, with the errors.
func TestRefused(t *testing.T) {
	good := string(encoded(t, sample().Results))
	replace := func(old, new string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, new, 1)
	}
	for document, want := range map[string]string{
		"":     "line 1: expected a JSON document, found an empty file",
		"null": "document: expected an object, found null",
		"[]":   "document: expected an object, found an array of 0",
		"{}":   "schema: expected this field, found none",
		"\xff": "not a results file: expected JSON in UTF-8",
		good[:len(good)/2]: fmt.Sprintf("line %d: expected JSON: unexpected end of JSON input",
			1+strings.Count(good[:len(good)/2], "\n")),
		good + "x": fmt.Sprintf(
			"line %d: expected JSON: invalid character 'x' after top-level value", 1+strings.Count(good, "\n")),
		`{"schema": "thm.results/v2"}`: `schema: expected "thm.results/v5", the ` +
			`version that this program reads, found "thm.results/v2"`,
		replace(`"seed": 1`, `"seed": -1`): "manifest.seed: expected an integer that is at " +
			"least 0, found -1",
		replace(`"seed": 1`, `"seed": 1.5`): "manifest.seed: expected an integer that is at " +
			"least 0, found 1.5",
		replace(`"seed": 1`, `"seed": 1, "seed": 2`): "manifest.seed: expected one field of this " +
			"name, found two",
		replace(`"seed": 1`, `"seed": 1, "speed": 2`): "manifest.speed: expected no such field",
		replace(`"seed": 1`, `"seed": 1, "a b\n": 2`): `manifest["a b\n"]: expected no such field`,
		replace(`"seed": 1`, `"seed": 18446744073709551616`): "manifest.seed: expected uint64, found number " +
			"18446744073709551616",
		replace(`"jobs": 2`, `"jobs": 2.0`): "run.jobs: expected int, found number 2.0",
		replace(`"wall_seconds": 83.25`, `"wall_seconds": 1e999`): "line 37: expected a number within the " +
			"range of float64, found number 1e999",
		replace(`"wall_seconds": 83.25`, `"wall_seconds": "NaN"`): `run.wall_seconds: expected a number that ` +
			`is at least 0, found "NaN"`,
		replace(`"started": "2026-10-01`, `"started": "2026-13-01`): `run.started: expected a string with a ` +
			`date and time as in 2006-01-02T15:04:05Z, found "2026-13-01T12:30:00Z"`,
		replace(`"shard": "1/1"`, `"shard": "0/1"`): `run.shard: expected a string that matches ` +
			`^[1-9][0-9]*/[1-9][0-9]*$, found "0/1"`,
		replace(`"effort": "standard"`, `"effort": "Standard"`): `manifest.effort: expected one of quick, ` +
			`standard, deep, found "Standard"`,
		replace(`"interrupted": false`, `"interrupted": 0`): "run.interrupted: expected true or false, " +
			"found 0",
		replace(`"worst_ratio": 0.61`, `"worst_ratio": "nan"`): `claims[0].worst_ratio: expected a number ` +
			`that is at least 0 or a string that matches ^(NaN|Infinity)$, found "nan"`,
		replace(`"worst_ratio": 0.61`, `"worst_ratio": null`): "claims[0].worst_ratio: expected a number " +
			"that is at least 0 or a string that matches ^(NaN|Infinity)$, found null",
		replace(`"margin": 0.05`, `"margin": "nan"`): `claims[0].criteria[2].margin: expected a number ` +
			`or a string that matches ^(NaN|Infinity|-Infinity)$, found "nan"`,
		replace(`"alpha": 0`, `"alpha": "NaN"`): `claims[0].criteria[0].alpha: expected a ` +
			`number from 0 to 1, found "NaN"`,
		replace(`"id": "alpha/residual"`, `"id": "<script>"`): `claims[0].id: expected a string that ` +
			`matches ^[a-z0-9][a-z0-9_-]*/[a-z0-9][a-z0-9_-]*$, found "<script>"`,
		replace(`"id": "alpha/residual"`, `"id": "alpha/order"`): "claims[1].id: expected every claim once, " +
			"found alpha/order twice",
		replace(`"id": "ratios-identity"`, `"id": "order"`): `claims[0].figures[1].id: expected an id ` +
			`of its own, found "order" twice in alpha/residual`,
		replace(`"holds": 2`, `"holds": 3`):   "summary.verdicts.holds: " + contradicts,
		replace(`"run": 4811`, `"run": 4812`): "summary.cases.run: " + contradicts,
		replace(`"title": "Gram`, `"Title": "Gram`): "claims[0].title: expected this field, " +
			"found none",
		replace(`"style": "points"`, `"style": "`+strings.Repeat("x",
			99)+`"`): `claims[0].figures[1].curves[0].style: expected one of points, line, dashed, band, bars, heat, found "` +
			strings.Repeat("x", 40) + `…"`,
	} {
		_, err := Decode("file.json", []byte(document))
		require.EqualError(t, err, "file.json: "+want)
		require.NotContains(t, err.Error(), "\n")
	}
}

// TestEncodeRefuses asks that Encode never writes what Decode refuses.
func TestEncodeRefuses(t *testing.T) {
	for name, poison := range map[string]func(*results.Results){
		"encoding results: run.effort":        func(r *results.Results) { r.Run.Effort = "" },
		"encoding results: claims[0].verdict": func(r *results.Results) { r.Claims[0].Verdict = "green" },
		"encoding results: claims[0].figures[0]: expected a value for each": func(r *results.Results) {
			r.Claims[0].Figures[0].Curves[0] = figure.Curve{Style: figure.Heat, X: []float64{1}, Y: []float64{1}}
		},
		"encoding results: claims[0].figures[0].kind": func(r *results.Results) { r.Claims[0].Figures[0].Kind = "x" },
		"encoding results: summary":                   func(r *results.Results) { r.Summary.Cases.Run++ },
		"encoding results: json: unsupported value":   func(r *results.Results) { r.Claims[0].Seconds = math.NaN() },
	} {
		r := sample().Results
		poison(r)
		b, err := Encode(r)
		require.ErrorContains(t, err, name)
		require.Empty(t, b)
	}
}

// TestContradictions changes results by hand, and asks that they are refused with the path to the change.
func TestContradictions(t *testing.T) {
	whole := encoded(t, sample().Results)
	for name, c := range map[string]struct {
		edit func(*results.Results)
		want string
	}{
		"a refuted claim that holds": {func(r *results.Results) {
			r.Claims[2].Verdict = results.Holds
			r.Summarise()
		}, "claims[2].verdict"},
		"a criterion that holds": {func(r *results.Results) { r.Claims[2].Criteria[1].Verdict = results.Holds },
			"claims[2].criteria[1].verdict"},
		"a ratio of 55": {func(r *results.Results) { r.Claims[0].Criteria[1].Ratio = 55 },
			"claims[0].criteria[1].ratio"},
		"a ratio of 55 in a regime": {func(r *results.Results) { r.Claims[0].Criteria[1].Regimes[0].Ratio = 55 },
			"claims[0].criteria[1].ratio"},
		"a criterion taken out": {func(r *results.Results) { r.Claims[0].Criteria = r.Claims[0].Criteria[:2] },
			"claims[0].resolution"},
		"a check taken out": {func(r *results.Results) { r.Claims[0].Checks = r.Claims[0].Checks[1:] },
			"claims[0].cases.planned"},
		"more cases": {func(r *results.Results) { r.Claims[0].Cases.Run++ },
			"claims[0].cases.run"},
		"a control rejected": {func(r *results.Results) { r.Claims[2].Controls[1].Rejected = true },
			"claims[2].controls[1].rejected"},
		"controls taken out": {func(r *results.Results) { r.Claims[1].Controls = nil },
			"claims[1].criteria[0].controls"},
		"an erratum taken out": {func(r *results.Results) { r.Claims[0].Errata = nil },
			"claims[0].errata"},
		"another seed": {func(r *results.Results) { r.Run.Seed++ },
			"manifest.seed"},
		"another title": {func(r *results.Results) { r.Claims[0].Title = "Better" },
			"manifest.digest"},
		"a curve moved": {func(r *results.Results) { r.Claims[0].Figures[0].Curves[0].Y[0]++ },
			"manifest.digest"},
	} {
		r, err := Decode("sample", whole)
		require.NoError(t, err)
		c.edit(r)
		b, err := json.Marshal(r.Tidy())
		require.NoError(t, err)
		_, err = Decode("file.json", b)
		require.EqualError(t, err, "file.json: "+c.want+": "+contradicts, name)
	}
}

// TestForgeries edits a file with care: whatever follows from the edit is derived again, the counts and the digest too.
func TestForgeries(t *testing.T) {
	whole := encoded(t, sample().Results)
	for name, c := range map[string]struct {
		edit func(*results.Results)
		want string
	}{
		"a claim deleted": {func(r *results.Results) { r.Claims = slices.Delete(r.Claims, 2, 3) },
			`manifest.planned[2]: "beta/spectrum" was planned and has no row; run thm check again`},
		"a claim renamed": {func(r *results.Results) { r.Claims[2].ID = "beta/other" },
			`manifest.planned[2]: "beta/spectrum" was planned and has no row; run thm check again`},
		"a claim that nobody planned": {func(r *results.Results) {
			r.Manifest.Planned = slices.Delete(r.Manifest.Planned, 2, 3)
		}, "claims[2].id: beta/spectrum was not planned; run thm check again"},
		"a claim planned twice": {func(r *results.Results) { r.Manifest.Planned[1] = r.Manifest.Planned[0] },
			`manifest.planned[1]: expected every claim once, found "alpha/residual" twice`},
		"nothing planned": {func(r *results.Results) { r.Manifest.Planned = nil },
			"manifest.planned: expected an array of at least 1 item, found an array of 0"},
		"neither planned nor there": {func(r *results.Results) { r.Manifest.Planned, r.Claims = nil, nil },
			"manifest.planned: expected an array of at least 1 item, found an array of 0"},
		"a coverage below 0": {func(r *results.Results) { r.Calibration[0].Measured = -1 },
			"calibration[0].measured: expected a number from 0 to 1, found -1"},
		"a coverage above 1": {func(r *results.Results) { r.Calibration[0].Measured = 2.9 },
			"calibration[0].measured: expected a number from 0 to 1, found 2.9"},
		"a coverage that is none": {func(r *results.Results) { r.Calibration[1].Nominal = results.Number(math.NaN()) },
			`calibration[1].nominal: expected a number from 0 to 1, found "NaN"`},
		"no number of runs": {func(r *results.Results) { r.Calibration[0].Runs = -1 },
			"calibration[0].runs: expected an integer from 0 to 9007199254740991, found -1"},
		"more replicates than all": {func(r *results.Results) { r.Claims[0].Controls[0].Fraction = 1.5 },
			"claims[0].controls[0].fraction: expected a number from 0 to 1 or a string that matches ^NaN$, found 1.5"},
		"a negative ratio": {func(r *results.Results) { r.Claims[0].Criteria[0].Regimes[0].Ratio = -1 },
			"claims[0].criteria[0].regimes[0].ratio: expected a number that is at least 0 or a string that matches " +
				"^(NaN|Infinity)$, found -1"},
		"a negative infinity": {func(r *results.Results) {
			r.Claims[0].Controls[0].Ratio = results.Number(math.Inf(-1))
		}, `claims[0].controls[0].ratio: expected a number that is at least 0 or a string that matches ` +
			`^(NaN|Infinity)$, found "-Infinity"`},
		"a negative number of cases": {func(r *results.Results) { r.Claims[0].Checks[0].Cases.Run = -1 },
			"claims[0].cases.run: expected an integer from 0 to 9007199254740991, found -1"},
		"more cases than planned": {func(r *results.Results) { r.Claims[0].Checks[0].Cases.Run++ },
			"claims[0].checks[0].cases.run: more than there are; run thm check again"},
		"more declined than drawn": {func(r *results.Results) {
			g := &r.Claims[0].Criteria[0].Regimes[0]
			g.Declined, g.MayDecline = g.Cases+1, g.Cases+1
		}, "claims[0].criteria[0].regimes[0].declined: more than there are; run thm check again"},
		"more cases that see it than all": {func(r *results.Results) { r.Claims[0].Controls[0].Seen = 12601 },
			"claims[0].controls[0].seen: more than there are; run thm check again"},
	} {
		r, err := Decode("sample", whole)
		require.NoError(t, err)
		c.edit(r)
		r.Conclude()
		b, err := json.Marshal(r.Tidy())
		require.NoError(t, err)
		_, err = Decode("file.json", b)
		require.EqualError(t, err, "file.json: "+c.want, name)
	}
}

// mutate calls try with every document that differs from the given one in one place, and says where. Of the items of
// an array, which have one schema, it takes the first and the last.
func mutate(node any, path string, replace func(any), try func(where string)) {
	for _, other := range []any{nil, true, "x", 1.5, -1.0, []any{}, map[string]any{}} {
		replace(other)
		try(path)
	}
	replace(node)
	switch v := node.(type) {
	case []any:
		for i, item := range v {
			mutate(item, index(path, i), func(x any) { v[i] = x }, try)
		}
	case map[string]any:
		v["stray"] = 1.0
		try(field(path, "stray"))
		delete(v, "stray")
		for _, name := range slices.Sorted(maps.Keys(v)) {
			item := v[name]
			delete(v, name)
			try(field(path, name))
			v[name] = item
			mutate(item, field(path, name), func(x any) { v[name] = x }, try)
		}
	}
}

// ends leaves of every list the first and the last item.
func ends(node any) any {
	switch v := node.(type) {
	case []any:
		if len(v) > 2 {
			v = []any{v[0], v[len(v)-1]}
		}
		for i := range v {
			v[i] = ends(v[i])
		}
		return v
	case map[string]any:
		for name := range v {
			v[name] = ends(v[name])
		}
	}
	return node
}

// TestMutations changes a valid document in one place at a time and asks that the library and explain agree on whether
// it still fits, and that explain points at the place.
func TestMutations(t *testing.T) {
	var document any
	require.NoError(t, json.Unmarshal(encoded(t, green().Results), &document))
	document = ends(document)
	schema, resolved := resultsSchema()
	require.NoError(t, resolved.Validate(document))
	refused := 0
	mutate(document, "", func(x any) {
		if m, ok := x.(map[string]any); ok && len(m) > 0 {
			document = m
		} else {
			document = x
		}
	}, func(where string) {
		fits, err := resolved.Validate(document), explain(schema, schema, document, "")
		if where != "run.started" { // explain also reads dates
			require.Equal(t, fits == nil, err == nil, "%s: library %v, explain %v", where, fits, err)
		}
		if err != nil {
			refused++
			at, _, _ := strings.Cut(err.Error(), ": ")
			require.True(t, where == "" || strings.HasPrefix(at, where), "changed %s, error %v", where, err)
		}
	})
	require.Greater(t, refused, 1500)
}

// TestSchemaMatchesTypes asks that the schema and the Go types name the same fields, and require the same.
func TestSchemaMatchesTypes(t *testing.T) {
	root, _ := resultsSchema()
	var compare func(reflect.Type, *jsonschema.Schema, string)
	compare = func(goType reflect.Type, s *jsonschema.Schema, path string) {
		for s.Ref != "" {
			s = root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
		}
		switch {
		case goType.Kind() == reflect.Pointer:
			compare(goType.Elem(), s, path)
		case goType.Kind() == reflect.Slice:
			require.NotNil(t, s.Items, path)
			compare(goType.Elem(), s.Items, path+"[]")
		case goType == reflect.TypeFor[time.Time]():
			require.Equal(t, "date-time", s.Format, path)
		case goType.Kind() == reflect.Struct:
			var names, required []string
			for i := range goType.NumField() {
				f := goType.Field(i)
				name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" || !f.IsExported() {
					continue
				}
				names = append(names, name)
				if !strings.Contains(options, "omit") {
					required = append(required, name)
				}
				require.Contains(t, s.Properties, name, path)
				compare(f.Type, s.Properties[name], path+"."+name)
			}
			require.ElementsMatch(t, names, slices.Collect(maps.Keys(s.Properties)), path)
			require.ElementsMatch(t, required, s.Required, path)
			require.NotNil(t, s.AdditionalProperties, path)
		}
	}
	compare(reflect.TypeFor[results.Results](), root, "")
}

func TestSchemaIsPublished(t *testing.T) {
	b := Schema()
	b[0] = 'x' // a copy
	require.True(t, json.Valid(Schema()))
	require.Contains(t, string(Schema()), `"const": "`+results.SchemaName+`"`)
}

// FuzzDecode asks that any input is either refused in one line or read without loss.
func FuzzDecode(f *testing.F) {
	small := green().Results // large seeds make fuzzing slow
	small.Claims, small.Manifest.Planned = small.Claims[1:], small.Manifest.Planned[1:]
	small.Conclude()
	f.Add(encoded(f, small))
	f.Add([]byte(`{"schema":"thm.results/v5"}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Decode("input", b)
		if err != nil {
			require.Nil(t, r)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		first := encoded(t, r)
		again, err := Decode("again", first)
		require.NoError(t, err)
		require.Equal(t, string(first), string(encoded(t, again)))
	})
}
