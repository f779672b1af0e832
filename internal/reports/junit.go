package reports

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/thm-suite/thm/props/results"
)

// The elements of a JUnit file, as CI services read them.
type junitSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Errors   int           `xml:"errors,attr"`
	Skipped  int           `xml:"skipped,attr"`
	Time     string        `xml:"time,attr"`
	Suites   []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`

	seconds float64
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit returns the report as JUnit XML: a suite per source; a case for the verdict of each claim, and one for each
// of its conditions, wrong versions and printed errors. What is refuted, and a wrong version that is not rejected, is
// a failure; what is undecided, incomplete or broken is an error. Only a statement that was not part of the run is
// skipped.
func JUnit(s Site) ([]byte, error) {
	all := junitSuites{Name: "thm", Time: seconds(s.Results.Run.WallSeconds)}
	byName := map[string]*junitSuite{}
	for _, e := range s.entries() {
		name, _, _ := strings.Cut(e.slug(), "/")
		suite := byName[name]
		if suite == nil {
			suite = &junitSuite{Name: name, Timestamp: s.Results.Run.Started.UTC().Format(time.RFC3339)}
			byName[name] = suite
			all.Suites = append(all.Suites, suite)
		}
		suite.add(e)
	}
	for _, suite := range all.Suites {
		suite.Time = seconds(suite.seconds)
		suite.count()
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Skipped += suite.Skipped
	}
	b, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(b, '\n')...), nil
}

func seconds(x float64) string { return fmt.Sprintf("%.3f", x) }

// add writes the cases of one claim. The run measures time per claim only, so the verdict carries all of it.
func (suite *junitSuite) add(e entry) {
	test := func(name string) *junitCase {
		suite.Cases = append(suite.Cases, junitCase{Class: e.slug(), Name: name, Time: seconds(0)})
		return &suite.Cases[len(suite.Cases)-1]
	}
	verdict := test("verdict")
	if e.result == nil {
		verdict.Skipped = &junitOutcome{Message: "not part of this run"}
		return
	}
	c := e.result
	suite.seconds += c.Seconds
	verdict.Time = seconds(c.Seconds)
	verdict.judge(c.Verdict, fmt.Sprintf("%s; worst ratio %s", ran(c.Cases)+" cases", worstRatio(c)),
		strings.TrimSpace(c.Message+"\n"+c.Counterexample))
	for _, p := range c.Criteria {
		test("check: "+p.Check+": "+p.Name).judge(p.Verdict, "ratio "+criterion(p).Ratio, strings.Join(sides(p), "\n"))
	}
	for _, x := range c.Controls {
		test("wrong version: "+x.Name).expect(x.Rejected, x.Message, "accepted, ratio "+number(x.Ratio))
	}
	for _, x := range c.Errata {
		test("printed error: "+x.ID).expect(x.Refuted, x.Message, "not refuted, ratio "+number(x.Ratio))
	}
}

// judge records a verdict.
func (c *junitCase) judge(v results.Verdict, message, text string) {
	outcome := &junitOutcome{Message: string(v) + ": " + message, Type: string(v), Text: text}
	switch v {
	case results.Holds:
	case results.Refuted:
		c.Failure = outcome
	default:
		c.Error = outcome
	}
}

// expect records what had to be rejected. A message says why that was not settled.
func (c *junitCase) expect(rejected bool, message, otherwise string) {
	switch {
	case message != "":
		c.Error = &junitOutcome{Message: message, Type: "error"}
	case !rejected:
		c.Failure = &junitOutcome{Message: otherwise, Type: "accepted"}
	}
}

func (suite *junitSuite) count() {
	suite.Tests = len(suite.Cases)
	for _, c := range suite.Cases {
		switch {
		case c.Failure != nil:
			suite.Failures++
		case c.Error != nil:
			suite.Errors++
		case c.Skipped != nil:
			suite.Skipped++
		}
	}
}
