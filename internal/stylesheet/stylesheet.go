// Package stylesheet holds the style of the report and of all pages in the same style.
package stylesheet

import _ "embed"

//go:embed style.css
var css string

// CSS is the style sheet.
func CSS() string { return css }
