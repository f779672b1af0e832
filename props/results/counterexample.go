package results

import "github.com/thm-suite/thm/internal/tensors"

// SaveCounterexample writes the shrunk counterexample of a row as a file that [props.Claim.Certify] reads. It does
// nothing for a row that has none.
func (row *Claim) SaveCounterexample(path string) error {
	if row.Instance == nil {
		return nil
	}
	return tensors.Encode(path, row.Instance)
}
