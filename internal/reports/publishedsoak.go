package reports

import (
	"encoding/json"
	"sync"

	"github.com/thm-suite/thm/internal/reports/soak"
	published "github.com/thm-suite/thm/reports"
)

// publishedSoak is the soak that is published with the standard run.
var publishedSoak = sync.OnceValue(func() *soak.Summary {
	var s soak.Summary
	if err := json.Unmarshal(published.Soak(), &s); err != nil {
		panic("reports: the published soak: " + err.Error()) // a file of the repository
	}
	return &s
})
