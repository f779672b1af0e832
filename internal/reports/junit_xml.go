package reports

import "encoding/xml"

// JUnitSuites are a whole file of JUnit XML, as CI services read it. Encode fills the counts in.
type JUnitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Time   string        `xml:"time,attr,omitempty"`
	Suites []*JUnitSuite `xml:"testsuite"`
}

// JUnitSuite is a list of cases.
type JUnitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Time      string      `xml:"time,attr,omitempty"`
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	Cases     []JUnitCase `xml:"testcase"`
}

// junitCounts holds the numbers of tests, and of the outcomes that are no pass.
type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

// JUnitCase is a test, which has passed if it has no outcome.
type JUnitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr,omitempty"`
	Failure *JUnitOutcome `xml:"failure"`
	Error   *JUnitOutcome `xml:"error"`
	Skipped *JUnitOutcome `xml:"skipped"`
}

// JUnitOutcome says why a test has not passed.
type JUnitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Encode counts the outcomes and returns the file.
func (all *JUnitSuites) Encode() ([]byte, error) {
	for _, s := range all.Suites {
		s.Tests = len(s.Cases)
		for _, c := range s.Cases {
			switch {
			case c.Failure != nil:
				s.Failures++
			case c.Error != nil:
				s.Errors++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	b, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(b, '\n')...), nil
}
