package reports

import (
	"fmt"
	"strings"
	"time"

	"github.com/thm-suite/thm/props/results"
)

// JUnit returns the report as JUnit XML: a suite per source; a case for the verdict of each claim, and one for each
// of its conditions, wrong versions and printed errors. A refuted case, or a wrong version that is not rejected, is a
// failure; an undecided, incomplete or broken case is an error. Only a statement that was not part of the run is
// skipped.
func JUnit(s Site) ([]byte, error) {
	all := JUnitSuites{Name: "thm", Time: seconds(s.Results.Run.WallSeconds)}
	byName := map[string]*timedSuite{}
	for _, e := range s.entries() {
		name, _, _ := strings.Cut(e.slug(), "/")
		suite := byName[name]
		if suite == nil {
			suite = &timedSuite{JUnitSuite: JUnitSuite{Name: name, Time: seconds(0),
				Timestamp: s.Results.Run.Started.UTC().Format(time.RFC3339)}}
			byName[name] = suite
			all.Suites = append(all.Suites, &suite.JUnitSuite)
		}
		suite.add(e)
	}
	return all.Encode()
}

// timedSuite is a suite that adds the seconds of its claims up.
type timedSuite struct {
	JUnitSuite
	seconds float64
}

func seconds(x float64) string { return fmt.Sprintf("%.3f", x) }

// add writes the cases of one claim. The run measures time per claim only, so the verdict carries all of it.
func (suite *timedSuite) add(e entry) {
	test := func(name string) *testCase {
		suite.Cases = append(suite.Cases, JUnitCase{Class: e.slug(), Name: name, Time: seconds(0)})
		return (*testCase)(&suite.Cases[len(suite.Cases)-1])
	}
	verdict := test("verdict")
	if e.result == nil {
		verdict.Skipped = &JUnitOutcome{Message: "not part of this run"}
		return
	}
	c := e.result
	suite.seconds += c.Seconds
	suite.Time = seconds(suite.seconds)
	verdict.Time = seconds(c.Seconds)
	verdict.judge(c.Verdict, fmt.Sprintf("%s; worst ratio %s", counted(c.Cases, "case", "cases"), worstRatio(c)),
		strings.TrimSpace(c.Message+"\n"+c.Counterexample))
	for _, p := range c.Criteria {
		test("check: "+p.Check+": "+p.Name).judge(p.Verdict, "ratio "+ratio(p), strings.Join(sides(p), "\n"))
	}
	for _, x := range c.Controls {
		test("wrong version: "+x.Name).expect(x.Rejected, x.Message, "accepted, ratio "+number(x.Ratio))
	}
	for _, x := range c.Errata {
		test("printed error: "+x.ID).expect(x.Refuted, x.Message, "not refuted, ratio "+number(x.Ratio))
	}
}

type testCase JUnitCase

// judge records a verdict.
func (c *testCase) judge(v results.Verdict, message, text string) {
	outcome := &JUnitOutcome{Message: string(v) + ": " + message, Type: string(v), Text: text}
	switch v {
	case results.Holds:
	case results.Refuted:
		c.Failure = outcome
	default:
		c.Error = outcome
	}
}

// expect records a case that had to be rejected. A message says why that was not settled.
func (c *testCase) expect(rejected bool, message, otherwise string) {
	switch {
	case message != "":
		c.Error = &JUnitOutcome{Message: message, Type: "error"}
	case !rejected:
		c.Failure = &JUnitOutcome{Message: otherwise, Type: "accepted"}
	}
}
