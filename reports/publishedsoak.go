package reports

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/thm-suite/thm/reports/soak"
)

//go:embed published/soak/soak.json
var publishedSoak []byte

// PublishedSoak is the soak that is published beside the standard run: what was measured of the chances that nothing
// derives.
var PublishedSoak = sync.OnceValue(func() *soak.Summary {
	var s soak.Summary
	if err := json.Unmarshal(publishedSoak, &s); err != nil {
		panic("reports: the published soak: " + err.Error()) // a file of the repository
	}
	return &s
})
