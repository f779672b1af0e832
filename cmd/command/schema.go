package command

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/bench/record"
	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/props/recorded"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/conformance"
	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/reports/soak"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// jsonForm is a form of JSON that a command writes.
type jsonForm struct {
	name   string // in its field schema
	by     string // the command that writes it
	schema func() ([]byte, error)
}

// jsonForms lists all, in the order of the commands.
func jsonForms() []jsonForm {
	out := []jsonForm{
		{results.SchemaName, "results.json; check, merge and publish with --json",
			func() ([]byte, error) { return reports.Schema(), nil }},
		typed[planned]("thm.plan/v1", "check --dry-run --json"),
		typed[console.ProgressLine]("thm.progress/v1", "check --progress json, on each line"),
		typed[catalogue]("thm.list/v1", "list --json"),
		typed[shown]("thm.show/v1", "show --json"),
		typed[prediction]("thm.predict/v1", "predict --json"),
		typed[props.Simulated](props.SimulationSchema, "try --json"),
		typed[props.Certificate](props.CertificateSchema, "certify SLUG --json"),
		typed[recorded.Result](recorded.Schema, "certificate.json of a recording; certify RUN --json"),
		typed[recorded.Observations](recorded.ObservationSchema, "observations.json; observe --json"),
		typed[recorded.Index](recorded.RecordingSchema, "index.json of a recording: record --python"),
		typed[runs.Diff](runs.DiffSchema, "diff --json"),
		typed[soak.Summary](soak.Schema, "soak.json; soak --json"),
		typed[runs.Track](runs.TrackSchema, "bench track claims --json"),
		typed[experiment.Result](experiment.SchemaName, "results.json of an experiment; experiment --json"),
		typed[conformance.Report]("thm.kernels/v1", "kernels --json"),
		typed[conformance.Listing]("thm.kernels.list/v1", "kernels --list --json"),
		typed[version]("thm.version/v1", "version --json"),
	}
	for _, name := range record.SchemaNames {
		out = append(out, jsonForm{name, "bench; see thm bench --help",
			func() ([]byte, error) { return record.SchemaOf(name), nil }})
	}
	return out
}

// typed returns the schema of a type.
func typed[T any](name, by string) jsonForm {
	return jsonForm{name, by, func() ([]byte, error) {
		s, err := schemaOf(reflect.TypeFor[T]())
		if err != nil {
			return nil, err
		}
		s.Schema = "https://json-schema.org/draft/2020-12/schema"
		s.Title = name
		s.Properties["schema"].Const = jsonschema.Ptr(any(name))
		return json.MarshalIndent(s, "", "  ")
	}}
}

// schemaOf follows from the fields of a type. What occurs in results, such as rows and figures, is defined as there.
func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	var published jsonschema.Schema
	if err := json.Unmarshal(reports.Schema(), &published); err != nil {
		return nil, err
	}
	shared := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[results.Number]():  published.Defs["number"],
	}
	for name, t := range map[string]reflect.Type{"claim": reflect.TypeFor[results.Claim](),
		"figure": reflect.TypeFor[props.Figure](), "measurement": reflect.TypeFor[results.Measurement]()} {
		shared[t] = &jsonschema.Schema{Ref: "#/$defs/" + name}
	}
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: shared})
	if err != nil {
		return nil, err
	}
	for _, field := range s.Properties {
		orNull(field)
	}
	s.Defs = published.Defs
	return s, nil
}

// orNull lets a pointer to a type that is defined elsewhere be null; the library would require both at once.
func orNull(s *jsonschema.Schema) {
	if s.Ref != "" && s.Types != nil {
		*s = jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Ref: s.Ref}, {Type: "null"}}}
	}
}

func (p *program) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of a command's output",
		Long: `Print the JSON Schema (draft 2020-12) for the NAME that a document has in its field
"schema", or list all names. The name changes whenever a program written for the old
form could be misled.`,
		Example: "  thm schema\n  thm schema thm.predict/v1 >predict.schema.json",
		Args:    cli.Args(0, 1, "at most one name"),
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			for _, d := range jsonForms() {
				names = append(names, d.name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, words []string) error {
			if len(words) == 0 {
				return p.Print(listForms())
			}
			for _, d := range jsonForms() {
				if d.name == words[0] {
					text, err := d.schema()
					if err != nil {
						return err
					}
					return p.Print(strings.TrimSuffix(string(text), "\n") + "\n")
				}
			}
			return fmt.Errorf("no document is called %q; thm schema lists the names", words[0])
		},
	}
}

func listForms() string {
	var b strings.Builder
	for _, d := range jsonForms() {
		fmt.Fprintf(&b, "%-22s %s\n", d.name, d.by)
	}
	return b.String()
}
