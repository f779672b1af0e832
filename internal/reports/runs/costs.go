package runs

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/thm-suite/thm/internal/atomicfile"
	"github.com/thm-suite/thm/props"
)

// CostsFile holds the cost of a case of each check at each effort, as measured by thm costs. It balances shards and
// fits deep effort into its budget, so it belongs to the binary: machines with different files would divide the work in
// different ways.
const CostsFile = "internal/reports/runs/costs.json"

//go:embed costs.json
var costsJSON []byte

// Costs reads the embedded table. A check that is not in it has the default of [props.Plan].
var Costs = sync.OnceValue(func() map[string]props.Rate {
	var table map[string]props.Rate
	if err := json.Unmarshal(costsJSON, &table); err != nil {
		panic("runs: costs.json: " + err.Error()) // a file of the repository
	}
	return table
})

// WriteCosts writes a table, a check a line. Two digits are enough to balance by.
func WriteCosts(file string, table map[string]props.Rate) error {
	text := "{"
	for i, key := range slices.Sorted(maps.Keys(table)) {
		rate := table[key]
		for k := range rate {
			rate[k], _ = strconv.ParseFloat(fmt.Sprintf("%.1e", rate[k]), 64)
		}
		name, _ := json.Marshal(key)
		numbers, err := json.Marshal(rate)
		if err != nil {
			return err
		}
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf("\n  %s: %s", name, numbers)
	}
	return atomicfile.Write(file, []byte(text+"\n}\n"))
}

// DeepBudget bounds the processor time of a run at deep effort, in seconds.
const DeepBudget = 4 * 3600

// Afford decides at which effort each check of a run goes, if there is a budget. The budget is for a run of the whole
// catalogue, because the draws of a claim must not depend on the other claims of a run.
func Afford(o *props.Options, catalogue []props.Claim) {
	if o.Effort == props.Deep && o.Budget > 0 {
		o.Efforts = props.Afford(catalogue, o.Budget, Costs())
	}
}
