package conformance

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/console"
	"github.com/thm-suite/thm/internal/strictjson"
	"github.com/thm-suite/thm/internal/stylesheet"
	"github.com/thm-suite/thm/props/kernelkit"
)

// Files names the files of a report that the owner of a kernel publishes; an empty name leaves one out.
type Files struct{ JUnit, Page, Badge, Reproducers string }

// Write writes the files. The command is the one that made the report.
func (r Report) Write(f Files, command string) error {
	for _, file := range []struct {
		name string
		text func() ([]byte, error)
	}{
		{f.JUnit, r.junit},
		{f.Page, func() ([]byte, error) { return r.page(command) }},
		{f.Badge, func() ([]byte, error) { return []byte(r.badge()), nil }},
	} {
		if file.name == "" {
			continue
		}
		b, err := file.text()
		if err == nil {
			err = atomicfile.Write(file.name, b)
		}
		if err != nil {
			return err
		}
	}
	if f.Reproducers == "" {
		return nil
	}
	if err := os.MkdirAll(f.Reproducers, 0o755); err != nil {
		return err
	}
	for _, k := range r.Kernels {
		for _, c := range k.Result.Checks {
			if c.Reproducer == "" {
				continue
			}
			file := filepath.Join(f.Reproducers, programName(k.Result.Kernel, c))
			if err := atomicfile.Write(file, []byte(c.Reproducer)); err != nil {
				return err
			}
		}
	}
	b, err := json.MarshalIndent(r.findings(), "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(f.Reproducers, "findings.json"), append(b, '\n'))
}

// findings returns the report without the checks that hold, and with the names of programs in place of their texts.
func (r Report) findings() Report {
	out := Report{Schema: r.Schema}
	for _, k := range r.Kernels {
		result := *k.Result
		result.Checks = nil
		for _, c := range k.Result.Checks {
			if c.Verdict == kernelkit.Holds || c.Verdict == kernelkit.NotOffered {
				continue
			}
			if c.Reproducer != "" {
				c.Reproducer = programName(result.Kernel, c)
			}
			result.Checks = append(result.Checks, c)
		}
		if k.Result = &result; len(result.Checks) > 0 {
			out.Kernels = append(out.Kernels, k)
		}
	}
	return out
}

// FindingsFile is the published file of the findings in kernels of others.
const FindingsFile = "reports/published/findings/findings.json"

// FindingsTable returns the table of the published findings, with a row for each.
func FindingsTable(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, FindingsFile))
	if err != nil {
		return "", err
	}
	var r Report
	if err := strictjson.Decode(b, &r); err != nil {
		return "", fmt.Errorf("%s: %w", FindingsFile, err)
	}
	var t strings.Builder
	t.WriteString("\n| kernel | version | check | finding | program |\n| --- | --- | --- | --- | --- |\n")
	for _, k := range r.Kernels {
		version, _, _ := strings.Cut(k.Config, ",")
		if words := strings.Fields(version); len(words) > 2 {
			version = strings.Join(words[:2], " ")
		}
		for _, c := range k.Result.Checks {
			reason, program := c.Doc, ""
			if c.Waiver != nil {
				reason = c.Waiver.Reason
			}
			if c.Reproducer != "" {
				program = fmt.Sprintf("[%s](../%s/%s)", filepath.Ext(c.Reproducer)[1:], filepath.Dir(FindingsFile), c.Reproducer)
			}
			fmt.Fprintf(&t, "| %s | %s | %s | %s | %s |\n", k.Result.Kernel, version, c.Check, reason, program)
		}
	}
	return t.String() + "\n", nil
}

// programName returns the name of the file of a program that reproduces a failure.
func programName(kernel string, c kernelkit.CheckResult) string {
	end := ".c"
	if strings.Contains(c.Reproducer, "\npackage main\n") {
		end = ".go"
	}
	return strings.NewReplacer(" ", "-", "/", "-").Replace(kernel+"-"+c.Check) + end
}

// ReadWaivers reads a list of waivers from a file of JSON.
func ReadWaivers(file string) ([]kernelkit.Waiver, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []kernelkit.Waiver
	if err := strictjson.Decode(b, &list); err != nil {
		return nil, fmt.Errorf(`%s: %w; want a list like [{"kernel": "mine", "check": "gemm/alpha zero", "reason": "…", `+
			`"expires": "2027-06-30"}]`, file, err)
	}
	return list, nil
}

// junit returns a suite for each kernel and a case for each check. Waived checks, and checks of routines that the
// kernel does not offer, are skipped with the reason; an invalid waiver is a failure of its own.
func (r Report) junit() ([]byte, error) {
	all := reports.JUnitSuites{Name: "thm kernels"}
	for _, k := range r.Kernels {
		s := &reports.JUnitSuite{Name: k.Result.Kernel}
		for _, c := range k.Result.Checks {
			row := reports.JUnitCase{Class: k.Result.Kernel, Name: c.Check}
			words := &reports.JUnitOutcome{Message: c.Doc,
				Text: strings.Join([]string{c.Message, c.Counterexample, c.Reproducer}, "\n")}
			switch c.Verdict {
			case kernelkit.Failed:
				row.Failure = words
			case kernelkit.Error, kernelkit.Incomplete:
				row.Error = words
			case kernelkit.NotOffered:
				row.Skipped = &reports.JUnitOutcome{Message: "not offered"}
			case kernelkit.Waived:
				words.Message = "waived until " + c.Waiver.Expires + ": " + c.Waiver.Reason
				row.Skipped = words
			}
			s.Cases = append(s.Cases, row)
		}
		for _, complaint := range k.Result.Complaints {
			s.Cases = append(s.Cases, reports.JUnitCase{Class: k.Result.Kernel, Name: "waivers",
				Failure: &reports.JUnitOutcome{Message: complaint}})
		}
		all.Suites = append(all.Suites, s)
	}
	return all.Encode()
}

// badge says how many of the checks that apply hold, of all kernels.
func (r Report) badge() string {
	holds, all, ok := 0, 0, len(r.Kernels) > 0
	for _, k := range r.Kernels {
		holds += k.Result.Counts[kernelkit.Holds]
		all += len(k.Result.Checks) - k.Result.Counts[kernelkit.NotOffered]
		ok = ok && k.Result.OK()
	}
	color := draw.Passed
	if !ok {
		color = draw.Broken
	}
	return draw.Badge("thm kernels", fmt.Sprintf("%d of %d checks", holds, all), color)
}

//go:embed templates/kernels.html
var pageText string

var pageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"counts":  counts,
	"cases":   console.Count,
	"ratio":   func(c kernelkit.CheckResult) string { return fmt.Sprintf("%.3g", float64(c.Ratio)) },
	"program": programName,
	"lines":   func(text string) int { return strings.Count(text, "\n") },
}).Parse(pageText))

// page returns the report as one self-contained file.
func (r Report) page(command string) ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{"Report": r, "Command": command, "CSS": template.CSS(stylesheet.CSS()),
		"Badge": template.HTML(r.badge())})
	return b.Bytes(), err
}
