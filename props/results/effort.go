package results

// Effort is the size of a run. The same claims run at every effort, with other sizes.
type Effort string

// The efforts.
const (
	Quick    Effort = "quick"    // what go test runs: all claims in well under two minutes on two cores
	Standard Effort = "standard" // the command's default: minutes
	Deep     Effort = "deep"     // hours: what a budget allows of the sizes that claims declare
)

// Efforts lists the efforts from the smallest to the largest.
var Efforts = []Effort{Quick, Standard, Deep}
