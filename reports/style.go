package reports

// Style is the style sheet of the report, for other pages that are to look like it.
func Style() string {
	css, err := templateFiles.ReadFile("templates/style.css")
	if err != nil {
		panic("reports: the style sheet is not in the binary")
	}
	return string(css)
}
