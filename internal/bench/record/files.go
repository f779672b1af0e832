package record

// KernelsFile is the measurement that the documents show.
const KernelsFile = "reports/published/kernels.json"

// KernelsCommand is how it is made.
const KernelsCommand = "go run ./cmd/thm bench record"

// VCLFile is the measurement that the documents show, and VCLCommand how it is made.
const (
	VCLFile    = "reports/published/vcl.json"
	VCLCommand = KernelsCommand + " --vcl"
)
