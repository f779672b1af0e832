package source

// OnWeb is where everybody finds a file or folder of this module.
func OnWeb(file string) string { return "https://github.com/thm-suite/thm/blob/main/" + file }

// Experiment is the published report of an experiment, such as latent/kernels: on the web, since a report of claims may
// lie anywhere.
func Experiment(name string) string {
	return OnWeb("reports/published/experiments/" + name + "/report.md")
}
