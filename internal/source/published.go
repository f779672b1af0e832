package source

// Experiment is where everybody finds the published report of an experiment, such as latent/kernels: on the web, since
// a report of claims may lie anywhere.
func Experiment(name string) string {
	return "https://github.com/thm-suite/thm/blob/main/reports/published/experiments/" + name + "/report.md"
}
