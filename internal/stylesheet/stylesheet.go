// Package stylesheet holds the look of the pages: of the report, and of those that are to look like it.
package stylesheet

import _ "embed"

//go:embed style.css
var css string

// CSS is the style sheet.
func CSS() string { return css }
